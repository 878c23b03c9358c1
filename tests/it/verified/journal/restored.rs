//! B. After a restore, a draft that may have been sent is first compared with the consignments of the
//! service, and not sent before that.

use std::fs;
use std::path::Path;

use app::Service;
use app::state::{ConsignCommand, OperationState};
use draft::{DraftId, Party};
use jiff::SignedDuration;
use storage::Backups;

use crate::support::desk::{Desk, Home, notice};

/// Types a consignment without a reference to the saved location at this place of the list.
fn type_to_saved_location(desk: &mut Desk, location: usize, pieces: &str) {
    desk.type_consignment("");
    let receiver = desk.core.shared.catalogue.locations.value().unwrap()[location].clone();
    let draft = &mut desk.core.editing.draft;
    draft.to = Party::default();
    draft.to.set_location(&receiver);
    pieces.clone_into(&mut draft.goods[0].quantity);
}

fn keep(desk: &mut Desk) -> DraftId {
    let id = desk.core.editing.draft.id.clone();
    desk.ask(ConsignCommand::NewDraft);
    desk.until("kept", |core| {
        let mut drafts = core.shared.consign.drafts.iter();
        let listed = drafts.any(|draft| draft.id == id);
        (listed && core.editing.draft.is_blank()).then_some(())
    });
    id
}

fn open(desk: &mut Desk, id: &DraftId) {
    desk.ask(ConsignCommand::OpenDraft(id.clone()));
    desk.until("open", |core| (core.editing.draft.id == *id).then_some(()));
}

/// Damages the journal, and takes away what Packbench keeps beside it, as if that had been damaged too.
fn damage(journal: &Path) {
    let mut bytes = fs::read(journal).unwrap();
    bytes[..64].fill(0x5A);
    fs::write(journal, bytes).unwrap();
    drop(fs::remove_file(journal.with_extension("commits")));
}

/// A draft to a saved location that is in the backup and was sent after it, and one to another that was not sent.
fn sent_after_its_backup(home: &Home, service: &Service) -> (DraftId, DraftId) {
    let journal = home.places.journal("practice");
    let mut desk = home.open(service);
    type_to_saved_location(&mut desk, 1, "3");
    let sent = keep(&mut desk);
    type_to_saved_location(&mut desk, 2, "3");
    let unsent = keep(&mut desk);
    desk.core.close(home.runtime.handle());
    home.clock.advance(SignedDuration::from_mins(1));
    let mut desk = home.open(service);
    desk.until("its backup", |core| {
        let newest = Backups::of(&journal).newest_first();
        let made = newest.first()?.0 == home.clock.now();
        (made && !core.shared.consign.drafts.is_empty()).then_some(())
    });
    desk.begin_draft();
    open(&mut desk, &sent);
    // What was changed between the backup and the sending must not hide the draft from the comparison.
    "4".clone_into(&mut desk.core.editing.draft.goods[0].quantity);
    desk.send();
    desk.until("created", |core| core.shared.consign.last_created.clone());
    desk.core.close(home.runtime.handle());
    damage(&journal);
    (sent, unsent)
}

#[test]
fn b_a_draft_to_a_saved_location_without_a_reference_may_have_been_sent() {
    let (home, practice) = Home::with_practice();
    let service = Home::service(practice.base_url(), practice.token());
    let (sent, unsent) = sent_after_its_backup(&home, &service);
    let mut desk = home.open(&service);
    let doubts = desk.until("compared", |core| {
        let doubts = &core.shared.consign.possibly_sent;
        let compared = doubts.values().all(|words| words.contains("MS"));
        (compared && notice(&core.shared, "may have been sent already").is_some())
            .then(|| doubts.clone())
    });
    assert_eq!(doubts.len(), 1, "{doubts:?}");
    assert_eq!(doubts[&sent], "May have been sent already: MS200001");
    // "Send all" leaves it out and offers the other.
    desk.ask(ConsignCommand::NewDraft);
    let ready = desk.until("counted", |core| {
        let batch = core.shared.consign.batch();
        let ready: Vec<_> = batch.ready.iter().map(|draft| draft.id.clone()).collect();
        (ready.len() + batch.unready + batch.excluded == 2).then_some(ready)
    });
    assert_eq!(ready, [unsent]);
}

#[test]
fn b_a_restored_draft_is_not_sent_before_the_comparison() {
    let (home, practice) = Home::with_practice();
    let service = Home::service(practice.base_url(), practice.token());
    let (sent, _) = sent_after_its_backup(&home, &service);
    let nobody = Service {
        address: "http://127.0.0.1:9".to_owned(),
        ..service
    };
    let mut desk = home.open(&nobody);
    desk.until("the drafts", |core| {
        (core.shared.consign.drafts.len() == 2).then_some(())
    });
    open(&mut desk, &sent);
    desk.core.editing.draft.company = Some(shipping::CompanyId::new(1));
    desk.send();
    let refused = desk.until("told", |core| {
        notice(&core.shared, "This draft was not sent")
    });
    assert!(refused.advice.contains("checking"), "{refused:?}");
    assert_eq!(desk.core.editing.draft.id, sent, "it stays in the form");
    let begun = desk.core.shared.operations.list.iter();
    let begun = begun
        .filter(|one| one.draft.as_ref() == Some(&sent))
        .count();
    assert_eq!(begun, 0, "no intent, so nothing is sent later either");
    let open = desk.core.shared.operations.open();
    assert_eq!(
        open.filter(|one| one.state == OperationState::Ready)
            .count(),
        0
    );
}
