//! Help: shortcuts, guide, support bundle, newer versions and the tour, through the real widgets.

use std::collections::HashSet;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use app::SingleInstance;
use app::config::Settings;
use app::state::{Screen, Shared};
use app::ui::guide::PARTS;
use axum::Router;
use axum::routing::get;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use pulldown_cmark::{Event, Parser, Tag};
use tokio::runtime::Runtime;

use crate::journeys::kit::{Role, picture_showing};
use crate::support::desk::{Home, notice};
use crate::support::front::Front;
use crate::support::keyboard::click;
use crate::support::runtime::serve;

/// A bench at its practice service whose settings file says this, too.
fn begin(home: &Home, more: &str) -> Front {
    let theirs = home.practise();
    let settings = format!(r#"{{"chosen": "practice"{more}}}"#);
    fs::write(home.places.settings(), settings).expect("a settings file");
    Front::start_open(home, &theirs)
}

#[test]
fn an_action_found_in_help_runs() {
    let home = Home::new();
    let mut front = begin(&home, "");
    front.keys("<F1>");
    picture_showing(
        front.widgets(),
        "help-shortcuts",
        &["On this screen", "Send", "Guide", "Support bundle", "About"],
    );
    front.focus("Find an action");
    front.text("dark");
    picture_showing(front.widgets(), "help-search", &["Light or dark"]);
    assert!(!front.shows("On this screen"), "only what was searched for");
    let before = front.shared().bench.theme;
    front.keys("<Enter>");
    front.until("the theme has changed", |shared| {
        (shared.bench.theme != before).then_some(())
    });
    assert!(!front.shows("Find an action"), "Help is closed");
}

#[test]
fn enter_in_help_runs_the_first_action_of_the_list() {
    let home = Home::new();
    let mut front = begin(&home, "");
    front.keys("<Ctrl+Comma><F1>");
    front.focus("Find an action");
    // Screens stand before the actions of Settings in the table of actions.
    front.text("service");
    let first = { front.widgets().query_all_by_role(Role::ListBoxOption) }
        .min_by(|one, other| one.rect().top().total_cmp(&other.rect().top()))
        .map(|line| line.accesskit_node().label())
        .expect("a line");
    assert_eq!(first.as_deref(), Some("Test connection"));
    picture_showing(front.widgets(), "help-first", &["On this screen"]);
    front.keys("<Enter>");
    front.rest();
    assert_eq!(
        front.shared().screen,
        Screen::Settings,
        "no other action ran"
    );
}

#[test]
fn the_pictures_and_chapters_of_the_readme_are_there() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(top.join("README.md")).expect("the README");
    let ends = |c: char| matches!(c, '"' | ')' | '(' | '`' | ' ' | '\n');
    let paths: HashSet<_> = readme
        .split(ends)
        .filter(|part| part.starts_with("assets/") && part.contains('.'))
        .collect();
    assert!(paths.len() > 25, "{paths:?}");
    for path in paths {
        assert!(top.join(path).is_file(), "{path}");
    }
}

#[test]
fn help_fits_into_the_smallest_window() {
    let home = Home::new();
    let mut front = begin(&home, "");
    front.widgets().set_size(egui::vec2(800.0, 480.0));
    front.keys("<F1>");
    for (topic, part) in [
        ("Shortcuts", "On this screen"),
        ("Guide", "For clerks"),
        ("Support bundle", "doctor.txt"),
        ("About", env!("CARGO_PKG_VERSION")),
    ] {
        let button = front.widgets().get_by_role_and_label(Role::Button, topic);
        button.click();
        front.rest();
        front.until("the bundle", |shared| {
            (!shared.help.bundle.is_loading()).then_some(())
        });
        front.rest();
        let name = format!("help-small-{}", topic.to_lowercase().replace(' ', "-"));
        picture_showing(front.widgets(), &name, &[topic, part, "Close"]);
    }
}

#[test]
fn help_is_in_the_side_bar() {
    let home = Home::new();
    let mut front = begin(&home, "");
    click(front.widgets(), "Help");
    front.rest();
    front.focus("Find an action");
    front.keys("<Esc>");
    assert!(!front.shows("Find an action"));
}

