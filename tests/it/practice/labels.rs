//! The label file: a vector PDF with a page for each piece, whose barcodes decode at a thermal printer's
//! resolution.

use std::collections::HashSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::Pdf;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings, render};
use rxing::helpers::detect_multiple_in_luma_with_hints;
use rxing::{BarcodeFormat, DecodeHints};
use serde_json::{Value, json};

use crate::support::practice::{
    Bench, CREATE, CREATE_COMPLEX, dangerous_order, messages, order, order_with, with,
};

const DOTS_PER_POINT: f32 = 203.2 / 72.0;

struct Page {
    width: usize,
    height: usize,
    /// 0 is black.
    luma: Vec<u8>,
}

impl Page {
    /// Fails unless the codes of the page are those of this piece.
    #[track_caller]
    fn holds_codes_of(&self, number: &str, reference: &str) {
        let linear = (BarcodeFormat::CODE_128, reference.to_owned());
        let square = (BarcodeFormat::QR_CODE, format!("{number}/{reference}"));
        assert_eq!(self.codes(), HashSet::from([linear, square]));
    }

    fn is_black(&self, x: usize, y: usize) -> bool {
        self.luma[y * self.width + x] < 128
    }

    fn codes(&self) -> HashSet<(BarcodeFormat, String)> {
        let size = |dots: usize| u32::try_from(dots).expect("a page of paper");
        // A reader that looks for every kind of code finds some UPC-E in any text.
        let formats = [BarcodeFormat::CODE_128, BarcodeFormat::QR_CODE];
        let mut hints = DecodeHints {
            PossibleFormats: Some(HashSet::from(formats)),
            ..DecodeHints::default()
        };
        let (width, height) = (size(self.width), size(self.height));
        let found =
            detect_multiple_in_luma_with_hints(self.luma.clone(), width, height, &mut hints)
                .expect("codes");
        found
            .iter()
            .map(|code| (*code.getBarcodeFormat(), code.getText().to_owned()))
            .collect()
    }
}

async fn file(bench: &Bench, id: &Value, a4: bool) -> (String, Vec<u8>) {
    let path = format!("/apiv2/labels/getItemPdfFileInfo?consignmentId={id}&printA4={a4}");
    let file = bench.fetched(&path).await;
    assert_eq!(file["contentType"], json!("application/pdf"));
    let content = STANDARD
        .decode(file["content"].as_str().expect("base64"))
        .expect("base64");
    (
        file["fileName"].as_str().expect("a name").to_owned(),
        content,
    )
}

/// A new service, the consignment of this order, and its label file with its name.
async fn first_file(path: &str, order: &Value, a4: bool) -> (Bench, Value, String, Vec<u8>) {
    let bench = Bench::start().await;
    let made = bench.posted(path, order).await;
    let (name, pdf) = file(&bench, &made["id"], a4).await;
    (bench, made, name, pdf)
}

/// Every page at 8 dots/mm, each dot black or white.
fn pages(pdf: &[u8]) -> Vec<Page> {
    let pdf = Pdf::new(pdf.to_vec()).expect("a PDF");
    let cache = RenderCache::new();
    let settings = RenderSettings {
        aliasing_threshold: Some(127),
        ..RenderSettings::default()
    };
    let scale = PixmapSettings {
        x_scale: DOTS_PER_POINT,
        y_scale: DOTS_PER_POINT,
        bg_color: WHITE,
    };
    let page = |page| {
        let dots = render(
            page,
            &cache,
            &InterpreterSettings::default(),
            &settings,
            &scale,
        );
        let luma = dots.data().iter().map(|dot| dot.r).collect();
        Page {
            width: usize::from(dots.width()),
            height: usize::from(dots.height()),
            luma,
        }
    };
    pdf.pages().iter().map(page).collect()
}

#[tokio::test]
async fn each_piece_has_an_a6_page_whose_codes_are_its_reference() {
    let (_bench, _, name, pdf) = first_file(CREATE, &order(), false).await;
    assert_eq!(name, "MS200001-A6.pdf");
    assert!(
        pdf.starts_with(b"%PDF-") && pdf.len() < 60_000,
        "{} bytes",
        pdf.len()
    );
    let pages = pages(&pdf);
    assert_eq!(pages.len(), 2);
    for (page, reference) in pages.iter().zip(["SCX200001000001", "SCX200001000002"]) {
        assert_eq!((page.width, page.height), (840, 1184));
        page.holds_codes_of("MS200001", reference);
    }
}

