//! A. Eleven kinds of damage to the journal, its log and its backups: nothing is sent twice, and nothing is
//! lost silently.
//!
//! Each kind has its own bench with sixteen drafts: to a saved location or a typed one, with or without a
//! reference, sent before the damage or not, older or younger than the newest backup. A draft is recognised
//! at the service by its number of pieces.

use std::fs;
use std::path::{Path, PathBuf};

use app::state::{
    ConsignCommand, OperationDecision, OperationKind, OperationState, OperationsCommand,
    OrdersCommand,
};
use app::{Core, Service};
use client::RecentUpdates;
use draft::{Draft, Party};
use jiff::SignedDuration;
use practice::RunningService;
use rusqlite::{Connection, OpenFlags};
use storage::{Backups, Journal};

use crate::support::desk::{Desk, Home};
use crate::support::lanes::{QUICK, client};

/// Drafts of one bench.
const DRAFTS: usize = 16;

/// How many kinds of damage are tried at the same time.
const AT_ONCE: usize = 3;

/// Of the eleven kinds, so many must bring back every draft that is younger than the newest backup.
const YOUNG_DRAFTS_COME_BACK: usize = 9;

const fn is_saved(draft: usize) -> bool {
    draft & 1 != 0
}

const fn has_reference(draft: usize) -> bool {
    draft & 2 != 0
}

const fn is_sent(draft: usize) -> bool {
    draft & 4 != 0
}

/// Typed after the newest backup was made.
const fn is_young(draft: usize) -> bool {
    draft & 8 != 0
}

/// The number of pieces that only this draft has.
const fn pieces(draft: usize) -> usize {
    draft + 1
}

