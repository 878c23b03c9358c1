//! B. Keys belong to one installation: two benches may have the same name.

use std::fs;

use app::config::{DataFolder, Settings};
use app::state::OperationState;
use engine::is_own_key;
use jiff::SignedDuration;
use storage::{Backups, Journal, NewOperation, OperationKind};

use crate::support::desk::Home;

fn settings_in(places: &DataFolder) -> Settings {
    let mut settings = Settings::read(places).unwrap();
    settings.ensure_installation_id(places).unwrap();
    settings
}

#[test]
fn b_two_installations_of_one_name_have_keys_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name| DataFolder::open(Some(folder.path().join(name))).unwrap();
    let (one, other) = (place("one"), place("other"));
    let (mut first, second) = (settings_in(&one), settings_in(&other));
    assert_eq!(first.bench.name, second.bench.name);
    assert_ne!(first.key_prefix(), second.key_prefix());
    assert_eq!(settings_in(&one).key_prefix(), first.key_prefix());
    let key = format!("{}-7K2QPXAB", first.key_prefix());
    assert!(is_own_key(&first.key_prefix(), &key));
    assert!(!is_own_key(&second.key_prefix(), &key));
    "Bench 9".clone_into(&mut first.bench.name);
    assert!(is_own_key(&first.key_prefix(), &key), "it was renamed");
}

/// A bench of the same name, with its own installation, sends one consignment.
fn another_bench_sends(home: &Home) {
    let (_practice, mut desk) = home.open_practice();
    desk.create("SO-OTHER");
    desk.core.close(home.runtime.handle());
}

#[test]
fn b_what_another_bench_of_the_same_name_sent_is_not_adopted_after_a_restore() {
    let mut home = Home::new();
    "7K2QPX".clone_into(&mut home.settings.installation);
    another_bench_sends(&home);
    // This bench's journal is damaged, so that only its settings still identify it.
    let path = home.places.journal("practice");
    fs::write(&path, "not a database").unwrap();
    fs::remove_file(path.with_extension("commits")).unwrap();
    // A backup may know what was on its way.
    for (_, backup) in Backups::of(&path).newest_first() {
        fs::remove_file(backup).unwrap();
    }
    "B3TTRW".clone_into(&mut home.settings.installation);
    let (_practice, mut desk) = home.open_practice();
    desk.until("what was sent is found out", |_| {
        let journal = Journal::open(&path).ok()?;
        journal.restoration().unwrap().is_none().then_some(())
    });
    desk.until("the list", |core| {
        core.shared.dispatch.unmanifested.value().map(|_| ())
    });
    assert!(
        desk.core.shared.operations.list.is_empty(),
        "{:?}",
        desk.core.shared.operations.list
    );
}

#[test]
fn b_a_key_from_before_installations_had_one_is_still_this_benchs_own() {
    let mut home = Home::new();
    let practice = home.practise();
    let service = Home::service(practice.base_url(), practice.token());
    // Sent by an older version, whose keys hold the bench's name alone.
    let mut desk = home.open(&service);
    desk.type_consignment("SO-1");
    desk.send();
    let sent = desk.until("created", |core| {
        core.shared.consign.last_created.as_ref()?;
        let mut operations = core.shared.operations.list.iter();
        operations
            .find(|one| one.state == OperationState::Done)
            .cloned()
    });
    assert!(sent.key.starts_with("Bench4-"), "{}", sent.key);
    desk.core.close(home.runtime.handle());
    // Its answer was lost, as far as the journal knows.
    let path = home.places.journal("practice");
    let mut journal = Journal::open(&path).unwrap();
    let now = home.clock.now() + SignedDuration::from_secs(1);
    let lost = NewOperation {
        kind: OperationKind::Create,
        key: sent.key.clone(),
        title: sent.title,
        request: sent.request.json().to_owned(),
        draft: None,
        consignments: Vec::new(),
    };
    let mut lost = journal.begin(&[lost], now).unwrap().remove(0);
    lost.state = OperationState::Sending;
    journal
        .change(&mut lost, OperationState::Ready, now)
        .unwrap();
    drop(journal);
    "7K2QPX".clone_into(&mut home.settings.installation);
    let mut desk = home.open(&service);
    let found = desk.until("found", |core| {
        let found = core.shared.operations.by_id(lost.id)?;
        let over = !matches!(
            found.state,
            OperationState::Unknown | OperationState::Sending
        );
        over.then(|| found.clone())
    });
    assert_eq!(found.state, OperationState::Done, "{}", found.message);
}
