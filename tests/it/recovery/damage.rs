//! A damaged journal is set aside unchanged, restored from its backup, and brought up to date from the
//! service.

mod refused;

use std::fs;
use std::path::{Path, PathBuf};

use app::Service;
use app::state::{ConsignCommand, SaveState};
use draft::{Draft, DraftId};
use jiff::SignedDuration;
use practice::RunningService;
use shipping::{ConsignmentId, LabelSize};
use storage::{
    Backups, Journal, LabelGeneration, NewOperation, OperationKind, OperationState, StoredLabel,
};

use crate::support::desk::{Desk, Home, fill, notice};

/// A way for a journal to be damaged.
type Damage = fn(&Path);

fn overwrite(path: &Path, range: std::ops::Range<usize>) {
    let mut bytes = fs::read(path).expect("a file");
    let end = range.end.min(bytes.len());
    bytes[range.start..end].fill(0x5A);
    fs::write(path, bytes).expect("damaged");
}

fn wal(path: &Path) -> PathBuf {
    path.with_extension("sqlite-wal")
}

const DAMAGES: [(&str, Damage); 7] = [
    ("a damaged head", |path| overwrite(path, 0..64)),
    ("damaged pages", |path| overwrite(path, 4096..40_960)),
    ("cut short", |path| {
        let bytes = fs::read(path).expect("a file");
        fs::write(path, &bytes[..bytes.len() - 6000]).expect("cut");
    }),
    ("cut to nothing", |path| fs::write(path, "").expect("cut")),
    ("gone", |path| fs::remove_file(path).expect("removed")),
    ("not a database", |path| {
        fs::write(path, "Dear clerk, this is no database. ".repeat(400)).expect("written");
    }),
    ("a log that cannot be read", |path| {
        fs::write(wal(path), vec![0x5A; 8192]).expect("written");
    }),
];

/// Ends the program as a clerk does.
fn close(home: &Home, desk: Desk) {
    desk.core.close(home.runtime.handle());
}

#[test]
fn whatever_the_damage_it_is_set_aside_whole_and_the_backup_takes_its_place() {
    for (what, damage) in DAMAGES {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal-practice.sqlite");
        let now = "2026-11-20T03:05:00Z".parse().expect("a moment");
        let kept = Draft {
            reference1: "SO-1".to_owned(),
            ..Draft::default()
        };
        let mut journal = Journal::open(&path).expect("a journal");
        journal.save_draft(&kept, now).expect("saved");
        Backups::of(&path).make(now).expect("a backup");
        drop(journal);
        damage(&path);
        let damaged = fs::read(&path).ok();
        let log = fs::read(wal(&path)).ok();

        let opening = Journal::open_or_restore(&path, now).expect(what);
        let rescue = opening.rescue.expect(what);
        assert_eq!(rescue.restored_from, Some(now), "{what}");
        assert_eq!(opening.journal.drafts().expect(what), [kept], "{what}");
        assert_eq!(
            opening.journal.possibly_sent_drafts().expect(what).len(),
            1,
            "{what}"
        );
        assert_eq!(rescue.set_aside.is_some(), damaged.is_some(), "{what}");
        if let Some(aside) = rescue.set_aside {
            assert_eq!(fs::read(&aside).ok(), damaged, "{what}: kept whole");
            let kept = fs::read(wal(&aside)).ok().filter(|log| !log.is_empty());
            assert_eq!(kept, log, "{what}: with its log");
        }
        drop(opening.journal);
        let again = Journal::open_or_restore(&path, now).expect(what);
        assert_eq!(again.rescue, None, "{what}: once");
        assert!(again.journal.restoration().expect(what).is_some());
    }
}

