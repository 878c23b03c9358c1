//! Files that are taken from the folder or left alone, and where they end.

use std::fs::{self, File};
use std::time::{Duration, Instant};

use app::state::{NoticeTarget, OrderFolderCommand};

use super::{Folders, csv_order, open};
use crate::editor::orders;
use crate::support::desk::{Desk, Home, notice};
use crate::support::wait::{SOON, until};

/// Waits until this many orders wait, and returns their references.
#[track_caller]
fn until_orders(desk: &mut Desk, count: usize) -> Vec<String> {
    desk.until(&format!("{count} orders"), |core| {
        let orders = core.shared.folder_orders();
        let mut references: Vec<_> = orders.map(|draft| draft.reference1.clone()).collect();
        references.sort();
        (references.len() == count).then_some(references)
    })
}

/// Waits until this many files were taken, and returns the newest.
#[track_caller]
fn until_files(desk: &mut Desk, count: usize) -> storage::FolderFile {
    desk.until(&format!("{count} files"), |core| {
        let files = &core.shared.order_folder.files;
        (files.len() == count).then(|| files[0].clone())
    })
}

#[test]
fn a_csv_file_becomes_drafts_and_moves_to_done() {
    let folders = Folders::new();
    let (_home, _practice, mut desk) = open(&folders, |_| ());
    let rows = [
        orders::row("SO-1", "Ballarat Farm", "1", "9"),
        orders::row("SO-2", "Ballarat Farm", "2", "4"),
        orders::row("SO-2", "Ballarat Farm", "1", "3"),
    ];
    folders.put("orders.csv", &orders::file(&rows));
    assert_eq!(until_orders(&mut desk, 2), ["SO-1", "SO-2"]);
    let file = until_files(&mut desk, 1);
    assert_eq!(
        (file.orders, file.rejected, file.reasons.as_str()),
        (2, 0, "")
    );
    assert_eq!(folders.names("done"), ["orders.csv"]);
    assert_eq!(
        folders.names(""),
        [""; 0],
        "neither the file nor its mark stays"
    );
}

#[test]
fn a_file_is_taken_only_after_it_has_not_changed_for_two_seconds() {
    let folders = Folders::new();
    let (_home, _practice, mut desk) = open(&folders, |_| ());
    let path = folders.watched().join("slow.csv");
    let text = csv_order("SO-1");
    let (begin, end) = text.split_at(text.len() / 2);
    fs::write(&path, begin).expect("a file");
    desk.until("the file is seen", |core| {
        let waiting = &core.shared.order_folder.waiting;
        waiting
            .iter()
            .any(|file| file.name == "slow.csv")
            .then_some(())
    });
    let written = Instant::now();
    fs::write(&path, format!("{begin}{end}")).expect("a file");
    until_orders(&mut desk, 1);
    assert!(
        written.elapsed() >= Duration::from_secs(2),
        "taken after {:?}",
        written.elapsed()
    );
}

#[test]
fn a_file_that_another_program_uses_waits_with_the_reason() {
    let folders = Folders::new();
    let (_home, _practice, mut desk) = open(&folders, |_| ());
    let path = folders.watched().join("used.csv");
    fs::write(&path, csv_order("SO-1")).expect("a file");
    let locked = File::open(&path).expect("the file");
    locked.lock().expect("a lock");
    let reason = desk.until("the reason", |core| {
        let waiting = &core.shared.order_folder.waiting;
        let file = waiting.iter().find(|file| file.name == "used.csv")?;
        Some(file.reason.clone()).filter(|reason| !reason.is_empty())
    });
    assert_eq!(reason, "Another program is using it");
    drop(locked);
    until_orders(&mut desk, 1);
}

#[test]
fn files_of_other_kinds_and_unfinished_files_stay() {
    let folders = Folders::new();
    for name in [
        ".hidden.csv",
        "~orders.csv",
        "orders.csv.tmp",
        "readme.md",
        "orders.part",
    ] {
        fs::write(folders.watched().join(name), csv_order("SO-9")).expect("a file");
    }
    let (_home, _practice, mut desk) = open(&folders, |_| ());
    folders.put("orders.csv", &csv_order("SO-1"));
    assert_eq!(until_orders(&mut desk, 1), ["SO-1"]);
    assert_eq!(folders.names("").len(), 5);
}

