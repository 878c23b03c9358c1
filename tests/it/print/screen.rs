//! The Labels screen: the commands of its keys, and a picture of every state for a person to look at.

use app::state::{
    BatchCommand, BatchFault, BatchProgress, BatchStage, Command, DispatchCommand, JobId, JobState,
    LabelState, LabelsCommand, PathQuestion, PreviewProblem, QueuedJobState, ReducedPage, Remote,
    ReprintRequest, SaveRequest, Screen, Shared,
};
use egui::Event;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use printing::page::Bitmap;
use shipping::{AvailablePrinters, ConsignmentId, LabelSize};

use crate::journeys::kit::{Role, picture_showing};
use crate::journeys::screens::{Desk, LOOKS, data, open, open_in};
use crate::support::keyboard::{burst, click, keys, type_at_once, type_keys};

const FIRST: ConsignmentId = ConsignmentId::new(200_431);

fn shared() -> Shared {
    let mut shared = data::shared();
    shared.screen = Screen::Labels;
    shared
}

fn asked(harness: &Harness<'_, Desk>) -> Vec<LabelsCommand> {
    let asked = harness.state().asked.iter();
    asked
        .filter_map(|command| match command {
            Command::Labels(command) => Some(command.clone()),
            _ => None,
        })
        .collect()
}

fn batch(stage: BatchStage) -> BatchProgress {
    BatchProgress {
        done: 12,
        total: 60,
        sent: 11,
        number: "MS200431".to_owned(),
        printer: "Zebra bench 4".to_owned(),
        stage,
        failed: vec![BatchFault {
            consignment: ConsignmentId::new(200_428),
            number: "MS200428".to_owned(),
            reason: "No printer answers at 10.1.1.9:9100. Check that the printer is on".to_owned(),
            may_be_printed: false,
        }],
        rest: (0..48).map(|at| ConsignmentId::new(200_300 + at)).collect(),
    }
}

fn halted() -> BatchProgress {
    let words = "No printer answers at 10.1.1.9:9100. Check that the printer is on and connected";
    batch(BatchStage::Halted(words.to_owned()))
}

#[test]
fn the_one_just_sent_is_printed_by_one_key_on_labels() {
    let mut harness = open(shared());
    type_keys(&mut harness, "<Ctrl+P>");
    assert_eq!(asked(&harness), [LabelsCommand::Print(vec![FIRST])]);
}

#[test]
fn the_last_is_reprinted_by_two_keys() {
    let mut harness = open(shared());
    type_keys(&mut harness, "<Alt+R><Alt+1>");
    let last = ConsignmentId::new(200_430);
    let reason = "Torn or smudged".to_owned();
    assert_eq!(
        asked(&harness),
        [LabelsCommand::Reprint(vec![last], reason)]
    );
}

#[test]
fn a_label_that_is_held_in_its_queue_is_let_go_instead_of_printed_again() {
    let mut shared = shared();
    shared.labels.jobs[0].queue_entry.state = Some(QueuedJobState::Held);
    let job = shared.labels.jobs[0].id;
    let mut harness = open(shared);
    type_keys(&mut harness, "<Alt+R>");
    click(&mut harness, "Release");
    assert_eq!(asked(&harness), [LabelsCommand::ReleaseJob(job)]);
}

#[test]
fn of_five_hundred_jobs_those_in_sight_are_drawn_and_one_hold_cancels_all() {
    let mut shared = shared();
    let like = shared.labels.jobs[0].clone();
    let job = |id| {
        let mut job = like.clone();
        (job.id, job.state) = (JobId(id), JobState::Sent);
        job.queue_entry.state = Some(QueuedJobState::Held);
        job
    };
    shared.labels.jobs = (1..=500).rev().map(job).collect();
    shared.sort_action_items();
    let mut harness = open(shared);
    let drawn = harness.query_all_by_label_contains("Cancel job");
    let drawn = drawn.count();
    assert!((1..50).contains(&drawn), "{drawn}");
    let words = format!("Cancel all 500 in the queue of {}", like.printer);
    harness.get_by_label(&words).click_accesskit();
    harness.run();
    assert_eq!(
        asked(&harness),
        [LabelsCommand::CancelAllJobs(like.printer.clone())]
    );
}

