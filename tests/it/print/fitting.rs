//! Fitting a label to a print head that is slightly too narrow.

use printing::fit::{Fit, FitPlan, plan};
use printing::job::prepare;
use printing::languages;
use printing::page::{PageSelection, Scale};
use printing::profile::{FitMode, Media, PrinterProfile, Rotation};
use printing::verification::{ExpectedCodes, verify_page};

use super::profiles::zebra;
use super::{drawn, label, prepare_all, renderer};
use crate::support::labels::{A6, DOT, code_128, pdf};
use crate::support::readers::burn;

#[tokio::test]
async fn blank_edges_are_left_off_and_not_a_dot_of_ink() {
    let page = drawn(Scale::DOTS_8).await;
    let FitPlan::Crop { bitmap, fit } = plan(&page, (812, 1184)) else {
        panic!("a label with margins is cropped")
    };
    assert_eq!(
        fit,
        Fit::Cropped {
            left_dots: 14,
            right_dots: 14,
            top_dots: 0,
            bottom_dots: 0,
        }
    );
    assert_eq!(bitmap.width(), 812);
    assert_eq!(bitmap.ink(), page.bitmap.ink());
}

#[tokio::test]
async fn a_label_that_fits_is_left_alone() {
    let page = drawn(Scale::DOTS_8).await;
    assert_eq!(plan(&page, (840, 1184)), FitPlan::AsIs);
}

const ONE: &str = "PKB000012345";

#[tokio::test]
async fn a_turned_label_is_the_same_dots_turned_and_its_barcodes_are_verified() {
    // A roll on which labels lie sideways: 148 mm wide and 105 mm long.
    let sideways = PrinterProfile {
        media: Media::Own,
        own_paper: (148.0, 105.0),
        head_width_dots: None,
        ..zebra(832)
    };
    let expected = ExpectedCodes::References(vec![ONE.into()]);
    let upright = PrinterProfile {
        head_width_dots: None,
        ..zebra(832)
    };
    let upright = prepare_all(label(&[ONE]), &upright, &expected)
        .await
        .unwrap();
    let upright = &upright.previews[0].bitmap;
    for rotation in [Rotation::Quarter, Rotation::Half, Rotation::ThreeQuarters] {
        let profile = PrinterProfile {
            rotation,
            ..if rotation.is_sideways() {
                sideways.clone()
            } else {
                PrinterProfile {
                    head_width_dots: None,
                    ..zebra(832)
                }
            }
        };
        let turned = prepare_all(label(&[ONE]), &profile, &expected)
            .await
            .unwrap();
        assert_eq!(turned.problem, None);
        let shown = &turned.previews[0];
        assert_eq!(
            (shown.fit, shown.codes.len()),
            (Fit::AsIs, 1),
            "{rotation:?}"
        );
        let (width, height) = (upright.width(), upright.height());
        for (x, y) in (0..width)
            .step_by(3)
            .flat_map(|x| (0..height).map(move |y| (x, y)))
        {
            let place = match rotation {
                Rotation::None => (x, y),
                Rotation::Quarter => (height - 1 - y, x),
                Rotation::Half => (width - 1 - x, height - 1 - y),
                Rotation::ThreeQuarters => (y, width - 1 - x),
            };
            assert_eq!(
                shown.bitmap.get(place.0, place.1),
                upright.get(x, y),
                "{rotation:?} {x} {y}"
            );
        }
        // The label of another consignment is still found out.
        let other = ExpectedCodes::References(vec!["PKB000099999".into()]);
        assert!(prepare_all(label(&[ONE]), &profile, &other).await.is_err());
    }
}

#[tokio::test]
async fn the_code_of_a_test_label_reads_on_low_labels_and_the_lowest_have_none() {
    let own = |own_paper, rotation| PrinterProfile {
        media: Media::Own,
        own_paper,
        rotation,
        head_width_dots: None,
        ..zebra(832)
    };
    for (paper, rotation) in [
        ((100.0, 50.0), Rotation::None),
        ((75.0, 38.0), Rotation::Half),
        ((100.0, 30.0), Rotation::None),
        ((50.0, 100.0), Rotation::Quarter),
    ] {
        let profile = own(paper, rotation);
        let drawn = printing::test_label::document(&profile, "PBT7K3QW2Z", "today").unwrap();
        let expected = ExpectedCodes::References(vec!["PBT7K3QW2Z".into()]);
        let prepared = prepare_all(drawn.pdf, &profile, &expected).await;
        assert!(prepared.is_ok(), "{paper:?}: {prepared:?}");
    }
    for (paper, rotation) in [
        ((100.0, 25.0), Rotation::None),
        ((25.0, 100.0), Rotation::Quarter),
    ] {
        let none = printing::test_label::document(&own(paper, rotation), "PBT7K3QW2Z", "today");
        assert!(none.is_err(), "{paper:?}");
    }
}

