//! Files by keyboard: commands, messages, and what is not promised.

use app::state::{
    FilesCommand, FilesView, PageView, Remote, SaveRequest, SavedFiles, TrackCommand,
};
use egui_kittest::kittest::Queryable as _;
use serde_json::json;
use shipping::{Attachment, AttachmentId, ConsignmentId, StatusId};

use crate::journeys::screens::open;
use crate::support::keyboard::{click_containing, type_keys};
use crate::support::wire::Fault;
use crate::track::proofs::{LIST, MS7, Site, delivered, photo, proof};
use crate::track::{list, samples};

use super::looks::{OPEN, POD, asked, drawn, folder_question, listed, saves, shared, showing};

#[test]
fn the_proof_is_one_key_away_and_so_is_saving() {
    let mut harness = open(shared());
    type_keys(&mut harness, "<Alt+O>");
    assert_eq!(asked(&harness), [FilesCommand::ShowFile(POD)]);
    type_keys(&mut harness, "<Ctrl+S>");
    assert_eq!(saves(&harness), [(SaveRequest::Files(vec![OPEN]), None)]);
    click_containing(&mut harness, "MS200431-photo.jpg");
    assert_eq!(
        asked(&harness).last(),
        Some(&FilesCommand::ShowFile(AttachmentId::new(2)))
    );
}

/// MS7's page, the list of its files on its way and not there yet.
fn still_listing() -> (Site, PageView) {
    let mut site = Site::open();
    site.has(&[delivered(7, 1)]);
    let silence = Fault::Silence(std::time::Duration::from_secs(30));
    site.wire.fail(LIST, silence);
    site.desk.ask(TrackCommand::Open(MS7));
    site.desk.until("its files are asked for", |core| {
        core.shared.track.page.files.is_loading().then_some(())
    });
    let page = std::mem::take(&mut site.desk.core.shared.track.page);
    (site, page)
}

#[test]
fn a_proof_that_was_asked_for_before_the_list_came_is_that_pages_and_no_others() {
    for (then, shown) in [(MS7, &[FilesCommand::ShowFile(POD)][..]), (OPEN, &[])] {
        let (_site, page) = still_listing();
        let mut shared = shared();
        shared.track.page = page;
        let mut harness = open(shared);
        type_keys(&mut harness, "<Alt+O>");
        assert_eq!(asked(&harness), []);
        harness.state_mut().shared.track.page = PageView {
            open: Some(then),
            files: Remote::ready(listed()),
            ..PageView::default()
        };
        harness.run();
        assert_eq!(asked(&harness), shown);
    }
}

fn named(names: &[&str]) -> Vec<Attachment> {
    let files = (1..).zip(names);
    let files = files.map(|(id, name)| json!({ "id": id, "fileName": name }));
    serde_json::from_value(files.collect()).expect("files")
}

#[test]
fn the_proof_is_what_is_named_one_and_other_files_are_called_files() {
    let mut with_proof = shared();
    with_proof.track.page.files = Remote::ready(named(&["damage.jpg", "MS200431-POD.pdf"]));
    let mut harness = open(with_proof);
    type_keys(&mut harness, "<Alt+O>");
    let pod = FilesCommand::ShowFile(AttachmentId::new(2));
    assert_eq!(asked(&harness), [pod]);
    harness.get_by_label_contains("Proof");
    let mut without = shared();
    without.track.page.files = Remote::ready(named(&["a.jpg", "b.jpg", "c.jpg"]));
    let mut harness = open(without);
    harness.get_by_label_contains("Files (3)");
    type_keys(&mut harness, "<Alt+O>");
    assert_eq!(asked(&harness), [FilesCommand::ShowFile(POD)]);
}

#[test]
fn a_proof_is_what_is_named_so_then_a_pdf_and_else_nothing() {
    let mut harness = open(shared());
    for (names, found) in [
        (&["damage.jpg", "MS7-POD.pdf"][..], Some(2)),
        (&["invoice.pdf", "pod_7.jpg"], Some(2)),
        (&["POD7.jpg", "MS7POD.PDF"], Some(2)),
        (&["pod.jpg", "pod.pdf", "pod.pdf"], Some(2)),
        (&["ProofOfDelivery.png", "a.pdf"], Some(1)),
        (&["a.jpg", "b.pdf", "c.pdf"], Some(2)),
        (&["podium.jpg", "tripod.png", ""], None),
    ] {
        harness.state_mut().shared.track.page.files = Remote::ready(named(names));
        harness.state_mut().asked.clear();
        harness.run();
        let is_called_proof = harness.query_all_by_label("Proof").count() > 0;
        assert_eq!(is_called_proof, found.is_some(), "{names:?}");
        type_keys(&mut harness, "<Alt+O>");
        let shown = FilesCommand::ShowFile(AttachmentId::new(found.unwrap_or(1)));
        assert_eq!(asked(&harness), [shown], "{names:?}");
    }
}

