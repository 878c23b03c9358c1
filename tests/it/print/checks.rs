//! Label verification on the dots: each kind of error is reported with its page, and a good label has none.

use std::fmt::Write as _;

use printing::job::{PrepareError, prepare_despite_problem};
use printing::page::{Page, PageSelection, Scale};
use printing::renderer::RenderError;
use printing::verification::{ExpectedCodes, VerificationError, verify_page, verify_pages};

use super::profiles::zebra;
use super::{label, prepare_all, renderer};
use crate::support::labels::{A6, DOT, code_128, face, file, one_page, pdf, text};

const ONE: &str = "PKB000012345";
const TWO: &str = "PKB000012346";

async fn drawn(pdf: Vec<u8>) -> Vec<Page> {
    renderer()
        .render_pages(pdf.into(), PageSelection::All, Scale::DOTS_8)
        .await
        .unwrap()
}

fn items(items: &[&str]) -> ExpectedCodes {
    consignment(items, &[])
}

fn consignment(items: &[&str], numbers: &[&str]) -> ExpectedCodes {
    let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    ExpectedCodes::Consignment {
        items: owned(items),
        numbers: owned(numbers),
    }
}

#[tokio::test]
async fn a_page_without_ink_is_blank_whatever_was_drawn_on_it() {
    for (what, content) in [
        ("nothing", String::new()),
        ("white on white", "1 g 0 0 900 900 re f".into()),
        (
            "pale grey, which no thermal head burns",
            "0.8 g 0 0 200 300 re f".into(),
        ),
        (
            "writing in white",
            "1 g BT /F1 30 Tf 20 200 Td (Invisible) Tj ET".into(),
        ),
    ] {
        for expected in [ExpectedCodes::Nothing, ExpectedCodes::AnyCode] {
            assert_eq!(
                verify_pages(
                    &drawn(pdf(A6, std::slice::from_ref(&content))).await,
                    &expected
                ),
                Err(VerificationError::Blank { page: 1 }),
                "{what}"
            );
        }
    }
}

#[tokio::test]
async fn a_page_of_nothing_but_ink_is_black() {
    let pages = drawn(pdf(A6, &[face(ONE, 1, 2), "0 0 298 420 re f".into()])).await;
    assert_eq!(
        verify_pages(&pages, &ExpectedCodes::Nothing),
        Err(VerificationError::Black { page: 2 })
    );
}

#[tokio::test]
async fn bars_that_run_over_the_edge_are_cut_off() {
    let mut cut = face(ONE, 1, 1);
    code_128(&mut cut, "SSCC00393123450000012", (180.0, -20.0), DOT, 60.0);
    let bottom = verify_page(&drawn(pdf(A6, &[cut])).await[0], &items(&[ONE]));
    assert_eq!(
        bottom,
        Err(VerificationError::Clipped {
            page: 1,
            edge: "bottom"
        })
    );
    let mut turned = face(ONE, 1, 1);
    turned.push_str("q 0 1 -1 0 310 150 cm\n");
    code_128(&mut turned, "VERTICAL42", (0.0, 0.0), DOT, 30.0);
    turned.push_str("Q\n");
    let right = verify_page(&drawn(pdf(A6, &[turned])).await[0], &items(&[ONE]));
    assert_eq!(
        right,
        Err(VerificationError::Clipped {
            page: 1,
            edge: "right"
        })
    );
}

#[tokio::test]
async fn frames_and_rules_along_the_edge_are_no_cut() {
    let mut framed = face(ONE, 1, 1);
    framed.push_str("0 0 297.6 419.5 re S\n296 100 5 60 re f\n");
    for row in 0..20 {
        let _ = writeln!(framed, "0 {} 298 0.7 re f", 150 + row * 13);
    }
    let framed = drawn(pdf(A6, &[framed])).await;
    assert!(verify_page(&framed[0], &ExpectedCodes::AnyCode).is_ok());
}

#[tokio::test]
async fn each_page_has_a_label_of_its_own() {
    let right = drawn(label(&[ONE, TWO]).to_vec()).await;
    assert!(verify_pages(&right, &items(&[ONE, TWO])).is_ok());
    assert!(verify_pages(&right, &items(&[TWO, ONE])).is_ok());
    let twice = drawn(label(&[ONE, ONE]).to_vec()).await;
    let same_again = Err(VerificationError::DuplicateLabel { page: 2, first: 1 });
    assert_eq!(verify_pages(&twice, &items(&[ONE, TWO])), same_again);
    let references = ExpectedCodes::References([ONE, TWO].map(String::from).to_vec());
    assert_eq!(verify_pages(&twice, &references), same_again);
    assert!(
        verify_pages(&twice, &items(&[ONE])).is_ok(),
        "a lone piece may have two labels"
    );
}

#[tokio::test]
async fn a_page_of_somebody_else_is_named_and_one_that_is_missing_too() {
    let pages = drawn(label(&[ONE, "PKB000099999"]).to_vec()).await;
    assert_eq!(
        verify_pages(&pages, &items(&[ONE, TWO])),
        Err(VerificationError::OtherConsignment { page: 2 })
    );
    let pages = drawn(label(&[ONE]).to_vec()).await;
    assert_eq!(
        verify_pages(&pages, &items(&[ONE, TWO])),
        Err(VerificationError::MissingReference {
            missing: TWO.into()
        })
    );
}

