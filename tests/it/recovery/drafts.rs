//! Typed text survives crashes and restarts.

use std::time::Duration;

use app::state::{ConsignCommand, SaveState};
use draft::{AddressMode, Draft};
use storage::Journal;

use crate::support::desk::{Home, fill, open_bench, open_reopenable_bench};

#[test]
fn a_draft_is_due_on_disk_well_within_a_second_of_the_last_key() {
    let (home, _practice, mut desk) = open_bench();
    desk.until("what the journal holds", |core| {
        core.shared.catalogue.companies.value().map(|_| ())
    });
    // A clock of the test's own: one second, in steps of a slow frame.
    let typed_at = Duration::from_hours(1);
    fill(&mut desk.core.editing.draft, "SO-48213");
    for step in 0..5 {
        desk.core.turn(typed_at + Duration::from_millis(200) * step);
    }
    // The save was asked for by now: the disk answers when it answers, and no later key holds it up.
    let saved = desk.until("saved on this bench", |core| match core.editing.saved {
        SaveState::At(at) => Some(at),
        _ => None,
    });
    assert_eq!(saved, home.clock.now());
    let on_disk = Journal::open(&home.places.journal("practice"))
        .expect("a second reader")
        .drafts()
        .expect("drafts");
    assert_eq!(on_disk, vec![desk.core.editing.draft.clone()]);
}

#[test]
fn what_was_typed_is_in_the_form_again_after_the_program_was_dropped_dead() {
    let (home, practice) = Home::with_practice();
    let service = Home::service(practice.base_url(), practice.token());
    let typed = {
        let mut desk = home.open(&service);
        desk.until("companies", |core| {
            core.shared.catalogue.companies.value().map(|_| ())
        });
        fill(&mut desk.core.editing.draft, "SO-1");
        desk.until("saved", |core| {
            matches!(core.editing.saved, SaveState::At(_)).then_some(())
        });
        desk.core.editing.draft.clone()
        // Dropped here without being closed: as after kill -9, nothing more is written.
    };
    let mut desk = home.open(&service);
    let again = desk.until("the draft", |core| {
        (!core.editing.draft.is_blank()).then(|| core.editing.draft.clone())
    });
    assert_eq!(again, typed);
}

#[test]
fn several_drafts_are_kept_and_opened_again() {
    let (_home, _practice, mut desk) = open_bench();
    desk.until("companies", |core| {
        core.shared.catalogue.companies.value().map(|_| ())
    });
    fill(&mut desk.core.editing.draft, "SO-1");
    desk.ask(ConsignCommand::NewDraft);
    desk.until("the first is kept", |core| {
        (core.shared.consign.drafts.len() == 1).then_some(())
    });
    assert!(desk.core.editing.draft.is_blank());
    fill(&mut desk.core.editing.draft, "SO-2");
    let first = desk.core.shared.consign.drafts[0].id.clone();
    desk.ask(ConsignCommand::OpenDraft(first));
    desk.until("the first is open", |core| {
        (core.editing.draft.reference1 == "SO-1").then_some(())
    });
    let kept: Vec<_> = desk
        .core
        .shared
        .consign
        .drafts
        .iter()
        .map(Draft::title)
        .collect();
    assert_eq!(kept, ["SO-2"]);
}

#[test]
fn a_sender_typed_alone_is_kept_too() {
    let (home, _practice, service, mut desk) = open_reopenable_bench();
    desk.until("companies", |core| core.shared.session.company.map(|_| ()));
    desk.core.editing.draft.from.mode = AddressMode::Full;
    "Harbour Supplies, back door".clone_into(&mut desk.core.editing.draft.from.name);
    desk.until("saved", |core| {
        matches!(core.editing.saved, SaveState::At(_)).then_some(())
    });
    drop(desk);
    let mut desk = home.open(&service);
    desk.until("the sender", |core| {
        (core.editing.draft.from.name == "Harbour Supplies, back door").then_some(())
    });
}

#[test]
fn a_draft_that_was_sent_is_on_disk_before_its_turn_comes_and_gone_with_its_confirmation() {
    let (home, _practice, mut desk) = open_bench();
    desk.create("SO-48213");
    let journal = Journal::open(&home.places.journal("practice")).expect("a reader");
    assert_eq!(journal.drafts().expect("drafts"), []);
    assert!(
        desk.core.shared.consign.drafts.is_empty(),
        "it is not offered as unsent"
    );
}