#[test]
fn without_a_backup_a_new_journal_is_begun_and_drafts_that_can_be_read_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal-practice.sqlite");
    let now = "2026-11-20T03:05:00Z".parse().expect("a moment");
    let mut journal = Journal::open(&path).expect("a journal");
    let typed = Draft::default();
    journal.save_draft(&typed, now).expect("saved");
    drop(journal);
    // Found damaged by a check behind the work: the drafts themselves can be read.
    Journal::mark_damaged(&path).expect("marked");
    let opening = Journal::open_or_restore(&path, now).expect("opened");
    let rescue = opening.rescue.expect("a rescue");
    assert_eq!(rescue.restored_from, None);
    assert!(rescue.set_aside.expect("set aside").exists());
    assert_eq!(opening.journal.drafts().expect("drafts"), [typed]);
}

#[test]
fn setting_aside_goes_on_where_it_was_cut_short() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal-practice.sqlite");
    let now = "2026-11-20T03:05:00Z".parse().expect("a moment");
    drop(Journal::open(&path).expect("a journal"));
    fs::write(wal(&path), vec![0x5A; 8192]).expect("a log that cannot be read");
    // The first try: marked, and the log moved.
    let aside = folder.path().join("set-aside");
    fs::create_dir(&aside).expect("a folder");
    let there = aside.join("journal-practice-20261119T030500Z.sqlite");
    fs::write(
        folder.path().join("journal-practice.sqlite.damaged"),
        "journal-practice-20261119T030500Z.sqlite",
    )
    .expect("marked");
    fs::rename(wal(&path), wal(&there)).expect("moved");
    let opening = Journal::open_or_restore(&path, now).expect("opened");
    assert_eq!(
        opening.rescue.expect("a rescue").set_aside,
        Some(there.clone())
    );
    assert!(there.exists() && wal(&there).exists(), "together");
    assert!(
        Journal::open_or_restore(&path, now)
            .expect("opened")
            .rescue
            .is_none()
    );
}

#[test]
fn a_backup_that_cannot_be_read_is_passed_over_for_the_one_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal-practice.sqlite");
    let now: jiff::Timestamp = "2026-11-20T03:05:00Z".parse().expect("a moment");
    drop(Journal::open(&path).expect("a journal"));
    let later = now + SignedDuration::from_hours(1);
    Backups::of(&path).make(now).expect("a backup");
    let newest = Backups::of(&path).make(later).expect("a backup");
    overwrite(&newest, 4096..20_000);
    overwrite(&path, 0..64);
    let opening = Journal::open_or_restore(&path, later).expect("opened");
    assert_eq!(opening.rescue.expect("a rescue").restored_from, Some(now));
}

/// A bench after [`a_morning`]: its home, the practice service, the path of its journal, and the service that it
/// works with.
fn after_a_morning(sent_afterwards: &str) -> (Home, RunningService, PathBuf, Service) {
    let (home, practice) = Home::with_practice();
    let path = home.places.journal("practice");
    let service = Home::service(practice.base_url(), practice.token());
    a_morning(&home, &service, &path, sent_afterwards);
    (home, practice, path, service)
}

/// What is in the backup: a draft that is sent afterwards, one that is not, and an operation that is open.
fn a_morning(home: &Home, service: &Service, path: &Path, sent_afterwards: &str) {
    let mut desk = home.open(service);
    desk.type_consignment(sent_afterwards);
    desk.ask(ConsignCommand::NewDraft);
    desk.until("kept", |core| {
        (core.shared.consign.drafts.len() == 1).then_some(())
    });
    fill(&mut desk.core.editing.draft, "SO-UNSENT");
    "Somebody else".clone_into(&mut desk.core.editing.draft.to.name);
    let drafts = || Journal::open(path).and_then(|journal| journal.drafts());
    desk.until("the first on disk", |_| {
        (drafts().expect("drafts").len() == 1).then_some(())
    });
    home.clock.advance(SignedDuration::from_mins(1));
    desk.until("saved", |core| {
        matches!(core.editing.saved, SaveState::At(_)).then_some(())
    });
    close(home, desk);
    let mut journal = Journal::open(path).expect("a journal");
    let open = NewOperation {
        kind: OperationKind::Create,
        key: "Bench4-AAAAAAAA".to_owned(),
        title: "SO-OPEN".to_owned(),
        request: serde_json::json!({
            "customerReference2": "Bench4-AAAAAAAA", "dgsDeclaration": false, "items": []
        })
        .to_string(),
        draft: None,
        consignments: Vec::new(),
    };
    journal.begin(&[open], home.clock.now()).expect("begun");
}

