//! The workgroup through the window: joined in Settings, seen on Dispatch, and done without when the database is away.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use app::config::Settings;
use app::state::{
    ConsignmentLock, OperationKind, OperationState, Screen, SettingsCommand, Shared, WindowStage,
};
use egui::{Key, Modifiers};
use practice::RunningService;
use serde_json::json;
use shipping::ConsignmentId;
use workgroup::{ClaimKey, Member, Workgroup, WorkgroupState};

use super::{MemberOnly, operation, options};
use crate::journeys::kit::picture_showing;
use crate::support::desk::Home;
use crate::support::front::Front;
use crate::support::postgres::{PASSWORD, Postgres, Stop};
use crate::support::runtime::runtime;

/// A warehouse with a service, a database, and the windows of its benches.
pub(super) struct Warehouse {
    pub(super) server: Postgres,
    service: RunningService,
    /// The home of the service.
    _elsewhere: Home,
}

/// A bench, used through its window.
pub(super) struct Bench {
    home: Home,
    front: Front,
}

impl Deref for Bench {
    type Target = Front;

    fn deref(&self) -> &Front {
        &self.front
    }
}

impl DerefMut for Bench {
    fn deref_mut(&mut self) -> &mut Front {
        &mut self.front
    }
}

impl Warehouse {
    pub(super) fn open() -> Self {
        let elsewhere = Home::new();
        Self {
            server: Postgres::start(),
            service: elsewhere.practise(),
            _elsewhere: elsewhere,
        }
    }

    /// A warehouse with two benches in a workgroup.
    pub(super) fn with_two() -> (Self, Bench, Bench) {
        let warehouse = Self::open();
        let [first, second] = ["Bench 1", "Bench 2"].map(|name| warehouse.member(name));
        (warehouse, first, second)
    }

    /// A bench that is connected to the service, and works alone.
    pub(super) fn bench(&self, name: &str) -> Bench {
        let home = Home::new();
        let settings = json!({
            "chosen": { "connection": "Depot" },
            "connections": [{ "name": "Depot", "kind": "live", "address": self.service.base_url() }],
            "bench": { "name": name },
            "installation": format!("QK7BN{}", &name[name.len() - 1..]),
            "format": 2,
        });
        let file = serde_json::to_vec(&settings).expect("JSON");
        std::fs::write(home.places.settings(), file).expect("a settings file");
        let mut front = Front::start(&home, &self.service);
        front.until("the token is asked for", |shared| {
            matches!(shared.stage, WindowStage::Token { .. }).then_some(())
        });
        front.rest();
        front.paste(self.service.token());
        front.keys("<Enter>");
        front.until_open("Depot");
        Bench { home, front }
    }

    /// A bench of the workgroup.
    pub(super) fn member(&self, name: &str) -> Bench {
        let mut bench = self.bench(name);
        self.join(&mut bench);
        bench
    }

    /// Another bench, of which only the claims are of interest.
    fn other(&self) -> MemberOnly {
        let runtime = Arc::new(runtime(1));
        let member = Member {
            service: format!("{}/", self.service.base_url()),
            bench: "Bench9-QK7BND".to_owned(),
            name: "Bench 9".to_owned(),
            clerk: "Mia".to_owned(),
            version: "0.2.0".to_owned(),
        };
        let workgroup = Workgroup::new(options(&self.server.address()), member);
        let connecting = workgroup.clone();
        runtime.spawn(async move { connecting.stay_connected().await });
        MemberOnly { workgroup, runtime }.connected()
    }

    fn run_sql(&self, sql: &str) {
        super::connection::run_sql(&self.server, sql);
    }

    /// Joins the workgroup as an administrator does: in Settings, by keyboard.
    pub(super) fn join(&self, front: &mut Front) {
        show_form(front);
        self.fill_in(front);
    }

    fn fill_in(&self, front: &mut Front) {
        front.focus("Database");
        front.paste(&self.server.address());
        front.keys("<Tab>");
        front.paste(PASSWORD);
        front.keys("<Ctrl+S>");
        until_state(front, &WorkgroupState::Connected);
        front.until_open("Depot");
    }
}

fn show_form(front: &mut Front) {
    front.keys("<Ctrl+Comma>");
    front.focus("Workgroup");
    front.keys("<Enter>");
}

pub(super) fn until_state(front: &mut Front, state: &WorkgroupState) {
    front.until(&format!("{state:?}"), |shared| {
        let view = shared.workgroup.as_ref()?;
        (view.state == *state).then_some(())
    });
    front.rest();
}

