//! Label files saved at typed places: nothing that is there is replaced, and what is wrong is said at the field.

use packbench::state::LabelsCommand;

use super::batch::{ids, stored};
use crate::support::desk::{Desk, Home};

fn problem(desk: &mut Desk) -> String {
    desk.until("it is said", |core| core.shared.save_problem.clone())
}

#[test]
fn a_label_is_saved_where_nothing_is_and_a_bad_place_is_said() {
    let home = Home::new();
    let id = ids(1)[0];
    stored(&home.places.journal("practice"), &[id]);
    let practice = home.practise();
    let mut desk = home.open(&Home::service(practice.base_url(), practice.token()));
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name).display().to_string();
    let mut at = |path: String| desk.core.push(LabelsCommand::SavePdfAt(id, path).into());
    at(place("label.pdf"));
    let saved = |desk: &mut Desk| desk.until("saved", |core| core.shared.saved_labels.clone());
    assert!(saved(&mut desk).ends_with("label.pdf"));
    let pdf = std::fs::read(place("label.pdf")).expect("the file");
    assert!(pdf.starts_with(b"%PDF"));

    std::fs::write(place("taken.pdf"), "somebody's").expect("a file");
    for (path, words) in [
        (place("taken.pdf"), "already"),
        (place("nowhere/label.pdf"), "no such folder"),
        (folder.path().display().to_string(), "is a folder"),
        ("label.pdf".to_owned(), "whole path"),
    ] {
        desk.core.push(LabelsCommand::SavePdfAt(id, path).into());
        let said = problem(&mut desk);
        assert!(said.contains(words), "{said}");
        desk.core.push(LabelsCommand::ForgetSaved.into());
        desk.until("seen", |core| {
            core.shared.save_problem.is_none().then_some(())
        });
    }
    assert_eq!(
        std::fs::read(place("taken.pdf")).expect("the file"),
        b"somebody's"
    );
}

#[test]
fn several_are_files_by_their_numbers_and_the_second_time_beside_the_first() {
    let home = Home::new();
    let ids = ids(2);
    stored(&home.places.journal("practice"), &ids);
    let practice = home.practise();
    let mut desk = home.open(&Home::service(practice.base_url(), practice.token()));
    let folder = tempfile::tempdir().expect("a folder");
    for files in [2, 4] {
        let place = folder.path().display().to_string();
        desk.core
            .push(LabelsCommand::SaveAllIn(ids.clone(), place).into());
        desk.until("saved", |_| {
            let there = std::fs::read_dir(folder.path()).expect("a folder").count();
            (there == files).then_some(())
        });
    }
    for name in [
        "MS900001.pdf",
        "MS900001 (2).pdf",
        "MS900002.pdf",
        "MS900002 (2).pdf",
    ] {
        assert!(folder.path().join(name).is_file(), "{name}");
    }
}
