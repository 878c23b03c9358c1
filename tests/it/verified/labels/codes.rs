//! Barcodes of several carriers' labels: read where possible, otherwise reported by their kind.

use std::time::{Duration, Instant};

use printing::codes::{self, BarcodeFormat};
use printing::job::{PrepareError, prepare};
use printing::page::{Page, PageSelection, Scale};
use printing::profile::{Media, PrinterProfile};
use printing::render_in_process;
use printing::renderer::Renderer;
use printing::verification::{ExpectedCodes, VerificationError, verify_pages};

use crate::support::carrier_labels::{self, CarrierLabel};
use crate::support::labels::{DOT, aztec, code_128, data_matrix, pdf, pdf_417, qr, text};

pub(super) const ONE: &str = "PKB000012345";

/// 4 × 6 inches in points.
const INCH_4X6: (f64, f64) = (288.0, 432.0);

/// The function code that opens a GS1-128, as the writer of codes takes it.
const FNC1: char = '\u{f1}';

/// Addresses, rules and large letters, as every carrier has them.
fn print(face: &mut String) {
    for (y, size, line) in [
        (400, 16, "SOUTHERN PRACTICE FREIGHT"),
        (380, 9, "FROM  2 Sample Road, MELBOURNE VIC 3000"),
        (362, 12, "TO  Ballarat Farm & Garden"),
        (348, 12, "8 Creswick Road, BALLARAT VIC 3350"),
        (318, 26, "EXPRESS  MEL 3350"),
        (
            300,
            8,
            "Weight 18 kg   Cube 0.096   Piece 1 of 1   Authority to leave: NO",
        ),
    ] {
        text(face, 18.0, f64::from(y), f64::from(size), line);
    }
    face.push_str("18 294 252 1.2 re f\n18 340 252 0.8 re f\n4 4 280 424 re S\n");
}

/// Labels in the manner of several carriers; each with what its only useful code is.
fn styles() -> Vec<(&'static str, BarcodeFormat, String)> {
    type Draws = fn(&mut String);
    let styles: [(&str, BarcodeFormat, Draws); 9] = [
        ("a linear code", BarcodeFormat::CODE_128, |face| {
            code_128(face, ONE, (30.0, 180.0), 2.0 * DOT, 90.0);
        }),
        ("GS1-128 with routing", BarcodeFormat::CODE_128, |face| {
            let gs1 = format!("{FNC1}00393123450000012{FNC1}401{ONE}");
            code_128(face, &gs1, (20.0, 180.0), 2.0 * DOT, 90.0);
        }),
        (
            "a linear code that stands upright",
            BarcodeFormat::CODE_128,
            |face| {
                face.push_str("q 0 1 -1 0 150 40 cm\n");
                code_128(face, ONE, (0.0, 0.0), 2.0 * DOT, 80.0);
                face.push_str("Q\n");
            },
        ),
        ("QR", BarcodeFormat::QR_CODE, |face| {
            qr(face, ONE, (30.0, 130.0), 4.0 * DOT);
        }),
        ("Data Matrix", BarcodeFormat::DATA_MATRIX, |face| {
            data_matrix(face, ONE, (150.0, 40.0), 4.0 * DOT);
        }),
        ("PDF417", BarcodeFormat::PDF_417, |face| {
            pdf_417(
                face,
                &format!("[)>01963350036{ONE}SPF"),
                (20.0, 60.0),
                2.0 * DOT,
            );
        }),
        ("Aztec in a corner", BarcodeFormat::AZTEC, |face| {
            aztec(face, ONE, (200.0, 20.0), 4.0 * DOT);
        }),
        ("Aztec in the middle", BarcodeFormat::AZTEC, |face| {
            aztec(
                face,
                &format!("{ONE} 8 Creswick Road"),
                (100.0, 160.0),
                3.0 * DOT,
            );
        }),
        (
            "Aztec beside a code of the depot",
            BarcodeFormat::AZTEC,
            |face| {
                code_128(face, "DEPOT0042", (20.0, 220.0), 2.0 * DOT, 60.0);
                aztec(face, ONE, (30.0, 40.0), 4.0 * DOT);
            },
        ),
    ];
    let drawn = styles.into_iter().map(|(name, kind, draws)| {
        let mut face = String::new();
        print(&mut face);
        draws(&mut face);
        (name, kind, face)
    });
    drawn.collect()
}

pub(super) fn expected() -> ExpectedCodes {
    ExpectedCodes::Consignment {
        items: vec![ONE.to_owned()],
        numbers: Vec::new(),
    }
}

fn renderer() -> Renderer {
    Renderer::new(env!("CARGO_BIN_EXE_packbench").into())
}

