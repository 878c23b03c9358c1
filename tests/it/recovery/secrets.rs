//! Where the token and personal data are after a day with every kind of failure: the token nowhere, personal
//! data only in the journal. Everything is logged, down to the HTTP client.
//!
//! The day runs in its own process, so that its log and panics are separate.

use std::env;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use app::config::{DataFolder, SystemInfo};
use app::state::{
    Command as Ask, DispatchCommand, JobState, LabelsCommand, OperationKind, OperationState, Screen,
};
use app::{self, Core, LogFile, SupportBundle};
use client::{Client, Connection, ConnectionError};
use engine::{Remote, TaskRunner};
use shipping::ConsignmentId;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::{Layer as _, fmt, prelude::*};

use crate::print::batch::set_up;
use crate::support::desk::{Desk, Home, fill};
use crate::support::recorder::Recorder;
use crate::support::wait::{SOON, until};
use crate::support::wire::{Fault, Wire, answer};

/// Where the child writes its log and says its token.
const ORDER: &str = "PACKBENCH_TEST_SECRETS";

/// Besides those of the trouble.
const CONSIGNMENTS: usize = 200;

const CREATE: &str = "/consignments/createConsignment";
const LIST: &str = "getRecently";

/// A token that no service takes.
const WRONG_TOKEN: &str = "canary-5f0c2a7e91d84b63";

/// A person, as typed: no two of these stand anywhere by chance.
const PERSON: [&str; 6] = [
    "Zebulon Quuxworth",
    "Quuxworth Orchards",
    "z.quuxworth@orchards.example",
    "03 5550 9173",
    "77 Kanarie Row",
    "Ask for Zebulon at gate Q",
];

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|window| window == text.as_bytes())
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of ours");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let below = |path: PathBuf| {
        if path.is_dir() {
            files(&path)
        } else {
            vec![path]
        }
    };
    paths.flat_map(below).collect()
}

#[test]
fn after_a_day_of_trouble_the_token_is_nowhere_and_people_are_in_the_journal_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let child = Command::new(env::current_exe().expect("ourselves"))
        .args(["--exact", "--ignored", "--nocapture"])
        .arg("recovery::secrets::live_a_day_of_trouble")
        .env(ORDER, folder.path())
        .env("RUST_BACKTRACE", "1")
        .output()
        .expect("a child");
    let said = [child.stdout, child.stderr].concat();
    let shown = String::from_utf8_lossy(&said);
    assert!(child.status.success(), "{shown}");
    assert!(
        shown.contains("packbench: internal error at"),
        "the panic is told"
    );
    let token = fs::read_to_string(folder.path().join("token")).expect("the token");
    let log = fs::read(folder.path().join("log")).expect("the log");
    for sign in ["TRACE", "DEBUG", "a call failed"] {
        assert!(holds(&log, sign), "everything is logged: {sign}");
    }
    for secret in [token.as_str(), WRONG_TOKEN].iter().chain(&PERSON) {
        assert!(!holds(&log, secret), "{secret} was logged");
        assert!(!holds(&said, secret), "{secret} was said:\n{shown}");
    }
}

#[test]
#[ignore = "the child's side of the test beside it"]
fn live_a_day_of_trouble() {
    let Some(folder) = env::var_os(ORDER).map(PathBuf::from) else {
        return;
    };
    app::install_panic_hook();
    let log = File::create(folder.join("log")).expect("a log");
    let (home, practice) = Home::with_practice();
    app::report_crashes(home.places.crashes(), "1.2.3");
    // Everything, and what the program itself keeps.
    let file = LogFile::in_folder(home.places.logs(), home.clock.clone());
    let kept = fmt::layer().with_writer(Mutex::new(file));
    tracing_subscriber::registry()
        .with(fmt::layer().with_writer(Mutex::new(log)).with_ansi(false))
        .with(kept.with_ansi(false).with_filter(LevelFilter::WARN))
        .init();
    let token = practice.token().to_owned();
    fs::write(folder.join("token"), &token).expect("the token's file");
    let wire = Wire::before(practice.address());
    let service = Home::service(wire.base_url(), &token);
    let mut desk = home.open(&service);

    good_hours(&mut desk);
    for number in 0..CONSIGNMENTS {
        created(&mut desk, &format!("SO-B{number}"));
    }
    refusal_and_lost_answer(&mut desk, &wire);
    lists_that_cannot_be_read(&mut desk, &wire);
    wrong_token(&home, &wire);
    panic_in_a_job(&home, &token);

    let connection = Connection::new(&wire.base_url(), token.as_str().into()).expect("one");
    let client = Client::new(&connection).expect("a client");
    let seen = format!(
        "{service:?} {connection:?} {client:?} {:?} {:?}",
        desk.core.shared.notices.shown, desk.core.shared.operations.list
    );
    assert!(!seen.contains(&token), "the token shows in a Debug text");
    desk.core.close(home.runtime.handle());
    look_at_the_disk(&home, &token);
    look_at_the_bundle(&home, &token);
}

