//! Pictures of printers and jobs in every state, of the printer form and of the test label.

use app::state::{
    Command, Editing, JobSubject, LabelsCommand, Preview, Remote, Screen, Shared, TestLabelView,
    ThemeChoice,
};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use printing::profile::PrinterProfile;
use printing::render_in_process;
use printing::test_label::document;
use shipping::LabelSize;

use super::super::kit::picture;
use super::{Desk, data, desk, open_in};
use crate::support::keyboard::click;

const LARGE: [f32; 2] = [1440.0, 900.0];
const SMALL: [f32; 2] = [1024.0, 700.0];

const LOOKS: [(ThemeChoice, [f32; 2], &str); 3] = [
    (ThemeChoice::Light, LARGE, "light"),
    (ThemeChoice::Dark, LARGE, "dark"),
    (ThemeChoice::Light, SMALL, "small"),
];

fn labels() -> Shared {
    let mut shared = data::shared();
    data::paper::every_state(&mut shared);
    shared.screen = Screen::Labels;
    shared
}

#[test]
fn printers_and_jobs_are_drawn_in_every_state() {
    for (theme, size, word) in LOOKS {
        let mut harness = open_in(labels(), size, theme);
        harness.run();
        picture(&mut harness, &format!("jobs-{word}"));
    }
    let tall = [1440.0, 1500.0];
    let shown = Desk::new(labels(), Editing::default());
    let mut harness = desk(tall, 1.0, ThemeChoice::Light, shown);
    harness.run();
    for word in ["held", "stopped", "sending", "cancelled", "needs attention"] {
        assert!(harness.query_all_by_label(word).next().is_some(), "{word}");
    }
    click(&mut harness, "Release: MS200433");
    let asked = &harness.state().asked;
    assert!(
        matches!(
            asked.last(),
            Some(Command::Labels(LabelsCommand::ReleaseJob(_)))
        ),
        "{asked:?}"
    );
    picture(&mut harness, "jobs-tall");
}

#[test]
fn the_form_of_a_printer_is_drawn_and_reached_by_keys() {
    for (theme, size, word) in LOOKS {
        let mut harness = open_in(labels(), size, theme);
        harness.run();
        click(&mut harness, "Set up a printer…");
        click(&mut harness, "Another printer");
        for label in [
            "Name",
            "Connection",
            "Print head width",
            "Move right",
            "Cancel waiting jobs after",
        ] {
            assert!(harness.query_by_label(label).is_some(), "{label}");
        }
        picture(&mut harness, &format!("printer-form-{word}"));
    }
}

#[test]
fn the_test_label_is_drawn_before_and_after_it_is_printed() {
    let profile = PrinterProfile {
        name: "Zebra bench 4".to_owned(),
        head_width_dots: Some(832),
        ..PrinterProfile::default()
    };
    let pdf = document(&profile, "PBT7K3QW2Z", "20 November 2026, 14:05").expect("a document");
    let pdf = pdf.pdf;
    let page = render_in_process(pdf.into(), 0, profile.dots_per_mm).expect("a page");
    for (theme, size, word) in LOOKS {
        for printed in [false, true] {
            let mut shared = labels();
            shared.labels.test_label = Remote::ready(TestLabelView {
                printer: "Zebra bench 4".to_owned(),
                token: "PBT7K3QW2Z".to_owned(),
                preview: Preview {
                    subject: JobSubject::TestLabel,
                    number: "Zebra bench 4".to_owned(),
                    page: 0,
                    pages: 1,
                    size: LabelSize::A6,
                    bitmap: page.bitmap.clone(),
                    codes_read: 1,
                    notes: Vec::new(),
                    checked: true,
                    problem: None,
                    overview: None,
                    exact: true,
                },
                printed,
            });
            let mut harness = open_in(shared, size, theme);
            harness.run();
            harness.key_press_modifiers(Modifiers::ALT, Key::T);
            harness.run();
            let state = if printed { "printed" } else { "shown" };
            picture(&mut harness, &format!("test-label-{state}-{word}"));
        }
    }
}