/// Types a consignment, sends it, and shows it on Dispatch.
pub(super) fn send_one(front: &mut Front) -> ConsignmentId {
    front.keys("<F2>");
    front.type_consignment("SO-1");
    front.keys("<Ctrl+Enter>");
    let made = front.until("it is made", |shared| shared.consign.last_created.clone());
    front.keys("<F3>");
    front.until("it is listed", |shared| {
        let listed = shared.dispatch.unmanifested.value()?;
        (shared.screen == Screen::Dispatch && listed.contains(&made.id)).then_some(())
    });
    front.rest();
    made.id
}

fn newest(shared: &Shared, kind: OperationKind, state: OperationState) -> Option<()> {
    let newest = shared.operations.list.iter().find(|one| one.kind == kind)?;
    (newest.state == state).then_some(())
}

#[test]
fn a_bench_joins_in_settings_and_its_password_is_in_no_file() {
    let warehouse = Warehouse::open();
    let mut front = warehouse.bench("Bench 1");
    show_form(&mut front);
    assert!(front.shows("Leave the address empty for a bench that works alone"));
    front.focus("Database");
    front.paste("postgresql://bench:secret@db/packbench");
    assert!(front.shows("leave the password out of the address"));
    front.keys("<Ctrl+A><Delete>");
    warehouse.fill_in(&mut front);
    assert!(front.shows("This bench is connected"));
    picture_showing(
        front.widgets(),
        "workgroup-settings",
        &[
            "Workgroup",
            "This bench is connected",
            "Database",
            "Password",
        ],
    );

    let saved = Settings::read(&front.home.places).expect("settings");
    assert_eq!(saved.workgroup.address, Some(warehouse.server.address()));
    for entry in std::fs::read_dir(front.home.places.data()).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            let bytes = std::fs::read(&path).expect("a file");
            let text = String::from_utf8_lossy(&bytes);
            assert!(!text.contains(PASSWORD), "{}", path.display());
        }
    }

    // The other benches see who works here, also after a change.
    let other = warehouse.other();
    let mut bench = front.shared().bench.clone();
    bench.name = "Bench 7".to_owned();
    bench.staff = "Ola".to_owned();
    front.ask(SettingsCommand::SetBench(bench));
    front.until("the new names are known", |_| {
        let benches = other.wait(other.workgroup.benches()).expect("benches");
        let mut named = benches.iter();
        named
            .any(|one| one.name == "Bench 7" && one.clerk == "Ola")
            .then_some(())
    });
    // Its claims stay its own, whatever its name is.
    let benches = other.wait(other.workgroup.benches()).expect("benches");
    assert!(benches.iter().any(|one| one.bench == saved.installation));
}

#[test]
fn a_consignment_that_another_bench_books_is_locked_on_dispatch_until_it_is_released() {
    let warehouse = Warehouse::open();
    let mut front = warehouse.member("Bench 1");
    let id = send_one(&mut front);
    let other = warehouse.other();
    let booking = operation(1);
    let keys = [ClaimKey::consignment(id.get())];
    assert_eq!(other.wait(other.workgroup.claim(&booking, &keys)), Ok(()));
    front.until("the row is locked", |shared| {
        let lock = shared.operations.locked.get(&id);
        (lock == Some(&ConsignmentLock::OnOtherBench)).then_some(())
    });
    front.rest();
    // Neither a change nor the group of all takes it.
    front.keys("<Ctrl+E>");
    let words = format!("MS{} is being booked on Bench 9 by Mia", id.get());
    picture_showing(
        front.widgets(),
        "workgroup-locked-row",
        &["can't be changed now", &words],
    );
    front.keys("<Ctrl+G>");
    front.rest();
    assert!(
        front
            .shared()
            .dispatch
            .groups
            .value()
            .is_none_or(Vec::is_empty)
    );
    other
        .wait(
            other
                .workgroup
                .release("Bench9-QK7BND", (booking.id, booking.made)),
        )
        .expect("released");
    front.until("the row is free", |shared| {
        (!shared.operations.locked.contains_key(&id)).then_some(())
    });
}

#[test]
fn a_booking_without_the_database_is_done_by_keyboard_for_a_reason() {
    let warehouse = Warehouse::open();
    let mut front = warehouse.member("Bench 1");
    send_one(&mut front);
    front.keys("<Ctrl+G>");
    front.until("grouped", |shared| {
        (shared.dispatch.groups.value()?.len() == 1).then_some(())
    });
    front.rest();
    warehouse.server.stop(Stop::Immediately);
    front.until("the database is away", |shared| {
        let view = shared.workgroup.as_ref()?;
        matches!(view.state, WorkgroupState::Away(_)).then_some(())
    });
    front.hold(Modifiers::COMMAND, Key::Enter);
    front.until("it waits for a decision", |shared| {
        newest(shared, OperationKind::Manifest, OperationState::Absent)
    });
    front.keys("<F6>");
    assert_eq!(front.shared().screen, Screen::Operations);
    front.rest();
    let words = "Hold to send without the workgroup";
    picture_showing(
        front.widgets(),
        "workgroup-away",
        &[
            "Send without the workgroup",
            "The courier is waiting",
            words,
        ],
    );
    front.keys("<Alt+1>");
    front.focus(words);
    front.hold(Modifiers::NONE, Key::Space);
    front.until("it is booked", |shared| {
        newest(shared, OperationKind::Manifest, OperationState::Done)
    });
}

