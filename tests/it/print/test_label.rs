//! The test label: printed, read back from the received bytes, and scanned at the bench.

use app::config::Settings;
use app::state::{DocumentKind, LabelsCommand, Language, PrinterForm, WindowCommand};
use printing::codes;
use printing::page::Scale;
use printing::profile::{Media, PrinterProfile};
use printing::render_in_process;
use printing::test_label::{TOKEN_PREFIX, TestLabelError, document, token};

use crate::support::desk::{Desk, Home, open_bench};
use crate::support::readers;
use crate::support::recorder::Recorder;

fn set_up(desk: &mut Desk, language: Language, destination: &str) {
    let form = PrinterForm {
        name: "Zebra bench 4".to_owned(),
        destination: destination.to_owned(),
        language,
        dots_per_mm: "8".to_owned(),
        head_dots: "832".to_owned(),
        documents: vec![DocumentKind::ItemLabels],
        ..PrinterForm::default()
    };
    desk.ask(LabelsCommand::SavePrinter(Box::new(form)));
    desk.ask(LabelsCommand::ShowTestLabel("Zebra bench 4".to_owned()));
}

#[test]
fn a_test_label_that_is_scanned_back_proves_its_printer_for_good() {
    let mut home = Home::new();
    let practice = home.practise();
    let service = Home::service(practice.base_url(), practice.token());
    let printer = Recorder::start();
    let mut desk = home.open(&service);
    let port = format!("127.0.0.1:{}", printer.port());
    set_up(&mut desk, Language::Epl, &port);
    let shown = desk.until("drawn", |core| {
        core.shared.labels.test_label.value().cloned()
    });
    let bitmap = &shown.preview.bitmap;
    assert_eq!((bitmap.width(), bitmap.height()), (832, 1_184));
    desk.ask(LabelsCommand::PrintTestLabel);
    desk.until("handed over", |core| {
        let mut jobs = core.shared.labels.jobs.iter();
        jobs.find(|job| job.number == "Test label" && job.message == "Sent to printer")
            .map(|_| ())
    });
    // What arrived is what was shown, and its code is what a scanner reads.
    let (label, copies) = readers::epl(&printer.jobs(1)[0]).remove(0);
    assert_eq!((label.packed(), copies), (bitmap.packed(), 1));
    let read = codes::read(&label);
    assert_eq!(read[0].text, shown.token);
    let find = |text: &str| WindowCommand::Find(text.to_owned());
    desk.ask(find("PBT0000000"));
    desk.turn();
    let proved = |desk: &Desk| {
        desk.core.shared.labels.printers.value().unwrap()[0]
            .proved
            .clone()
    };
    assert_eq!(proved(&desk), "", "another code proves nothing");
    desk.until("it is found nowhere", |core| {
        core.shared.search.not_found.is_some().then_some(())
    });
    desk.ask(find(&read[0].text));
    desk.turn();
    assert_eq!(proved(&desk), "test label scanned on 20 Nov");
    let said = desk.core.shared.notices.shown.iter();
    assert!(
        said.clone()
            .any(|(_, notice)| notice.headline == "Zebra bench 4 prints readable labels"),
        "{:?}",
        desk.core.shared.notices.shown
    );
    desk.until("written", |_| {
        let kept = Settings::read(&home.places).ok()?;
        kept.printers.first()?.test.as_ref()?.proved.map(|_| ())
    });
    drop(desk);
    home.settings = Settings::read(&home.places).unwrap();
    let desk = home.open(&service);
    assert_eq!(
        proved(&desk),
        "test label scanned on 20 Nov",
        "kept with the profile"
    );
}