#[test]
fn a_file_without_a_good_order_moves_to_failed_with_the_reasons_and_can_be_tried_again() {
    let folders = Folders::new();
    let (_home, _practice, mut desk) = open(&folders, |_| ());
    let bad = csv_order("SO-1").replace(",3350,", ",,");
    folders.put("orders.csv", &bad);
    let file = until_files(&mut desk, 1);
    assert_eq!((file.orders, file.rejected), (0, 1));
    assert!(file.reasons.starts_with("Line 2: "), "{}", file.reasons);
    assert_eq!(
        folders.names("failed"),
        ["orders.csv", "orders.csv.reasons.txt"]
    );
    let failed = folders.watched().join("failed");
    let reasons = failed.join(format!("{}.reasons.txt", file.name));
    let written = fs::read_to_string(reasons).expect("the reasons");
    assert_eq!(written.trim(), file.reasons);
    fs::write(failed.join(&file.name), csv_order("SO-1")).expect("a file");
    desk.ask(OrderFolderCommand::Retry(file.name));
    until_orders(&mut desk, 1);
    assert_eq!(folders.names("done"), ["orders.csv"]);
    assert_eq!(folders.names("failed"), [""; 0]);
}

#[test]
fn the_good_orders_of_a_file_are_taken_and_the_others_can_be_corrected() {
    let folders = Folders::new();
    let (_home, _practice, mut desk) = open(&folders, |_| ());
    let rows = [
        orders::row("SO-1", "Ballarat Farm", "1", "9"),
        orders::row("SO-2", "Ballarat Farm", "none", "9"),
    ];
    folders.put("mixed.csv", &orders::file(&rows));
    assert_eq!(until_orders(&mut desk, 1), ["SO-1"]);
    let file = until_files(&mut desk, 1);
    assert_eq!((file.orders, file.rejected), (1, 1));
    assert_eq!(folders.names("done"), ["mixed.csv"]);
    assert_eq!(
        folders.names("failed"),
        ["mixed-rejected.csv", "mixed.csv.reasons.txt"]
    );
    let stem = file.name.trim_end_matches(".csv");
    let rejected = folders
        .watched()
        .join(format!("failed/{stem}-rejected.csv"));
    let corrected = fs::read_to_string(rejected)
        .expect("the rejected rows")
        .replace("none", "3");
    folders.put("corrected.csv", &corrected);
    assert_eq!(until_orders(&mut desk, 2), ["SO-1", "SO-2"]);
}

#[test]
fn an_order_that_exists_already_is_not_taken_twice() {
    let folders = Folders::new();
    let (_home, _practice, mut desk) = open(&folders, |_| ());
    folders.put("one.csv", &csv_order("SO-1"));
    folders.put("two.csv", &csv_order("SO-1"));
    until_files(&mut desk, 2);
    assert_eq!(until_orders(&mut desk, 1), ["SO-1"]);
    desk.create("SO-2");
    folders.put("three.csv", &csv_order("SO-2"));
    let third = until_files(&mut desk, 3);
    assert!(third.reasons.contains("sent as MS"), "{}", third.reasons);
    assert_eq!(folders.names("done").len(), 1);
    assert_eq!(until_orders(&mut desk, 1), ["SO-1"]);
}

