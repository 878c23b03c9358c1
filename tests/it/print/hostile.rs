//! Broken and malicious labels: each gets its own message, and the bench goes on.
//!
//! The tables are below `hostile/`: each file with its permitted results. Every file ends in time, its
//! renderer process stays within its memory limit, and the next label prints.

mod bombs;
mod files;
mod locked;

use std::sync::Arc;
use std::time::{Duration, Instant};

use printing::job::{PrepareError, prepare};
use printing::page::{PageSelection, Scale};
use printing::renderer::{RenderError, RenderLimits, Renderer};
use printing::verification::ExpectedCodes;

use super::profiles::zebra;
use super::{label, program, renderer};
use crate::support::labels::{A6, pdf, pdf_with, stream};
use files::Case;

const ONE: &str = "PKB000012345";
const TWO: &str = "PKB000012346";

/// A document that asks a reader to run, to follow and to unpack things; and what it asks to be made.
pub(crate) fn active() -> (Vec<u8>, &'static str) {
    (files::active(), files::MARK)
}

/// Documents that cost time, memory or depth, each with its name.
pub(crate) fn costly() -> impl Iterator<Item = (&'static str, Vec<u8>)> {
    let all = [bombs::streams(), bombs::images(), bombs::drawings()];
    all.into_iter().flatten().map(|(name, pdf, _)| (name, pdf))
}

/// Forms within forms, doubled until nobody sees the end of them.
pub(crate) fn endless_form() -> Vec<u8> {
    endless()
}

/// Draws a good label with the same renderer.
async fn still_works(renderer: &Renderer) {
    let page = renderer
        .render(label(&["PKB000012345"]), 0, Scale::DOTS_8)
        .await
        .unwrap();
    assert_eq!(page.bitmap.width(), 840);
}

/// What the bench says of a file: `Printed`, or the word of its refusal.
async fn answer(renderer: &Renderer, pdf: Vec<u8>) -> &'static str {
    // Two pieces where the file has two pages: it was made so, or carries the same label twice.
    let two = pdf.windows(8).any(|at| at == b"/Count 2");
    let references = [ONE, TWO][..=usize::from(two)].iter();
    let expected = ExpectedCodes::References(references.map(|&one| one.to_owned()).collect());
    match prepare(
        renderer,
        pdf.into(),
        PageSelection::All,
        &zebra(1184),
        &expected,
    )
    .await
    {
        Ok(_) => "Printed",
        Err(error) => short_name(&error),
    }
}

/// The word for a refusal in the tables.
fn short_name(error: &PrepareError) -> &'static str {
    match error {
        PrepareError::Render(error) => match error {
            RenderError::NotAPdf => "Not a PDF",
            RenderError::Truncated => "Incomplete file",
            RenderError::PageTooLarge { .. } => "Page too large",
            RenderError::TooManyPages { .. } => "Too many pages",
            RenderError::FileTooLarge { .. } => "File too large",
            RenderError::TimedOut { .. } => "Took too long",
            RenderError::OutOfMemory { .. } => "Needs too much memory",
            RenderError::Died => "Reading crashed",
            RenderError::Password => "Locked",
            RenderError::Unreadable => "Unreadable file",
            _ => "Not prepared",
        },
        PrepareError::Check(problem) => problem.word(),
        PrepareError::OffPaper { .. } | PrepareError::Interrupted => "Not prepared",
    }
}