#[test]
fn a_proof_ends_where_something_else_comes_onto_paper() {
    let (_home, _practice, mut desk) = open_bench();
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().display().to_string();
    set_up(&mut desk, Language::Zpl, &place);
    let token = desk.until("drawn", |core| {
        let view = core.shared.labels.test_label.value()?;
        Some(view.token.clone())
    });
    desk.ask(LabelsCommand::PrintTestLabel);
    desk.ask(WindowCommand::Find(token));
    desk.turn();
    let view = |desk: &Desk| desk.core.shared.labels.printers.value().unwrap()[0].clone();
    assert!(!view(&desk).proved.is_empty());
    let same = PrinterForm {
        copies: "2".to_owned(),
        ..view(&desk).form
    };
    desk.ask(LabelsCommand::SavePrinter(Box::new(same)));
    desk.turn();
    assert!(!view(&desk).proved.is_empty(), "more of the same");
    let other = PrinterForm {
        language: Language::Tspl,
        ..view(&desk).form
    };
    desk.ask(LabelsCommand::SavePrinter(Box::new(other)));
    desk.turn();
    assert_eq!(view(&desk).proved, "");
}

#[test]
fn a_test_label_reads_at_every_resolution_on_every_paper_and_its_rulers_are_true() {
    for (scale, head) in [
        (Scale::DOTS_8, Some(832)),
        (Scale::dots_per_mm(11.8).unwrap(), Some(1_228)),
        (Scale::DOTS_24, None),
        (Scale::DOTS_8, Some(480)),
    ] {
        for media in Media::ALL {
            let profile = PrinterProfile {
                name: "Zebra bench 4 with rather a long name".to_owned(),
                dots_per_mm: scale,
                head_width_dots: head,
                media,
                ..PrinterProfile::default()
            };
            let token = token();
            let pdf = document(&profile, &token, "20 November 2026").unwrap().pdf;
            let page = render_in_process(pdf.into(), 0, scale).unwrap();
            let (width, height) = profile.printable_dots();
            assert_eq!((page.bitmap.width(), page.bitmap.height()), (width, height));
            assert_eq!(
                codes::read(&page.bitmap)[0].text,
                token,
                "{media:?}, {scale:?}"
            );
            // A tick each 10 mm, where it belongs, at the very edge.
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "dots of a label"
            )]
            let at = |mm: f64| (mm * scale.get()).round() as u32;
            for mm in [0.0, 10.0, 20.0, 40.0] {
                assert!(page.bitmap.get(at(mm), 0), "{mm} mm across, {media:?}");
                assert!(page.bitmap.get(0, at(mm)), "{mm} mm down, {media:?}");
                assert!(page.bitmap.get(width - 1, at(mm)), "{mm} mm down the right");
                assert!(page.bitmap.get(at(mm), height - 1), "{mm} mm at the foot");
            }
            assert!(!page.bitmap.get(at(10.5), 0), "paper between the ticks");
        }
    }
    let narrow = PrinterProfile {
        head_width_dots: Some(120),
        ..PrinterProfile::default()
    };
    let refused = document(&narrow, "PBT1234567", "today");
    assert_eq!(refused, Err(TestLabelError::TooNarrow));
    assert!(token().starts_with(TOKEN_PREFIX) && token() != token());
}

#[test]
fn a_page_too_large_for_a_screen_is_also_shown_smaller_in_greys() {
    let home = Home::new();
    let (_practice, mut desk) = home.open_practice();
    for (dots_per_mm, width, factor) in [
        ("8", 832, None),
        ("24", 2_496, Some(3_552_u32.div_ceil(2_048))),
    ] {
        let form = PrinterForm {
            name: "Zebra bench 4".to_owned(),
            destination: "127.0.0.1:9100".to_owned(),
            dots_per_mm: dots_per_mm.to_owned(),
            ..PrinterForm::default()
        };
        desk.ask(LabelsCommand::SavePrinter(Box::new(form)));
        desk.ask(LabelsCommand::ShowTestLabel("Zebra bench 4".to_owned()));
        let preview = desk.until("drawn", |core| {
            let preview = &core.shared.labels.test_label.value()?.preview;
            (preview.bitmap.width() == width).then(|| preview.clone())
        });
        let small = preview.overview.as_ref();
        assert_eq!(small.map(|small| small.factor), factor);
        if let Some(small) = small {
            assert_eq!((small.width, small.height), (1_248, 1_776));
            assert_eq!(small.greys.len(), 1_248 * 1_776);
            assert!(
                small.greys.iter().any(|grey| *grey < 128),
                "ink stays visible"
            );
        }
    }
}
