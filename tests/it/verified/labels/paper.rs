//! Every dot of a label is on the paper, at its true size.

use app::state::LabelsCommand;
use printing::fit::{Fit, FitPlan, plan};
use printing::job::{PrepareError, Prepared, prepare};
use printing::page::{Bitmap, Page, PageSelection, Scale};
use printing::profile::{Language, Media, PrinterProfile};
use printing::renderer::Renderer;
use printing::verification::ExpectedCodes;
use storage::Journal;

use crate::print::batch::{ids, set_up, store_pdf, until_check_fails};
use crate::support::desk::Home;
use crate::support::labels::{A6, DOT, code_128, face, pdf, text};
use crate::support::recorder::Recorder;

const ONE: &str = "PKB000012345";

/// A4 in points, lying.
const LANDSCAPE_A4: (f64, f64) = (841.89, 595.276);

async fn prepared(pdf: Vec<u8>, profile: &PrinterProfile) -> Result<Prepared, PrepareError> {
    let renderer = Renderer::new(env!("CARGO_BIN_EXE_packbench").into());
    let expected = ExpectedCodes::References(vec![ONE.to_owned()]);
    prepare(
        &renderer,
        pdf.into(),
        PageSelection::All,
        profile,
        &expected,
    )
    .await
}

/// A lying A4 page with a code in its right half, of bars so many dots wide.
fn landscape(module: f64) -> Vec<u8> {
    let mut face = String::new();
    text(&mut face, 60.0, 520.0, 40.0, "Practice Freight");
    code_128(&mut face, ONE, (420.0, 200.0), module * DOT, 200.0);
    text(&mut face, 420.0, 60.0, 30.0, "Piece 1 of 1");
    pdf(LANDSCAPE_A4, &[face])
}

#[tokio::test]
async fn n8_a_landscape_a4_label_lies_on_a6_paper_whole_although_no_head_width_is_set() {
    for language in Language::ALL.into_iter().filter(|one| one.is_dots()) {
        let profile = PrinterProfile {
            language,
            ..PrinterProfile::default()
        };
        assert_eq!(profile.head_width_dots, None);
        let prepared = prepared(landscape(5.0), &profile).await;
        let prepared = prepared.expect("its code still reads");
        let shown = &prepared.previews[0];
        let (width, height) = profile.printable_dots();
        assert!(
            shown.bitmap.width() <= width && shown.bitmap.height() <= height,
            "{language:?}: {:?}",
            shown.bitmap
        );
        assert_eq!(shown.codes[0].text, ONE);
        let [note] = prepared.notes.as_slice() else {
            panic!("one factor: {:?}", prepared.notes);
        };
        assert!(note.contains(" % of its size"), "{note}");
        if language == Language::Zpl {
            let zpl = String::from_utf8_lossy(&prepared.payload.bytes);
            let (_, after) = zpl.split_once("^PW").expect("a width");
            let width: u32 = after
                .split('\n')
                .next()
                .and_then(|width| width.parse().ok())
                .expect("a number");
            assert!(width <= 840, "^PW{width}");
        }
    }
}

#[tokio::test]
async fn n8_what_is_checked_is_what_lands_on_the_paper() {
    // Wide enough on A4, and too fine once the page is as small as the paper.
    let refused = prepared(landscape(2.0), &PrinterProfile::default()).await;
    let refused = refused.expect_err("no scanner reads it");
    assert!(matches!(refused, PrepareError::Check(_)), "{refused:?}");
}

#[test]
fn n8_no_byte_of_a_label_that_cannot_be_read_on_the_paper_is_sent() {
    let (home, printer) = (Home::new(), Recorder::start());
    let id = ids(1)[0];
    let pdf = landscape(2.0);
    let mut journal = Journal::open(&home.places.journal("practice")).expect("a journal");
    store_pdf(&mut journal, id, pdf, (&[ONE], &[]));
    drop(journal);
    let (_practice, mut desk) = home.open_practice();
    set_up(&mut desk, printer.port());
    desk.ask(LabelsCommand::Print(vec![id]));
    until_check_fails(&mut desk, id);
    assert!(desk.core.shared.labels.jobs.is_empty());
    desk.ask(LabelsCommand::Select(id));
    let preview = desk.until("drawn", |core| core.shared.labels.preview.value().cloned());
    assert!(preview.problem.is_some() && !preview.checked, "{preview:?}");
    assert_eq!(printer.count(), 0);
}

