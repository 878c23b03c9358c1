//! Labels that are broken or meant to break something: each gets its own words, and the bench goes on.

use std::sync::Arc;
use std::time::{Duration, Instant};

use packbench::printing::check::{Expected, before_ink};
use packbench::printing::page::Scale;
use packbench::printing::renderer::{Limits, RenderError, Renderer};

use super::{label, program, renderer};
use crate::support::labels::{A6, file, pdf, pdf_with, stream};

async fn refusal(pdf: Vec<u8>) -> RenderError {
    renderer()
        .render(pdf.into(), 0, Scale::DOTS_8)
        .await
        .unwrap_err()
}

/// Draws a good label with the same renderer.
async fn still_works(renderer: &Renderer) {
    let page = renderer
        .render(label(&["PKB000012345"]), 0, Scale::DOTS_8)
        .await
        .unwrap();
    assert_eq!(page.bitmap.width(), 840);
}

#[tokio::test]
async fn what_is_no_pdf_is_said_to_be_none() {
    assert_eq!(
        refusal(b"<html><body>Sign in</body></html>".to_vec()).await,
        RenderError::NotAPdf
    );
    assert_eq!(refusal(Vec::new()).await, RenderError::NotAPdf);
    assert_eq!(
        refusal(b"^XA^FO0,0^FDhello^FS^XZ".to_vec()).await,
        RenderError::NotAPdf
    );
}

#[tokio::test]
async fn a_label_without_its_end_is_incomplete_wherever_it_was_cut() {
    let whole = label(&["PKB000012345"]);
    for cut in [
        20,
        whole.len() / 4,
        whole.len() / 2,
        whole.len() - 40,
        whole.len() - 7,
    ] {
        assert_eq!(
            refusal(whole[..cut].to_vec()).await,
            RenderError::Truncated,
            "cut at {cut}"
        );
    }
}

#[tokio::test]
async fn bytes_after_the_end_are_no_harm() {
    let mut padded = label(&["PKB000012345"]).to_vec();
    padded.extend([0; 5000]);
    assert!(
        renderer()
            .render(padded.into(), 0, Scale::DOTS_8)
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn a_page_of_1000_by_1000_inches_is_refused_before_it_is_drawn() {
    let huge = pdf((72_000.0, 72_000.0), &["0 0 72000 72000 re f".into()]);
    let started = Instant::now();
    assert_eq!(
        refusal(huge).await,
        RenderError::PageTooLarge {
            width_mm: 25_400,
            height_mm: 25_400
        }
    );
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn a_page_that_is_not_there_is_said_so() {
    let asked = renderer()
        .render(label(&["PKB000012345"]), 4, Scale::DOTS_8)
        .await;
    assert_eq!(
        asked,
        Err(RenderError::NoSuchPage {
            page: 5,
            page_count: 1
        })
    );
}

#[tokio::test]
async fn a_label_with_a_password_is_said_to_be_locked() {
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [] /Count 0 >>".to_vec(),
        format!(
            "<< /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <{0}> /U <{0}> >>",
            "5a".repeat(32)
        )
        .into_bytes(),
    ];
    let id = "0123456789abcdef0123456789abcdef";
    let locked = file(&objects, &format!("/Encrypt 3 0 R /ID [<{id}> <{id}>]"));
    assert_eq!(refusal(locked).await, RenderError::Password);
}

#[tokio::test]
async fn rubbish_between_good_ends_is_unreadable() {
    let mut rubbish = b"%PDF-1.7\n".to_vec();
    rubbish.extend((0..20_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8));
    rubbish.extend(b"\n%%EOF\n");
    assert_eq!(refusal(rubbish).await, RenderError::Unreadable);
}

/// A form that draws two of the next, thirty deep: a thousand million rectangles.
fn endless() -> Vec<u8> {
    let depth = 30;
    let form = |at: usize| {
        let next = at + 5;
        let entries = format!(
            "/Type /XObject /Subtype /Form /BBox [0 0 300 420] /Resources << /XObject << /N {next} 0 R >> >>"
        );
        stream(&entries, b"/N Do 1 0 0 1 1 1 cm /N Do")
    };
    let mut forms: Vec<_> = (0..depth).map(form).collect();
    forms.push(stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 300 420]",
        b"0 0 10 10 re f",
    ));
    pdf_with(A6, &["/N Do".into()], "/XObject << /N 4 0 R >>", &forms)
}

#[tokio::test]
async fn an_endless_label_is_given_up_and_the_next_one_prints() {
    let limits = Limits {
        page_time: Duration::from_secs(3),
        ..Limits::default()
    };
    let renderer = Renderer::with_limits(program(), limits);
    still_works(&renderer).await;
    let (before, started) = (renderer.child_id().await, Instant::now());
    let given_up = renderer.render(endless().into(), 0, Scale::DOTS_8).await;
    assert_eq!(given_up, Err(RenderError::TimedOut { seconds: 3 }));
    assert!(
        started.elapsed() < Duration::from_secs(10),
        "{:?}",
        started.elapsed()
    );
    assert!(
        renderer.child_id().await.is_none(),
        "the child that hung is gone"
    );
    still_works(&renderer).await;
    assert_ne!(renderer.child_id().await, before);
}