/// Runs a table through one renderer; `page_time` is for each page.
async fn all_answered(cases: Vec<Case>, page_time: Duration) {
    let limits = RenderLimits {
        page_time,
        children: 1,
        ..RenderLimits::default()
    };
    let renderer = Renderer::with_limits(program(), limits);
    let mut wrong = Vec::new();
    for (what, pdf, right) in cases {
        let started = Instant::now();
        let said = answer(&renderer, pdf).await;
        let took = started.elapsed();
        if !right.contains(&said) {
            wrong.push(format!("{what}: {said}"));
        }
        // The time limit counts from the first page; starting a child and killing it come on top.
        if took > page_time * 2 + Duration::from_secs(5) {
            wrong.push(format!("{what}: took {took:?}"));
        }
        if let Some(peak) = renderer.child_ids().pop().and_then(peak_bytes)
            && peak > limits.memory_bytes
        {
            wrong.push(format!("{what}: {peak} bytes"));
        }
        still_works(&renderer).await;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// For good labels: enough on a busy machine.
const PATIENT: Duration = Duration::from_secs(10);

/// For what ends by its memory: reading so much takes a busy machine long.
pub(super) const AT_LEISURE: Duration = Duration::from_mins(1);

/// For what never ends: it shall not take the tests' time.
const BRIEF: Duration = Duration::from_secs(2);

/// Makes a test of each table, with the time that a page of its files may take.
macro_rules! answered {
    ($($name:ident: $cases:expr, $page_time:expr;)+) => {
        $(#[tokio::test]
        async fn $name() {
            all_answered($cases, $page_time).await;
        })+
    };
}

answered! {
    a_file_that_came_over_badly_is_said_to_be_so: files::transfers(), PATIENT;
    odd_pages_print_or_are_refused_by_what_is_wrong_with_them: files::pages(), PATIENT;
    broken_tables_of_contents_and_updates_are_seen_through: files::contents(), PATIENT;
    what_cannot_be_scanned_is_not_printed: files::faces(), PATIENT;
    only_a_password_that_is_needed_locks_a_label: locked::cases(), PATIENT;
    streams_that_grow_are_stopped: bombs::streams(), BRIEF;
    images_that_lie_about_their_size_are_stopped: bombs::images(), BRIEF;
    drawings_without_end_are_stopped: bombs::drawings(), BRIEF;
}

#[test]
fn there_are_enough_of_them() {
    let tables = [
        files::transfers(),
        files::pages(),
        files::contents(),
        files::faces(),
        locked::cases(),
        bombs::images(),
        bombs::drawings(),
    ];
    let mut names: Vec<_> = tables.iter().flatten().map(|(what, ..)| what).collect();
    names.sort_unstable();
    names.dedup();
    assert!(names.len() >= 80, "{}", names.len());
}

#[tokio::test]
async fn nothing_that_a_document_asks_to_run_is_run() {
    let mark = std::path::Path::new(files::MARK);
    assert!(!mark.exists(), "left behind by something else");
    assert_eq!(answer(&renderer(), files::active()).await, "Printed");
    assert!(!mark.exists(), "a document ran a program");
}

#[tokio::test]
async fn a_file_above_32_mebibytes_is_not_read() {
    let mut long = label(&[ONE]).to_vec();
    long.extend(vec![b'\n'; 33 * 1024 * 1024]);
    assert_eq!(answer(&renderer(), long).await, "File too large");
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
    let beyond = renderer()
        .render(label(&[ONE]), usize::MAX, Scale::DOTS_8)
        .await;
    assert!(
        matches!(beyond, Err(RenderError::NoSuchPage { .. })),
        "{beyond:?}"
    );
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
    let limits = RenderLimits {
        page_time: Duration::from_secs(3),
        ..RenderLimits::default()
    };
    let renderer = Renderer::with_limits(program(), limits);
    still_works(&renderer).await;
    let (before, started) = (renderer.child_ids().pop(), Instant::now());
    let given_up = renderer.render(endless().into(), 0, Scale::DOTS_8).await;
    assert_eq!(given_up, Err(RenderError::TimedOut { seconds: 3 }));
    assert!(
        started.elapsed() < Duration::from_secs(10),
        "{:?}",
        started.elapsed()
    );
    assert!(
        renderer.child_ids().pop().is_none(),
        "the child that hung is gone"
    );
    still_works(&renderer).await;
    assert_ne!(renderer.child_ids().pop(), before);
}

/// An image of 400 megabytes in six.
pub(super) fn memory_bomb() -> Vec<u8> {
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
    let limits = RenderLimits {
        memory_bytes: 512 * 1024 * 1024,
        page_time: AT_LEISURE,
        ..RenderLimits::default()
    };
    let renderer = Renderer::with_limits(program(), limits);
    still_works(&renderer).await;
    let child = renderer.child_ids().pop().unwrap();
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
pub(super) fn peak_bytes(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmPeak:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}

#[tokio::test]
async fn a_page_that_needs_more_memory_than_there_is_says_so() {
    let limits = RenderLimits {
        memory_bytes: 200 * 1024 * 1024,
        ..RenderLimits::default()
    };
    let renderer = Renderer::with_limits(program(), limits);
    // Within the limit of dots, at four bytes a dot above the limit of memory.
    let large = pdf((2_700.0, 2_700.0), &["0 0 2700 2700 re f".into()]);
    let refused = renderer.render(large.into(), 0, Scale::DOTS_8).await;
    assert_eq!(refused, Err(RenderError::OutOfMemory { mebibytes: 200 }));
    still_works(&renderer).await;
}

#[tokio::test]
async fn a_document_of_many_large_pages_is_refused_before_it_fills_the_bench() {
    let limits = RenderLimits {
        document_dots: 8 * 1024 * 1024,
        ..RenderLimits::default()
    };
    let renderer = Renderer::with_limits(program(), limits);
    let many = vec!["0 0 300 420 re f".to_owned(); 400];
    let refused = renderer
        .render_pages(pdf(A6, &many).into(), PageSelection::All, Scale::DOTS_8)
        .await;
    let (pages, mebibytes) = (9, 1);
    assert_eq!(
        refused,
        Err(RenderError::DocumentTooLarge { pages, mebibytes })
    );
    assert!(
        renderer.child_ids().is_empty(),
        "the child that drew it is gone"
    );
    still_works(&renderer).await;
    let limits = RenderLimits {
        document_time: Duration::from_millis(20),
        ..RenderLimits::default()
    };
    let renderer = Renderer::with_limits(program(), limits);
    let refused = renderer
        .render_pages(pdf(A6, &many).into(), PageSelection::All, Scale::DOTS_8)
        .await;
    assert_eq!(refused, Err(RenderError::TimedOut { seconds: 0 }));
}

#[tokio::test]
async fn a_child_that_was_killed_is_replaced() {
    let renderer = renderer();
    still_works(&renderer).await;
    let child = renderer.child_ids().pop().unwrap();
    let killed = std::process::Command::new("sh")
        .args(["-c", &format!("kill -9 {child}")])
        .status()
        .unwrap();
    assert!(killed.success());
    while peak_bytes(child).is_some() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    still_works(&renderer).await;
    assert_ne!(renderer.child_ids().pop(), Some(child));
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
