//! Pictures of edited, pending, stored and previously printed consignments, for a person to look at.

use app::state::{LabelState, Screen, Shared};
use draft::{Draft, DraftId, EditedConsignment, PendingCopy};
use egui::Event;
use egui_kittest::Harness;
use shipping::{ConsignmentId, PendingConsignmentId};

use crate::journeys::kit::picture_showing;
use crate::journeys::screens::{Desk, LOOKS, data, desk};
use crate::support::keyboard::type_keys;

fn each(
    name: &str,
    change: impl Fn(&mut Shared, &mut Draft),
    act: impl Fn(&mut Harness<'_, Desk>),
    texts: &[&str],
) {
    for (theme, size, word) in LOOKS.into_iter().take(3) {
        let (mut shared, mut editing) = (data::shared(), data::editing());
        change(&mut shared, &mut editing.draft);
        let mut harness = desk(size, 1.0, theme, Desk::new(shared, editing));
        act(&mut harness);
        picture_showing(&mut harness, &format!("flows-{name}-{word}"), texts);
    }
}

fn pending(number: i64) -> PendingCopy {
    PendingCopy {
        id: PendingConsignmentId::new(number),
        number: format!("PC{number}"),
    }
}

fn edited(number: i64) -> EditedConsignment {
    let form = format!(r#"{{"id": {number}}}"#);
    EditedConsignment {
        id: ConsignmentId::new(number),
        number: format!("MS{number}"),
        form: serde_json::from_str(&form).expect("a form"),
    }
}

#[test]
fn a_consignment_that_is_changed_is_drawn() {
    each(
        "changing",
        |_, draft| draft.edits = Some(edited(200_431)),
        |_| (),
        &["MS200431", "Save changes"],
    );
}

#[test]
fn a_pending_consignment_is_drawn() {
    let bring_back = |shared: &mut Shared, draft: &mut Draft| {
        draft.pending = Some(pending(50_001));
        shared.consign.discarded = vec![draft.clone()];
    };
    each("pending", bring_back, |_| (), &["PC50001"]);
}

fn three_hundred(shared: &mut Shared, draft: &mut Draft) {
    let like = draft.clone();
    shared.consign.drafts = (0..300)
        .map(|at: i64| Draft {
            id: DraftId::random(),
            reference1: if at % 7 == 3 {
                String::new()
            } else {
                format!("SO-{}", 48_300 - at)
            },
            pending: (at % 5 == 1).then(|| pending(50_000 + at)),
            edits: (at % 9 == 2).then(|| edited(200_400 - at)),
            ..like.clone()
        })
        .collect();
    for (at, draft) in (0..).zip(&shared.consign.drafts) {
        let age = jiff::SignedDuration::from_mins(at * at);
        shared
            .consign
            .draft_times
            .insert(draft.id.clone(), shared.now - age);
    }
    let words = "May have been sent already: MS200390";
    shared
        .consign
        .possibly_sent
        .insert(shared.consign.drafts[3].id.clone(), words.to_owned());
    shared.consign.discarded = vec![like];
}

#[test]
fn three_hundred_drafts_are_drawn_and_filtered() {
    let open = |harness: &mut Harness<'_, Desk>| {
        type_keys(harness, "<Ctrl+O>");
    };
    each(
        "drafts",
        three_hundred,
        open,
        &[
            "PC50001",
            "SO-48298, Ballarat Farm & Garden, editing MS200398",
        ],
    );
    each(
        "drafts-filtered",
        three_hundred,
        |harness| {
            open(harness);
            harness.event(Event::Text("PC500".to_owned()));
            harness.run();
            type_keys(harness, "<Down>");
        },
        &["PC50001"],
    );
}

#[test]
fn labels_of_changed_consignments_are_drawn() {
    for (screen, name) in [(Screen::Dispatch, "dispatch"), (Screen::Labels, "labels")] {
        let stale = |shared: &mut Shared, _: &mut Draft| {
            shared.screen = screen;
            let first: Vec<_> = shared.labels.queue.iter().take(2).collect();
            for id in first {
                shared.labels.set_state(id, LabelState::Stale);
            }
        };
        each(name, stale, |_| (), &["1,205 labels waiting"]);
    }
}