/// Documents that some rasteriser choked on, each in its own way.
fn crafted() -> Vec<(&'static str, Vec<u8>)> {
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 300 420] /Resources << /XObject << /N 4 0 R >> >>";
    let pattern = "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 0.001 /YStep 0.001 \
                   /Resources << >>";
    let fax = "/Type /XObject /Subtype /Image /Width 65000 /Height 65000 /ColorSpace /DeviceGray /BitsPerComponent 1 \
               /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 65000 /Rows 65000 >>";
    let looped = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>".to_vec(),
    ];
    let fill = "/Pattern cs /P scn 0 0 297 420 re f";
    vec![
        (
            "dashes of nothing",
            pdf(
                A6,
                &["[0.00001 0.00001] 0 d 1 w 0 100 m 290 100 l S".into()],
            ),
        ),
        (
            "a form of itself",
            pdf_with(
                A6,
                &["/N Do".into()],
                "/XObject << /N 4 0 R >>",
                &[stream(form, b"/N Do")],
            ),
        ),
        ("tiles of nothing", {
            let tile = stream(pattern, b"0 0 1 1 re f");
            pdf_with(A6, &[fill.into()], "/Pattern << /P 4 0 R >>", &[tile])
        }),
        ("a fax without end", {
            let image = stream(fax, &[0x26; 4096]);
            pdf_with(
                A6,
                &["200 0 0 200 10 10 cm /I Do".into()],
                "/XObject << /I 4 0 R >>",
                &[image],
            )
        }),
        ("pages of pages", file(&looped, "")),
        ("states within states", pdf(A6, &["q ".repeat(1_000_000)])),
        (
            "brackets within brackets",
            pdf(A6, &["[".repeat(1_000_000)]),
        ),
    ]
}

#[tokio::test]
async fn crafted_labels_end_in_time_and_the_next_one_prints() {
    let limits = Limits {
        page_time: Duration::from_secs(3),
        ..Limits::default()
    };
    let renderer = Renderer::with_limits(program(), limits);
    for (what, pdf) in crafted() {
        still_works(&renderer).await;
        // Whether one is drawn, refused or given up is the rasteriser's affair; that it ends is ours.
        let started = Instant::now();
        let ended = renderer.render(pdf.into(), 0, Scale::DOTS_8).await;
        assert!(
            started.elapsed() < Duration::from_secs(10),
            "{what}: {ended:?} after {:?}",
            started.elapsed()
        );
        let burnt = ended.map(|page| before_ink(&page, &Expected::AnyCode));
        assert!(!matches!(burnt, Ok(Ok(_))), "{what} is no label: {burnt:?}");
    }
    still_works(&renderer).await;
}

/// An image of 400 megabytes in six.
fn memory_bomb() -> Vec<u8> {
    let mut runs = [129, 0].repeat(3_125_000);
    runs.push(128);
    let image = stream(
        "/Type /XObject /Subtype /Image /Width 20000 /Height 20000 /ColorSpace /DeviceGray /BitsPerComponent 8 \
         /Filter /RunLengthDecode",
        &runs,
    );
    pdf_with(
        A6,
        &["200 0 0 200 10 10 cm /I Do".into()],
        "/XObject << /I 4 0 R >>",
        &[image],
    )
}

#[tokio::test]
async fn memory_stays_under_the_limit() {
    let limits = Limits {
        memory_bytes: 512 * 1024 * 1024,
        ..Limits::default()
    };
    let renderer = Renderer::with_limits(program(), limits);
    still_works(&renderer).await;
    let child = renderer.child_id().await.unwrap();
    let watch = tokio::spawn(async move {
        let mut highest = 0;
        while let Some(bytes) = peak_bytes(child) {
            highest = highest.max(bytes);
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        highest
    });
    let refused = renderer
        .render(memory_bomb().into(), 0, Scale::DOTS_8)
        .await;
    assert_eq!(refused, Err(RenderError::OutOfMemory { mebibytes: 512 }));
    still_works(&renderer).await;
    drop(renderer);
    let highest = watch.await.unwrap();
    assert!(
        highest > 0 && highest <= limits.memory_bytes,
        "{highest} bytes"
    );
}

/// The most address space that a process ever had; `None` once it is gone.
fn peak_bytes(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmPeak:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}

#[tokio::test]
async fn a_page_that_needs_more_memory_than_there_is_says_so() {
    let limits = Limits {
        memory_bytes: 200 * 1024 * 1024,
        ..Limits::default()
    };
    let renderer = Renderer::with_limits(program(), limits);
    // Within the limit of dots, at four bytes a dot above the limit of memory.
    let large = pdf((2_700.0, 2_700.0), &["0 0 2700 2700 re f".into()]);
    let refused = renderer.render(large.into(), 0, Scale::DOTS_8).await;
    assert_eq!(refused, Err(RenderError::OutOfMemory { mebibytes: 200 }));
    still_works(&renderer).await;
}

#[tokio::test]
async fn a_child_that_was_killed_is_replaced() {
    let renderer = renderer();
    still_works(&renderer).await;
    let child = renderer.child_id().await.unwrap();
    let killed = std::process::Command::new("sh")
        .args(["-c", &format!("kill -9 {child}")])
        .status()
        .unwrap();
    assert!(killed.success());
    while peak_bytes(child).is_some() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    still_works(&renderer).await;
    assert_ne!(renderer.child_id().await, Some(child));
}

#[tokio::test]
async fn a_page_given_up_half_way_leaves_no_answer_for_the_next() {
    let renderer = Arc::new(renderer());
    still_works(&renderer).await;
    let abandoned = renderer.render(endless().into(), 0, Scale::DOTS_8);
    assert!(
        tokio::time::timeout(Duration::from_millis(50), abandoned)
            .await
            .is_err()
    );
    still_works(&renderer).await;
}

#[tokio::test]
async fn a_missing_renderer_is_said_so() {
    let nowhere = Renderer::new("/nonexistent/packbench".into());
    let refused = nowhere
        .render(label(&["PKB000012345"]), 0, Scale::DOTS_8)
        .await
        .unwrap_err();
    assert!(matches!(refused, RenderError::NoRenderer { .. }));
    assert!(
        !refused.to_string().contains("nonexistent"),
        "no paths in words for the clerk"
    );
}
