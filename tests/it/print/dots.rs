//! Dots, the barcodes read back from them, and the printer's language made from them.

use std::num::NonZeroU8;

use printing::codes::{self, BarcodeFormat};
use printing::languages::{Encoder, Language};
use printing::page::{Bitmap, PageSelection, Scale};
use printing::profile::PrinterProfile;
use printing::verification::{ExpectedCodes, VerificationError, verify_page, verify_pages};
use printing::{languages, render_in_process};

use super::{drawn, label, renderer};
use crate::support::labels;
use crate::support::readers::burn;

#[tokio::test]
async fn an_a6_label_at_8_dots_a_millimetre_is_840_by_1184() {
    let page = drawn(Scale::DOTS_8).await;
    assert_eq!((page.bitmap.width(), page.bitmap.height()), (840, 1184));
    assert_eq!((page.index, page.page_count), (0, 1));
}

#[tokio::test]
async fn the_child_draws_the_same_dots_as_this_process() {
    let pdf = label(&["PKB000012345", "PKB000012346"]);
    let ours = render_in_process(pdf.to_vec().into(), 1, Scale::DOTS_12).unwrap();
    let theirs = renderer().render(pdf, 1, Scale::DOTS_12).await.unwrap();
    assert_eq!(ours, theirs);
}

#[tokio::test]
async fn what_the_zpl_burns_differs_in_no_dot_from_the_bitmap() {
    for scale in [Scale::DOTS_8, Scale::dots_per_mm(7.91).unwrap()] {
        let page = drawn(scale).await;
        let burnt = burn(&languages::zpl(&page.bitmap, &PrinterProfile::default()));
        assert!(burnt == [page.bitmap], "dots differ at {scale:?}");
    }
}

/// By the manuals of both languages; a reader by others agreed for TSPL.
#[test]
fn tspl_and_epl_say_0_for_a_black_dot() {
    let dots = Bitmap::from_packed(16, 1, vec![0x80, 0x01]).unwrap();
    for (language, wanted) in [
        (Language::Tspl, &b"BITMAP 0,0,2,1,0,\x7f\xfe\r\n"[..]),
        (Language::Epl, &b"GW0,0,2,1,\x7f\xfe\r\n"[..]),
    ] {
        let Encoder::Label(encode) = language.encoder() else {
            panic!("{language:?} is no language of label printers");
        };
        let bytes = encode(&dots, &PrinterProfile::default());
        assert!(
            bytes.windows(wanted.len()).any(|part| part == wanted),
            "{language:?}"
        );
    }
}

#[test]
fn copies_are_counted_by_the_printer() {
    let dot = Bitmap::from_packed(8, 1, vec![0x80]).unwrap();
    let thrice = PrinterProfile {
        copies: NonZeroU8::new(3).unwrap(),
        ..PrinterProfile::default()
    };
    let three = String::from_utf8(languages::zpl(&dot, &thrice)).unwrap();
    assert!(
        three.contains("^PQ3\n") && three.ends_with("^XZ\n"),
        "{three}"
    );
    assert!(
        !String::from_utf8(languages::zpl(&dot, &PrinterProfile::default()))
            .unwrap()
            .contains("^PQ")
    );
}

#[tokio::test]
async fn every_code_of_a_label_is_read_back() {
    let page = drawn(Scale::DOTS_8).await;
    let read: Vec<_> = codes::read(&page.bitmap)
        .into_iter()
        .map(|code| (code.format, code.text))
        .collect();
    let text = || "PKB000012345".to_owned();
    assert_eq!(
        read,
        [
            (BarcodeFormat::CODE_128, text()),
            (BarcodeFormat::QR_CODE, text())
        ]
    );
}