/// What is not in the backup: one more consignment, and the draft sent. Then the journal is damaged.
fn an_afternoon(
    home: &Home,
    service: &Service,
    path: &Path,
    sent: &str,
) -> (ConsignmentId, DraftId) {
    home.clock.advance(SignedDuration::from_mins(1));
    let mut desk = home.open(service);
    desk.until("its backup", |_| {
        let newest = Backups::of(path).newest_first();
        (newest.first()?.0 == home.clock.now()).then_some(())
    });
    desk.until("the newest draft", |core| {
        (core.editing.draft.reference1 == "SO-UNSENT").then_some(())
    });
    desk.begin_draft();
    let unknown = desk.create("SO-NEW");
    let mut drafts = desk.core.shared.consign.drafts.iter();
    let draft = drafts
        .find(|draft| draft.reference1 == sent)
        .map(|draft| draft.id.clone())
        .expect("a draft");
    desk.ask(ConsignCommand::OpenDraft(draft.clone()));
    desk.until("open", |core| {
        (core.editing.draft.id == draft).then_some(())
    });
    desk.send();
    desk.until("created", |core| {
        let created = core.shared.consign.last_created.as_ref()?;
        (created.id != unknown).then_some(())
    });
    close(home, desk);
    overwrite(path, 0..64);
    // With it, the journal would know which draft was sent.
    fs::remove_file(path.with_extension("commits")).expect("a commit log");
    (unknown, draft)
}

#[test]
fn what_the_bench_did_since_the_backup_is_found_at_the_service() {
    let (home, _practice, path, service) = after_a_morning("SO-SENT");
    let (unknown, sent) = an_afternoon(&home, &service, &path, "SO-SENT");

    let mut desk = home.open(&service);
    let banner = desk.until("told", |core| notice(&core.shared, "restored as of"));
    assert!(banner.headline.contains("Fri 20 Nov 14:07"), "{banner:?}");
    assert!(banner.detail.contains("set-aside"), "{banner:?}");
    let found = desk.until("found at the service", |core| {
        let mut operations = core.shared.operations.list.iter();
        operations
            .find(|operation| operation.consignments == [unknown])
            .cloned()
    });
    assert_eq!(found.state, OperationState::Done);
    assert_eq!(
        found.message,
        "Found at the service after this bench's records were restored"
    );
    assert_eq!(found.reference, format!("MS{unknown}"));
    let doubt = desk.until("rebuilt", |core| only_doubt(core, &sent));
    assert_eq!(doubt, "May have been sent already: MS200002");
    assert_ne!(
        desk.core.editing.draft.id, sent,
        "it is not offered as if unsent"
    );
    let told = notice(&desk.core.shared, "A draft may have been sent already").expect("a notice");
    assert!(told.advice.contains("MS200002"), "{told:?}");
    desk.until("the open one was looked for", |core| {
        let mut operations = core.shared.operations.list.iter();
        operations
            .find(|operation| operation.key == "Bench4-AAAAAAAA")
            .filter(|operation| operation.state == OperationState::Absent && operation.checks > 0)
            .map(|_| ())
    });
    let journal = Journal::open(&path).expect("a reader");
    assert_eq!(journal.restoration().expect("read"), None, "it is over");
}

fn only_doubt(core: &app::Core, draft: &DraftId) -> Option<String> {
    let doubts = &core.shared.consign.possibly_sent;
    doubts.get(draft).filter(|_| doubts.len() == 1).cloned()
}

