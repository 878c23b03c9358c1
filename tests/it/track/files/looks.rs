//! Pictures of a consignment's files, and the commands of their keys.

use app::state::{
    Command, FileError, FilePage, FilesCommand, FilesView, PathQuestion, Picture, Remote,
    SaveCommand, SaveRequest, SavedFiles, Screen, Shared, ThemeChoice, TrackCommand,
};
use egui_kittest::Harness;
use engine::EngineError;
use serde_json::json;
use shipping::{Attachment, AttachmentId, ConsignmentId};

use crate::journeys::kit::picture_showing;
use crate::journeys::screens::{Desk, data, open_in};
use crate::track::proofs::{photo, proof};
use crate::track::samples;

pub(super) const OPEN: ConsignmentId = ConsignmentId::new(200_431);
pub(super) const POD: AttachmentId = AttachmentId::new(1);

pub(super) fn listed() -> Vec<Attachment> {
    let files = json!([
        { "id": 1, "fileName": "MS200431-POD.pdf", "dateAdded": "2026-11-20T02:12:00" },
        { "id": 2, "fileName": "MS200431-photo.jpg", "dateAdded": "2026-11-20T02:12:00" },
        { "id": 3, "fileName": "", "dateAdded": "2026-11-20T02:14:00" },
    ]);
    serde_json::from_value(files).expect("files")
}

pub(super) fn shared() -> Shared {
    let mut shared = data::shared();
    shared.screen = Screen::Track;
    shared.track.page.open = Some(OPEN);
    shared.track.page.history = Remote::ready(Some(samples::followed(OPEN.get())));
    shared.track.page.files = Remote::ready(listed());
    shared
}

pub(super) fn showing(kind: &str, picture: Picture) -> Shared {
    let mut shared = shared();
    shared.track.page.file = Some(POD);
    shared.track.page.shown = Remote::ready(FilePage {
        id: POD,
        kind: kind.to_owned(),
        picture,
    });
    shared
}

pub(super) fn drawn(bytes: Vec<u8>) -> Picture {
    use printing::picture::FileFormat;
    use printing::renderer::Renderer;

    let medium = if bytes.starts_with(b"%PDF") {
        FileFormat::Pdf
    } else {
        FileFormat::Jpeg
    };
    let renderer = Renderer::new(env!("CARGO_BIN_EXE_packbench").into());
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let shown = runtime.block_on(renderer.render_picture(medium, bytes.into(), 0));
    shown.expect("a good file")
}

pub(super) fn asked(harness: &Harness<'_, Desk>) -> Vec<FilesCommand> {
    let asked = harness.state().asked.iter();
    asked
        .filter_map(|command| match command {
            Command::Track(TrackCommand::Files(command)) => Some(*command),
            _ => None,
        })
        .collect()
}

/// Returns the commands to save a file, each with the path that was typed.
pub(super) fn saves(harness: &Harness<'_, Desk>) -> Vec<(SaveRequest, Option<String>)> {
    let asked = harness.state().asked.iter();
    asked
        .filter_map(|command| match command {
            Command::Save(SaveCommand::Save(request, typed)) => {
                Some((request.clone(), typed.clone()))
            }
            _ => None,
        })
        .collect()
}

/// The question for a folder for the files of these.
pub(super) fn folder_question(ids: Vec<ConsignmentId>) -> PathQuestion {
    PathQuestion {
        request: SaveRequest::Files(ids),
        problem: None,
    }
}

#[test]
fn files_are_drawn_in_both_themes() {
    let sizes = [
        (ThemeChoice::Light, [1440.0, 900.0]),
        (ThemeChoice::Dark, [1024.0, 700.0]),
    ];
    let picture_of = |name: &str, make: &dyn Fn() -> Shared, text: &str| {
        for (theme, size) in sizes {
            let mut harness = open_in(make(), size, theme);
            harness.run();
            let name = format!("proof-{name}-{theme:?}").to_lowercase();
            picture_showing(&mut harness, &name, &[text]);
        }
    };
    picture_of("list", &shared, "MS200431-POD.pdf");
    let (pod, photo) = (drawn(proof(1)), drawn(photo(1_600, 1_200)));
    picture_of(
        "pdf",
        &|| showing("PDF, 1 page", pod.clone()),
        "PDF, 1 page",
    );
    picture_of(
        "photo",
        &|| showing("JPEG image", photo.clone()),
        "JPEG image",
    );
    picture_of(
        "refused",
        &|| {
            let mut shared = showing("", pod.clone());
            let kind = shipping::DocumentKind::Svg;
            let problem = EngineError::File(FileError::UnsupportedKind(kind));
            shared.track.page.shown = Remote::failed(problem, None);
            shared
        },
        "SVG",
    );
    let saving = |change: &dyn Fn(&mut FilesView)| {
        let mut shared = shared();
        change(&mut shared.track.files);
        shared
    };
    picture_of(
        "folder",
        &|| {
            let mut shared = shared();
            shared.path_question = Some(folder_question(vec![OPEN]));
            shared
        },
        "Folder",
    );
    picture_of(
        "saving",
        &|| saving(&|files| files.progress = Some((70, 240))),
        "70 of 240",
    );
    picture_of(
        "left-out",
        &|| {
            saving(&|files| {
                let why = ["not complete yet", "no files", "not saved: a web page"];
                let left_out = (5..30).map(|at| format!("MS{at}: {}", why[at % 3]));
                files.saved = Some(SavedFiles {
                    folder: "/home/bench/proofs".to_owned(),
                    saved: 391,
                    consignments: 215,
                    left_out: left_out.collect(),
                });
            })
        },
        "MS5: not saved: a web page",
    );
}
