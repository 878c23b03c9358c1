//! Sending and reconciling (defects D to F).

use std::time::Duration;

use app::Core;
use app::state::{
    ConsignCommand, DispatchCommand, NoticeTarget, OperationKind, OperationState, SentProgress,
    Shared,
};
use draft::{AddressField, Draft, Field};
use egui::{Event, Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use practice::RunningService;
use storage::Journal;

use crate::support::clerk::Clerk;
use crate::support::desk::{Desk, Home, fill, notice, open_bench, operation};
use crate::support::lanes::{QUICK, client};
use crate::support::text::assert_contains;
use crate::support::trouble::{Fault, RetryAfter, RetryForm, Troubled as _};

const CREATE: &str = "/apiv2/consignments/createConsignment";

/// A clerk at an empty form, with a sender that is kept from order to order.
fn clerk() -> (Home, RunningService, Clerk) {
    let (home, practice, mut clerk) = Clerk::begin();
    let sender = clerk.until("the saved locations", |core| {
        core.shared.session.company?;
        Some(core.shared.catalogue.locations.value()?.first()?.clone())
    });
    form(&mut clerk).from.set_location(&sender);
    clerk.rest();
    clerk.keys("<Alt+2>");
    (home, practice, clerk)
}

/// A clerk at an order that the service refuses: its postcode is another place's.
fn at_a_wrong_order() -> (Home, RunningService, Clerk) {
    let (home, practice, mut clerk) = clerk();
    fill(form(&mut clerk), "SO-1");
    "Ballarat Central VIC 2000".clone_into(&mut form(&mut clerk).to.place);
    clerk.rest();
    (home, practice, clerk)
}

/// The program without its window, at an order that can be sent.
fn with_an_order() -> (Home, RunningService, Desk) {
    let (home, practice, mut desk) = open_bench();
    desk.type_consignment("SO-1");
    (home, practice, desk)
}

/// What becomes of the next consignment that is created.
fn next_create(practice: &RunningService, fault: Fault) {
    practice.trouble().on(CREATE).once().set_now(fault);
}

fn form(clerk: &mut Clerk) -> &mut Draft {
    let window = clerk.window.state_mut();
    &mut window.editing_mut().expect("a form").draft
}

/// One letter to a frame, with a pause after each.
fn type_slowly(clerk: &mut Clerk, text: &str, pause: Duration) {
    for letter in text.chars() {
        clerk.window.event(Event::Text(letter.to_string()));
        clerk.window.step();
        std::thread::sleep(pause);
    }
}

/// A text that no other round types.
fn text_of(round: usize, length: usize) -> String {
    let letters = (b'a'..=b'z').cycle().skip(round).map(char::from);
    letters.take(length).collect()
}

fn references(shared: &Shared) -> Vec<String> {
    let list = shared.dispatch.unmanifested.value().into_iter();
    let rows = list.flat_map(|list| list.iter()).map(|id| shared.row(*id));
    let mut all: Vec<_> = { rows.flatten() }
        .map(|one| one.reference.clone())
        .collect();
    all.sort();
    all
}

/// Types `length` characters into each of as many forms as there are answers, sends each order, and types on at once.
fn type_across_sends(answers_ms: &[u64], length: usize, pause: Duration) {
    let (_home, practice, mut clerk) = clerk();
    let mut wanted = Vec::new();
    for (round, ms) in answers_ms.iter().enumerate() {
        let text = text_of(round, length);
        type_slowly(&mut clerk, &text, pause);
        let draft = form(&mut clerk);
        assert_eq!(draft.to.search, text, "round {round}");
        // A reference is shorter than what is typed in the long run.
        let reference = format!("{round}-{}", &text[..20]);
        fill(draft, &reference);
        draft.to.search.clear();
        wanted.push(reference);
        next_create(&practice, Fault::DelayAfter { ms: (*ms).max(1) });
        clerk.window.step();
        clerk
            .window
            .key_press_modifiers(Modifiers::COMMAND, Key::Enter);
    }
    clerk.until("all are made", |core| {
        let list = core.shared.dispatch.unmanifested.value()?;
        (list.len() == wanted.len()).then_some(())
    });
    clerk.keys("<F3>");
    clerk.until("their rows", |core| {
        (references(&core.shared).len() == wanted.len()).then_some(())
    });
    wanted.sort();
    assert_eq!(references(&clerk.core().shared), wanted);
    assert!(clerk.core().shared.consign.drafts.is_empty());
}

#[test]
fn d_every_character_is_in_the_form_that_was_up_when_it_was_typed() {
    type_across_sends(&[0, 300, 0, 500, 100, 400], 25, Duration::from_millis(4));
}

#[test]
#[ignore = "long run"]
fn d_long_run_of_1000_characters_across_20_sends() {
    let answers: Vec<u64> = (0..20).map(|round| (round * 7 % 20) * 150).collect();
    type_across_sends(&answers, 50, Duration::from_millis(25));
}

#[test]
fn d_keys_in_one_burst_with_send_are_typed_into_the_next_form() {
    let (_home, practice, mut clerk) = clerk();
    fill(form(&mut clerk), "SO-1");
    clerk.rest();
    next_create(&practice, Fault::DelayAfter { ms: 3_000 });
    let send = Event::Key {
        key: Key::Enter,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::COMMAND,
    };
    clerk.window.event(send.clone());
    for letter in "abcdefghijklmnopqrst".chars() {
        clerk.window.event(Event::Text(letter.to_string()));
    }
    clerk.rest();
    clerk.is_at(Field::To(AddressField::Saved));
    assert_eq!(form(&mut clerk).to.search, "abcdefghijklmnopqrst");
    assert!(form(&mut clerk).from.saved.is_some(), "the sender is kept");
    let sent = &clerk.core().shared.consign.sent;
    assert_eq!(sent.len(), 1, "the order is shown as under way");
    clerk.until("it is made", |core| {
        core.shared.consign.last_created.clone()
    });
    assert!(clerk.core().shared.consign.sent.is_empty());
    assert_eq!(form(&mut clerk).to.search, "abcdefghijklmnopqrst");
}

#[test]
fn d_a_refused_order_is_open_again_where_nothing_was_typed_since() {
    let (_home, _practice, mut clerk) = at_a_wrong_order();
    clerk.keys("<Ctrl+Enter>");
    clerk.until("it is refused", |core| {
        (!core.editing.refusals.is_empty()).then_some(())
    });
    assert_eq!(form(&mut clerk).reference1, "SO-1");
    clerk.is_at(Field::To(AddressField::Place));
    assert!(clerk.core().shared.notices.shown.is_empty());
    assert!(clerk.core().shared.consign.drafts.is_empty());
}

#[test]
fn d_a_refused_order_is_among_the_drafts_where_the_next_was_begun() {
    let (_home, practice, mut clerk) = at_a_wrong_order();
    next_create(&practice, Fault::DelayAfter { ms: 3_000 });
    clerk
        .window
        .key_press_modifiers(Modifiers::COMMAND, Key::Enter);
    clerk.keys("next");
    let id = clerk.until("a notice leads to it", |core| {
        let mut notices = core.shared.notices.shown.iter();
        notices.find_map(|(_, notice)| match &notice.target {
            Some(NoticeTarget::Draft(id)) => Some(id.clone()),
            _ => None,
        })
    });
    assert_eq!(form(&mut clerk).to.search, "next");
    assert_eq!(clerk.core().shared.consign.drafts[0].id, id);
    let window = clerk.window.state_mut();
    window.push(ConsignCommand::OpenDraft(id).into());
    clerk.until("it is open with what was refused", |core| {
        let editing = &core.editing;
        let is_it = editing.draft.reference1 == "SO-1";
        (is_it && !editing.refusals.is_empty()).then_some(())
    });
    assert_eq!(clerk.core().shared.consign.drafts[0].to.search, "next");
}

#[test]
fn e_an_order_behind_a_hung_call_is_written_down_as_waiting() {
    let (home, practice, mut desk) = with_an_order();
    next_create(&practice, Fault::DelayBefore { ms: 3_500 });
    desk.send();
    desk.turn();
    desk.type_consignment("SO-2");
    desk.send();
    desk.until("the second waits", |core| {
        let sent = core.shared.consign.sent.get(1)?;
        let first = &core.shared.consign.sent[0].id;
        let waits = core.shared.sent_progress(&sent.id) == SentProgress::Waiting;
        let sends = core.shared.sent_progress(first) == SentProgress::Sending;
        (waits && sends && core.shared.operations.list.len() == 2).then_some(())
    });
    // What a start would find after a kill at this moment.
    let killed = Home::new();
    let copy = killed.places.journal("practice");
    std::fs::create_dir_all(copy.parent().expect("a folder")).expect("a folder");
    let source = rusqlite::Connection::open(home.places.journal("practice")).expect("the journal");
    source
        .execute("VACUUM INTO ?1", [copy.display().to_string()])
        .expect("a copy");
    let mut journal = Journal::open(&copy).expect("the copy opens");
    let now = home.clock.now();
    let operations = journal.operations(10).expect("operations");
    assert_eq!(operations[0].state, OperationState::Ready);
    journal.recover(now).expect("recovered");
    let operations = journal.operations(10).expect("operations");
    assert_eq!(operations[0].title, "SO-2");
    assert_eq!(operations[0].state, OperationState::Absent);
    assert_contains(&operations[0].message, "Not sent");
    desk.until("both are made in the end", |core| {
        let list = core.shared.dispatch.unmanifested.value()?;
        (list.len() == 2 && core.shared.consign.sent.is_empty()).then_some(())
    });
}

const PAUSE: RetryAfter = RetryAfter {
    seconds: 2,
    form: RetryForm::Seconds,
};

#[test]
fn e_a_pause_that_the_service_asks_for_is_kept_before_the_first_check() {
    let (home, practice, mut desk) = with_an_order();
    let retry_after = Some(PAUSE);
    next_create(&practice, Fault::TooMany { retry_after });
    desk.send();
    let (at, words) = desk.until("the next check is known", |core| {
        let operation = core.shared.operations.list.first()?;
        let next = core.shared.operations.next_checks.get(&operation.id)?;
        Some((next.at, operation.message.clone()))
    });
    let wait = at.duration_since(home.clock.now());
    assert!(wait.as_secs() >= 1, "it waits for {wait}");
    assert!(words.contains("asked us to wait 2 seconds"), "{words}");
    desk.until("it did not happen", |core| {
        let operation = core.shared.operations.list.first()?;
        (operation.state == OperationState::Absent).then_some(())
    });
}

#[test]
fn e_where_the_contract_says_that_429_does_nothing_it_is_sent_again_after_the_pause() {
    let (home, practice) = Home::with_practice();
    let mut service = Home::service(practice.base_url(), practice.token());
    service.compatibility.pause_means_not_done = true;
    let mut desk = home.open(&service);
    desk.type_consignment("SO-1");
    let retry_after = Some(PAUSE);
    next_create(&practice, Fault::TooMany { retry_after });
    desk.send();
    desk.until("the row says why it waits", |core| {
        let operation = core.shared.operations.list.first()?;
        let waits = operation.state == OperationState::Ready;
        (waits && operation.message.contains("asked us to wait 2 seconds")).then_some(())
    });
    let created = desk.until("it is made", |core| {
        core.shared.consign.last_created.clone()
    });
    assert_eq!(created.customer_reference.as_deref(), Some("SO-1"));
    let operation = &desk.core.shared.operations.list[0];
    assert_eq!(
        operation.attempt, 2,
        "sent twice, the first of which did nothing"
    );
}

#[test]
fn f_a_booking_whose_answer_was_lost_does_not_claim_the_manifest_of_another_bench() {
    let (home, practice, mut desk) = with_an_order();
    desk.send();
    let made = desk.until("it is made", |core| {
        core.shared.consign.last_created.clone()
    });
    let caller = client(&practice.base_url(), practice.token(), QUICK);
    let mut groups = (home.runtime)
        .block_on(caller.group(&[made.id]))
        .expect("grouped");
    groups[0].dgs_declaration = Some(false);
    // Ours is begun late, and by then nobody waits for it: it books nothing.
    let bookings = practice.trouble().on("/apiv2/manifests/manifest");
    bookings.once().set_now(Fault::DelayBefore { ms: 20_000 });
    desk.ask(DispatchCommand::Book(groups.clone()));
    let booking = |core: &Core, state: OperationState| {
        operation(core, OperationKind::Manifest, state).map(|found| found.message)
    };
    desk.until("ours is on its way", |core| {
        let sending = booking(core, OperationState::Sending);
        (sending.is_some() && practice.trouble().struck_now() > 0).then_some(())
    });
    home.runtime
        .block_on(caller.manifest(&groups))
        .expect("booked by the other bench");
    let words = desk.until("ours is found", |core| booking(core, OperationState::Done));
    assert!(words.contains("possibly by another bench"), "{words}");
}

#[test]
fn n22_a_lost_answer_that_was_found_is_told_apart() {
    let (_home, practice, mut desk) = with_an_order();
    next_create(&practice, Fault::FailAfter { reset: true });
    desk.send();
    let told = desk.until("it is told", |core| {
        notice(&core.shared, "went through: MS")
    });
    assert!(told.headline.starts_with("SO-1"), "{}", told.headline);
    assert!(desk.core.shared.consign.sent.is_empty());
    assert!(
        desk.core.shared.consign.last_created.is_none(),
        "no ordinary card"
    );
}

#[test]
fn n22_with_the_service_away_the_form_says_where_the_order_went() {
    let (home, practice, mut clerk) = clerk();
    fill(form(&mut clerk), "SO-1");
    clerk.rest();
    clerk.until("it can be sent", |core| {
        (!core.shared.consign.routes.is_loading()).then_some(())
    });
    home.runtime.block_on(practice.stop());
    clerk.keys("<Ctrl+Enter>");
    clerk.until("it says that the order waits", |core| {
        (core.shared.consign.sent.len() == 1).then_some(())
    });
    let name = form(&mut clerk).to.name.clone();
    assert_eq!(name, "", "the form has begun the next order");
    let waits = clerk
        .window
        .query_by_label_contains("Waiting to be sent: 1 (");
    assert!(waits.is_some(), "above Send");
    clerk.keys("Next receiver");
    clerk.until("it says that it was not sent", |core| {
        let mut notices = core.shared.notices.shown.iter().map(|(_, notice)| notice);
        notices
            .find(|notice| {
                notice
                    .headline
                    .ends_with("was not sent. It is among your drafts")
            })
            .map(drop)
    });
    assert_eq!(clerk.core().shared.consign.drafts[0].reference1, "SO-1");
}
