//! Two windows on two displays share a database, worked by keyboard as two clerks do: they import the same orders, book the
//! same consignments at the same moment, and hand a draft over.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;
use shipping::Clock;

use super::job::{A_WHILE, type_a_consignment};
use super::journal::{Journal, Seen};
use crate::editor::orders::{file, row};
use crate::support::display::{Display, Window};
use crate::support::lanes::Site;
use crate::support::postgres::Postgres;
use crate::support::program::{Home, Program};
use crate::support::wait::until;

/// A bench at work: its home, its display, and its running program.
struct Clerk {
    name: &'static str,
    home: Home,
    display: Display,
    program: Program,
}

impl Clerk {
    /// Starts a bench that was set up on an earlier day; it knows neither token nor password yet.
    fn begin(name: &'static str, display: Display, site: &Site, server: &Postgres) -> Self {
        let home = Home::fresh();
        let settings = json!({
            "chosen": { "connection": "Depot" },
            "connections": [
                { "name": "Depot", "kind": "live", "address": site.practice.base_url() },
            ],
            "bench": { "name": name },
            "installation": format!("QK7BN{}", &name[name.len() - 1..]),
            "workgroup": { "address": server.address() },
            "format": 2,
        });
        let file = serde_json::to_vec(&settings).expect("JSON");
        fs::write(home.data().join("settings.json"), file).expect("a settings file");
        let program = home.start(&display);
        let clerk = Self {
            name,
            home,
            display,
            program,
        };
        let window = clerk.window();
        clerk.display.settle();
        window.burst(&site.token());
        window.press(&["Return"]);
        drop(window);
        until(&format!("{name} is open"), A_WHILE, || {
            clerk.journal_path().exists().then_some(())
        });
        clerk
    }

    fn window(&self) -> Window<'_> {
        self.display.focused_window()
    }

    fn journal_path(&self) -> PathBuf {
        self.home.data().join("journal-depot.sqlite")
    }

    fn journal(&self) -> Journal {
        Journal::at(self.journal_path())
    }

    /// Saves a picture for a person to look at.
    fn picture(&self, name: &str) {
        self.display.settle();
        let bench = self.name.replace(' ', "").to_lowercase();
        self.display
            .save_picture(&format!("workgroup-{name}-{bench}"));
    }

    /// Imports the orders of a file.
    fn import(&self, path: &Path) {
        let window = self.window();
        window.press(&["F2"]);
        window.press(&["ctrl+u"]);
        self.display.settle();
        window.type_text(path.to_str().expect("a path"));
        window.press(&["Return"]);
        self.display.settle();
        window.press(&["ctrl+Return"]);
        self.picture("import");
        window.press(&["ctrl+Return"]);
        self.picture("imported");
        window.press(&["Escape"]);
    }

    fn orders(&self) -> Vec<String> {
        let drafts = self.journal().drafts();
        let mut references: Vec<_> = { drafts.iter() }
            .filter_map(|draft| Some(draft.pointer("/reference1")?.as_str()?.to_owned()))
            .filter(|reference| !reference.is_empty())
            .collect();
        references.sort();
        references
    }

    fn finished(&self, kind: &str) -> Vec<Seen> {
        let mut operations = self.journal().operations();
        operations.retain(|seen| seen.kind == kind && ["Done", "Rejected"].contains(&&*seen.state));
        operations
    }
}

#[test]
fn two_clerks_import_the_same_orders_book_the_same_group_and_hand_a_draft_over() {
    let (site, server) = (Site::open_at(Clock::system()), Postgres::start_open());
    let [left, right] = Display::start_two();
    let mut first = Clerk::begin("Bench 1", left, &site, &server);
    let mut second = Clerk::begin("Bench 2", right, &site, &server);
    let path = first.home.data().join("orders.csv");
    let orders = [
        row("SO-1", "Ballarat Farm", "2", "9") + ",HSYD",
        row("SO-2", "Ballarat Farm", "1", "4.5") + ",HSYD",
    ];
    // The sender is in the last column.
    let text = file(&orders).replacen("\r\n", ",From\r\n", 1);
    fs::write(&path, text).expect("a file");

    // Both import the same file: the first has the orders, the second is told so.
    first.import(&path);
    second.import(&path);
    assert_eq!(first.orders(), ["SO-1", "SO-2"]);
    assert!(second.orders().is_empty(), "{:?}", second.orders());

    hand_over(&first, &second);
    book_the_same(&first, &second, &site);
    let windows = [first.window(), second.window()];
    for window in &windows {
        window.press(&["F6", "alt+b"]);
    }
    for clerk in [&first, &second] {
        clerk.picture("benches");
    }
    drop(windows);
    first.program.must_run();
    second.program.must_run();
}

/// Types a draft on the first bench and leaves it there, takes it over on the second, and sends it.
fn hand_over(first: &Clerk, second: &Clerk) {
    let window = first.window();
    type_a_consignment(&window, &first.journal());
    first.picture("before-leaving");
    window.press(&["alt+l"]);
    until("the draft is left", A_WHILE, || {
        let drafts = first.journal().drafts();
        let is_typed = |draft: &serde_json::Value| {
            draft
                .pointer("/goods/0/name")
                .is_some_and(|name| name == "Drip irrigation kit")
        };
        (!drafts.iter().any(is_typed)).then_some(())
    });
    let window = second.window();
    second.display.settle();
    window.press(&["ctrl+o"]);
    second.picture("take-over");
    window.press(&["Return"]);
    second
        .journal()
        .wait_for_draft("/goods/0/name", "Drip irrigation kit", A_WHILE);
    second.display.settle();
    second.picture("taken-over");
    window.press(&["ctrl+Return"]);
    second
        .journal()
        .wait_for_operation("Create", "Done", A_WHILE);
    assert!(first.journal().operations().is_empty());
}

/// Groups all consignments on both benches, and books the same group at the same moment.
fn book_the_same(first: &Clerk, second: &Clerk, site: &Site) {
    let windows = [first.window(), second.window()];
    for window in &windows {
        window.press(&["F3", "F8"]);
    }
    for clerk in [first, second] {
        clerk.display.settle();
    }
    for window in &windows {
        window.press(&["ctrl+g"]);
    }
    for clerk in [first, second] {
        clerk.picture("grouped");
    }
    for window in &windows {
        window.hold("ctrl");
        window.hold("Return");
    }
    until("both have an answer", A_WHILE, || {
        let ended = [first, second].map(|clerk| clerk.finished("Manifest").len());
        (ended == [1, 1]).then_some(())
    });
    for window in &windows {
        window.release("Return");
        window.release("ctrl");
    }
    let mut states: Vec<_> = [first, second]
        .iter()
        .flat_map(|clerk| clerk.finished("Manifest"))
        .map(|seen| seen.state)
        .collect();
    states.sort();
    assert_eq!(states, ["Done", "Rejected"]);
    let booked = "SELECT count(*) FROM history WHERE status = 3 AND consignment_id > ?1";
    assert_eq!(site.truth().count(booked, 0), 1);
    for clerk in [first, second] {
        clerk.picture("booked");
    }
}