#[test]
fn the_guide_opens_at_a_chapter_and_follows_its_links() {
    let home = Home::new();
    let mut front = begin(&home, "");
    front.keys("<F1>");
    click(front.widgets(), "Guide");
    front.rest();
    picture_showing(
        front.widgets(),
        "help-guide",
        &["For clerks", "For administrators", "Getting started"],
    );
    click(front.widgets(), "Install, upgrade and remove");
    front.rest();
    picture_showing(front.widgets(), "help-guide-install", &["sudo apt install"]);
    let link = front
        .widgets()
        .get_by_role_and_label(Role::Link, "Where data is kept");
    link.click();
    front.rest();
    picture_showing(
        front.widgets(),
        "help-guide-data",
        &["Only you can read the folder."],
    );
}

#[test]
fn the_guide_in_the_program_is_the_book() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/guide/src");
    let summary = fs::read_to_string(book.join("SUMMARY.md")).expect("the table of contents");
    let listed = PARTS.iter().flat_map(|(part, chapters)| {
        let lines = chapters
            .iter()
            .map(|one| format!("- [{}]({})", one.title, one.file));
        std::iter::once(format!("# {part}")).chain(lines)
    });
    let lines = summary.lines().filter(|line| !line.is_empty());
    let lines: Vec<_> = lines
        .skip(1)
        .take_while(|line| *line != "# For developers")
        .collect();
    assert_eq!(listed.collect::<Vec<_>>(), lines);
}

#[test]
fn every_link_of_the_guide_leads_somewhere() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/guide/src");
    let shown: HashSet<&str> = PARTS
        .iter()
        .flat_map(|(_, chapters)| chapters.iter().map(|one| one.file))
        .collect();
    let mut seen = 0;
    for entry in fs::read_dir(&book).expect("the book") {
        let name = entry.expect("a chapter").file_name();
        let name = name.to_str().expect("a plain name").to_owned();
        let text = fs::read_to_string(book.join(&name)).expect("a chapter");
        for event in Parser::new(&text) {
            let Event::Start(Tag::Link { dest_url, .. }) = event else {
                continue;
            };
            seen += 1;
            if dest_url.starts_with("https://") {
                continue;
            }
            assert!(book.join(&*dest_url).is_file(), "{name} → {dest_url}");
            let leads_out = shown.contains(name.as_str()) && !shown.contains(&*dest_url);
            assert!(
                !leads_out,
                "{name} → {dest_url}, which the program doesn't show"
            );
        }
    }
    assert!(seen > 20, "{seen} links");
}

#[test]
fn the_support_bundle_is_shown_before_it_is_saved() {
    let home = Home::new();
    // The program in the window holds the lock.
    let _lock = SingleInstance::take(&home.places.lock()).expect("nobody else");
    let mut front = begin(&home, "");
    front.keys("<Ctrl+K>");
    front.text("support bundle");
    front.keys("<Enter>");
    front.until("the bundle", |shared| shared.help.bundle.value().map(drop));
    front.rest();
    picture_showing(
        front.widgets(),
        "help-support-bundle",
        &[
            "doctor.txt",
            "settings.json",
            "system.json",
            "ok   data folder",
        ],
    );
    assert!(front.shows("in use by the open Packbench"));
    assert!(
        front.shared().notices.shown.is_empty(),
        "not taken for a second start"
    );
    click(front.widgets(), "settings.json");
    front.rest();
    assert!(front.shows("\"chosen\": \"practice\""));
    click(front.widgets(), "Save…");
    front.rest();
    let path = home.places.data().join("support.zip");
    front.text(path.to_str().expect("a plain path"));
    front.keys("<Enter>");
    front.until("it is saved", |shared| {
        notice(shared, "Support bundle saved").map(drop)
    });
    let file = fs::File::open(&path).expect("the bundle");
    let mut archive = zip::ZipArchive::new(file).expect("a ZIP file");
    let mut findings = String::new();
    let mut doctor = archive.by_name("doctor.txt").expect("the findings");
    doctor.read_to_string(&mut findings).expect("text");
    assert!(findings.contains("ok   service"), "{findings}");
}

