//! Label files saved at typed paths: no existing file is replaced, and errors appear at the field.

use app::state::{SaveCommand, SaveRequest};
use shipping::ConsignmentId;

use super::batch::{ids, stored};
use crate::support::desk::{Desk, Home};

fn save(desk: &mut Desk, ids: &[ConsignmentId], path: String) {
    let labels = SaveRequest::Labels(ids.to_vec());
    desk.ask(SaveCommand::Save(labels, Some(path)));
}

/// The headline and the advice of the notice that says so.
fn said(desk: &mut Desk, words: &str) -> String {
    desk.until(words, |core| {
        let mut notices = core.shared.notices.shown.iter();
        let (_, notice) = notices.find(|(_, one)| one.headline.contains(words))?;
        Some(format!("{}. {}", notice.headline, notice.advice))
    })
}

#[test]
fn a_label_is_saved_where_nothing_is_and_a_bad_place_is_said() {
    let home = Home::new();
    let id = ids(1)[0];
    stored(&home.places.journal("practice"), &[id]);
    let (_practice, mut desk) = home.open_practice();
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name).display().to_string();
    save(&mut desk, &[id], place("label.pdf"));
    assert!(said(&mut desk, "Label saved to").contains("label.pdf"));
    let pdf = std::fs::read(place("label.pdf")).expect("the file");
    assert!(pdf.starts_with(b"%PDF"));

    std::fs::write(place("taken.pdf"), "somebody's").expect("a file");
    for (path, words) in [
        (place("taken.pdf"), "already"),
        (place("nowhere/label.pdf"), "folder doesn't exist"),
        (folder.path().display().to_string(), "is a folder"),
        ("label.pdf".to_owned(), "full path"),
    ] {
        save(&mut desk, &[id], path);
        let problem = desk.until("it is said", |core| {
            core.shared.path_question.as_ref()?.problem.clone()
        });
        assert!(problem.contains(words), "{problem}");
        desk.ask(SaveCommand::Cancel);
        desk.until("seen", |core| {
            core.shared.path_question.is_none().then_some(())
        });
    }
    assert_eq!(
        std::fs::read(place("taken.pdf")).expect("the file"),
        b"somebody's"
    );
}

#[test]
fn several_are_files_by_their_numbers_and_other_ones_come_beside_them() {
    let home = Home::new();
    let ids = ids(2);
    stored(&home.places.journal("practice"), &ids);
    let (_practice, mut desk) = home.open_practice();
    let folder = tempfile::tempdir().expect("a folder");
    // Somebody's other file of that name.
    std::fs::write(folder.path().join("MS900002.pdf"), "another").expect("a file");
    for _ in 0..2 {
        save(&mut desk, &ids, folder.path().display().to_string());
        said(&mut desk, "2 labels saved in");
        let notices = &mut desk.core.shared.notices.shown;
        notices.clear();
    }
    let files = std::fs::read_dir(folder.path()).expect("a folder");
    let mut names: Vec<_> = files
        .map(|file| {
            file.expect("a file")
                .file_name()
                .into_string()
                .expect("text")
        })
        .collect();
    names.sort();
    // The second time finds the same files, and makes no copies of them.
    assert_eq!(names, ["MS900001.pdf", "MS900002 (2).pdf", "MS900002.pdf"]);
    let kept = std::fs::read(folder.path().join("MS900002.pdf"));
    assert_eq!(kept.expect("the file"), b"another");
}

#[test]
fn saving_that_ends_early_says_what_was_saved_and_where_it_ended() {
    let home = Home::new();
    let ids = ids(3);
    stored(&home.places.journal("practice"), &ids[..2]);
    let (_practice, mut desk) = home.open_practice();
    let folder = tempfile::tempdir().expect("a folder");
    save(&mut desk, &ids, folder.path().display().to_string());
    let said = said(&mut desk, "2 labels saved in");
    assert!(said.contains("MS900003.pdf wasn't saved"), "{said}");
}