#[test]
fn sixty_are_printed_from_dispatch_by_two_keys_in_the_order_listed() {
    let mut shared = shared();
    shared.screen = Screen::Dispatch;
    let mut harness = open(shared);
    harness
        .get_by_role_and_label(Role::Table, "Unmanifested")
        .focus();
    harness.run();
    type_keys(&mut harness, "<Ctrl+A><Ctrl+P>");
    let asked = &harness.state().asked;
    let printed = asked.iter().find_map(|command| match command {
        Command::Dispatch(DispatchCommand::PrintLabels(ids)) => Some(ids),
        _ => None,
    });
    let printed = printed.expect("they are printed");
    assert!(printed.len() >= 60 && printed.is_sorted_by(|a, b| a > b));
}

#[test]
fn what_is_ticked_is_printed_in_the_order_of_the_queue() {
    let mut harness = open(shared());
    harness.get_by_role_and_label(Role::Table, "Queue").focus();
    harness.run();
    type_keys(&mut harness, "<Ctrl+A><Ctrl+P>");
    let asked = asked(&harness);
    let [LabelsCommand::Print(ids)] = asked.as_slice() else {
        panic!("{} asked", asked.len());
    };
    let queue: Vec<_> = harness.state().shared.labels.queue.iter().collect();
    assert_eq!(*ids, queue);
}

#[test]
fn another_reason_is_typed_and_digits_in_it_are_text() {
    let mut harness = open(shared());
    type_keys(&mut harness, "<Ctrl+Shift+R>piece 2 fell off<Enter>");
    let reason = "piece 2 fell off".to_owned();
    assert_eq!(
        asked(&harness),
        [LabelsCommand::Reprint(vec![FIRST], reason)]
    );
}

#[test]
fn a_batch_is_stopped_and_gone_on_with_by_key() {
    for (stage, key, command) in [
        (
            BatchStage::Running,
            keys("<Ctrl+Period>"),
            BatchCommand::Stop,
        ),
        (BatchStage::Stopped, keys("<Alt+C>"), BatchCommand::Continue),
        (BatchStage::LeftOver, keys("<Alt+L>"), BatchCommand::PutAway),
    ] {
        let mut shared = shared();
        shared.labels.batch = Some(batch(stage.clone()));
        let mut harness = open(shared);
        burst(&mut harness, key);
        assert_eq!(
            asked(&harness),
            [LabelsCommand::Batch(command)],
            "{stage:?}"
        );
    }
    let mut shared = shared();
    shared.labels.batch = Some(halted());
    let mut harness = open(shared);
    type_keys(&mut harness, "<Ctrl+Enter>");
    assert_eq!(asked(&harness), [LabelsCommand::Batch(BatchCommand::Retry)]);
}

#[test]
fn the_filter_lists_as_it_is_typed_and_the_parts_by_key() {
    let mut harness = open(shared());
    type_keys(&mut harness, "<Ctrl+F>ms200427");
    assert!(harness.query_by_label_contains("MS200427 ").is_some());
    assert!(harness.query_by_label_contains("MS200430 ").is_none());
    let mut harness = open(shared());
    type_keys(&mut harness, "<Alt+4>");
    assert!(harness.query_by_label_contains("MS200427 ").is_some());
    assert!(harness.query_by_label_contains("MS200430 ").is_none());
}