#[tokio::test]
async fn the_test_label_fills_paper_of_its_own_size_turned_or_not() {
    for rotation in Rotation::ALL {
        let profile = PrinterProfile {
            media: Media::Own,
            own_paper: (80.0, 120.0),
            rotation,
            head_width_dots: None,
            ..zebra(832)
        };
        let drawn = printing::test_label::document(&profile, "PBT7K3QW2Z", "today").unwrap();
        let expected = ExpectedCodes::References(vec!["PBT7K3QW2Z".into()]);
        let prepared = prepare_all(drawn.pdf, &profile, &expected).await.unwrap();
        let shown = &prepared.previews[0];
        assert_eq!(shown.fit, Fit::AsIs, "{rotation:?}");
        let (width, height) = (shown.bitmap.width(), shown.bitmap.height());
        assert_eq!((width, height), (640, 960), "{rotation:?}");
        // A line over the whole width of the print head.
        let is_black = |y: u32| (0..width).all(|x| shown.bitmap.get(x, y));
        assert!((0..height).any(is_black), "{rotation:?}");
    }
}

/// Bars from edge to edge: nothing to crop.
fn edge_to_edge() -> Vec<u8> {
    let mut face = String::from("0 0 2 420 re f 295 0 2.6 420 re f\n");
    code_128(
        &mut face,
        "PKB000012345",
        (30.0 * DOT, 140.0),
        2.0 * DOT,
        90.0,
    );
    pdf(A6, &[face])
}

#[tokio::test]
async fn a_label_inked_to_its_edges_is_drawn_again_smaller_and_still_reads() {
    let profile = zebra(812);
    let expected = ExpectedCodes::References(vec!["PKB000012345".into()]);
    let prepared = prepare_all(edge_to_edge(), &profile, &expected)
        .await
        .unwrap();
    let shown = &prepared.previews[0];
    assert!(
        matches!(shown.fit, Fit::Shrunk { ratio } if ratio > 0.96 && ratio < 0.97),
        "{:?}",
        shown.fit
    );
    assert!(
        (808..=812).contains(&shown.bitmap.width()),
        "{:?}",
        shown.bitmap
    );
    assert_eq!(
        prepared.notes,
        [
            "The label is 105 × 148 mm and the printer can print 102 × 148 mm: it is printed at 97 % of its size"
        ]
    );
    assert!(burn(&prepared.payload.bytes) == [shown.bitmap.clone()]);
}

#[tokio::test]
async fn a_label_both_too_long_and_cut_at_its_edges_is_no_wider_than_the_head() {
    let mut face = String::from("0 0 2 440 re f 295 0 2.6 440 re f\n");
    code_128(&mut face, ONE, (60.0 * DOT, 140.0), 2.0 * DOT, 90.0);
    let long = pdf((A6.0, 440.0), &[face]);
    let expected = ExpectedCodes::References(vec![ONE.into()]);
    let profile = PrinterProfile {
        fitting: FitMode::Crop,
        ..zebra(700)
    };
    let prepared = prepare_all(long, &profile, &expected).await.unwrap();
    let shown = &prepared.previews[0];
    assert!(matches!(shown.fit, Fit::Cropped { .. }), "{:?}", shown.fit);
    assert_eq!(shown.bitmap.width(), 700, "{:?}", prepared.notes);
    assert_eq!(shown.codes[0].text, ONE);
    assert_eq!(prepared.notes.len(), 1, "{:?}", prepared.notes);
    assert!(burn(&prepared.payload.bytes) == [shown.bitmap.clone()]);
}

#[tokio::test]
async fn what_is_previewed_is_what_is_sent_page_by_page() {
    let references = ["PKB000012345", "PKB000012346", "PKB000012347"];
    let expected = ExpectedCodes::References(references.map(String::from).to_vec());
    let prepared = prepare_all(label(&references), &zebra(832), &expected)
        .await
        .unwrap();
    let previews: Vec<_> = prepared
        .previews
        .iter()
        .map(|shown| shown.bitmap.clone())
        .collect();
    assert_eq!(previews.len(), 3);
    assert!(burn(&prepared.payload.bytes) == previews);
    assert_eq!(
        prepared.notes.len(),
        1,
        "the same note once: {:?}",
        prepared.notes
    );
    for (shown, reference) in prepared.previews.iter().zip(references) {
        assert_eq!(shown.codes[0].text, reference);
    }
}

#[tokio::test]
async fn single_pages_can_be_prepared() {
    let pdf = label(&["PKB000012345", "PKB000012346"]);
    let expected = ExpectedCodes::References(vec!["PKB000012346".into()]);
    let prepared = prepare(
        &renderer(),
        pdf,
        PageSelection::single(1),
        &zebra(840),
        &expected,
    )
    .await
    .unwrap();
    assert_eq!(prepared.previews.len(), 1);
    assert_eq!(prepared.previews[0].index, 1);
    assert_eq!(
        prepared.payload.bytes[..],
        languages::zpl(&prepared.previews[0].bitmap, &zebra(840))
    );
}

#[tokio::test]
async fn the_check_runs_on_the_dots_that_burn() {
    let page = renderer()
        .render(edge_to_edge().into(), 0, Scale::dots_per_mm(1.5).unwrap())
        .await
        .unwrap();
    assert!(
        verify_page(&page, &ExpectedCodes::AnyCode).is_err(),
        "too coarse to read"
    );
}