#[tokio::test]
async fn n11_the_only_code_of_a_label_is_read_whatever_its_kind_at_every_resolution() {
    let renderer = renderer();
    let mut wrong = Vec::new();
    for (name, kind, face) in styles() {
        let pdf = pdf(INCH_4X6, &[face]);
        for (dots, media) in [
            (8.0, Media::Inch4x6),
            (11.8, Media::A6),
            (24.0, Media::Inch4x6),
        ] {
            let profile = PrinterProfile {
                dots_per_mm: Scale::dots_per_mm(dots).expect("a scale"),
                media,
                ..PrinterProfile::default()
            };
            let expected = expected();
            let made = prepare(
                &renderer,
                pdf.clone().into(),
                PageSelection::All,
                &profile,
                &expected,
            );
            match made.await {
                Ok(made) => {
                    let codes = &made.previews[0].codes;
                    let is_read =
                        |code: &codes::Code| code.format == kind && code.text.contains(ONE);
                    if !codes.iter().any(is_read) {
                        wrong.push(format!("{name} at {dots}: {codes:?}"));
                    }
                }
                Err(error) => wrong.push(format!("{name} at {dots}: {error}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

pub(super) fn drawn(pdf: Vec<u8>, page: usize, scale: Scale) -> Page {
    render_in_process(pdf.into(), page, scale).expect("drawn")
}

#[test]
fn n11_every_code_of_several_carriers_labels_is_read_in_the_dots_at_203_dpi() {
    let labels = carrier_labels::all();
    let count: usize = labels.iter().map(CarrierLabel::count).sum();
    assert_eq!((labels.len(), count), (10, 32));
    let unread = labels.iter().flat_map(|label| {
        let page = drawn(label.pdf.clone(), 0, Scale::DOTS_8);
        let read = codes::read(&page.bitmap);
        let unread = label.unread(&read).into_iter();
        let unread = unread.map(|code| format!("{}: {code:?}", label.name));
        unread.collect::<Vec<_>>()
    });
    assert_eq!(unread.collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn n11_the_expected_code_is_still_found_at_once_and_a_page_without_one_soon() {
    let (_, _, linear) = styles().swap_remove(0);
    let page = drawn(pdf(INCH_4X6, &[linear]), 0, Scale::DOTS_8);
    let quickest = (0..20).map(|_| {
        let started = Instant::now();
        verify_pages(std::slice::from_ref(&page), &expected()).expect("ours");
        started.elapsed()
    });
    let quickest = quickest.min().expect("it was timed");
    let mut plain = String::new();
    print(&mut plain);
    let page = drawn(pdf(INCH_4X6, &[plain]), 0, Scale::DOTS_8);
    let started = Instant::now();
    assert!(codes::read(&page.bitmap).is_empty());
    let without = started.elapsed();
    eprintln!("found in {quickest:?}, none in {without:?}");
    // In a build that is not optimised, on a busy machine.
    assert!(quickest < Duration::from_millis(20), "{quickest:?}");
    assert!(without < Duration::from_secs(3), "{without:?}");
}

#[tokio::test]
async fn n11_a_code_that_is_unreadable_after_shrinking_is_not_called_another_consignments() {
    // The number of the parcel in fine bars, and a code of the depot that reads at any size.
    let mut page = String::new();
    code_128(&mut page, ONE, (60.0, 560.0), 1.3 * DOT, 120.0);
    qr(&mut page, "DEPOT0042", (60.0, 60.0), 12.0 * DOT);
    text(&mut page, 60.0, 500.0, 30.0, "Practice Freight");
    page.push_str("20 20 555 800 re S\n");
    let sheet = pdf((595.276, 841.89), &[page]);
    let (renderer, profile, expected) = (renderer(), PrinterProfile::default(), expected());
    let refused = prepare(
        &renderer,
        sheet.into(),
        PageSelection::All,
        &profile,
        &expected,
    );
    let refused = refused.await.expect_err("no scanner reads it");
    assert_eq!(
        refused,
        PrepareError::Check(VerificationError::TooSmall { page: 1 })
    );
}

#[test]
fn n11_what_no_reader_here_reads_is_said() {
    let mut maxi = String::new();
    print(&mut maxi);
    let page = drawn(pdf(INCH_4X6, &[maxi]), 0, Scale::DOTS_8);
    let refused = verify_pages(&[page], &expected()).expect_err("no code");
    assert_eq!(refused, VerificationError::NoCode { page: 1 });
    assert!(
        refused.advice().contains("not MaxiCode"),
        "{}",
        refused.advice()
    );
}
