//! Every printer language: the printer would burn exactly the dots of the preview.

use std::num::NonZeroU8;

use printing::fit::shift;
use printing::image_pages;
use printing::job::{Prepared, prepare, send};
use printing::page::{Bitmap, PageSelection, Scale};
use printing::profile::{Destination, FitMode, Language, Media, Offset, PrinterProfile, Sensing};
use printing::service::{PrintService, ServerAddress};
use printing::verification::ExpectedCodes;

use super::profiles::zebra;
use super::{label, prepare_all, program, renderer};
use crate::support::cupsd::Cupsd;
use crate::support::ipp_printer::IppPrinter;
use crate::support::readers;
use crate::support::recorder::Recorder;
use crate::support::runtime::runtime;

fn speaking(language: Language) -> PrinterProfile {
    PrinterProfile {
        language,
        copies: NonZeroU8::new(2).unwrap(),
        ..zebra(832)
    }
}

async fn prepared(profile: &PrinterProfile, references: &[&str]) -> Prepared {
    let expected =
        ExpectedCodes::References(references.iter().map(|one| (*one).to_owned()).collect());
    prepare_all(label(references), profile, &expected)
        .await
        .unwrap()
}

/// What arrived, as a reader of the language's own specification takes it: the dots and how often.
fn burnt(language: Language, bytes: &[u8]) -> Vec<(Bitmap, u32)> {
    match language {
        Language::Zpl => readers::zpl(bytes),
        Language::Tspl => readers::tspl(bytes),
        Language::Epl => readers::epl(bytes),
        Language::PageImage => image_pages::read(bytes)
            .unwrap()
            .into_iter()
            .map(|page| (page, 2))
            .collect(),
        Language::Pdf => unreachable!("no dots of ours"),
    }
}

#[tokio::test]
async fn every_language_arrives_at_a_recorder_as_the_very_dots_that_were_shown() {
    let service = PrintService::new(program(), ServerAddress::Local("/nowhere".into()));
    for language in Language::ALL.into_iter().filter(|one| one.is_raw()) {
        let recorder = Recorder::start();
        let profile = speaking(language);
        let made = prepared(&profile, &["PKB000012345", "PKB000012346"]).await;
        let port = Destination::Socket {
            host: "127.0.0.1".into(),
            port: recorder.port(),
        };
        let spool = tempfile::tempdir().unwrap();
        send(&service, &made.payload, &port, "PKB", spool.path())
            .await
            .unwrap();
        let arrived = recorder.jobs(1);
        assert_eq!(arrived.len(), 1, "{language:?} counts its copies itself");
        let shown: Vec<_> = made
            .previews
            .iter()
            .map(|page| (page.bitmap.clone(), 2))
            .collect();
        let paper = burnt(language, &arrived[0]);
        assert!(paper == shown, "dots differ in {language:?}");
    }
}

#[tokio::test]
async fn a_page_image_passes_a_queue_with_a_driver_at_its_own_resolution() {
    let (cups, recorder) = (Cupsd::start(), Recorder::start());
    let uri = format!("socket://127.0.0.1:{}", recorder.port());
    cups.add("Driven", &uri, &["-m", "drv:///sample.drv/zebra.ppd"]);
    let service = PrintService::new(program(), cups.server());
    let profile = PrinterProfile {
        destination: Destination::Queue("Driven".into()),
        copies: NonZeroU8::MIN,
        media: Media::Inch4x6,
        head_width_dots: Some(812),
        ..speaking(Language::PageImage)
    };
    for references in [&["PKB000012345"][..], &["PKB000012345", "PKB000012346"]] {
        let made = prepared(&profile, references).await;
        let size = image_pages::size(&made.payload.bytes).unwrap();
        assert_eq!((size.width, size.dots_per_inch), (812, 203));
        let spool = tempfile::tempdir().unwrap();
        let to = &profile.destination;
        send(&service, &made.payload, to, "PKB", spool.path())
            .await
            .unwrap();
    }
    let arrived = recorder.jobs(2);
    // Each page is a graphic, then a format that prints it.
    let labels = |bytes: &[u8]| bytes.windows(4).filter(|at| at == b"~DGR").count();
    assert!(
        arrived[0].starts_with(b"~DG"),
        "drawn by the driver: {}",
        cups.log()
    );
    assert_eq!(
        (labels(&arrived[0]), labels(&arrived[1])),
        (1, 2),
        "a label a page"
    );
}

