//! Downloaded files: listed, shown, and saved under names of our own.

mod keys;
mod looks;

use app::state::{FilesCommand, PageCommand, SaveCommand, SaveRequest};
use shipping::{AttachmentId, ConsignmentId};

use super::proofs::{FILES, MS7, Site, delivered, file_answer, photo, proof, size, zipped};
use crate::support::wire::{Then, answer};

/// The page of a consignment for which these files are listed and these bytes are sent.
fn with_files(listed: &[&str], sent: &[u8]) -> Site {
    let mut site = Site::open();
    site.lists(listed);
    site.sends(sent);
    site.open_page();
    site
}

#[test]
fn a_proof_is_shown_page_by_page_from_one_fetch() {
    let mut site = Site::open();
    site.lists(&["MS7-POD.pdf", "MS7-photo.jpg"]);
    let (pod, picture) = (proof(2), photo(3_000, 1_500));
    // The other way round than listed: names tell.
    site.sends(&zipped(&[
        ("MS7-photo.jpg", &picture),
        ("MS7-POD.pdf", &pod),
    ]));
    site.open_page();
    assert_eq!(site.show("the proof").as_deref(), Ok("PDF, 2 pages"));
    // A4 at 150 dots an inch.
    assert_eq!(size(&site.desk.core), Some((1_240, 1_754)));
    site.do_it(FilesCommand::FilePage(1));
    let page = site.desk.until("the second page", |core| {
        let page = &core.shared.track.page;
        (!page.shown.is_loading()).then(|| page.shown.value().map(|shown| shown.picture.page))?
    });
    assert_eq!(page, 1);
    site.do_it(FilesCommand::ShowFile(AttachmentId::new(46)));
    assert_eq!(site.shown("the photo").as_deref(), Ok("JPEG image"));
    assert_eq!(
        size(&site.desk.core),
        Some((2_048, 1_024)),
        "a screen's size"
    );
    assert_eq!(site.wire.count(FILES), 1, "fetched once");
    site.do_it(FilesCommand::CloseFile);
    assert!(site.desk.core.shared.track.page.shown.value().is_none());
}

#[test]
fn files_whose_names_tell_nothing_are_saved_and_not_shown_under_each_others_names() {
    let (pod, picture) = (proof(1), photo(60, 30));
    let sent = zipped(&[("1.jpg", &picture), ("2.pdf", &pod)]);
    let mut site = with_files(&["signature.jpg", "damage.jpg"], &sent);
    let said = site.show("the signature").expect_err("which is it?");
    assert!(said.contains("can't tell which file is which"), "{said}");
    let (names, left_out) = site.save("both", &[MS7]);
    assert_eq!(names, ["POD-MS7-1.jpg", "POD-MS7-2.pdf"]);
    assert!(left_out.is_empty(), "{left_out:?}");
    // One alone is all that it can be.
    site.wire.heal();
    site.has(&[delivered(7, 2)]);
    site.lists(&["signature.jpg", "damage.jpg"]);
    site.sends(&zipped(&[("1.jpg", &picture), ("signature.jpg", &picture)]));
    site.do_it(PageCommand::Refresh);
    site.open_page();
    assert_eq!(site.show("the signature").as_deref(), Ok("JPEG image"));
    site.do_it(FilesCommand::ShowFile(AttachmentId::new(46)));
    assert_eq!(site.shown("the damage").as_deref(), Ok("JPEG image"));
}

#[test]
fn a_photograph_is_shown_upright() {
    let mut site = Site::open();
    site.lists(&["photo.jpg"]);
    let mut turned = photo(60, 30);
    // What a camera held on its side writes: APP1, Exif, orientation 6.
    let exif = b"\xFF\xE1\x00\x22Exif\0\0MM\0\x2A\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    turned.splice(2..2, exif.iter().copied());
    site.sends(&turned);
    site.open_page();
    assert_eq!(site.show("the photo").as_deref(), Ok("JPEG image"));
    assert_eq!(size(&site.desk.core), Some((30, 60)));
}

#[test]
fn files_are_saved_under_names_of_our_own_and_nothing_is_replaced() {
    let (pod, picture) = (proof(1), photo(60, 30));
    let sent = zipped(&[("x.pdf", &pod), ("y.jpg", &picture)]);
    let mut site = with_files(&["x.pdf", "y.jpg"], &sent);
    let folder = site.home.places.data().join("proofs");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("POD-MS7-1.pdf"), "somebody's").expect("a file");
    let (names, left_out) = site.save("proofs", &[MS7]);
    let expected = ["POD-MS7-1 (2).pdf", "POD-MS7-1.pdf", "POD-MS7-2.jpg"];
    assert_eq!(
        (names.as_slice(), left_out.len()),
        (&expected.map(String::from)[..], 0)
    );
    let read = |name: &str| std::fs::read(folder.join(name)).expect("it is there");
    assert_eq!(read("POD-MS7-1.pdf"), b"somebody's");
    assert_eq!(read("POD-MS7-1 (2).pdf"), pod);
    assert_eq!(read("POD-MS7-2.jpg"), picture);
    let (again, _) = site.save("proofs", &[MS7]);
    assert_eq!(again, names, "what is there already is not saved twice");
    let headline = site
        .desk
        .core
        .shared
        .notices
        .shown
        .last()
        .map(|(_, notice)| notice.headline.clone());
    assert!(headline.is_some_and(|words| words.starts_with("2 files saved in /")));
}