#[test]
fn a_draft_without_a_reference_is_known_by_receiver_and_suburb() {
    let (home, _practice, path, service) = after_a_morning("");
    let (_, sent) = an_afternoon(&home, &service, &path, "");
    let mut desk = home.open(&service);
    let doubt = desk.until("rebuilt", |core| only_doubt(core, &sent));
    // The other one of that day went to the same receiver, too.
    assert_eq!(doubt, "May have been sent already: MS200001, MS200002");
    // It is opened with a word of warning, and the clerk may send it all the same.
    desk.ask(ConsignCommand::OpenDraft(sent));
    let warning = desk.until("warned", |core| {
        notice(&core.shared, "This draft may have been sent")
    });
    assert!(
        warning
            .advice
            .contains("only if it is a different consignment")
    );
}

#[test]
fn a_service_that_is_away_is_asked_what_happened_once_it_is_back() {
    let (home, _practice, path, service) = after_a_morning("SO-SENT");
    let (_, sent) = an_afternoon(&home, &service, &path, "SO-SENT");
    let nobody = Service {
        address: "http://127.0.0.1:9".to_owned(),
        ..service.clone()
    };
    let mut desk = home.open(&nobody);
    desk.until("the service is away", |core| {
        core.shared.session.health.away_since.map(|_| ())
    });
    let doubts = &desk.core.shared.consign.possibly_sent;
    assert_eq!(doubts.len(), 2, "until it is known, every draft is doubted");
    assert!(
        doubts[&sent].contains("checking whether this was sent"),
        "{doubts:?}"
    );
    assert!(desk.core.editing.draft.is_blank(), "none is offered");
    close(&home, desk);
    // At a later start.
    let mut desk = home.open(&service);
    let doubt = desk.until("rebuilt", |core| {
        only_doubt(core, &sent).filter(|words| words.contains("MS"))
    });
    assert_eq!(doubt, "May have been sent already: MS200002");
}

/// A journal that is too large to be checked before it is used, with damage where no start looks.
fn large_and_damaged(home: &Home) -> PathBuf {
    let (path, now) = (home.places.journal("practice"), home.clock.now());
    let mut journal = Journal::open(&path).expect("a journal");
    let label = StoredLabel {
        numbers: Vec::new(),
        pdf: vec![7; 256 * 1024],
        sha256: String::new(),
        expected: Vec::new(),
    };
    for id in 0..40 {
        let id = ConsignmentId::new(id);
        let stored =
            journal.store_label(id, LabelSize::A6, &label, LabelGeneration::default(), now);
        stored.expect("stored");
    }
    Backups::of(&path).make(now).expect("a backup");
    drop(journal);
    let length = fs::metadata(&path).expect("a file").len();
    assert!(length > 8 * 1024 * 1024, "{length}");
    // The pages of labels hold each other's numbers at their beginning.
    let middle = usize::try_from(length / 2).expect("small") / 4096 * 4096;
    overwrite(&path, middle..middle + 16_384);
    path
}

#[test]
fn nothing_is_sent_on_a_large_journal_before_its_check_and_damage_found_then_stops_sending() {
    let (home, practice, wire) = Home::with_wire();
    let path = large_and_damaged(&home);
    let service = Home::service(wire.base_url(), practice.token());
    let mut desk = home.open(&service);
    desk.type_consignment("SO-1");
    let typed = desk.core.editing.draft.clone();
    desk.send();
    let refused = desk.until("refused", |core| notice(&core.shared, "was not sent"));
    assert!(
        refused.advice.contains("nothing is sent until then"),
        "{refused:?}"
    );
    desk.until("said", |core| {
        notice(&core.shared, "This bench's records are damaged")
    });
    assert_eq!(wire.count("/consignments/createConsignment"), 0);
    assert_eq!(desk.core.editing.draft, typed);
    close(&home, desk);
    let opening = Journal::open_or_restore(&path, home.clock.now()).expect("opened");
    assert_eq!(
        opening.rescue.expect("a rescue").restored_from,
        Some(home.clock.now())
    );
    let drafts = opening.journal.drafts().expect("drafts");
    assert_eq!(drafts, [typed], "what was typed on it is kept");
}