#[tokio::test]
async fn the_carriers_number_stands_for_pieces_it_counts_its_own_way() {
    let pages = drawn(label(&["CARRIER0001"]).to_vec()).await;
    assert!(verify_pages(&pages, &consignment(&[ONE, TWO], &["CARRIER0001"])).is_ok());
    assert!(verify_pages(&pages, &consignment(&[], &["CARRIER0001"])).is_ok());
    assert_eq!(
        verify_pages(&pages, &consignment(&[], &["CARRIER0002"])),
        Err(VerificationError::OtherConsignment { page: 1 })
    );
}

#[tokio::test]
async fn a_reference_inside_a_longer_one_is_not_taken_for_it() {
    let pages = drawn(label(&["PKB0000123456", ONE]).to_vec()).await;
    assert!(verify_pages(&pages, &items(&[ONE, "PKB0000123456"])).is_ok());
}

#[tokio::test]
async fn a_code_too_fine_for_the_head_is_unreadable() {
    let mut fine = String::new();
    text(&mut fine, 20.0, 300.0, 30.0, "Some freight");
    code_128(&mut fine, ONE, (60.0 * DOT, 140.0), 0.45 * DOT, 90.0);
    let fine = pdf(A6, &[fine]);
    let coarse = drawn(fine).await;
    assert_eq!(
        verify_page(&coarse[0], &items(&[ONE])),
        Err(VerificationError::NoCode { page: 1 })
    );
}

#[tokio::test]
async fn a_label_that_was_turned_reads_however_it_stands() {
    for turn in [0, 90, 180, 270] {
        let entries = format!("/Rotate {turn}");
        let page = &drawn(one_page(&entries, &face(ONE, 1, 1))).await[0];
        let upright = turn % 180 == 0;
        let size = (page.bitmap.width(), page.bitmap.height());
        assert_eq!(size, if upright { (840, 1184) } else { (1184, 840) });
        let read = verify_page(page, &items(&[ONE])).unwrap();
        assert_eq!(read[0].text, ONE, "turned by {turn}");
    }
}

#[tokio::test]
async fn pages_that_were_lost_are_counted() {
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [5 0 R 7 0 R 9 0 R] /Count 3 >>".to_vec(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_vec(),
        crate::support::labels::stream("", face(ONE, 1, 3).as_bytes()),
    ];
    objects.push(
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 297.638 419.528] /Contents 4 0 R /Resources << /Font << /F1 3 0 R >> >> >>"
            .to_vec(),
    );
    assert_eq!(
        verify_pages(&drawn(file(&objects, "")).await, &items(&[ONE])),
        Err(VerificationError::PagesMissing { found: 1, says: 3 })
    );
}

#[tokio::test]
async fn a_clerk_may_override_a_check_but_not_what_cannot_be_drawn() {
    let wrong = items(&["PKB000099999"]);
    let (renderer, profile) = (renderer(), zebra(840));
    let refused = prepare_all(label(&[ONE]), &profile, &wrong).await;
    let refused = refused.unwrap_err();
    let other = VerificationError::OtherConsignment { page: 1 };
    assert_eq!(refused, PrepareError::Check(other.clone()));
    let shown = prepare_despite_problem(
        &renderer,
        label(&[ONE]),
        PageSelection::All,
        &profile,
        &wrong,
    )
    .await
    .unwrap();
    assert_eq!(shown.problem, Some(other));
    let good = prepare_all(label(&[ONE]), &profile, &items(&[ONE])).await;
    let good = good.unwrap();
    assert_eq!(good.problem, None);
    assert_eq!(good.payload, shown.payload, "the same bytes");
    let no_label = prepare_despite_problem(
        &renderer,
        b"<html>Sign in</html>".to_vec().into(),
        PageSelection::All,
        &profile,
        &wrong,
    );
    let no_label = no_label.await.unwrap_err();
    assert_eq!(no_label, PrepareError::Render(RenderError::NotAPdf));
}

#[tokio::test]
async fn a_file_whose_table_of_contents_is_lost_is_damaged() {
    let whole = label(&[ONE]).to_vec();
    let text = String::from_utf8_lossy(&whole);
    let start = text.rfind("startxref\n").unwrap();
    for (what, end) in [
        ("beyond the end", "startxref\n99999999\n%%EOF\n"),
        ("into the middle of something", "startxref\n40\n%%EOF\n"),
        ("no number", "startxref\nhere\n%%EOF\n"),
        ("not at all", "%%EOF\n"),
    ] {
        let mut broken = whole[..start].to_vec();
        broken.extend(end.as_bytes());
        let told = prepare_all(broken, &zebra(840), &items(&[ONE])).await;
        assert_eq!(
            told.unwrap_err(),
            PrepareError::Check(VerificationError::Damaged),
            "{what}"
        );
    }
}