#[test]
fn a_supervisor_sees_all_benches_and_releases_what_a_broken_one_has_claimed() {
    let warehouse = Warehouse::open();
    let mut front = warehouse.member("Bench 1");
    let id = send_one(&mut front);
    let broken = warehouse.other();
    let booking = operation(1);
    let keys = [ClaimKey::consignment(id.get())];
    assert_eq!(broken.wait(broken.workgroup.claim(&booking, &keys)), Ok(()));
    front.keys("<F6><Alt+B>");
    front.until("both benches are listed", |shared| {
        let overview = shared.operations.benches.overview.value()?;
        (overview.benches.len() == 2 && overview.claims.len() == 1).then_some(())
    });
    front.rest();
    let words = format!("MS{} is being booked on Bench 9 by Mia", id.get());
    picture_showing(
        front.widgets(),
        "workgroup-benches",
        &[
            "2 of 2 connected",
            "Bench 9",
            &words,
            "Operations of all benches",
        ],
    );
    // It is switched off, half a minute ago.
    drop(broken);
    warehouse.run_sql(
        "UPDATE packbench.bench SET last_seen = now() - interval '5 minutes' WHERE name = 'Bench 9'",
    );
    front.until("it is off", |shared| {
        let overview = shared.operations.benches.overview.value()?;
        let bench = overview.benches.iter().find(|one| one.name == "Bench 9")?;
        (bench.now.duration_since(bench.last_seen).as_secs() > 60).then_some(())
    });
    front.rest();
    front.focus("Ask the service what became of it");
    front.keys("<Enter>");
    front.until("the service has answered", |shared| {
        shared.operations.benches.asked.value().map(|_| ())
    });
    front.rest();
    let found = format!("MS{} is Unmanifested", id.get());
    picture_showing(
        front.widgets(),
        "workgroup-release",
        &["1 of 2 connected", "not connected for 5 min", &found],
    );
    front.focus("Hold to release 1 consignment");
    front.hold(Modifiers::NONE, Key::Space);
    front.until("it is released", |shared| {
        let workgroup = shared.workgroup.as_ref()?;
        workgroup.claims.is_empty().then_some(())
    });
    front.until("the release is recorded", |shared| {
        let overview = shared.operations.benches.overview.value()?;
        let mut operations = overview.operations.iter();
        operations
            .any(|one| one.message == "Released by Bench 1")
            .then_some(())
    });
    front.rest();
    assert!(front.shows("Bench 9: Booking Tasman, released"));
    front.keys("<Alt+B>");
    assert!(!front.shared().operations.benches.is_shown);
}

#[test]
fn a_draft_that_a_broken_bench_took_over_and_never_saved_is_given_back() {
    let warehouse = Warehouse::open();
    let mut front = warehouse.member("Bench 1");
    front.keys("<F2>");
    front.type_consignment("SO-9");
    front.keys("<Alt+L>");
    front.until("it waits", |shared| {
        (shared.consign.waiting.len() == 1).then_some(())
    });
    let broken = warehouse.other();
    let taken = broken.wait(broken.workgroup.take_draft(None));
    assert!(matches!(taken, Ok(Some(_))));
    drop(broken);
    warehouse.run_sql(
        "UPDATE packbench.bench SET last_seen = now() - interval '5 minutes' WHERE name = 'Bench 9'",
    );
    front.keys("<F6><Alt+B>");
    front.until("it is listed", |shared| {
        let overview = shared.operations.benches.overview.value()?;
        let bench = overview.benches.iter().find(|one| one.name == "Bench 9")?;
        let is_off = bench.now.duration_since(bench.last_seen).as_secs() > 60;
        (is_off && overview.unsaved_drafts.len() == 1).then_some(())
    });
    front.rest();
    picture_showing(
        front.widgets(),
        "workgroup-unsaved-draft",
        &["SO-9 was taken over and not saved"],
    );
    front.focus("Hold to let any bench take it over");
    front.hold(Modifiers::NONE, Key::Space);
    front.until("it waits again", |shared| {
        (shared.consign.waiting.len() == 1).then_some(())
    });
}
