//! Machine-wide settings: checked with line and field, below each user's own settings, with locked fields.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;

use app::config::{
    BenchSettings, ChosenService, DataFolder, MachineSettings, Settings, ThemeChoice,
};
use app::state::SettingsCommand;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use engine::DocumentKind;
use printing::profile::Destination;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::journeys::kit::{picture, picture_showing};
use crate::support::desk::{Home, notice};
use crate::support::display::Display;
use crate::support::front::Front;
use crate::support::keyring::Keyring;
use crate::support::program::Home as ProgramHome;

/// The example of the guide.
fn site() -> &'static str {
    let guide = include_str!("../../../assets/guide/src/roll-out.md");
    let (_, rest) = guide.split_once("```toml\n").expect("an example");
    rest.split_once("```").expect("its end").0
}

/// The line of the example that chooses the service.
const CHOSEN: &str = r#"chosen = { connection = "Harbour" }"#;

const SET_BY: &str = "Set by IT, Harbour Supplies. You can't change it here";

/// A computer's machine-wide settings and the data folders of its users.
struct Computer {
    folder: TempDir,
}

impl Computer {
    fn new(site: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let computer = Self { folder };
        computer.provision(site);
        computer
    }

    fn provision(&self, site: &str) {
        fs::write(self.folder.path().join("site.toml"), site).expect("a file");
    }

    fn user(&self, name: &str) -> DataFolder {
        let site = self.folder.path().join("site.toml");
        DataFolder::at(self.folder.path().join(name), site).expect("a data folder")
    }
}

fn read(places: &DataFolder) -> Settings {
    Settings::read(places).expect("settings")
}

/// Reads a user's settings file, without its format.
fn layer(places: &DataFolder) -> Value {
    let file = fs::read(places.settings()).expect("a settings file");
    let mut layer: Value = serde_json::from_slice(&file).expect("JSON");
    layer.as_object_mut().expect("fields").remove("format");
    layer
}

/// With this change, the example has this mistake in the changed line.
#[track_caller]
fn is_wrong(change: (&str, &str), expected: &str) {
    let place = site().find(change.0).expect("the changed text");
    let line = site()[..place].matches('\n').count() + 1;
    let text = site().replacen(change.0, change.1, 1);
    let mistakes = MachineSettings::parse(&text, "depot").expect_err("it is wrong");
    let mistakes: Vec<_> = mistakes.iter().map(ToString::to_string).collect();
    assert_eq!(mistakes, [format!("line {line}: {expected}")]);
}