/// A page with one block of ink.
fn page(size: (u32, u32), ink: (std::ops::Range<u32>, std::ops::Range<u32>)) -> Page {
    let stride = size.0.div_ceil(8);
    let mut rows = vec![0_u8; (stride * size.1) as usize];
    for y in ink.1 {
        for x in ink.0.clone() {
            rows[(y * stride + x / 8) as usize] |= 0x80 >> (x % 8);
        }
    }
    Page {
        bitmap: Bitmap::from_packed(size.0, size.1, rows).expect("a page"),
        index: 0,
        page_count: 1,
        announced_page_count: 1,
        size_mm: (f64::from(size.0) / 8.0, f64::from(size.1) / 8.0),
        scale: Scale::DOTS_8,
    }
}

#[test]
fn n8_wherever_the_ink_is_a_page_is_left_cropped_or_shrunk_onto_the_paper_without_losing_a_dot() {
    let area = (84, 118);
    for (width, height) in [
        (80, 110),
        (84, 118),
        (90, 118),
        (84, 130),
        (168, 237),
        (237, 168),
    ] {
        for left in (0..width).step_by(13) {
            for right in ((left + 1)..=width).step_by(29) {
                for (top, bottom) in [(0, height), (3, 60), (height - 70, height), (20, 21)] {
                    let page = page((width, height), (left..right, top..bottom));
                    let what = format!("{width} × {height}, {left}..{right}, {top}..{bottom}");
                    match plan(&page, area) {
                        FitPlan::AsIs => assert!(width <= area.0 && height <= area.1, "{what}"),
                        FitPlan::Crop { bitmap, .. } => {
                            assert_eq!(bitmap.ink(), page.bitmap.ink(), "{what}");
                            let size = (bitmap.width(), bitmap.height());
                            assert!(size.0 <= area.0 && size.1 <= area.1, "{what}");
                        }
                        FitPlan::Redraw { scale } => {
                            let ratio = scale.get() / 8.0;
                            assert!(ratio < 1.0, "{what}");
                            assert!(
                                f64::from(right - left) * ratio <= f64::from(area.0),
                                "{what}"
                            );
                            assert!(
                                f64::from(bottom - top) * ratio <= f64::from(area.1),
                                "{what}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn n10_an_a6_label_in_a_corner_of_an_a4_sheet_keeps_its_full_size() {
    // The lower left corner of the sheet, then its upper right one.
    for (x, y) in [(0.0, 0.0), (297.0, 420.0)] {
        let sheet = format!("q 1 0 0 1 {x} {y} cm\n{}Q\n", face(ONE, 1, 1));
        let prepared = prepared(pdf((595.276, 841.89), &[sheet]), &PrinterProfile::default())
            .await
            .expect("it reads");
        let shown = &prepared.previews[0];
        assert!(matches!(shown.fit, Fit::Cropped { .. }), "{:?}", shown.fit);
        let alone =
            printing::render_in_process(pdf(A6, &[face(ONE, 1, 1)]).into(), 0, Scale::DOTS_8);
        let alone = alone.expect("drawn").bitmap;
        let ink = |bitmap: &Bitmap| {
            let columns = bitmap.ink_columns().expect("ink");
            let rows = bitmap.ink_rows();
            (columns.len(), rows.len())
        };
        let (there, here) = (ink(&alone), ink(&shown.bitmap));
        assert!(
            there.0.abs_diff(here.0) <= 1 && there.1.abs_diff(here.1) <= 1,
            "{there:?} on its own page, {here:?} here"
        );
    }
}

#[tokio::test]
async fn n10_a_page_both_too_wide_and_too_long_is_drawn_at_one_factor_and_says_it() {
    // 4 × 8 inches of ink onto A6.
    let mut face = String::from("4 4 280 568 re S\n");
    code_128(&mut face, ONE, (30.0, 300.0), 3.0 * DOT, 90.0);
    let narrow = PrinterProfile {
        head_width_dots: Some(700),
        media: Media::A6,
        ..PrinterProfile::default()
    };
    let prepared = prepared(pdf((288.0, 576.0), &[face]), &narrow)
        .await
        .expect("it reads");
    let Fit::Shrunk { ratio } = prepared.previews[0].fit else {
        panic!("{:?}", prepared.previews[0].fit);
    };
    assert!((0.72..0.75).contains(&ratio), "{ratio}");
    assert_eq!(prepared.notes.len(), 1, "{:?}", prepared.notes);
    let said = format!("{:.0} % of its size", ratio * 100.0);
    assert!(prepared.notes[0].contains(&said), "{:?}", prepared.notes);
}
