//! Editing a consignment from the bench: saved, refused, changed by somebody else meanwhile, and the state of
//! its label.

mod form;
mod lines;

use app::state::{ConsignCommand, DraftState, LabelState, LabelsCommand, OperationState};
use client::Client;
use draft::{AddressField, Field};
use practice::RunningService;
use printing::profile::Destination;
use shipping::{Consignment, ConsignmentId};

use crate::support::desk::{Desk, Home, notice, open_bench, open_reopenable_bench};
use crate::support::lanes::{QUICK, client};
use crate::support::printers::label_printer;
use crate::support::text::assert_contains;

/// Returns a consignment that this bench sent.
fn sent(desk: &mut Desk, reference: &str) -> Consignment {
    desk.type_consignment(reference);
    desk.send();
    desk.until("it is created", |core| {
        core.shared.consign.last_created.clone()
    })
}

fn opened(desk: &mut Desk, id: ConsignmentId) {
    desk.ask(ConsignCommand::Edit(id));
    desk.until("its form is open", |core| {
        let edited = core.editing.draft.edits.as_ref()?;
        (edited.id == id && core.shared.consign.opening.is_none()).then_some(())
    });
}

/// A bench with a change typed into a consignment that it sent, and another client of the service.
fn bench_with_change(reference: &str) -> (Home, RunningService, Desk, ConsignmentId, Client) {
    let (home, practice, mut desk) = open_bench();
    let id = sent(&mut desk, reference).id;
    opened(&mut desk, id);
    "Ring the bell".clone_into(&mut desk.core.editing.draft.instructions);
    let caller = client(&practice.base_url(), practice.token(), QUICK);
    (home, practice, desk, id, caller)
}

#[test]
fn a_changed_consignment_shows_so_and_the_form_is_ready_for_the_next() {
    let (_home, _practice, mut desk) = open_bench();
    let made = sent(&mut desk, "SO-1");
    opened(&mut desk, made.id);
    let name = desk
        .core
        .editing
        .draft
        .edits
        .as_ref()
        .map(|edited| edited.number.clone());
    assert_eq!(name, Some(made.consignment_number.clone()));
    let check = desk.core.editing.check().expect("it was looked at");
    assert!(check.passes(), "{:?}", check.problems);
    desk.core.editing.draft.goods[0].quantity = "3".to_owned();
    desk.send();
    desk.until("it is changed", |core| {
        let list = core.shared.dispatch.unmanifested.value()?;
        (core.shared.row(*list.first()?)?.pieces == 3).then_some(())
    });
    desk.until("the form is free", |core| {
        (core.editing.draft.is_blank() && core.shared.consign.sent.is_empty()).then_some(())
    });
    assert!(desk.core.shared.operations.locked.is_empty());
    assert!(desk.core.shared.consign.drafts.is_empty());
}

#[test]
fn a_refused_change_lands_at_its_field_and_is_kept() {
    let (home, _practice, service, mut desk) = open_reopenable_bench();
    let made = sent(&mut desk, "SO-2");
    opened(&mut desk, made.id);
    desk.core.editing.draft.to.place = "Ballarat Central VIC 2000".to_owned();
    desk.send();
    desk.until("it is refused", |core| {
        (!core.editing.refusals.is_empty()).then_some(())
    });
    let field = desk.core.editing.refusals[0].field;
    assert_eq!(field, Field::To(AddressField::Place));
    assert!(desk.core.shared.operations.locked.is_empty());
    let mut desk = home.restart(desk, &service);
    desk.until("it is open again after a restart", |core| {
        let draft = &core.editing.draft;
        (draft.edits.is_some() && draft.to.place.ends_with("2000")).then_some(())
    });
    desk.ask(ConsignCommand::NewDraft);
    desk.turn();
    let shared = &desk.core.shared;
    assert!(matches!(
        shared.draft_state(&shared.consign.drafts[0]),
        DraftState::Refused(_)
    ));
}

