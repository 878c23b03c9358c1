//! A printer that is a file: each label gets its own file.

use std::collections::BTreeSet;
use std::path::Path;

use app::state::{LabelsCommand, PrinterField};

use crate::print::batch::{ids, sent, store_pages, stored, until_sent};
use crate::support::desk::{Desk, Home, open_bench};
use crate::support::printers::save_printer;

fn set_up(desk: &mut Desk, destination: &str) {
    save_printer(desk, "File", destination.to_owned());
    desk.turn();
}

fn names(folder: &Path) -> BTreeSet<String> {
    let files = std::fs::read_dir(folder).expect("a folder");
    files
        .map(|file| {
            file.expect("a file")
                .file_name()
                .into_string()
                .expect("text")
        })
        .collect()
}

#[test]
fn n19_ten_labels_to_a_file_are_ten_files_and_none_is_overwritten() {
    for pattern in ["label.zpl", "{number}.zpl", "{number}-{piece}.zpl"] {
        let (home, folder) = (Home::new(), tempfile::tempdir().expect("a folder"));
        let ids = ids(10);
        stored(&home.places.journal("practice"), &ids);
        let (_practice, mut desk) = home.open_practice();
        set_up(&mut desk, &format!("{}/{pattern}", folder.path().display()));
        assert_eq!(desk.core.shared.labels.printer_problem, None);
        desk.ask(LabelsCommand::Print(ids.clone()));
        until_sent(&mut desk, 10);
        assert_eq!(names(folder.path()).len(), 10, "{pattern}");
        // Once more: the first ones stay.
        let again = "Lost".to_owned();
        desk.ask(LabelsCommand::Reprint(ids, again));
        until_sent(&mut desk, 20);
        let names = names(folder.path());
        assert_eq!(names.len(), 20, "{names:?}");
        if pattern != "label.zpl" {
            assert!(
                names.iter().any(|name| name.starts_with("MS900001")),
                "{names:?}"
            );
        }
    }
}

#[test]
fn n19_each_piece_of_a_consignment_has_a_file_where_the_pattern_says_so() {
    let (home, folder) = (Home::new(), tempfile::tempdir().expect("a folder"));
    let id = ids(1)[0];
    let pieces = ["PKB0000000001", "PKB0000000002", "PKB0000000003"];
    let path = home.places.journal("practice");
    let mut journal = storage::Journal::open(&path).expect("a journal");
    store_pages(&mut journal, id, &pieces, (&pieces, &[]));
    drop(journal);
    let (_practice, mut desk) = home.open_practice();
    set_up(
        &mut desk,
        &format!("{}/{{number}}-{{piece}}.zpl", folder.path().display()),
    );
    desk.ask(LabelsCommand::Print(vec![id]));
    desk.until("saved", |core| {
        (sent(&core.shared).len() == 1).then_some(())
    });
    let expected = ["MS900001-1.zpl", "MS900001-2.zpl", "MS900001-3.zpl"];
    assert_eq!(names(folder.path()), expected.map(str::to_owned).into());
    for name in expected {
        let label = std::fs::read(folder.path().join(name)).expect("read");
        let text = String::from_utf8_lossy(&label);
        assert_eq!(text.matches("^XA").count(), 1, "one label a file");
        assert!(text.ends_with("^XZ\n"));
    }
}

#[test]
fn n19_a_placeholder_that_nothing_fills_in_is_refused_at_its_field() {
    let (_home, _practice, mut desk) = open_bench();
    for bad in [
        "/labels/{consignment}.zpl",
        "/labels/{number.zpl",
        "/labels/{number}/{piece}.zpl",
        "/labels/{}.zpl",
    ] {
        set_up(&mut desk, bad);
        let problem = desk
            .core
            .shared
            .labels
            .printer_problem
            .clone()
            .expect("refused");
        assert_eq!(problem.field, PrinterField::Destination, "{bad}");
        assert!(
            problem.message.contains("{number} and {piece}"),
            "{}",
            problem.message
        );
    }
    set_up(&mut desk, "/labels/{number}-{piece}.zpl");
    assert_eq!(desk.core.shared.labels.printer_problem, None);
}
