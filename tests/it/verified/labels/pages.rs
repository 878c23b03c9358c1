//! Documents of several pages: a page without its own barcode is no label, unless a piece would have none.

use std::fmt::Write as _;

use printing::page::Scale;
use printing::verification::{ExpectedCodes, VerificationError, verify_pages};

use super::codes::{ONE, drawn, expected};
use crate::support::labels::{A6, face, pdf, text};

const TWO: &str = "PKB000012346";

/// Terms of carriage: print, and a table.
fn terms() -> String {
    let mut face = String::new();
    for line in 0..30 {
        let y = 390.0 - f64::from(line) * 12.0;
        text(
            &mut face,
            20.0,
            y,
            9.0,
            "Goods are carried at the risk of their owner, MMHHIILL 1234",
        );
    }
    for column in 0..12 {
        let x = 20 + column * 22;
        let _ = writeln!(face, "{x} 20 0.8 370 re f");
    }
    face
}

#[test]
fn n11_pages_that_carry_no_code_of_their_own_need_no_override() {
    let document = pdf(A6, &[face(ONE, 1, 1), terms(), terms()]);
    let pages: Vec<_> = (0..3)
        .map(|page| drawn(document.clone(), page, Scale::DOTS_8))
        .collect();
    for expected in [
        expected(),
        ExpectedCodes::AnyCode,
        ExpectedCodes::References(vec![ONE.to_owned()]),
        ExpectedCodes::Consignment {
            items: vec![
                "GOODS1".to_owned(),
                "GOODS2".to_owned(),
                "GOODS3".to_owned(),
            ],
            numbers: vec![ONE.to_owned()],
        },
    ] {
        let checked = verify_pages(&pages, &expected);
        assert!(checked.is_ok(), "{expected:?}: {checked:?}");
    }
}

#[test]
fn n11_a_piece_whose_label_cannot_be_read_is_still_found_out() {
    let mut spoilt = String::new();
    text(&mut spoilt, 20.0, 360.0, 14.0, "Practice Freight");
    // Bars, but no code: every other one is missing.
    for bar in 0..40 {
        let x = 40.0 + f64::from(bar) * 5.3;
        let _ = writeln!(spoilt, "{x} 140 1.4 90 re f");
    }
    let document = pdf(A6, &[face(ONE, 1, 2), spoilt]);
    let pages: Vec<_> = (0..2)
        .map(|page| drawn(document.clone(), page, Scale::DOTS_8))
        .collect();
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    for expected in [
        ExpectedCodes::AnyCode,
        ExpectedCodes::References(texts(&[ONE, TWO])),
        ExpectedCodes::Consignment {
            items: texts(&[ONE, TWO]),
            numbers: texts(&["MS1"]),
        },
        // The number of the consignment stands for one piece only.
        ExpectedCodes::Consignment {
            items: texts(&["A-0000001", "A-0000002"]),
            numbers: texts(&[ONE]),
        },
    ] {
        assert_eq!(
            verify_pages(&pages, &expected),
            Err(VerificationError::NoCode { page: 2 }),
            "{expected:?}"
        );
    }
}