#[tokio::test]
async fn an_a4_page_holds_the_same_label() {
    let (bench, made, name, pdf) = first_file(CREATE_COMPLEX, &dangerous_order(), true).await;
    assert_eq!(name, "MS200001-A4.pdf");
    let (large, small) = (
        pages(&pdf),
        pages(&file(&bench, &made["id"], false).await.1),
    );
    assert_eq!(
        (large.len(), large[0].width, large[0].height),
        (1, 1680, 2376)
    );
    assert_eq!(large[0].codes(), small[0].codes());
    let differing = (0..small[0].height)
        .flat_map(|y| (0..small[0].width).map(move |x| (x, y)))
        .filter(|(x, y)| large[0].is_black(x + 80, y + 80) != small[0].is_black(*x, *y));
    // Letters are hinted where they stand; bars and rules are the same dots.
    assert!(differing.count() < 400);
}

#[tokio::test]
async fn bars_are_whole_dots_wide_and_keep_their_quiet_zones() {
    let bench = Bench::start().await;
    let made = bench.posted(CREATE, &order()).await;
    let page = pages(&file(&bench, &made["id"], false).await.1).remove(0);
    let (first, last) = (720, 830);
    let row = |y: usize| {
        (0..page.width)
            .map(|x| page.is_black(x, y))
            .collect::<Vec<_>>()
    };
    let bars = row(first);
    assert!(
        (first..=last).all(|y| row(y) == bars),
        "every row of the bars is the same"
    );
    let runs: Vec<(bool, usize)> = bars
        .chunk_by(|left, right| left == right)
        .map(|run| (run[0], run.len()))
        .collect();
    let module = runs
        .iter()
        .filter(|(black, _)| *black)
        .map(|(_, length)| *length)
        .min()
        .expect("bars");
    assert!(module >= 3, "at least 0.375 mm");
    assert!(
        runs.iter()
            .all(|(_, length)| length % module == 0 || *length >= 10 * module),
        "{runs:?}"
    );
    let white = |run: Option<&(bool, usize)>| {
        run.filter(|(black, _)| !black)
            .map_or(0, |(_, length)| *length)
    };
    assert!(white(runs.first()) >= 10 * module && white(runs.last()) >= 10 * module);
}

#[tokio::test]
async fn delegated_references_of_every_length_fit_and_decode() {
    let bench = Bench::start().await;
    let references = "A1B2 00393123450000000017 ABCDEFGHJKLMNPQRSTUV A1B2C3D4E5F6G7H8J9K0";
    for reference in references.split(' ') {
        let items = json!([{
            "itemType": "Carton", "name": "Reels", "quantity": 1,
            "standardItem": { "weight": 9, "length": 40, "width": 40, "height": 30 },
            "consignmentItemReferences": [{ "carrierItemReference": reference }]
        }]);
        let made = bench
            .posted(CREATE_COMPLEX, &order_with(json!({ "items": items })))
            .await;
        let page = pages(&file(&bench, &made["id"], false).await.1).remove(0);
        let number = made["consignmentNumber"].as_str().expect("a number");
        page.holds_codes_of(number, reference);
    }
}

#[tokio::test]
async fn long_names_stay_inside_the_label() {
    let bench = Bench::start().await;
    let long = "The Very Long-Winded Horticultural and Agricultural Co-operative Society of Greater Western Victoria ".repeat(3);
    let mut wordy = with(
        dangerous_order(),
        json!({
            "toName": long, "toAddressLine1": "W".repeat(120), "toAddressLine2": long, "toContact": long,
            "specialInstructions": long, "customerReference": "R".repeat(90)
        }),
    );
    wordy["items"][0]["consignmentItemDgItems"] = json!([
        wordy["items"][0]["consignmentItemDgItems"][0],
        { "companyDgItemId": 9002 }, { "companyDgItemId": 9006 }, { "companyDgItemId": 9004 }
    ]);
    let made = bench.posted(CREATE_COMPLEX, &wordy).await;
    let page = pages(&file(&bench, &made["id"], false).await.1).remove(0);
    let margin = 38;
    let columns = (0..margin).chain(page.width - margin..page.width);
    // Below the bars the square's quiet zone ends at the margin.
    let ink = columns
        .flat_map(|x| (0..900).map(move |y| (x, y)))
        .filter(|(x, y)| page.is_black(*x, *y))
        .count();
    assert_eq!(ink, 0, "nothing runs into the margins");
    assert_eq!(page.codes().len(), 2);
}

#[tokio::test]
async fn an_unknown_consignment_has_no_label() {
    let bench = Bench::start().await;
    let (_, reply) = bench
        .get("/apiv2/labels/getItemPdfFileInfo?consignmentId=7")
        .await;
    assert_eq!(messages(&reply), ["Consignment 7 was not found"]);
}