#[test]
fn files_that_are_no_orders_fail_with_a_clear_reason() {
    let folders = Folders::new();
    let (_home, _practice, mut desk) = open(&folders, |_| ());
    for (at, (name, text, reason)) in [
        ("empty.json", "", "there are no orders in the file"),
        (
            "broken.json",
            "{\n\"toName\": ",
            "this is not valid JSON: see line 2",
        ),
        (
            "text.json",
            "[1, 2]",
            "the file is neither an order nor a list of orders",
        ),
        (
            "workbook.csv",
            "PK\u{3}\u{4}",
            "this is a workbook, not a CSV file",
        ),
        (
            "header.csv",
            "Reference,To name",
            "there are no orders in the file",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        folders.put(name, text);
        let file = until_files(&mut desk, at + 1);
        assert!(file.reasons.starts_with(reason), "{name}: {}", file.reasons);
    }
    assert_eq!(
        folders.names("failed").len(),
        10,
        "each file with its reasons"
    );
}

#[test]
fn a_folder_that_is_missing_is_told_and_used_once_it_is_there() {
    let folders = Folders::new();
    fs::remove_dir(folders.watched()).expect("the folder");
    let (_home, _practice, mut desk) = open(&folders, |_| ());
    desk.until("the problem", |core| {
        let problem = core.shared.order_folder.problem.as_ref()?;
        (problem.headline == "Couldn't take orders from the folder").then_some(())
    });
    fs::create_dir(folders.watched()).expect("a folder");
    folders.put("orders.csv", &csv_order("SO-1"));
    desk.pass(Duration::from_secs(6));
    until_orders(&mut desk, 1);
    assert!(desk.core.shared.order_folder.problem.is_none());
}

#[test]
fn orders_and_files_are_still_known_after_a_restart() {
    let folders = Folders::new();
    let (home, practice, mut desk) = open(&folders, |_| ());
    folders.put("orders.csv", &csv_order("SO-1"));
    folders.put("more.csv", &csv_order("SO-2"));
    until_orders(&mut desk, 2);
    let service = Home::service(practice.base_url(), practice.token());
    let mut desk = home.restart(desk, &service);
    until_files(&mut desk, 2);
    assert_eq!(
        until_orders(&mut desk, 2),
        ["SO-1", "SO-2"],
        "neither is open on Consign"
    );
}

#[test]
fn a_file_that_was_left_in_progress_is_taken_by_the_same_bench_under_another_name() {
    let folders = Folders::new();
    let own = folders.watched().join("in-progress/QK7BND");
    fs::create_dir_all(&own).expect("a folder");
    let left = own.join("20261119-090000-QK7BND-left.csv");
    fs::write(&left, csv_order("SO-1")).expect("a file");
    let mut home = Home::new();
    "QK7BND".clone_into(&mut home.settings.installation);
    "Packing 7".clone_into(&mut home.settings.bench.name);
    home.settings
        .order_folders
        .insert(String::new(), folders.settings());
    let (_practice, mut desk) = home.open_practice();
    assert_eq!(until_orders(&mut desk, 1), ["SO-1"]);
    assert_eq!(folders.names("done"), ["left.csv"]);
}

#[test]
fn files_of_the_same_name_keep_apart() {
    let folders = Folders::new();
    let (_home, _practice, mut desk) = open(&folders, |_| ());
    for number in 1..=3 {
        folders.put("daily.csv", &csv_order(&format!("SO-{number}")));
        until_files(&mut desk, number);
    }
    until_orders(&mut desk, 3);
    let done = folders.names("done");
    assert_eq!(done.len(), 3, "{done:?}");
}

#[test]
fn a_failed_file_is_told_on_every_screen() {
    let folders = Folders::new();
    let (_home, _practice, mut desk) = open(&folders, |_| ());
    folders.put("orders.csv", &csv_order("SO-1").replace(",3350,", ",,"));
    let notice = desk.until("the notice", |core| {
        notice(&core.shared, "orders.csv has orders that were not taken")
    });
    assert_eq!(notice.target, Some(NoticeTarget::OrderFolder));
}

#[test]
fn a_mark_of_an_earlier_file_does_not_let_a_half_written_file_be_taken() {
    let folders = Folders::new();
    let mark = File::create(folders.watched().join("daily.csv.ready")).expect("a mark");
    let path = folders.watched().join("daily.csv");
    let marked = mark.metadata().and_then(|mark| mark.modified());
    let later = marked.expect("a time") + Duration::from_secs(1);
    let half = File::create(&path).expect("a file");
    half.set_modified(later).expect("a time");
    let (_home, _practice, mut desk) = open(&folders, |_| ());
    desk.until("the file is seen", |core| {
        let waiting = &core.shared.order_folder.waiting;
        waiting
            .iter()
            .any(|file| file.name == "daily.csv")
            .then_some(())
    });
    fs::write(&path, csv_order("SO-1")).expect("a file");
    fs::write(folders.watched().join("daily.csv.ready"), "").expect("a mark");
    until_orders(&mut desk, 1);
}

#[test]
fn of_two_benches_on_one_folder_each_file_is_taken_by_one() {
    let folders = Folders::new();
    for number in 0..40 {
        folders.put(
            &format!("{number}.csv"),
            &csv_order(&format!("SO-{number}")),
        );
    }
    let mut homes = [Home::new(), Home::new()];
    for (home, installation) in homes.iter_mut().zip(["QK7BND", "2M4XYZ"]) {
        installation.clone_into(&mut home.settings.installation);
        let settings = folders.settings();
        home.settings.order_folders.insert(String::new(), settings);
    }
    let [(_first, mut one), (_second, mut other)] = homes.each_ref().map(Home::open_practice);
    let mut references = until("all are taken", SOON, || {
        one.turn();
        other.turn();
        let orders = { one.core.shared.folder_orders() }.chain(other.core.shared.folder_orders());
        let references: Vec<_> = orders.map(|order| order.reference1.clone()).collect();
        (references.len() >= 40).then_some(references)
    });
    references.sort();
    references.dedup();
    assert_eq!(references.len(), 40, "each once");
    assert_eq!(folders.names("done").len(), 40);
}
