//! While the service is away, the bench shows the last known data, accepts typing, and draws and prints
//! stored labels. Everything else says that it is unavailable and keeps what was typed.

use app::state::{JobSubject, LabelsCommand, OperationState, PrinterForm, SaveState};
use jiff::SignedDuration;
use shipping::{CompanyId, ConsignmentId};
use storage::{CachedList, JobState, SyncScope, TrackReader, TrackStore};

use crate::support::desk::{Desk, Home};

/// A day with the service: a consignment is sent, its label looked at, and the list fetched. Then the service ends.
fn a_day_with_the_service(home: &Home) -> (app::Service, ConsignmentId) {
    let practice = home.practise();
    let service = Home::service(practice.base_url(), practice.token());
    let mut desk = home.open(&service);
    let id = desk.create("SO-48213");
    desk.until("its label, stored", |core| {
        core.shared.labels.preview.value().map(|_| ())
    });
    desk.ask(app::state::DispatchCommand::Refresh);
    desk.until("the list", |core| {
        let list = core.shared.dispatch.unmanifested.value()?;
        (list.len() == 1 && !core.shared.dispatch.unmanifested.is_loading()).then_some(())
    });
    desk.until("the lists, kept", |core| {
        let company = core.shared.session.company?;
        let lists = [CachedList::Companies, CachedList::Locations(Some(company))];
        let store = reader(home)?;
        let all = lists.map(|list| store.list(list).expect("read").is_some());
        let kept = store.mark(of(company)).expect("read").is_some();
        (kept && all == [true; 2]).then_some(())
    });
    home.runtime.block_on(practice.stop());
    desk.core.close(home.runtime.handle());
    (service, id)
}

/// The store of consignments, once there is one.
fn reader(home: &Home) -> Option<TrackReader> {
    let path = TrackStore::beside(&home.places.journal("practice"));
    let store = path.exists().then(|| TrackStore::open(&path).ok())??;
    store.reader().ok()
}

fn of(company: CompanyId) -> SyncScope {
    SyncScope {
        company: Some(company),
        ..SyncScope::default()
    }
}

/// The next morning, without the service.
fn next_morning(home: &Home, service: &app::Service) -> Desk {
    home.clock.advance(SignedDuration::from_hours(17));
    home.open(service)
}

#[test]
fn what_was_last_seen_is_shown_with_its_time_while_the_service_is_away() {
    let home = Home::new();
    let (service, id) = a_day_with_the_service(&home);
    let fetched = home.clock.now();
    let mut desk = next_morning(&home, &service);
    desk.until("the service is away", |core| {
        core.shared.session.health.away_since.map(|_| ())
    });
    desk.until("the list", |core| {
        let list = core.shared.dispatch.unmanifested.value()?;
        let away = core.shared.dispatch.unmanifested.is_service_unavailable();
        (away && list.len() == 1 && list[0] == id).then_some(())
    });
    let shared = &desk.core.shared;
    assert_eq!(
        shared.dispatch.unmanifested_at,
        Some(fetched),
        "as of yesterday"
    );
    assert!(
        !shared
            .catalogue
            .companies
            .value()
            .expect("companies")
            .is_empty()
    );
    assert!(
        !shared
            .catalogue
            .locations
            .value()
            .expect("locations")
            .is_empty()
    );
    assert_eq!(shared.labels.queue.len(), 1, "its label can be printed");
}

#[test]
fn a_draft_is_typed_and_saved_and_send_says_that_nothing_was_sent() {
    let home = Home::new();
    let (service, _) = a_day_with_the_service(&home);
    let mut desk = next_morning(&home, &service);
    desk.type_consignment("SO-48214");
    desk.until("saved", |core| {
        matches!(core.editing.saved, SaveState::At(_)).then_some(())
    });
    let typed = desk.core.editing.draft.clone();
    desk.send();
    let notice = desk.until("refused", |core| {
        let mut notices = core.shared.notices.shown.iter().map(|(_, notice)| notice);
        notices
            .find(|notice| notice.headline.contains("was not sent"))
            .cloned()
    });
    assert_eq!(
        notice.headline,
        "The consignment was not sent. Your draft is unchanged"
    );
    assert!(
        notice.advice.contains("nothing was sent"),
        "{}",
        notice.advice
    );
    assert_eq!(desk.core.editing.draft, typed);
    let operation = &desk.core.shared.operations.list[0];
    assert_eq!(operation.state, OperationState::Discarded);
    assert!(operation.message.starts_with("Not sent"), "{operation:?}");
}

#[test]
fn a_stored_label_is_drawn_and_printed_without_the_service() {
    let home = Home::new();
    let (service, id) = a_day_with_the_service(&home);
    let mut desk = next_morning(&home, &service);
    desk.until("the label queue", |core| {
        (core.shared.labels.queue.len() == 1).then_some(())
    });
    desk.ask(LabelsCommand::Select(id));
    let preview = desk.until("the preview", |core| {
        core.shared.labels.preview.value().cloned()
    });
    assert_eq!(preview.subject, JobSubject::Label(id));
    assert!(preview.checked, "{:?}", preview.notes);
    let file = home.places.data().join("label.zpl");
    let form = PrinterForm {
        name: "A file".to_owned(),
        destination: file.display().to_string(),
        dots_per_mm: "8".to_owned(),
        ..PrinterForm::default()
    };
    desk.ask(LabelsCommand::SavePrinter(Box::new(form)));
    desk.ask(LabelsCommand::Reprint(vec![id], "torn".to_owned()));
    desk.until("handed over", |core| {
        let job = core.shared.labels.jobs.first()?;
        (job.state == JobState::Sent).then_some(())
    });
    let printed = std::fs::read(&file).expect("a file");
    assert!(printed.starts_with(b"^XA"), "a label in ZPL");
}

#[test]
fn a_list_that_changed_replaces_the_one_that_was_kept() {
    let home = Home::new();
    let (service, id) = a_day_with_the_service(&home);
    // The service is there again, and knows nothing of yesterday's consignment.
    let practice = home.practise_anew();
    let service = app::Service {
        address: practice.base_url(),
        token: practice.token().into(),
        ..service
    };
    let mut desk = next_morning(&home, &service);
    let now = home.clock.now();
    desk.until("a list of today", |core| {
        (core.shared.dispatch.unmanifested_at == Some(now)).then_some(())
    });
    let list = desk
        .core
        .shared
        .dispatch
        .unmanifested
        .value()
        .expect("a list");
    assert!(!list.contains(&id));
    desk.until("and it is kept", |core| {
        let store = reader(&home)?;
        let mark = store
            .mark(of(core.shared.session.company?))
            .expect("read")?;
        let rows = store.rows(&[id]).expect("read");
        (mark.at == now && rows.is_empty()).then_some(())
    });
}