#[test]
fn no_proof_is_promised_of_what_is_delivered_already() {
    let mut none = shared();
    none.track.page.files = Remote::ready(Vec::new());
    let mut harness = open(none);
    harness.get_by_label("None yet. Proof of delivery appears after delivery");
    for over in [StatusId::COMPLETE, StatusId::CANCELLED] {
        let mut followed = samples::followed(OPEN.get());
        followed.row.status = samples::status(over.get());
        harness.state_mut().shared.track.page.history = Remote::ready(Some(followed));
        harness.run();
        harness.get_by_label("No files");
    }
}

#[test]
fn many_are_saved_from_the_table_with_their_folder_their_progress_and_what_was_left_out() {
    let mut window = list::open(list::shared(240));
    list::to_the_table(&mut window);
    type_keys(&mut window, "<Ctrl+A><Ctrl+S>");
    let ids: Vec<_> = (list::FIRST..list::FIRST + 240)
        .rev()
        .map(ConsignmentId::new)
        .collect();
    let files = SaveRequest::Files(ids.clone());
    assert_eq!(saves(&window), [(files.clone(), None)]);
    let says = |window: &mut list::Window, change: &dyn Fn(&mut FilesView)| {
        window.state_mut().asked.clear();
        change(&mut window.state_mut().shared.track.files);
        window.run();
    };
    window.state_mut().shared.path_question = Some(folder_question(ids.clone()));
    says(&mut window, &|files| files.of.clone_from(&ids));
    window.run();
    window.event(egui::Event::Text("/tmp/proofs".to_owned()));
    window.run();
    type_keys(&mut window, "<Enter>");
    assert_eq!(saves(&window), [(files, Some("/tmp/proofs".to_owned()))]);
    window.state_mut().shared.path_question = None;
    says(&mut window, &|files| files.progress = Some((70, 240)));
    assert!(window.query_all_by_label("Saving files").count() > 0);
    assert!(window.query_all_by_label("70 of 240 consignments").count() > 0);
    says(&mut window, &|files| {
        files.progress = None;
        files.saved = Some(SavedFiles {
            folder: "/tmp/proofs".to_owned(),
            saved: 391,
            consignments: 238,
            left_out: vec!["MS200004: no files".to_owned()],
        });
    });
    window.get_by_label("391 files of 238 consignments saved in /tmp/proofs");
    window.get_by_label("MS200004: no files");
    type_keys(&mut window, "<Esc>");
    assert_eq!(asked(&window), [FilesCommand::ForgetSaved]);
}

#[test]
fn the_viewer_is_worked_by_keys_alone() {
    let mut one = drawn(proof(2));
    one.pages = 2;
    let mut harness = open(showing("PDF, 2 pages", one));
    type_keys(&mut harness, "<PageDown>");
    assert_eq!(asked(&harness).last(), Some(&FilesCommand::FilePage(1)));
    type_keys(&mut harness, "<Ctrl+S>");
    assert_eq!(saves(&harness), [(SaveRequest::Files(vec![OPEN]), None)]);
    type_keys(&mut harness, "<Plus><Esc>");
    assert_eq!(asked(&harness).last(), Some(&FilesCommand::CloseFile));
}

#[test]
fn behind_the_last_page_comes_the_next_file() {
    let mut harness = open(showing("JPEG image", drawn(photo(300, 200))));
    type_keys(&mut harness, "<PageDown>");
    assert_eq!(
        asked(&harness).last(),
        Some(&FilesCommand::ShowFile(AttachmentId::new(2)))
    );
}

#[test]
fn a_folder_is_typed_where_there_is_no_dialog() {
    let mut shared = shared();
    shared.path_question = Some(folder_question(vec![OPEN]));
    let mut harness = open(shared);
    harness.run();
    harness.event(egui::Event::Text("/tmp/proofs".to_owned()));
    harness.run();
    type_keys(&mut harness, "<Enter>");
    let saved = (
        SaveRequest::Files(vec![OPEN]),
        Some("/tmp/proofs".to_owned()),
    );
    assert_eq!(saves(&harness), [saved]);
}