/// A server that announces this version, and how often it was asked.
fn announcing(version: &'static str) -> (String, Arc<AtomicUsize>, Runtime) {
    let asked = Arc::<AtomicUsize>::default();
    let counted = Arc::clone(&asked);
    let answer = move |headers: axum::http::HeaderMap| {
        assert!(
            !headers.contains_key("token"),
            "the token is not sent there"
        );
        counted.fetch_add(1, Ordering::Relaxed);
        let text = format!(r#"{{"version": "{version}", "download": "Software Centre"}}"#);
        std::future::ready(([("content-type", "application/json")], text))
    };
    let (address, runtime) = serve(Router::new().route("/packbench.json", get(answer)));
    (format!("{address}/packbench.json"), asked, runtime)
}

fn updates(address: &str) -> String {
    format!(r#", "updates": {{"address": "{address}"}}"#)
}

fn newest(shared: &Shared) -> Option<()> {
    shared.help.newest.value().map(drop)
}

#[test]
fn a_newer_version_is_announced_with_where_to_get_it() {
    let (address, asked, _serving) = announcing("99.1.0");
    let home = Home::new();
    let mut front = begin(&home, &updates(&address));
    front.until("the check", newest);
    front.rest();
    let told = notice(front.shared(), "There is a newer version: 99.1.0").expect("a notice");
    assert!(told.advice.contains("Software Centre"), "{told:?}");
    front.keys("<Ctrl+K>");
    front.text("about");
    front.keys("<Enter>");
    picture_showing(
        front.widgets(),
        "help-about",
        &[
            env!("CARGO_PKG_VERSION"),
            "Version 99.1.0 is available",
            "Software Centre",
        ],
    );
    let before = asked.load(Ordering::Relaxed);
    click(front.widgets(), "Check now");
    front.until("asked again", |_| {
        (asked.load(Ordering::Relaxed) > before).then_some(())
    });
}

#[test]
fn the_same_version_is_no_news_and_a_failed_check_is_shown_in_about_only() {
    let about = |front: &mut Front| {
        front.keys("<Ctrl+K>");
        front.text("about");
        front.keys("<Enter>");
    };
    let gone = Home::new();
    // Nobody listens there.
    let mut front = begin(&gone, &updates("http://127.0.0.1:9/packbench.json"));
    front.until("the check failed", |shared| {
        shared.help.newest.problem().map(drop)
    });
    about(&mut front);
    assert!(front.shows("packbench.json: it can't be reached"));
    assert!(front.shared().notices.shown.is_empty());

    let (address, _asked, _serving) = announcing(env!("CARGO_PKG_VERSION"));
    let home = Home::new();
    let mut front = begin(&home, &updates(&address));
    front.until("the check", newest);
    about(&mut front);
    assert!(front.shows("This is the newest version"));
    assert!(front.shared().notices.shown.is_empty());
}

#[test]
fn a_version_that_is_none_is_no_news_and_about_says_so() {
    let (address, _asked, _serving) = announcing("v0.3");
    let home = Home::new();
    let mut front = begin(&home, &updates(&address));
    front.until("the check failed", |shared| {
        shared.help.newest.problem().map(drop)
    });
    front.keys("<Ctrl+K>");
    front.text("about");
    front.keys("<Enter>");
    assert!(front.shows("packbench.json: its answer can't be read"));
}

#[test]
fn without_an_address_nothing_is_checked() {
    let home = Home::new();
    let mut front = begin(&home, "");
    front.keys("<Ctrl+K>");
    front.text("about");
    front.keys("<Enter>");
    assert!(front.shows("Checks for newer versions are off"));
    assert!(!front.shows("Check now"));
    assert!(!front.shared().help.newest.is_loading());
    assert!(front.shared().help.newest.value().is_none());
}

#[test]
fn the_tour_begins_at_the_first_start_and_shows_each_screen() {
    let home = Home::new();
    let theirs = home.practise();
    let mut settings = Settings::read(&home.places).expect("no settings yet");
    settings
        .ensure_installation_id(&home.places)
        .expect("an id");
    assert!(settings.is_first_start);
    let mut front = Front::start_first(&home, settings, &theirs);
    front.widgets().get_by_label("Practise").click();
    front.until_open("practice");
    picture_showing(front.widgets(), "tour", &["1 of 8", "End tour", "Next"]);
    for screen in [
        Screen::Dispatch,
        Screen::Labels,
        Screen::Track,
        Screen::Operations,
    ] {
        click(front.widgets(), "Next");
        front.rest();
        assert_eq!(front.shared().screen, screen);
    }
    click(front.widgets(), "Back");
    front.rest();
    assert_eq!(front.shared().screen, Screen::Track);
    click(front.widgets(), "End tour");
    front.rest();
    assert!(!front.shows("End tour"));
    front.close();

    let mut again = Front::start_open(&home, &theirs);
    assert!(!again.shows("End tour"), "only at the first start");
    again.keys("<F1>");
    click(again.widgets(), "Tour");
    again.rest();
    assert!(again.shows("1 of 8"));
}