#[test]
fn a_label_that_fails_its_check_is_printed_when_the_word_is_held() {
    let mut harness = open(failing());
    type_keys(&mut harness, "<Alt+A><Alt+2>");
    assert!(asked(&harness).is_empty(), "a chosen reason is no word yet");
    harness
        .get_by_label("Hold to print anyway")
        .click_accesskit();
    harness.run();
    let reason = "Carrier accepts it without the barcode".to_owned();
    assert_eq!(
        asked(&harness),
        [LabelsCommand::PrintWithOverride(FIRST, reason)]
    );
}

#[test]
fn the_label_is_zoomed_by_keys_and_by_the_wheel() {
    let mut harness = open(shared());
    for (key, word) in [
        ("<Plus>", "100 %"),
        ("<Plus>", "200 %"),
        ("<Minus>", "100 %"),
        ("<0>", "Fit"),
    ] {
        type_keys(&mut harness, key);
        let name = format!("Zoom: {word}");
        assert!(harness.query_by_label(&name).is_some(), "{key}: {name}");
    }
}

fn failing() -> Shared {
    let mut shared = shared();
    let words =
        "No barcode can be read on page 2 of this label. A scanner would not read it either";
    shared
        .labels
        .set_state(FIRST, LabelState::FailedVerification(words.to_owned()));
    let preview = shared.labels.preview.value_mut().expect("one is shown");
    preview.checked = false;
    preview.codes_read = 0;
    preview.problem = Some(PreviewProblem {
        headline: "No barcode can be read on page 2 of this label".to_owned(),
        advice: "A scanner would not read it either. Get the label again, or use a finer printer"
            .to_owned(),
        page: Some(1),
        fault: engine::VerificationFault {
            sha256: String::new(),
            kind: "Unreadable barcode".to_owned(),
        },
    });
    shared
}

fn service_printers() -> AvailablePrinters {
    let choice = r#"{
        "printers": [
            {"id": 41, "name": "Dock 2 thermal", "description": "Beside gate 2", "status": 1},
            {"id": 42, "name": "Dock 3 thermal", "status": 2},
            {"id": 43, "name": "Office laser", "status": 3},
            {"id": 44, "name": "Old Zebra", "disabled": true, "status": 0}
        ],
        "defaultItemPrinter": {"id": 41, "name": "Dock 2 thermal", "status": 1}
    }"#;
    serde_json::from_str(choice).expect("printers")
}

/// An A4 page at 600 dpi.
fn large() -> Shared {
    let mut shared = shared();
    shared.labels.size = LabelSize::A4;
    let preview = shared.labels.preview.value_mut().expect("one is shown");
    let (width, height) = (4_960_u32, 7_016_u32);
    let mut dots = vec![0u8; 620 * height as usize];
    for y in (400..2_400).chain(3_000..3_060) {
        for byte in (60..560).filter(|byte| byte % 7 < 3) {
            dots[y * 620 + byte] = 0xFF;
        }
    }
    let grey = |at: usize| {
        let (x, y) = (at % 1_240 * 4 / 8, at / 1_240 * 4);
        if dots[y.min(7_015) * 620 + x.min(619)] == 0 {
            255
        } else {
            0
        }
    };
    let greys: Vec<u8> = (0..1_240 * 1_754).map(grey).collect();
    preview.overview = Some(ReducedPage {
        width: 1_240,
        height: 1_754,
        factor: 4,
        greys: greys.into(),
    });
    preview.size = LabelSize::A4;
    preview.bitmap = Bitmap::from_packed(width, height, dots).expect("a page");
    shared
}