#[test]
fn each_mistake_of_a_file_is_named_with_its_line_and_field() {
    MachineSettings::parse(site(), "depot").expect("the guide's example is right");
    is_wrong(
        (r#"kind = "live""#, r#"kind = "tst""#),
        "connections[0].kind: unknown variant `tst`, expected `test` or `live`",
    );
    is_wrong(
        ("gap_mm = 3", "gap = 3"),
        "printers[0].gap: there is no such setting, or it can't have this value",
    );
    is_wrong(
        ("late_hours = 2", r#"late_hours = "two""#),
        "track.late_hours: there is no such setting, or it can't have this value",
    );
    is_wrong(
        (r#"address = "https:"#, r#"address = "http:"#),
        "connections[0].address: Use https://, so that nobody can read the token on the way",
    );
    is_wrong(
        ("locked = [", r#"locked = ["printers.Sato", "#),
        "locked[0]: printers.Sato is not set in this file, so it can't be locked",
    );
    is_wrong(
        (
            r#"chosen = { connection = "Harbour" }"#,
            r#"chosen = { connection = "Depot" }"#,
        ),
        "chosen: there is no connection Depot",
    );
    is_wrong(
        (r#"address = "https"#, "token = \"abc\"\naddress = \"https"),
        "connections[0].token: there is no such setting, or it can't have this value",
    );
    is_wrong(
        ("digit = 1", "digits = 1"),
        "presets[0].digits: there is no such setting, or it can't have this value",
    );
    is_wrong(
        (r#"printer = "Zebra""#, r#"printer = "Zebar""#),
        "documents[0].printer: there is no printer Zebar",
    );
    is_wrong(
        ("chosen =", "installation = \"ABC123\"\nchosen ="),
        "installation: each installation makes its own",
    );
    is_wrong(
        ("dear_percent = 30", "dear_percent ="),
        "string values must be quoted, expected literal string",
    );
}

#[test]
fn the_published_schema_accepts_the_file_and_refuses_a_wrong_one() {
    let schema: Value = serde_json::from_str(&MachineSettings::schema()).expect("JSON");
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let mut file: Value = toml::from_str(site()).expect("TOML");
    if let Err(error) = schema.validate(&file) {
        panic!("{error} at {}", error.instance_path());
    }
    file["connections"][0]["kind"] = json!("tst");
    assert!(!schema.is_valid(&file));
}

#[test]
fn fifty_benches_show_one_changed_field_unless_their_user_chose_another_value() {
    const BENCHES: usize = 50;
    let computer = Computer::new(site());
    let benches: Vec<_> = (0..BENCHES)
        .map(|number| computer.user(&format!("user-{number}")))
        .collect();
    for (number, places) in benches.iter().enumerate() {
        let mut settings = read(places);
        assert_eq!(
            settings.chosen,
            Some(ChosenService::Connection("Harbour".to_owned()))
        );
        assert!(settings.bench.name.starts_with("Bench "));
        assert!(!settings.bench.name.contains("hostname"));
        assert_eq!(settings.bench.theme, ThemeChoice::Dark);
        let (_, printer) = settings
            .rule_for(DocumentKind::ItemLabels, None)
            .expect("the label printer");
        assert_eq!(printer.name, "Zebra");
        settings.bench.staff = format!("Packer {number}");
        // Every tenth user chooses their own colours, and tries what is locked.
        if number % 10 == 0 {
            settings.bench.theme = ThemeChoice::Light;
            settings.bench.dear_percent = None;
            settings.connections.clear();
        }
        settings.write(places).expect("written");
    }
    let changed = site()
        .replace(r#"theme = "dark""#, r#"theme = "system""#)
        .replace("service.harbour", "new.harbour");
    computer.provision(&changed);
    for (number, places) in benches.iter().enumerate() {
        let settings = read(places);
        let own = if number % 10 == 0 {
            ThemeChoice::Light
        } else {
            ThemeChoice::System
        };
        assert_eq!(settings.bench.theme, own);
        assert_eq!(settings.bench.dear_percent, Some(30), "it is locked");
        assert_eq!(settings.bench.staff, format!("Packer {number}"));
        assert_eq!(settings.connections.len(), 1);
        assert_eq!(
            settings.connections[0].address,
            "https://new.harbour.example"
        );
    }
    assert_eq!(
        layer(&benches[1]),
        json!({ "bench": { "staff": "Packer 1" } }),
        "a user's file has only what the user changed"
    );
}

#[test]
fn entries_that_a_user_changed_added_or_removed_stay_so_when_the_file_changes() {
    let site = site().replace(r#""connections", "printers.Zebra", "#, "");
    let computer = Computer::new(&site);
    let places = computer.user("user");
    let mut settings = read(&places);
    settings.connections[0].company = Some(7.into());
    let mut own = settings.printers[0].clone();
    own.name = "Laser".to_owned();
    settings.printers = vec![own];
    settings.write(&places).expect("written");
    computer.provision(&site.replace("service.harbour", "new.harbour"));
    let settings = read(&places);
    let names: Vec<_> = settings
        .printers
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names, ["Laser"]);
    let connection = settings.named("Harbour").expect("it is still there");
    assert_eq!(connection.company, Some(7.into()));
    assert_eq!(connection.address, "https://new.harbour.example");
    // A connection that the administrator has removed is gone for users who only chose a company there.
    let (before, rest) = site.split_once("[[connections]]").expect("a connection");
    let (_, after) = rest.split_once("[[printers]]").expect("a printer");
    let before = before.replace(CHOSEN, "");
    computer.provision(&format!("{before}[[printers]]{after}"));
    assert_eq!(read(&places).connections, []);
}

#[test]
fn a_printer_is_moved_from_a_port_to_a_queue_and_back_by_either_layer() {
    let site = site().replace(r#", "printers.Zebra""#, "");
    let computer = Computer::new(&site);
    let places = computer.user("user");
    let mut settings = read(&places);
    let queue = Destination::Queue("zebra".to_owned());
    settings.printers[0].destination = queue.clone();
    settings.write(&places).expect("written");
    assert_eq!(read(&places).printers[0].destination, queue);
    // The administrator's printer wins once it is locked, whatever kind the user's is.
    computer.provision(&site.replace(r#""track.late"#, r#""printers.Zebra", "track.late"#));
    let destination = read(&places).printers[0].destination.clone();
    assert!(
        matches!(destination, Destination::Socket { .. }),
        "{destination:?}"
    );
}

#[test]
fn what_locks_hide_is_there_again_without_them() {
    let computer = Computer::new("");
    let places = computer.user("user");
    let mut settings = read(&places);
    let mut depot = read(&Computer::new(site()).user("other"))
        .connections
        .remove(0);
    depot.name = "Depot".to_owned();
    settings.connections = vec![depot];
    settings.bench.dear_percent = Some(75);
    settings.write(&places).expect("written");
    let names = |settings: &Settings| -> Vec<String> {
        let connections = settings.connections.iter();
        connections.map(|one| one.name.clone()).collect()
    };

    computer.provision(site());
    let mut settings = read(&places);
    assert_eq!(names(&settings), ["Harbour"]);
    assert_eq!(settings.bench.dear_percent, Some(30));
    settings.bench.staff = "Kiri".to_owned();
    settings.write(&places).expect("written");

    computer.provision("");
    let settings = read(&places);
    assert_eq!(names(&settings), ["Depot"]);
    assert_eq!(settings.bench.dear_percent, Some(75));
    assert_eq!(settings.bench.staff, "Kiri");
}

#[test]
fn rules_that_a_lock_hides_are_there_again_without_it_and_an_old_printer_resets_none() {
    let computer = Computer::new("");
    let places = computer.user("user");
    let old = json!({ "format": 2, "printers": [
        { "name": "Laser", "destination": { "queue": "Laser" }, "documents": ["manifest"] },
        { "name": "Spare", "destination": { "queue": "Spare" }, "documents": ["manifest"] },
    ]});
    fs::write(places.settings(), old.to_string()).expect("a settings file");
    let printers = |settings: &Settings| -> Vec<String> {
        let rules = settings.documents.iter();
        rules.map(|rule| rule.printer.clone()).collect()
    };
    let mut settings = read(&places);
    assert_eq!(
        printers(&settings),
        ["Laser"],
        "the first of both printed it"
    );
    settings.write(&places).expect("written");

    let site = r#"
        locked = ["printers", "documents"]
        documents = [{ document = "item_labels", printer = "Zebra" }]
        [[printers]]
        name = "Zebra"
        destination = { queue = "Zebra" }
        "#;
    computer.provision(site);
    settings = read(&places);
    assert_eq!(printers(&settings), ["Zebra"]);
    settings.write(&places).expect("written");
    settings = read(&places);
    assert_eq!(
        printers(&settings),
        ["Zebra"],
        "the lock stays at the next start"
    );
    settings.write(&places).expect("written");

    computer.provision("");
    assert_eq!(
        printers(&read(&places)),
        ["Laser"],
        "the user's own rules are back"
    );
}

#[test]
fn locked_settings_are_shown_as_such_and_cannot_be_changed() {
    let (mut home, practice) = Home::with_practice();
    let site = site().replace(
        r#"chosen = { connection = "Harbour" }"#,
        r#"chosen = "practice""#,
    );
    let computer = Computer::new(&site);
    home.places = computer.user("clerk");
    let mut front = Front::start_open(&home, &practice);
    front.keys("<Ctrl+Comma>");
    front.widgets().get_by_label("Bench & appearance").click();
    front.rest();
    picture(front.widgets(), "locked-settings");
    let widgets = front.widgets();
    assert!(widgets.query_by_label(SET_BY).is_some());
    let limit = widgets.get_by_label("Ask before sending");
    assert!(limit.accesskit_node().is_disabled());
    let theme = widgets.get_by_label("Light");
    assert!(!theme.accesskit_node().is_disabled(), "it is not locked");
    theme.click();
    front.rest();
    assert_eq!(front.shared().bench.theme, ThemeChoice::Light);
    assert!(
        widgets_add_connection_is_off(&mut front),
        "the list of connections is locked"
    );
    front.widgets().get_by_label("Harbour").click();
    front.rest();
    picture_showing(
        front.widgets(),
        "locked-connection",
        &[
            "Set by IT, Harbour Supplies. Here you can change only its token and company",
            "Network",
            "Address",
        ],
    );
    let address = front.widgets().get_by_label("Address");
    assert!(address.accesskit_node().is_disabled());
    front.keys("<F4>");
    front.rest();
    let locked = [
        "Zebra",
        "Print the label of each new consignment",
        "Set by IT, Harbour Supplies. Some printers can't be changed here",
    ];
    picture_showing(front.widgets(), "locked-labels", &locked);
    // A preset of the administrator has its key, and no button that changes it.
    front.keys("<F2><Ctrl+Shift+1>");
    front.rest();
    let window = front.widgets().state_mut();
    let editing = window.editing_mut().expect("a service is open");
    assert_eq!(editing.draft.goods[0].name, "Hose reels");
    front.keys("<Ctrl+Shift+P>");
    front.rest();
    let preset = "Hose reels on a pallet";
    assert!(front.widgets().query_by_label(preset).is_some());
    let change = format!("Change name and key of {preset}…");
    assert!(front.widgets().query_by_label(&change).is_none());
    front.keys("<Escape>");
    // What no widget offers does not happen either.
    let bench = BenchSettings {
        dear_percent: None,
        ..front.shared().bench.clone()
    };
    front.ask(SettingsCommand::SetBench(bench));
    front.rest();
    assert_eq!(front.shared().bench.dear_percent, Some(30));
    front.until("it is written", |_| {
        (layer(&home.places)["bench"] == json!({ "theme": "light" })).then_some(())
    });
}

#[test]
fn a_locked_service_stays_open_and_a_locked_period_is_not_offered() {
    let (mut home, practice) = Home::with_practice();
    let site = site()
        .replace(
            r#"chosen = { connection = "Harbour" }"#,
            r#"chosen = "practice""#,
        )
        .replace("locked = [", r#"locked = ["chosen", "track.days", "#)
        .replace("[track]\n", "[track]\ndays = 7\n");
    let computer = Computer::new(&site);
    home.places = computer.user("clerk");
    let mut front = Front::start_open(&home, &practice);
    front.ask(SettingsCommand::Use("Harbour".to_owned()));
    front.rest();
    let told = notice(front.shared(), "You can't switch to another service").expect("a notice");
    assert_eq!(told.advice, "The service is set by IT, Harbour Supplies");
    assert_eq!(front.shared().session.connection, "practice");
    front.keys("<F5><Alt+3>");
    front.rest();
    let period = front.widgets().get_by_label("Period: Last 7 days");
    assert!(period.accesskit_node().is_disabled());
    assert!(!front.shows("Last 30 days"), "its key opens no menu");
}

fn widgets_add_connection_is_off(front: &mut Front) -> bool {
    front.keys("<Ctrl+N>");
    front.widgets().query_by_label("New connection").is_none()
}

/// Runs `packbench provision` as an administrator whose new files nobody else may read. Returns its exit code and what it
/// said.
fn provision(home: &ProgramHome, place: &Path, file: &Path) -> (Option<i32>, String) {
    let output = home
        .command_of(Path::new("sh"))
        .args(["-c", "umask 077 && exec \"$0\" provision \"$1\""])
        .arg(env!("CARGO_BIN_EXE_packbench"))
        .arg(file)
        .env("PACKBENCH_MACHINE_SETTINGS", place)
        .output()
        .expect("it runs");
    let said = [output.stdout, output.stderr].concat();
    (
        output.status.code(),
        String::from_utf8_lossy(&said).into_owned(),
    )
}

#[test]
fn a_service_is_rolled_out_without_a_window_and_opens_at_the_first_start() {
    let keyring = Keyring::start();
    let desk = Home::new();
    let practice = desk.practise();
    let home = ProgramHome::fresh();
    let (place, file) = (
        home.data().join("etc/settings.toml"),
        home.data().join("site.toml"),
    );
    let site = site().replace("https://service.harbour.example", &practice.base_url());
    let site = site.replace(r#"kind = "live""#, r#"kind = "test""#);
    fs::write(&file, site.replace("kind =", "kin =")).expect("a file");
    let (code, said) = provision(&home, &place, &file);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("site.toml, line "), "{said}");
    assert!(!place.exists(), "a wrong file is not used");
    fs::write(&file, site).expect("a file");
    let (code, said) = provision(&home, &place, &file);
    assert_eq!(code, Some(0), "{said}");

    let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
    assert_eq!(mode(&place), 0o644, "every user reads it");
    assert_eq!(mode(place.parent().expect("its folder")), 0o755);

    let in_session = |arguments: &[&str]| {
        let mut command = home.command(arguments);
        command
            .env("DBUS_SESSION_BUS_ADDRESS", keyring.bus())
            .env("PACKBENCH_MACHINE_SETTINGS", &place);
        command
    };
    let mut child = in_session(&["token", "set", "Harbour"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("it was asked for");
    writeln!(input, "{}", practice.token()).expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{output:?}");

    let display = Display::start();
    let mut program = home.launch(in_session(&[]), &display);
    display.window("TEST - Harbour - Packbench");
    program.must_run();
}

#[test]
fn a_wrong_file_stops_the_start_and_names_the_line() {
    let home = ProgramHome::new();
    let place = home.data().join("settings.toml");
    fs::write(&place, "[bench]\nnam = \"Bench 4\"\n").expect("a file");
    let display = Display::start();
    let output = home
        .command(&["doctor"])
        .env("PACKBENCH_MACHINE_SETTINGS", &place)
        .env("DISPLAY", display.name())
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("line 2: bench.nam"), "{said}");
    let mut command = home.command(&[]);
    command.env("PACKBENCH_MACHINE_SETTINGS", &place);
    let mut program = home.launch(command, &display);
    display.window("Packbench can't start");
    program.must_run();
    assert!(
        program.said().contains("line 2: bench.nam"),
        "{}",
        program.said()
    );
}