/// The log, the crash report and the whole bundle have what support needs, and nobody's name.
fn look_at_the_bundle(home: &Home, token: &str) {
    let machine = home.places.data().with_file_name("settings.toml");
    let preset = format!(
        "[[presets]]\nname = \"Reels\"\ninstructions = \"{}\"\n",
        PERSON[5]
    );
    let settings = format!("set_by = \"{}\"\n{preset}", PERSON[0]);
    fs::write(&machine, settings).expect("a file");
    let data = home.places.data().to_owned();
    let places = DataFolder::at(data, machine.clone()).expect("a folder");
    // The name of the home folder is often that of a person.
    let surroundings = SystemInfo {
        home: home.places.data().parent().map(Path::to_owned),
        ..home.surroundings.clone()
    };
    let folder = home.places.data().display();
    let findings = format!("ok   display\nok   data folder    {folder}\n");
    let bundle = SupportBundle::collect(&places, &surroundings, &findings, &[]);
    fs::remove_file(machine).expect("ours");
    let file = home.places.data().join("bundle.zip");
    bundle.write(&file).expect("a new file");
    assert!(bundle.write(&file).is_err(), "an existing file stays");
    let file = File::open(file).expect("the bundle");
    let mut archive = zip::ZipArchive::new(file).expect("a ZIP file");
    let mut all = String::new();
    for at in 0..archive.len() {
        let mut file = archive.by_index(at).expect("a file in it");
        let name = file.name().expect("its name").into_owned();
        all += &["== ", &name, "\n"].concat();
        file.read_to_string(&mut all).expect("text");
    }
    for part in [
        "== doctor.txt\nok   display\nok   data folder    ~/bench\n",
        "== machine-settings.json",
        "\"presets\": 1",
        "== logs/",
        "a call failed",
        "== crashes/",
        "Packbench 1.2.3",
        "internal error at",
        "Consign::Send",
        "== operations-",
        "\"kind\": \"Create\"",
    ] {
        if !all.contains(part) {
            // The message of the panic would not be shown.
            eprintln!("{part} is not in the bundle:\n{all}");
            panic!();
        }
    }
    for secret in [token, WRONG_TOKEN].iter().chain(&PERSON) {
        assert!(!all.contains(secret), "{secret} is in the bundle");
    }
}

/// Types the person; the goods and the rest as ever.
fn type_person(desk: &mut Desk, reference: &str) {
    desk.type_consignment(reference);
    let draft = &mut desk.core.editing.draft;
    fill(draft, reference);
    let [contact, name, email, phone, line1, instructions] = PERSON.map(str::to_owned);
    (draft.to.contact, draft.to.name, draft.to.email) = (contact, name, email);
    (draft.to.phone, draft.to.line1, draft.instructions) = (phone, line1, instructions);
}

fn created(desk: &mut Desk, reference: &str) -> ConsignmentId {
    type_person(desk, reference);
    desk.send();
    desk.until_created(reference)
}

/// A consignment is made, its label printed, its group booked.
fn good_hours(desk: &mut Desk) {
    let printer = Recorder::start();
    let id = created(desk, "SO-1");
    set_up(desk, printer.port());
    desk.ask(LabelsCommand::Print(vec![id]));
    desk.until_job(JobState::Sent);
    let group = desk.group(id);
    desk.ask(DispatchCommand::Book(vec![group]));
    desk.until("booked", |core| done(core, OperationKind::Manifest, 1));
}

fn done(core: &Core, kind: OperationKind, many: usize) -> Option<()> {
    let operations = core.shared.operations.list.iter();
    let done = operations.filter(|one| one.kind == kind && one.state == OperationState::Done);
    (done.count() == many).then_some(())
}

