//! The files of a page as they look, and what their keys ask for.

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use packbench::shipping::{Attachment, AttachmentId, ConsignmentId, StatusId};
use packbench::state::{
    Command, Editing, FileError, FileShown, FilesCommand, FilesView, PageView, Picture, Remote,
    SavedFiles, Screen, Shared, ThemeChoice, TrackCommand,
};
use packbench::work::WorkError;
use serde_json::json;

use crate::journeys::kit::{burst, chord, picture, pressed};
use crate::journeys::screens::{Desk, data, desk};
use crate::support::wire::Fault;
use crate::track::proofs::{LIST, MS7, Site, delivered, photo, proof};
use crate::track::{list, samples};

const OPEN: ConsignmentId = ConsignmentId::new(200_431);
const POD: AttachmentId = AttachmentId::new(1);

fn listed() -> Vec<Attachment> {
    let files = json!([
        { "id": 1, "fileName": "MS200431-POD.pdf", "dateAdded": "2026-11-20T02:12:00" },
        { "id": 2, "fileName": "MS200431-photo.jpg", "dateAdded": "2026-11-20T02:12:00" },
        { "id": 3, "fileName": "", "dateAdded": "2026-11-20T02:14:00" },
    ]);
    serde_json::from_value(files).expect("files")
}

fn shared() -> Shared {
    let mut shared = data::shared();
    shared.screen = Screen::Track;
    shared.track.page.open = Some(OPEN);
    shared.track.page.followed = Remote::ready(Some(samples::followed(OPEN.get())));
    shared.track.page.files = Remote::ready(listed());
    shared
}

fn showing(kind: &str, picture: Picture) -> Shared {
    let mut shared = shared();
    shared.track.page.file = Some(POD);
    shared.track.page.shown = Remote::ready(FileShown {
        id: POD,
        kind: kind.to_owned(),
        picture,
    });
    shared
}

fn drawn(bytes: Vec<u8>) -> Picture {
    use packbench::printing::picture::Medium;
    use packbench::printing::renderer::Renderer;

    let medium = if bytes.starts_with(b"%PDF") {
        Medium::Pdf
    } else {
        Medium::Jpeg
    };
    let renderer = Renderer::new(env!("CARGO_BIN_EXE_packbench").into());
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let shown = runtime.block_on(renderer.show(medium, bytes.into(), 0));
    shown.expect("a good file")
}

fn at(shared: Shared, size: [f32; 2], theme: ThemeChoice) -> Harness<'static, Desk> {
    desk(size, 1.0, theme, Desk::new(shared, Editing::default()))
}

fn light(shared: Shared) -> Harness<'static, Desk> {
    at(shared, [1440.0, 900.0], ThemeChoice::Light)
}

fn asked(harness: &Harness<'_, Desk>) -> Vec<FilesCommand> {
    let asked = harness.state().asked.iter();
    asked
        .filter_map(|command| match command {
            Command::Track(TrackCommand::Files(command)) => Some(command.clone()),
            _ => None,
        })
        .collect()
}

#[test]
fn the_proof_is_one_key_away_and_so_is_saving() {
    let mut harness = light(shared());
    burst(&mut harness, chord(Modifiers::COMMAND, Key::O));
    assert_eq!(asked(&harness), [FilesCommand::ShowFile(POD)]);
    burst(&mut harness, chord(Modifiers::COMMAND, Key::S));
    assert_eq!(
        asked(&harness).last(),
        Some(&FilesCommand::SaveFiles(vec![OPEN]))
    );
    harness.get_by_label_contains("MS200431-photo.jpg").click();
    harness.run();
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
    site.desk.core.push(TrackCommand::Open(MS7).into());
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
        let mut harness = light(shared);
        burst(&mut harness, chord(Modifiers::COMMAND, Key::O));
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
    let mut harness = light(with_proof);
    burst(&mut harness, chord(Modifiers::COMMAND, Key::O));
    let pod = FilesCommand::ShowFile(AttachmentId::new(2));
    assert_eq!(asked(&harness), [pod]);
    harness.get_by_label_contains("Proof");
    let mut without = shared();
    without.track.page.files = Remote::ready(named(&["a.jpg", "b.jpg", "c.jpg"]));
    let mut harness = light(without);
    harness.get_by_label_contains("Files (3)");
    burst(&mut harness, chord(Modifiers::COMMAND, Key::O));
    assert_eq!(asked(&harness), [FilesCommand::ShowFile(POD)]);
}

#[test]
fn no_proof_is_promised_of_what_is_delivered_already() {
    let mut none = shared();
    none.track.page.files = Remote::ready(Vec::new());
    let mut harness = light(none);
    harness.get_by_label("None yet: proofs come once it is delivered");
    for over in [StatusId::COMPLETE, StatusId::CANCELLED] {
        let mut followed = samples::followed(OPEN.get());
        followed.row.status = samples::status(over.get());
        harness.state_mut().shared.track.page.followed = Remote::ready(Some(followed));
        harness.run();
        harness.get_by_label("No files");
    }
}