#[tokio::test]
async fn sensing_darkness_and_speed_are_in_each_label_only_if_they_are_set_and_change_no_dot() {
    let usual: [(Language, &[&str]); 3] = [
        (Language::Zpl, &[]),
        (Language::Tspl, &["GAP 3 mm,0 mm\r\n"]),
        (Language::Epl, &["Q1184,24\r\n"]),
    ];
    let set: [(Language, Sensing, &[&str]); 9] = [
        (
            Language::Zpl,
            Sensing::Gap,
            &["~SD15\n^XA", "^MNY\n", "^PR4\n"],
        ),
        (Language::Zpl, Sensing::Mark, &["^MNM\n"]),
        (Language::Zpl, Sensing::Continuous, &["^MNN\n"]),
        (
            Language::Tspl,
            Sensing::Gap,
            &["GAP 3 mm,0 mm\r\n", "DENSITY 15\r\n", "SPEED 4\r\n"],
        ),
        (Language::Tspl, Sensing::Mark, &["BLINE 3 mm,0 mm\r\n"]),
        (Language::Tspl, Sensing::Continuous, &["GAP 0 mm,0 mm\r\n"]),
        (
            Language::Epl,
            Sensing::Gap,
            &["Q1184,24\r\n", "\r\nD15\r\n", "\r\nS4\r\n"],
        ),
        (Language::Epl, Sensing::Mark, &["Q1184,B24\r\n"]),
        (Language::Epl, Sensing::Continuous, &["Q1184,0\r\n"]),
    ];
    let bytes =
        async |profile: &PrinterProfile| prepared(profile, &["PKB000012345"]).await.payload.bytes;
    let holds = |bytes: &[u8], words: &str| {
        bytes
            .windows(words.len())
            .any(|part| part == words.as_bytes())
    };
    for (language, words) in usual {
        let plain = bytes(&speaking(language)).await;
        assert!(
            words.iter().all(|words| holds(&plain, words)),
            "{language:?}"
        );
        for unset in ["~SD", "^MN", "^PR", "DENSITY", "SPEED", "\r\nD1", "\r\nS4"] {
            assert!(!holds(&plain, unset), "{language:?} {unset}");
        }
        for (_, sensing, words) in set.into_iter().filter(|(of, ..)| *of == language) {
            let profile = PrinterProfile {
                sensing: Some(sensing),
                darkness: Some(15),
                speed: Some(4),
                ..speaking(language)
            };
            let made = bytes(&profile).await;
            for words in words {
                assert!(holds(&made, words), "{language:?} {words}");
            }
            assert!(
                burnt(language, &made) == burnt(language, &plain),
                "{language:?}"
            );
        }
    }
}

#[tokio::test]
async fn darkness_and_speed_that_a_language_does_not_have_are_not_sent() {
    for (language, darkness, speed) in [
        (Language::Zpl, 31, 1),
        (Language::Tspl, 16, 0),
        (Language::Epl, 30, 7),
    ] {
        let beyond = PrinterProfile {
            darkness: Some(darkness),
            speed: Some(speed),
            ..speaking(language)
        };
        let beyond = prepared(&beyond, &["PKB000012345"]).await;
        let plain = prepared(&speaking(language), &["PKB000012345"]).await;
        assert!(beyond.payload.bytes == plain.payload.bytes, "{language:?}");
    }
}

#[test]
fn the_paper_of_a_page_image_is_named_to_the_printer_by_its_size() {
    let (printer, runtime) = (IppPrinter::start(), runtime(2));
    let service = PrintService::new(program(), ServerAddress::Local("/nowhere".into()));
    let papers = [
        (Media::A6, (100.0, 50.0), "iso_a6_105x148mm"),
        (Media::Own, (105.0, 148.0), "iso_a6_105x148mm"),
        (Media::Own, (110.0, 200.0), "custom_110x200mm_110x200mm"),
    ];
    for (media, own_paper, _) in papers {
        let profile = PrinterProfile {
            destination: Destination::Ipp(printer.address()),
            copies: NonZeroU8::MIN,
            head_width_dots: None,
            media,
            own_paper,
            ..speaking(Language::PageImage)
        };
        let spool = tempfile::tempdir().unwrap();
        runtime.block_on(async {
            let made = prepared(&profile, &["PKB000012345"]).await;
            let to = &profile.destination;
            let sent = send(&service, &made.payload, to, "PKB", spool.path()).await;
            sent.unwrap();
        });
    }
    let named: Vec<_> = printer.inside().media.iter().flatten().cloned().collect();
    assert_eq!(named, papers.map(|(.., name)| name));
}

#[test]
fn raster_of_every_shape_comes_back_as_it_was() {
    let scale = Scale::DOTS_8;
    let mut seed = 7_u32;
    let mut noise = move || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        u8::try_from(seed >> 24).unwrap()
    };
    for (width, height) in [
        (1_usize, 1_usize),
        (8, 300),
        (17, 3),
        (840, 700),
        (4_000, 2),
    ] {
        let bytes = width.div_ceil(8) * height;
        for sparse in [true, false] {
            let rows: Vec<u8> = (0..bytes)
                .map(|_| if sparse && noise() > 20 { 0 } else { noise() })
                .collect();
            let (w, h) = (width.try_into().unwrap(), height.try_into().unwrap());
            let page = Bitmap::from_packed(w, h, rows).unwrap();
            let one = image_pages::encode(&[&page], scale);
            let two = image_pages::encode(&[&page, &page], scale);
            assert_eq!(image_pages::mime_type(&one), Some(image_pages::PNG));
            assert_eq!(image_pages::mime_type(&two), Some(image_pages::PWG_RASTER));
            assert!(image_pages::read(&one).unwrap() == [page.clone()]);
            assert!(image_pages::read(&two).unwrap() == [page.clone(), page]);
        }
    }
    assert_eq!(image_pages::read(b"RaS2 and no more"), None);
    assert_eq!(image_pages::read(b"%PDF-1.7"), None);
}