#[test]
fn what_somebody_else_changed_meanwhile_is_put_under_what_was_typed() {
    let (home, _practice, mut desk, id, caller) = bench_with_change("SO-3");
    home.runtime.block_on(async {
        let mut form = caller.edit_form(id).await.expect("the form");
        form.set("toContact", &"A. Nguyen");
        caller.edit(&form).await.expect("changed");
    });
    desk.send();
    desk.until("both are in the form", |core| {
        let draft = &core.editing.draft;
        let both = draft.to.contact == "A. Nguyen" && draft.instructions == "Ring the bell";
        (both && core.shared.consign.sent.is_empty()).then_some(())
    });
    let told = notice(&desk.core.shared, "was not changed").expect("a notice");
    assert!(told.advice.contains("toContact"), "{}", told.advice);
    desk.send();
    desk.until("it is changed", |core| {
        let newest = core.shared.operations.list.first()?;
        (newest.state == OperationState::Done && core.editing.draft.is_blank()).then_some(())
    });
    let form = home
        .runtime
        .block_on(caller.edit_form(id))
        .expect("the form");
    let said = |name: &str| form.get::<String>(name);
    assert_eq!(said("toContact").as_deref(), Some("A. Nguyen"));
    assert_eq!(
        said("specialInstructions").as_deref(),
        Some("Ring the bell")
    );
}

#[test]
fn one_that_was_booked_meanwhile_says_so_and_keeps_what_was_typed() {
    let (home, _practice, mut desk, id, caller) = bench_with_change("SO-4");
    home.runtime.block_on(async {
        let mut groups = caller.group(&[id]).await.expect("grouped");
        groups[0].dgs_declaration = Some(false);
        caller.manifest(&groups).await.expect("booked");
    });
    desk.send();
    let told = desk.until("it says why", |core| {
        notice(&core.shared, "was not changed")
    });
    assert_contains(&told.advice, "already manifested");
    assert_eq!(desk.core.editing.draft.instructions, "Ring the bell");
    assert!(desk.core.shared.consign.sent.is_empty());
}

fn state(desk: &mut Desk, id: ConsignmentId, what: &str, is: fn(&LabelState) -> bool) {
    desk.until(what, |core| {
        let state = core.shared.labels.states.get(&id)?;
        is(state).then_some(())
    });
}

#[test]
fn the_label_of_a_changed_consignment_is_known_to_be_old_and_fetched_again() {
    let mut home = Home::new();
    let path = home.places.data().join("labels.zpl");
    home.settings.printers = vec![label_printer("File", Destination::File(path))];
    home.settings
        .assign_printer(engine::DocumentKind::ItemLabels, "File");
    let practice = home.practise();
    let service = Home::service(practice.base_url(), practice.token());
    let mut desk = home.open(&service);
    let id = sent(&mut desk, "SO-5").id;
    desk.ask(LabelsCommand::Print(vec![id]));
    let printed = |state: &LabelState| matches!(state, LabelState::Sent(_));
    state(&mut desk, id, "it is printed", printed);
    opened(&mut desk, id);
    desk.core.editing.draft.goods[0].quantity = "3".to_owned();
    desk.send();
    let stale = |state: &LabelState| *state == LabelState::Stale;
    state(&mut desk, id, "it is known to be old", stale);
    let mut desk = home.restart(desk, &service);
    state(&mut desk, id, "the next start knows it, too", stale);
    desk.ask(LabelsCommand::Print(vec![id]));
    state(&mut desk, id, "it is printed again", printed);
    assert_eq!(desk.core.shared.labels.jobs[0].reason, "changed");
    desk.ask(LabelsCommand::Select(id));
    let pages = desk.until("it is shown", |core| {
        let preview = core.shared.labels.preview.value()?;
        Some(preview.pages)
    });
    assert_eq!(pages, 3, "the file is the new one");
}