fn beside(journal: &Path, ending: &str) -> PathBuf {
    let mut name = journal.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn overwrite(path: &Path, at: usize, length: usize) {
    let mut bytes = fs::read(path).unwrap_or_default();
    let begin = at.min(bytes.len());
    let end = (at + length).min(bytes.len());
    bytes[begin..end].fill(0x5A);
    fs::write(path, bytes).unwrap();
}

fn cut_in_half(path: &Path) {
    let bytes = fs::read(path).unwrap_or_default();
    fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
}

fn length(path: &Path) -> usize {
    fs::metadata(path).map_or(0, |file| usize::try_from(file.len()).unwrap())
}

type Damage = fn(&Path);

const DAMAGES: [(&str, Damage); 11] = [
    ("a page in the middle", |path| {
        overwrite(path, length(path) / 2 / 4096 * 4096, 4096);
    }),
    ("64 places", |path| {
        let step = length(path) / 64;
        for place in 0..64 {
            overwrite(path, 128 + place * step, 16);
        }
    }),
    ("cut in half", cut_in_half),
    ("cut to nothing", |path| fs::write(path, "").unwrap()),
    ("head overwritten", |path| overwrite(path, 0, 64)),
    ("journal and log gone", |path| {
        for ending in ["", "-wal", "-shm"] {
            drop(fs::remove_file(beside(path, ending)));
        }
    }),
    ("log gone", |path| {
        drop(fs::remove_file(beside(path, "-wal")));
    }),
    ("log cut in half", |path| cut_in_half(&beside(path, "-wal"))),
    ("head of the log overwritten", |path| {
        overwrite(&beside(path, "-wal"), 0, 32);
    }),
    ("middle of the log overwritten", |path| {
        let log = beside(path, "-wal");
        overwrite(&log, length(&log) / 2, 64);
    }),
    ("head and all backups overwritten", |path| {
        overwrite(path, 0, 64);
        for (_, backup) in Backups::of(path).newest_first() {
            overwrite(&backup, 4096, 40_960);
        }
    }),
];

/// A bench and its service, and what both hold.
struct Trial {
    home: Home,
    practice: RunningService,
    service: Service,
    journal: PathBuf,
}

impl Trial {
    fn new() -> Self {
        let (home, practice) = Home::with_practice();
        let service = Home::service(practice.base_url(), practice.token());
        let journal = home.places.journal("practice");
        Self {
            home,
            practice,
            service,
            journal,
        }
    }

    fn read(&self, sql: &str) -> usize {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
        let db = Connection::open_with_flags(&self.journal, flags).unwrap();
        db.query_row(sql, [], |row| row.get::<_, i64>(0))
            .unwrap()
            .try_into()
            .unwrap()
    }

    fn drafts_on_disk(&self) -> usize {
        self.read("SELECT count(*) FROM drafts")
    }

    /// Two sessions with a backup between them; ends as the power does, with everything of the second in the log.
    fn live(&self) {
        let mut desk = self.home.open(&self.service);
        for draft in 0..DRAFTS / 2 {
            type_draft(&mut desk, draft);
            self.keep(&mut desk, draft + 1);
        }
        desk.core.close(self.home.runtime.handle());

        self.home.clock.advance(SignedDuration::from_mins(1));
        let mut desk = self.home.open(&self.service);
        desk.until("the second session's backup", |_| {
            let newest = Backups::of(&self.journal).newest_first();
            (newest.first()?.0 == self.home.clock.now()).then_some(())
        });
        desk.until("the old drafts", |core| {
            (core.shared.consign.drafts.len() + 1 == DRAFTS / 2).then_some(())
        });
        self.home.clock.advance(SignedDuration::from_mins(1));
        desk.begin_draft();
        let mut sent = 0;
        for draft in (0..DRAFTS / 2).filter(|draft| is_sent(*draft)) {
            let id = desk.core.shared.consign.drafts.iter();
            let id = id
                .filter(|kept| kept.goods[0].quantity == pieces(draft).to_string())
                .map(|kept| kept.id.clone())
                .next()
                .unwrap();
            desk.ask(ConsignCommand::OpenDraft(id.clone()));
            desk.until("open", |core| (core.editing.draft.id == id).then_some(()));
            sent += 1;
            send(&mut desk, sent);
        }
        for draft in DRAFTS / 2..DRAFTS {
            type_draft(&mut desk, draft);
            if is_sent(draft) {
                sent += 1;
                send(&mut desk, sent);
            } else {
                let kept = (0..=draft).filter(|draft| !is_sent(*draft)).count();
                self.keep(&mut desk, kept);
            }
        }
        // As the disk is when the power goes: closing would empty the log.
        let folder = self.journal.parent().unwrap();
        let files: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_file() && path.extension().is_none_or(|end| end != "lock"))
            .map(|path| (fs::read(&path).unwrap(), path))
            .collect();
        desk.core.close(self.home.runtime.handle());
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                fs::remove_file(path).unwrap();
            }
        }
        for (bytes, path) in files {
            fs::write(path, bytes).unwrap();
        }
    }

    /// Puts the typed draft away, until `count` are on disk.
    fn keep(&self, desk: &mut Desk, count: usize) {
        desk.begin_draft();
        desk.until("kept on disk", |_| {
            (self.drafts_on_disk() == count).then_some(())
        });
    }

    /// Starts the bench again, sends all that it offers, and says what is wrong; true where every young draft came back.
    fn reopen(&self) -> (bool, Vec<String>) {
        self.home.clock.advance(SignedDuration::from_mins(1));
        let mut desk = self.home.open(&self.service);
        desk.until("what was sent since is found out", |_| {
            (self.read("SELECT count(*) FROM restorations WHERE rebuilt = 0") == 0).then_some(())
        });
        desk.until("the bench has read its journal and the service", |core| {
            let here = present(core);
            let same = here.len() == self.drafts_on_disk();
            let unknown =
                core.shared.operations.open().any(|one| {
                    matches!(one.state, OperationState::Unknown | OperationState::Sending)
                });
            (same && !unknown && core.shared.catalogue.locations.value().is_some()).then_some(())
        });
        desk.begin_draft();
        let told = desk.core.shared.notices.shown.iter().any(|(_, notice)| {
            notice.headline.contains("restored") || notice.headline.contains("empty records")
        });
        let came_back = present(&desk.core);
        send_everything(&mut desk);

        let mut wrong = Vec::new();
        let at_service = self.at_service();
        for draft in 0..DRAFTS {
            let times = at_service
                .iter()
                .filter(|one| **one == pieces(draft))
                .count();
            let name = format!(
                "draft {draft} ({}{}{}{})",
                if is_young(draft) { "young" } else { "old" },
                if is_sent(draft) { ", sent" } else { "" },
                if is_saved(draft) {
                    ", saved"
                } else {
                    ", typed"
                },
                if has_reference(draft) {
                    ", reference"
                } else {
                    ""
                },
            );
            if times > 1 {
                wrong.push(format!("{name} was sent {times} times"));
            }
            if is_sent(draft) && times == 0 {
                wrong.push(format!("{name} is gone from the service"));
            }
            if !is_sent(draft) && times == 0 && !came_back.contains(&pieces(draft)) && !told {
                wrong.push(format!("{name} was lost in silence"));
            }
        }
        let young = (DRAFTS / 2..DRAFTS).filter(|draft| !is_sent(*draft));
        let all_young = young.map(pieces).all(|pieces| came_back.contains(&pieces));
        desk.core.close(self.home.runtime.handle());
        (all_young, wrong)
    }

    /// The pieces of every consignment that the service has.
    fn at_service(&self) -> Vec<usize> {
        let address = self.practice.base_url();
        let client = client(&address, self.practice.token(), QUICK);
        let since = self.home.clock.now() - SignedDuration::from_hours(2);
        let all = RecentUpdates::since(since);
        let all = self.home.runtime.block_on(client.recently_updated(&all));
        let all = all.unwrap().into_iter();
        all.map(|one| usize::try_from(one.pieces()).unwrap())
            .collect()
    }
}

fn type_draft(desk: &mut Desk, draft: usize) {
    let reference = if has_reference(draft) {
        format!("SO-{draft}")
    } else {
        String::new()
    };
    desk.type_consignment(&reference);
    let receiver = desk.core.shared.catalogue.locations.value().unwrap()[1].clone();
    let typed = &mut desk.core.editing.draft;
    typed.goods[0].quantity = pieces(draft).to_string();
    if is_saved(draft) {
        typed.to = Party::default();
        typed.to.set_location(&receiver);
    }
}

