//! A day at the bench in its own process: typing, sending, printing, booking, and every message meanwhile.

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use app::Core;
use app::config::DataFolder;
use app::state::{
    DispatchCommand, LabelState, LabelsCommand, OperationKind, OperationState, SaveState,
};
use draft::{PickupContext, PickupDraft};
use shipping::ConsignmentId;
use storage::JobState;

use crate::support::desk::{Desk, Home};
use crate::support::printers::save_printer;

pub(super) const JOURNAL: &str = "journal-practice.sqlite";
pub(super) const CREATE: &str = "/consignments/createConsignment";
pub(super) const BOOK: &str = "/manifests/manifest ";

/// Names a journal that a child is to open.
pub(super) const LOOK_AT: &str = "PACKBENCH_TEST_JOURNAL";
/// Before what a child says.
pub(super) const SAID: &str = "said: ";

const HOME: &str = "PACKBENCH_TEST_BAD_DISK";
const ADDRESS: &str = "PACKBENCH_TEST_ADDRESS";
const TOKEN: &str = "PACKBENCH_TEST_TOKEN";

pub(super) fn say(what: &str) {
    std::io::stdout()
        .write_all(format!("\n{SAID}{what}\n").as_bytes())
        .expect("somebody listens");
}

/// What was told during a day: a line each, the last of them how it ended.
#[derive(Debug)]
pub(super) struct Told(Vec<String>);

const WELL: &str = "everything was done";

impl Told {
    pub(super) fn read(folder: &Path) -> Self {
        let told = fs::read_to_string(folder.join("told")).unwrap_or_default();
        Self(told.lines().map(str::to_owned).collect())
    }

    pub(super) fn ended_well(&self) -> bool {
        self.0.last().is_some_and(|last| last == WELL)
    }

    /// True where anything at all went wrong.
    pub(super) fn failed(&self) -> bool {
        self.0 != [WELL]
    }

    pub(super) fn says(&self, words: &str) -> bool {
        self.0.iter().any(|line| line.contains(words))
    }
}

/// A day, in the folder of its journal.
pub(super) struct Day {
    folder: PathBuf,
    told: Vec<String>,
}

impl Day {
    pub(super) fn asked_for() -> Option<Self> {
        let folder = PathBuf::from(env::var_os(HOME)?);
        let told = Vec::new();
        Some(Self { folder, told })
    }

    pub(super) fn environment(
        folder: &Path,
        address: &str,
        token: &str,
    ) -> [(&'static str, String); 3] {
        [
            (HOME, folder.display().to_string()),
            (ADDRESS, address.to_owned()),
            (TOKEN, token.to_owned()),
        ]
    }

    pub(super) fn live(mut self) {
        let mut home = Home::new();
        home.places = DataFolder::open(Some(self.folder.clone())).expect("a data folder");
        let value = |name| env::var(name).expect("given");
        let service = Home::service(value(ADDRESS), &value(TOKEN));
        let mut desk = home.open(&service);
        let ended = self.work(&mut desk);
        self.listen(&desk.core);
        if ended.is_some() {
            self.told.push(WELL.to_owned());
        }
        fs::write(self.folder.join("told"), self.told.join("\n")).expect("written");
        desk.core.close(home.runtime.handle());
    }

    /// Notices that are up, each once.
    fn listen(&mut self, core: &Core) {
        for (_, notice) in &core.shared.notices.shown {
            let line = format!("{}. {} {}", notice.headline, notice.advice, notice.detail);
            if !self.told.contains(&line) {
                self.told.push(line);
            }
        }
        for state in core.shared.labels.states.values() {
            if let LabelState::Failed(words) | LabelState::Uncertain(words) = state {
                let line = format!("label: {words}");
                if !self.told.contains(&line) {
                    self.told.push(line);
                }
            }
        }
    }

    /// Waits for one of two ends; nothing where it is the bad one.
    fn until<T>(
        &mut self,
        desk: &mut Desk,
        what: &str,
        mut good: impl FnMut(&Core) -> Option<T>,
    ) -> Option<T> {
        let before = self.told.len();
        desk.until(what, |core| {
            self.listen(core);
            if let Some(good) = good(core) {
                return Some(Some(good));
            }
            (self.told.len() > before).then_some(None)
        })
    }

    fn work(&mut self, desk: &mut Desk) -> Option<()> {
        desk.type_consignment("SO-48213");
        // Send even if the draft could not be saved, since that is the case under test.
        let _saved = self.until(desk, "saved", |core| {
            matches!(core.editing.saved, SaveState::At(_)).then_some(())
        });
        desk.send();
        let id = self.until(desk, "created", |core| {
            core.shared.consign.last_created.as_ref().map(|one| one.id)
        })?;
        let printed = self.print(desk, id);
        let booked = self.book(desk, id);
        printed.and(booked)
    }

    fn print(&mut self, desk: &mut Desk, id: ConsignmentId) -> Option<()> {
        let file = self.folder.join("label.zpl").display().to_string();
        save_printer(desk, "A file", file);
        desk.ask(LabelsCommand::Print(vec![id]));
        self.until(desk, "printed", |core| {
            let job = core.shared.labels.jobs.first()?;
            (job.state == JobState::Sent).then_some(())
        })
    }

    fn book(&mut self, desk: &mut Desk, id: ConsignmentId) -> Option<()> {
        desk.ask(DispatchCommand::Group(vec![id]));
        let group = self.until(desk, "grouped", |core| {
            let groups = core.shared.dispatch.groups.value()?;
            groups.first().cloned()
        })?;
        let group = PickupDraft::from(group)
            .review(&PickupContext::at(desk.core.shared.now, "Australia/Sydney"))
            .group
            .expect("the default pickup is right");
        desk.ask(DispatchCommand::Book(vec![group]));
        self.until(desk, "booked", |core| {
            let mut operations = core.shared.operations.list.iter();
            let booking = operations.find(|one| one.kind == OperationKind::Manifest)?;
            (booking.state == OperationState::Done).then_some(())
        })
    }
}