#[tokio::test]
async fn codes_of_every_kind_anywhere_on_the_page_are_read() {
    let mut face = labels::face("PKB000012345", 1, 1);
    labels::code_128(
        &mut face,
        "SSCC00393123450000012",
        (20.0, 300.0),
        2.0 * labels::DOT,
        40.0,
    );
    // A quarter turn, up along the right edge.
    face.push_str("q 0 1 -1 0 280 150 cm\n");
    labels::code_128(&mut face, "VERTICAL42", (0.0, 0.0), 2.0 * labels::DOT, 30.0);
    face.push_str("Q\n");
    labels::data_matrix(
        &mut face,
        "DM-PKB000012345",
        (180.0, 30.0),
        4.0 * labels::DOT,
    );
    let pdf = labels::pdf(labels::A6, &[face]);
    let page = renderer()
        .render(pdf.into(), 0, Scale::DOTS_8)
        .await
        .unwrap();
    let read = codes::read(&page.bitmap);
    for (format, text) in [
        (BarcodeFormat::CODE_128, "PKB000012345"),
        (BarcodeFormat::CODE_128, "SSCC00393123450000012"),
        (BarcodeFormat::CODE_128, "VERTICAL42"),
        (BarcodeFormat::QR_CODE, "PKB000012345"),
        (BarcodeFormat::DATA_MATRIX, "DM-PKB000012345"),
    ] {
        let text = text.to_owned();
        assert!(
            read.contains(&codes::Code {
                text: text.clone(),
                format
            }),
            "{text} is not among {read:?}"
        );
    }
}

#[tokio::test]
async fn a_label_with_another_reference_is_not_burnt() {
    let page = drawn(Scale::DOTS_8).await;
    let ours = ExpectedCodes::References(vec!["PKB000012345".into()]);
    assert_eq!(verify_page(&page, &ours).unwrap()[0].text, "PKB000012345");
    let missing = || "PKB000099999".to_owned();
    let other = verify_page(&page, &ExpectedCodes::References(vec![missing()]));
    assert_eq!(
        other,
        Err(VerificationError::MissingReference { missing: missing() })
    );
}

#[tokio::test]
async fn references_may_be_spread_over_the_pages_but_each_page_needs_a_code() {
    let references = ["PKB000012345", "PKB000012346"];
    let expected = ExpectedCodes::References(references.map(String::from).to_vec());
    let mut pages = renderer()
        .render_pages(label(&references), PageSelection::All, Scale::DOTS_8)
        .await
        .unwrap();
    assert_eq!(verify_pages(&pages, &expected).unwrap().len(), 2);
    let mut text = String::new();
    labels::text(&mut text, 20.0, 200.0, 40.0, "No code here");
    let bare = labels::pdf(labels::A6, &[text]);
    pages[1].bitmap = renderer()
        .render(bare.into(), 0, Scale::DOTS_8)
        .await
        .unwrap()
        .bitmap;
    assert_eq!(
        verify_pages(&pages, &expected),
        Err(VerificationError::NoCode { page: 2 })
    );
    assert!(verify_pages(&pages, &ExpectedCodes::Nothing).is_ok());
}

#[test]
fn bytes_that_are_no_bitmap_are_refused() {
    assert_eq!(Bitmap::from_packed(0, 8, vec![]), None);
    assert_eq!(Bitmap::from_packed(60_000, 60_000, vec![]), None);
    assert_eq!(Bitmap::from_packed(9, 2, vec![0; 3]), None);
}

#[test]
fn bits_beyond_the_width_are_no_ink() {
    let bitmap = Bitmap::from_packed(9, 1, vec![0xff, 0xff]).unwrap();
    assert_eq!(bitmap.ink(), 9);
    assert_eq!(bitmap, Bitmap::from_packed(9, 1, vec![0xff, 0x80]).unwrap());
    assert!(bitmap.get(8, 0) && !bitmap.get(9, 0) && !bitmap.get(0, 1));
}

#[test]
fn columns_are_taken_at_any_bit() {
    let bitmap = Bitmap::from_packed(20, 1, vec![0b0000_0101, 0b1000_0001, 0b1001_0000]).unwrap();
    assert_eq!(bitmap.ink_columns(), Some(5..20));
    for left in 0..=12 {
        let part = bitmap.part((left, 0), (8, 1)).unwrap();
        for x in 0..8 {
            assert_eq!(
                part.get(x, 0),
                bitmap.get(left + x, 0),
                "column {x} from {left}"
            );
        }
    }
    assert_eq!(bitmap.part((13, 0), (8, 1)), None);
}