#[test]
fn without_a_file_dialog_a_folder_is_typed_and_what_is_wrong_with_it_is_said() {
    let mut site = Site::open();
    site.lists(&["x.pdf"]);
    site.sends(&proof(1));
    let files = SaveRequest::Files(vec![MS7]);
    site.do_it(SaveCommand::Save(files.clone(), None));
    assert!(site.desk.core.shared.path_question.is_some());
    site.do_it(SaveCommand::Save(files, Some("proofs".to_owned())));
    let problem = site.desk.until("a problem", |core| {
        core.shared.path_question.as_ref()?.problem.clone()
    });
    assert_eq!(problem, "Enter the full path, starting with the drive or /");
    assert_eq!(site.wire.count(FILES), 0, "nothing was fetched for it");
    site.do_it(SaveCommand::Cancel);
    assert!(site.desk.core.shared.path_question.is_none());
}

#[test]
fn many_are_saved_by_tens_and_what_is_left_out_says_why() {
    let mut site = Site::open();
    let mut all: Vec<_> = (101..=112).map(|id| delivered(id, 1)).collect();
    all[3]["status"]["id"] = 5.into();
    all[3]["attachmentCount"] = 0.into();
    all[4]["attachmentCount"] = 0.into();
    // Photographs of the damage.
    all[5]["status"]["id"] = 9.into();
    site.has(&all);
    let pod = proof(1);
    let asked: Vec<i64> = (101..=112).filter(|id| ![104, 105].contains(id)).collect();
    let names: Vec<String> = asked.iter().map(|id| format!("MS{id}-POD.pdf")).collect();
    let files: Vec<_> = names
        .iter()
        .map(|name| (name.as_str(), pod.as_slice()))
        .collect();
    site.sends(&zipped(&files));
    let ids: Vec<_> = (101..=113).map(ConsignmentId::new).collect();
    let (saved, left_out) = site.save("many", &ids);
    assert_eq!(saved.len(), 10);
    assert_eq!(saved[0], "POD-MS101-1.pdf");
    let expected = [
        "MS104: not complete yet",
        "MS105: no files",
        "MS113: no longer at the service",
    ];
    assert_eq!(left_out, expected);
    assert_eq!(site.wire.count(FILES), 1, "ten in one call");
}

#[test]
fn where_names_do_not_tell_whose_a_file_is_each_is_asked_for_alone() {
    let mut site = Site::open();
    site.has(&[delivered(7, 1), delivered(8, 1)]);
    let (one, other) = (proof(1), proof(2));
    let both = file_answer(&zipped(&[("a.pdf", &one), ("b.pdf", &other)]), Then::Close);
    site.wire.fail("ids=7&ids=8", both);
    site.wire.fail("ids=7", file_answer(&one, Then::Close));
    let page = b"<html><script>alert(1)</script>";
    site.wire.fail(
        "ids=8",
        file_answer(&zipped(&[("b.pdf", page)]), Then::Close),
    );
    let (saved, left_out) = site.save("two", &[MS7, ConsignmentId::new(8)]);
    assert_eq!(saved, ["POD-MS7-1.pdf"]);
    assert_eq!(left_out, ["MS8: not saved: a web page"]);
}

#[test]
fn what_is_saved_can_be_stopped_and_a_service_that_goes_away_ends_it() {
    let mut site = Site::open();
    site.has(&[delivered(7, 1)]);
    site.wire
        .fail(FILES, answer("401 Unauthorized", "text/plain", ""));
    let (saved, said) = site.save("none", &[MS7]);
    assert!(saved.is_empty());
    assert!(said[0].contains("token"), "{said:?}");
    site.wire.heal();
    let many: Vec<_> = (1..=40).map(|id| delivered(id, 1)).collect();
    site.has(&many);
    site.wire.fail(FILES, file_answer(&proof(1), Then::Close));
    let ids: Vec<_> = (1..=40).map(ConsignmentId::new).collect();
    let folder = site.home.places.data().join("stopped");
    std::fs::create_dir_all(&folder).expect("a folder");
    let typed = folder.display().to_string();
    let files = SaveRequest::Files(ids);
    site.desk.ask(SaveCommand::Save(files, Some(typed)));
    site.desk.ask(FilesCommand::StopSaving);
    let said = site
        .desk
        .until("stopped", |core| core.shared.track.files.saved.clone());
    assert!(said.saved < 40, "{said:?}");
    let stopped = said.left_out.iter().filter(|why| why.contains("stopped"));
    assert!(stopped.count() > 0, "{said:?}");
}