fn refusal_and_lost_answer(desk: &mut Desk, wire: &Wire) {
    let words = format!("{} is not at {}", PERSON[0], PERSON[4]);
    let refusal = format!(
        r#"{{"object":null,"errors":[{{"validationType":1,"memberNames":["toContact"],"errorMessage":"{words}"}}]}}"#
    );
    wire.fail(CREATE, answer("200 OK", "application/json", &refusal));
    type_person(desk, "SO-2");
    desk.send();
    desk.until("refused", |core| {
        (!core.editing.refusals.is_empty()).then_some(())
    });
    wire.heal();
    wire.fail(CREATE, Fault::LoseAnswer);
    type_person(desk, "SO-3");
    desk.send();
    desk.until("found by its key", |core| {
        done(core, OperationKind::Create, CONSIGNMENTS + 2)
    });
    wire.heal();
}

fn lists_that_cannot_be_read(desk: &mut Desk, wire: &Wire) {
    let person = PERSON.join(" ");
    let elsewhere = "HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:9/elsewhere\r\ncontent-length: 0\r\n\r\n";
    let answers = [
        answer("401 Unauthorized", "application/json", &person),
        answer("403 Forbidden", "text/plain", &person),
        answer("500 Internal Server Error", "text/html", &person),
        answer("200 OK", "text/html", &format!("<html>{person}</html>")),
        answer(
            "200 OK",
            "application/json",
            &format!("{{\"object\":[{{\"id\":\"{person}\"}}]}}"),
        ),
        answer(
            "200 OK",
            "application/json",
            &format!("{{\"{}\":{{\"{person}\":7", PERSON[0]),
        ),
        answer("200 OK", "text/plain", &person),
        Fault::Answer(elsewhere.to_owned()),
    ];
    for fault in answers {
        wire.fail(LIST, fault);
        desk.ask(Ask::Show(Screen::Dispatch));
        desk.ask(DispatchCommand::Refresh);
        desk.until("a problem", |core| {
            let list = &core.shared.dispatch.unmanifested;
            let is_told = list.problem().is_some()
                || !core
                    .shared
                    .catalogue
                    .unreadable
                    .unmanifested
                    .records
                    .is_empty();
            (is_told && !list.is_loading()).then_some(())
        });
        wire.heal();
    }
}

fn wrong_token(home: &Home, wire: &Wire) {
    let connection = Connection::new(&wire.base_url(), WRONG_TOKEN.into()).expect("one");
    let client = Client::new(&connection).expect("a client");
    let failure = home.runtime.block_on(client.ping()).expect_err("refused");
    assert!(!format!("{connection:?} {client:?} {failure:?} {failure}").contains(WRONG_TOKEN));
}

fn panic_in_a_job(home: &Home, token: &str) {
    let errands = TaskRunner::new(home.runtime.handle().clone(), Arc::new(|| ()));
    let words = format!("{} {token}", PERSON[0]);
    let mut job: Remote<()> = Remote::default();
    job.start(errands.run(|| async move { panic!("{words}") }));
    until("the job's end", SOON, || job.poll().then_some(()));
    assert!(job.problem().is_some(), "a panic is a failure");
}

fn look_at_the_disk(home: &Home, token: &str) {
    let data = home.places.settings();
    let data = data.parent().expect("the data folder");
    let all = files(data);
    let mut people_in_the_journal = false;
    for path in &all {
        let bytes = fs::read(path).expect("a file of ours");
        assert!(!holds(&bytes, token), "the token is in {}", path.display());
        assert!(!holds(&bytes, WRONG_TOKEN));
        let inside = path.strip_prefix(data).expect("below the data folder");
        let of_the_journal = inside.to_string_lossy().contains("journal");
        for words in PERSON.iter().filter(|words| holds(&bytes, words)) {
            assert!(of_the_journal, "{words} is in {}", path.display());
            people_in_the_journal = true;
        }
    }
    assert!(
        people_in_the_journal,
        "the search finds what is there: {all:?}"
    );
    assert!(
        all.iter().any(|path| path.ends_with("settings.json")),
        "{all:?}"
    );
}

#[test]
fn an_address_with_a_password_in_it_is_not_taken() {
    let proxied = Connection::new("https://service.example", "any".into())
        .and_then(|connection| connection.with_proxy("http://clerk:kanarie@127.0.0.1:3128"));
    assert_eq!(proxied.err(), Some(ConnectionError::CredentialsInAddress));
    let direct = Connection::new("https://clerk:kanarie@service.example", "any".into());
    assert_eq!(direct.err(), Some(ConnectionError::CredentialsInAddress));
}