#[test]
fn many_are_saved_from_the_table_with_their_folder_their_progress_and_what_was_left_out() {
    let mut window = list::open(list::shared(240));
    list::to_the_table(&mut window);
    burst(&mut window, chord(Modifiers::COMMAND, Key::A));
    burst(&mut window, chord(Modifiers::COMMAND, Key::S));
    let ids: Vec<_> = (list::FIRST..list::FIRST + 240)
        .rev()
        .map(ConsignmentId::new)
        .collect();
    assert_eq!(asked(&window), [FilesCommand::SaveFiles(ids.clone())]);
    let says = |window: &mut list::Window, change: &dyn Fn(&mut FilesView)| {
        window.state_mut().asked.clear();
        change(&mut window.state_mut().shared.track.files);
        window.run();
    };
    says(&mut window, &|files| {
        files.of.clone_from(&ids);
        files.needs_folder = true;
    });
    window.event(egui::Event::Text("/tmp/proofs".to_owned()));
    window.run();
    burst(&mut window, pressed(Key::Enter));
    let saved = FilesCommand::SaveFilesIn(ids.clone(), "/tmp/proofs".to_owned());
    assert_eq!(asked(&window), [saved]);
    says(&mut window, &|files| {
        files.needs_folder = false;
        files.progress = Some((70, 240));
    });
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
    burst(&mut window, pressed(Key::Escape));
    assert_eq!(asked(&window), [FilesCommand::ForgetSaved]);
}

#[test]
fn the_viewer_is_worked_by_keys_alone() {
    let mut one = drawn(proof(2));
    one.pages = 2;
    let mut harness = light(showing("PDF, 2 pages", one));
    burst(&mut harness, pressed(Key::PageDown));
    assert_eq!(asked(&harness).last(), Some(&FilesCommand::FilePage(1)));
    burst(&mut harness, chord(Modifiers::COMMAND, Key::S));
    assert_eq!(
        asked(&harness).last(),
        Some(&FilesCommand::SaveFiles(vec![OPEN]))
    );
    burst(&mut harness, pressed(Key::Plus));
    burst(&mut harness, pressed(Key::Escape));
    assert_eq!(asked(&harness).last(), Some(&FilesCommand::CloseFile));
}

#[test]
fn behind_the_last_page_comes_the_next_file() {
    let mut harness = light(showing("JPEG picture", drawn(photo(300, 200))));
    burst(&mut harness, pressed(Key::PageDown));
    assert_eq!(
        asked(&harness).last(),
        Some(&FilesCommand::ShowFile(AttachmentId::new(2)))
    );
}

#[test]
fn a_folder_is_typed_where_there_is_no_dialog() {
    let mut shared = shared();
    shared.track.files = FilesView {
        of: vec![OPEN],
        needs_folder: true,
        ..FilesView::default()
    };
    let mut harness = light(shared);
    harness.event(egui::Event::Text("/tmp/proofs".to_owned()));
    harness.run();
    burst(&mut harness, pressed(Key::Enter));
    let saved = FilesCommand::SaveFilesIn(vec![OPEN], "/tmp/proofs".to_owned());
    assert_eq!(asked(&harness), [saved]);
}

#[test]
fn pictures_of_proofs() {
    let sizes = [
        (ThemeChoice::Light, [1440.0, 900.0]),
        (ThemeChoice::Dark, [1024.0, 700.0]),
    ];
    let picture_of = |name: &str, make: &dyn Fn() -> Shared| {
        for (theme, size) in sizes {
            let mut harness = at(make(), size, theme);
            harness.run();
            picture(
                &mut harness,
                &format!("proof-{name}-{theme:?}").to_lowercase(),
            );
        }
    };
    picture_of("list", &shared);
    let (pod, photo) = (drawn(proof(1)), drawn(photo(1_600, 1_200)));
    picture_of("pdf", &|| showing("PDF, 1 page", pod.clone()));
    picture_of("photo", &|| showing("JPEG picture", photo.clone()));
    picture_of("refused", &|| {
        let mut shared = showing("", pod.clone());
        let kind = packbench::shipping::DocumentKind::Svg;
        let problem = WorkError::File(FileError::NotShown(kind));
        shared.track.page.shown = Remote::failed(problem, None);
        shared
    });
    let saving = |change: &dyn Fn(&mut FilesView)| {
        let mut shared = shared();
        shared.track.files.of = (1..=240).map(ConsignmentId::new).collect();
        change(&mut shared.track.files);
        shared
    };
    picture_of("folder", &|| saving(&|files| files.needs_folder = true));
    picture_of("saving", &|| {
        saving(&|files| files.progress = Some((70, 240)))
    });
    picture_of("left-out", &|| {
        saving(&|files| {
            let why = ["not complete yet", "no files", "is a web page, not saved"];
            let left_out = (5..30).map(|at| format!("MS{at}: {}", why[at % 3]));
            files.saved = Some(SavedFiles {
                folder: "/home/bench/proofs".to_owned(),
                saved: 391,
                consignments: 215,
                left_out: left_out.collect(),
            });
        })
    });
}