#[tokio::test]
async fn an_offset_moves_every_dot_and_loses_none() {
    for language in Language::ALL.into_iter().filter(|one| one.is_dots()) {
        let straight = prepared(&speaking(language), &["PKB000012345"]).await;
        let moved = PrinterProfile {
            offset: Offset {
                x_dots: 5,
                y_dots: -9,
            },
            ..speaking(language)
        };
        let moved = prepared(&moved, &["PKB000012345"]).await;
        let (before, after) = (&straight.previews[0].bitmap, &moved.previews[0].bitmap);
        assert_eq!(before.ink(), after.ink());
        for (x, y) in [(60, 400), (200, 700), (420, 950)] {
            assert_eq!(before.get(x, y), after.get(x + 5, y - 9), "{x}, {y}");
        }
        assert!(moved.notes.iter().all(|note| !note.contains("moved")));
    }
}

#[test]
fn an_offset_that_would_push_ink_off_goes_as_far_as_it_can_and_says_so() {
    let dot = Bitmap::from_packed(16, 2, vec![0x10, 0x00, 0x00, 0x01]).unwrap();
    let far = Offset {
        x_dots: -8,
        y_dots: 40,
    };
    let (moved, went) = shift(&dot, far, (16, 2));
    let went = went.expect("less than was asked");
    assert_eq!((went.x_dots, went.y_dots), (-3, 0));
    assert!(moved.get(0, 0) && moved.get(12, 1) && moved.ink() == 2);
    // Where the head is wider than the page, the canvas grows.
    let right = Offset {
        x_dots: 8,
        y_dots: 0,
    };
    let (moved, went) = shift(&dot, right, (32, 2));
    assert_eq!((moved.width(), went), (24, None));
    assert!(moved.get(11, 0) && moved.get(23, 1));
}

#[tokio::test]
async fn edges_are_cut_only_where_every_code_still_reads() {
    let cut = PrinterProfile {
        fitting: FitMode::Crop,
        ..zebra(700)
    };
    // The bars begin 60 dots from the left edge and the text goes on to the right of them.
    let kept = prepared(&cut, &["PKB000012345"]).await;
    assert!(
        kept.notes[0].contains("its edges are cut off"),
        "{:?}",
        kept.notes
    );
    assert_eq!(kept.previews[0].bitmap.width(), 700);
    let narrow = PrinterProfile {
        fitting: FitMode::Crop,
        ..zebra(300)
    };
    let lost = prepare_all(label(&["PKB000012345"]), &narrow, &ExpectedCodes::Nothing)
        .await
        .unwrap();
    assert!(
        lost.notes[0].contains("of its size"),
        "a barcode is never cropped: {:?}",
        lost.notes
    );
}

#[tokio::test]
async fn a_page_longer_than_the_paper_is_drawn_smaller_and_says_so() {
    let mut long = String::new();
    crate::support::labels::text(&mut long, 20.0, 540.0, 14.0, "At the very top");
    let pdf_long = crate::support::labels::pdf((297.638, 560.0), &[long]);
    let made = prepare_all(pdf_long, &zebra(840), &ExpectedCodes::Nothing).await;
    // Ink at the top alone fits: the blank rest below is not burnt.
    assert!(made.unwrap().notes.is_empty());
    let mut foot = String::new();
    crate::support::labels::text(&mut foot, 20.0, 8.0, 14.0, "At the very foot");
    let at_foot = fitted((297.638, 560.0), foot.clone()).await;
    assert!(
        at_foot.notes[0].contains("full size"),
        "{:?}",
        at_foot.notes
    );
    assert!(at_foot.previews[0].bitmap.height() <= 1_184);
    crate::support::labels::text(&mut foot, 20.0, 540.0, 14.0, "And at the very top");
    let both = fitted((297.638, 560.0), foot).await;
    assert!(both.notes[0].contains("% of its size"), "{:?}", both.notes);
    assert!(both.previews[0].bitmap.height() <= 1_184);
}

async fn fitted(size: (f64, f64), face: String) -> Prepared {
    let pdf = crate::support::labels::pdf(size, &[face]);
    let (renderer, profile) = (renderer(), zebra(840));
    let made = prepare(
        &renderer,
        pdf.into(),
        PageSelection::All,
        &profile,
        &ExpectedCodes::Nothing,
    );
    made.await.unwrap()
}
