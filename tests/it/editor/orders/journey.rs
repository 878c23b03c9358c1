//! An order file through the window, by keyboard alone: imported as drafts, with rejected rows, and sent
//! together.

use std::path::{Path, PathBuf};

use app::config::ThemeChoice;
use app::state::{Command, ImportStage, OrdersCommand};
use draft::orders::{Column, Mapping};
use draft::{AddressField, Field};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;

use super::{file, row};
use crate::support::clerk::Clerk;
use crate::support::desk::{Desk, Home};

fn written(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

fn until(clerk: &mut Clerk, stage: ImportStage) {
    let what = format!("{stage:?}");
    clerk.until(&what, |core| {
        (core.shared.consign.import.stage == stage).then_some(())
    });
}

fn open(clerk: &mut Clerk, path: &Path) {
    clerk.keys("<Ctrl+U>");
    until(clerk, ImportStage::Path);
    clerk.text(path.to_str().expect("a path"));
    clerk.keys("<Enter>");
}

fn orders() -> String {
    file(&[
        row("SO-1", "Ballarat Farm", "2", "9"),
        row("SO-2", "Ballarat Farm", "none", "9"),
        row("SO-3", "Ballarat Farm", "1", "4.5"),
        row("SO-3", "Ballarat Farm", "3", "2"),
    ])
    .replace("Reference,", "Our number,")
}

fn imported_and_sent(theme: ThemeChoice, word: &str) {
    let mut home = Home::new();
    home.settings.bench.theme = theme;
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(folder.path(), "orders.csv", &orders());
    let practice = home.practise();
    let mut clerk = Clerk::new(&home, &practice);
    clerk.pick_sender();
    clerk.keys("<Ctrl+U>");
    until(&mut clerk, ImportStage::Path);
    clerk.picture(&format!("orders-path-{word}"));
    clerk.keys("<Esc>");
    until(&mut clerk, ImportStage::Closed);
    open(&mut clerk, &path);
    until(&mut clerk, ImportStage::Columns);
    let opened = clerk.core().shared.consign.import.opened.as_ref();
    let opened = opened.expect("a file");
    assert_eq!(opened.mapping[0], None, "nobody calls it so");
    // The first column is a reference: by letters, as in every drop-down.
    clerk.keys("<Tab>Reference");
    clerk.picture(&format!("orders-columns-{word}"));
    clerk
        .window
        .get_by_label("Carrier for orders without one")
        .focus();
    clerk.rest();
    clerk.keys("<Down><Ctrl+Enter>");
    until(&mut clerk, ImportStage::Review);
    clerk.picture(&format!("orders-review-{word}"));
    clerk.keys("<Ctrl+Enter>");
    until(&mut clerk, ImportStage::Done);
    clerk.picture(&format!("orders-done-{word}"));
    came_to(&clerk, folder.path());
    clerk.keys("<Esc>");
    until(&mut clerk, ImportStage::Closed);
    sent_together(&mut clerk, word);
    known_again(&mut clerk, &path, word);
    assert!(
        folder.path().join("orders-rejected-2.csv").exists(),
        "no file is written over"
    );
}

/// Two orders are drafts, and the third came back.
fn came_to(clerk: &Clerk, folder: &Path) {
    let titles: Vec<_> = clerk
        .core()
        .shared
        .consign
        .drafts
        .iter()
        .map(|draft| draft.title().to_owned())
        .collect();
    assert_eq!(titles, ["SO-1", "SO-3"]);
    let back = std::fs::read_to_string(folder.join("orders-rejected.csv")).expect("what came back");
    assert!(back.contains("SO-2") && !back.contains("SO-3"), "{back}");
}

/// Both are sent, one after the other, with a key that is held.
fn sent_together(clerk: &mut Clerk, word: &str) {
    clerk.until("both are ready", |core| {
        (core.shared.consign.batch().ready.len() == 2).then_some(())
    });
    clerk.keys("<Ctrl+Shift+A>");
    clerk.picture(&format!("send-all-{word}"));
    clerk
        .window
        .key_down_modifiers(Modifiers::COMMAND, Key::Enter);
    clerk.until("it has begun", |core| {
        core.shared.consign.run.as_ref().map(|_| ())
    });
    clerk.picture(&format!("send-all-running-{word}"));
    clerk.until("both are sent", |core| {
        let over = core.shared.consign.run.is_none() && core.shared.consign.drafts.is_empty();
        over.then_some(())
    });
    clerk
        .window
        .key_up_modifiers(Modifiers::COMMAND, Key::Enter);
    clerk.rest();
    clerk.picture(&format!("send-all-done-{word}"));
    let said = &clerk.core().shared.notices.shown;
    assert!(
        said.iter()
            .any(|(_, notice)| notice.headline == "2 of 2 sent"),
        "{said:?}"
    );
}

/// The same file again: its columns are known, and so is what it holds.
fn known_again(clerk: &mut Clerk, path: &Path, word: &str) {
    open(clerk, path);
    until(clerk, ImportStage::Columns);
    let opened = clerk.core().shared.consign.import.opened.as_ref();
    let opened = opened.expect("a file");
    assert!(opened.remembered);
    assert_eq!(opened.mapping[0], Some(Column::Text(Field::Reference1)));
    clerk.keys("<Ctrl+Enter>");
    until(clerk, ImportStage::Review);
    clerk.picture(&format!("orders-known-{word}"));
    clerk.keys("<Ctrl+Enter>");
    until(clerk, ImportStage::Done);
    assert!(
        clerk.core().shared.consign.drafts.is_empty(),
        "nothing is taken twice"
    );
}

#[test]
fn orders_become_drafts_and_are_sent_by_keyboard_alone() {
    imported_and_sent(ThemeChoice::Light, "light");
}

#[test]
fn orders_are_imported_in_the_dark_as_well() {
    imported_and_sent(ThemeChoice::Dark, "dark");
}

#[test]
fn columns_are_remembered_across_a_restart_and_taken_orders_too() {
    let home = Home::new();
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(folder.path(), "orders.csv", &orders());
    let practice = home.practise();
    let service = Home::service(practice.base_url(), practice.token());
    let mut desk = home.open(&service);
    desk.type_consignment("");
    let import = || Command::from(OrdersCommand::Import(Some(path.display().to_string())));
    desk.ask(import());
    let mut mapping = desk.until("the columns", |core| {
        let import = &core.shared.consign.import;
        let opened = import.opened.as_ref()?;
        (import.stage == ImportStage::Columns).then(|| opened.mapping.clone())
    });
    mapping[0] = Some(Column::Text(Field::Reference1));
    // What the header calls a name is left out on purpose: that is remembered, too.
    let names = mapping
        .iter()
        .position(|column| *column == Some(Column::Text(Field::To(AddressField::Email))));
    let left_out = names.expect("a column of e-mails");
    let routing = draft::Routing::Fastest;
    let check = |mapping: &Vec<_>| {
        Command::from(OrdersCommand::Check {
            mapping: mapping.clone(),
            routing: routing.clone(),
        })
    };
    desk.ask(check(&mapping));
    desk.until("checked", |core| {
        (core.shared.consign.import.stage == ImportStage::Review).then_some(())
    });
    desk.ask(Command::from(OrdersCommand::BackToColumns));
    let mut without = mapping.clone();
    without[left_out] = None;
    desk.ask(check(&without));
    desk.until("all come back without an e-mail", |core| {
        let import = &core.shared.consign.import;
        let checked = import.checked.as_ref()?;
        (import.stage == ImportStage::Review && checked.orders.is_empty()).then_some(())
    });
    desk.ask(Command::from(OrdersCommand::BackToColumns));
    desk.ask(check(&mapping));
    desk.until("two are good", |core| {
        let checked = core.shared.consign.import.checked.as_ref()?;
        (core.shared.consign.import.stage == ImportStage::Review && checked.orders.len() == 2)
            .then_some(())
    });
    desk.ask(Command::from(OrdersCommand::CreateDrafts(Vec::new())));
    desk.until("taken", |core| {
        (core.shared.consign.import.stage == ImportStage::Done).then_some(())
    });
    desk.core.close(home.runtime.handle());
    known_at_the_next_start(home.open(&service), import(), &mapping, check(&mapping));
}

/// The columns are known at the next start, and what was taken is taken again only where it is ticked.
fn known_at_the_next_start(mut desk: Desk, import: Command, mapping: &Mapping, check: Command) {
    desk.until("the drafts are there", |core| {
        let open = core.editing.draft.title() == "SO-1" || core.editing.draft.title() == "SO-3";
        (core.shared.consign.drafts.len() + usize::from(open) >= 2).then_some(())
    });
    desk.ask(import);
    desk.until("the columns are known", |core| {
        let import = &core.shared.consign.import;
        let opened = import.opened.as_ref()?;
        let is_known = opened.remembered && opened.mapping == *mapping;
        (import.stage == ImportStage::Columns && is_known).then_some(())
    });
    desk.ask(check);
    desk.until("known already", |core| {
        let checked = core.shared.consign.import.checked.as_ref()?;
        let all = checked.orders.iter().all(|order| order.duplicate.is_some());
        (core.shared.consign.import.stage == ImportStage::Review
            && all
            && !checked.orders.is_empty())
        .then_some(())
    });
    desk.ask(Command::from(OrdersCommand::CreateDrafts(vec![0])));
    let made = desk.until("the one that was ticked is taken", |core| {
        (core.shared.consign.import.stage == ImportStage::Done)
            .then_some(core.shared.consign.import.made)
    });
    assert_eq!(made, 1);
}

#[test]
fn what_is_no_file_of_orders_says_so_and_another_can_be_opened() {
    let home = Home::new();
    let folder = tempfile::tempdir().expect("a folder");
    let (_practice, mut desk) = home.open_practice();
    let workbook = written(folder.path(), "orders.xlsx", "PK\u{3}\u{4}");
    for (path, words) in [
        (workbook, "This is a workbook, not a CSV file"),
        (folder.path().join("none.csv"), "Couldn't read the file"),
        (folder.path().to_owned(), "Couldn't read the file"),
    ] {
        desk.ask(Command::from(OrdersCommand::Import(Some(
            path.display().to_string(),
        ))));
        desk.turn();
        let problem = desk.until("it says why", |core| {
            let import = &core.shared.consign.import;
            import
                .problem
                .clone()
                .filter(|_| import.stage == ImportStage::Path)
        });
        assert!(problem.headline.starts_with(words), "{problem:?}");
        assert!(!problem.advice.is_empty());
    }
    let template = folder.path().join("template.csv");
    desk.ask(Command::from(OrdersCommand::SaveTemplate(Some(
        template.display().to_string(),
    ))));
    desk.until("the template is there", |core| {
        let problem = core.shared.consign.import.problem.as_ref()?;
        problem.headline.starts_with("Template saved").then_some(())
    });
    desk.ask(Command::from(OrdersCommand::Import(Some(
        template.display().to_string(),
    ))));
    desk.until("it is opened", |core| {
        (core.shared.consign.import.stage == ImportStage::Columns).then_some(())
    });
}