/// Pictures of one state in both themes, and in a small window.
fn draw(
    name: &str,
    shared: impl Fn() -> Shared,
    prepare: impl Fn(&mut Harness<'static, Desk>),
    texts: &[&str],
) {
    for (theme, size, word) in LOOKS.into_iter().take(3) {
        let mut harness = open_in(shared(), size, theme);
        prepare(&mut harness);
        picture_showing(&mut harness, &format!("labels-{name}-{word}"), texts);
    }
}

fn pressing(keys: &'static str) -> impl Fn(&mut Harness<'static, Desk>) {
    move |harness: &mut Harness<'static, Desk>| type_keys(harness, keys)
}

fn with_batch(batch: BatchProgress) -> impl Fn() -> Shared {
    move || {
        let mut shared = shared();
        shared.labels.batch = Some(batch.clone());
        shared
    }
}

#[test]
fn every_state_of_a_batch_is_drawn() {
    draw(
        "running",
        with_batch(batch(BatchStage::Running)),
        |_| (),
        &["12 of 60"],
    );
    draw(
        "stopped",
        with_batch(batch(BatchStage::Stopped)),
        |_| (),
        &["11 of 60 sent to printer"],
    );
    draw(
        "halted",
        with_batch(halted()),
        |_| (),
        &["No printer answers at 10.1.1.9:9100"],
    );
    draw(
        "left-over",
        with_batch(batch(BatchStage::LeftOver)),
        |_| (),
        &["48"],
    );
    draw(
        "ended",
        with_batch(batch(BatchStage::Ended)),
        |_| (),
        &["MS200428"],
    );
}

#[test]
fn what_is_asked_before_printing_is_drawn() {
    draw(
        "failing",
        failing,
        |_| (),
        &["No barcode can be read on page 2"],
    );
    draw(
        "despite",
        failing,
        pressing("<Alt+A>"),
        &["Hold to print anyway"],
    );
    draw("reprint", shared, pressing("<Alt+R>"), &["Reprint"]);
    let again = || {
        let mut shared = shared();
        shared.labels.print_again = Some(ReprintRequest {
            all: (0..60).map(|at| ConsignmentId::new(200_300 + at)).collect(),
            maybe_printed: (0..12).map(|at| ConsignmentId::new(200_300 + at)).collect(),
        });
        shared
    };
    draw("again", again, |_| (), &["60"]);
    let held = || {
        let mut shared = shared();
        shared.labels.jobs[0].queue_entry.state = Some(QueuedJobState::Held);
        shared
    };
    draw("reprint-held", held, pressing("<Alt+R>"), &["Reprint"]);
    let at_service = || {
        let mut shared = shared();
        shared.labels.service_printers = Remote::ready(service_printers());
        shared
            .labels
            .printed_by_token
            .insert(FIRST, "dock-4".to_owned());
        shared
            .labels
            .set_state(FIRST, LabelState::AtService("token dock-4".to_owned()));
        shared
    };
    draw(
        "service-menu",
        at_service,
        |harness| {
            click(harness, "Service printer");
        },
        &["Print there"],
    );
    draw("service", at_service, pressing("<Alt+S>"), &["Print there"]);
    let no_dialog = || {
        let mut shared = shared();
        let problem = "A file with this name already exists. Choose another name";
        shared.path_question = Some(PathQuestion {
            request: SaveRequest::Labels(vec![FIRST]),
            problem: Some(problem.to_owned()),
        });
        shared
    };
    draw(
        "save",
        no_dialog,
        |harness| {
            harness.run();
        },
        &["A file with this name already exists"],
    );
}

#[test]
fn a_large_page_is_drawn_whole_and_dot_for_dot() {
    draw("a4", large, |_| (), &["A4"]);
    let zoom = |harness: &mut Harness<'static, Desk>| {
        let over = Event::PointerMoved(egui::pos2(640.0, 460.0));
        let wheel = Event::Zoom(1.4);
        burst(harness, [over]);
        burst(harness, [wheel]);
        for _ in 0..4 {
            type_keys(harness, "<Plus>");
        }
    };
    draw("a4-zoomed", large, zoom, &["Zoom"]);
    // 100 % in the usual window, 50 % in the small one, where the whole page is smaller.
    draw(
        "zoomed",
        shared,
        |harness| {
            type_at_once(harness, "<Plus*2>");
        },
        &["0 %"],
    );
}