fn send(desk: &mut Desk, count: usize) {
    desk.send();
    desk.until("sent", |core| {
        let done = core.shared.operations.list.iter();
        let done = done.filter(|one| one.state == OperationState::Done).count();
        (done == count && core.editing.draft.is_blank()).then_some(())
    });
}

/// The pieces of every draft that the clerk can still get at: listed, open, or behind an operation that is not over.
fn present(core: &Core) -> Vec<usize> {
    let open = Some(&core.editing.draft).filter(|draft| !draft.is_blank());
    let listed = core.shared.consign.drafts.iter().chain(open);
    let pieces = |draft: &Draft| draft.goods[0].quantity.parse().unwrap_or(0);
    let mut all: Vec<_> = listed.map(pieces).collect();
    for operation in core.shared.operations.open() {
        let held = operation.draft.is_some();
        let request: serde_json::Value = serde_json::from_str(operation.request.json()).unwrap();
        let count = request["items"][0]["quantity"].as_u64();
        all.extend(
            count
                .filter(|_| held)
                .map(|count| usize::try_from(count).unwrap()),
        );
    }
    all
}

/// What a clerk in a hurry does: all drafts that are offered, and again what was not found.
fn send_everything(desk: &mut Desk) {
    desk.until("counted", |core| {
        let batch = core.shared.consign.batch();
        let all = batch.ready.len() + batch.unready + batch.excluded;
        (all == core.shared.consign.drafts.len()).then_some(())
    });
    let batch = desk.core.shared.consign.batch();
    let ready: Vec<_> = batch.ready.iter().map(|draft| draft.id.clone()).collect();
    if !ready.is_empty() {
        desk.ask(OrdersCommand::SendAll(ready));
        desk.until("the run began", |core| {
            core.shared.consign.run.is_some().then_some(())
        });
        desk.until("the run is over", |core| {
            core.shared.consign.run.is_none().then_some(())
        });
    }
    let absent = desk.core.shared.operations.open();
    let absent: Vec<_> = absent
        .filter(|one| one.kind == OperationKind::Create && one.state == OperationState::Absent)
        .map(|one| one.id)
        .collect();
    for id in absent {
        let again = OperationsCommand::Decide(id, OperationDecision::SendAgain);
        desk.ask(again);
        desk.until("sent again or found", |core| {
            let state = core.shared.operations.by_id(id)?.state;
            (!matches!(
                state,
                OperationState::Absent | OperationState::Ready | OperationState::Sending
            ))
            .then_some(())
        });
    }
}

#[test]
fn a_eleven_kinds_of_damage_double_nothing_and_lose_nothing_in_silence() {
    let mut results = Vec::new();
    for some in DAMAGES.chunks(AT_ONCE) {
        std::thread::scope(|scope| {
            let trials: Vec<_> = some
                .iter()
                .map(|(what, damage)| {
                    scope.spawn(move || {
                        let trial = Trial::new();
                        trial.live();
                        damage(&trial.journal);
                        (*what, trial.reopen())
                    })
                })
                .collect();
            results.extend(trials.into_iter().map(|trial| trial.join().unwrap()));
        });
    }
    let wrong: Vec<_> = results
        .iter()
        .filter(|(_, (_, wrong))| !wrong.is_empty())
        .map(|(what, (_, wrong))| format!("{what}: {}", wrong.join("; ")))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let back = results.iter().filter(|(_, (young, _))| *young).count();
    let lost: Vec<_> = results
        .iter()
        .filter(|(_, (young, _))| !young)
        .map(|one| one.0)
        .collect();
    assert!(
        back >= YOUNG_DRAFTS_COME_BACK,
        "young drafts are lost by {lost:?}"
    );
}

#[test]
fn a_an_idle_bench_has_nothing_in_its_log() {
    let trial = Trial::new();
    let mut desk = trial.home.open(&trial.service);
    type_draft(&mut desk, 0);
    trial.keep(&mut desk, 1);
    desk.until("the log is emptied", |_| {
        (length(&beside(&trial.journal, "-wal")) == 0).then_some(())
    });
    desk.core.close(trial.home.runtime.handle());
}

#[test]
fn a_a_start_empties_the_log_that_a_killed_program_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal-practice.sqlite");
    let now = "2026-11-20T03:05:00Z".parse().unwrap();
    let mut journal = Journal::open(&path).unwrap();
    for _ in 0..20 {
        journal.save_draft(&Draft::default(), now).unwrap();
    }
    let copy = tempfile::tempdir().unwrap();
    let copied = copy.path().join("journal-practice.sqlite");
    for ending in ["", "-wal"] {
        fs::copy(beside(&path, ending), beside(&copied, ending)).unwrap();
    }
    assert!(length(&beside(&copied, "-wal")) > 0);
    let opening = Journal::open_or_restore(&copied, now).unwrap();
    assert_eq!(opening.rescue, None);
    assert_eq!(length(&beside(&copied, "-wal")), 0);
    assert_eq!(opening.journal.drafts().unwrap().len(), 20);
}
