//! A service with files of delivered consignments, and a bench; the test decides which files arrive.

use std::io::{Cursor, Write as _};
use std::sync::Arc;
use std::time::Duration;

use app::Core;
use app::state::{Command, FilesCommand, Notice, SaveCommand, SaveRequest, TrackCommand};
use client::AvailabilityPolicy;
use practice::RunningService;
use serde_json::{Value, json};
use shipping::{AttachmentId, ConsignmentId};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::support::desk::{Desk, Home};
use crate::support::labels::pdf;
use crate::support::wire::{Fault, Then, Wire, answer};

pub(super) const LIST: &str = "consignments/getAttachments";
pub(super) const FILES: &str = "getAttachmentsByConsignmentIds";
pub(super) const MS7: ConsignmentId = ConsignmentId::new(7);
pub(super) const FIRST: AttachmentId = AttachmentId::new(45);

/// A bench, and a service that answers as it is told.
pub(super) struct Site {
    pub(super) desk: Desk,
    pub(super) wire: Wire,
    pub(super) home: Home,
    _practice: RunningService,
}

impl Site {
    pub(super) fn open() -> Self {
        Self::at(Home::new())
    }

    pub(super) fn at(home: Home) -> Self {
        let practice = home.practise();
        let wire = Wire::before(practice.address());
        let mut service = Home::service(wire.base_url(), practice.token());
        service.limits.file = Duration::from_millis(1_500);
        service.patience = AvailabilityPolicy {
            failures: u32::MAX,
            ..AvailabilityPolicy::default()
        };
        let desk = home.open(&service);
        Self {
            desk,
            wire,
            home,
            _practice: practice,
        }
    }

    /// The service has these consignments.
    pub(super) fn has(&self, consignments: &[Value]) {
        let many = json!({ "object": consignments, "errors": null }).to_string();
        self.wire.fail("returnConsignments", json_answer(&many));
        let one = json!({ "object": consignments[0], "errors": null }).to_string();
        self.wire.fail("getConsignment?", json_answer(&one));
    }

    /// MS7 is delivered, and these files are listed for it.
    pub(super) fn lists(&self, names: &[&str]) {
        self.has(&[delivered(7, names.len())]);
        let listed = (45..).zip(names).map(
            |(id, name)| json!({ "id": id, "fileName": name, "dateAdded": "2026-11-20T02:00:00" }),
        );
        let listed: Vec<Value> = listed.collect();
        let list = json!({ "object": listed, "errors": null }).to_string();
        self.wire.fail(LIST, json_answer(&list));
    }

    /// These bytes come when files are asked for.
    pub(super) fn sends(&self, bytes: &[u8]) {
        self.wire.fail(FILES, file_answer(bytes, Then::Close));
    }

    pub(super) fn do_it(&mut self, command: impl Into<Command>) {
        self.desk.ask(command);
        self.desk.turn();
        self.desk.turn();
    }

    /// Opens MS7's page and waits for its list of files.
    pub(super) fn open_page(&mut self) {
        self.desk.ask(TrackCommand::Open(MS7));
        self.desk.until("its files are listed", |core| {
            core.shared.track.page.files.value().map(|_| ())
        });
    }

    /// Shows its first file, and answers what it is, or what is said of it.
    #[track_caller]
    pub(super) fn show(&mut self, what: &str) -> Result<String, String> {
        self.do_it(FilesCommand::ShowFile(FIRST));
        self.shown(what)
    }

    #[track_caller]
    pub(super) fn shown(&mut self, what: &str) -> Result<String, String> {
        self.desk.until(what, |core| {
            let shown = &core.shared.track.page.shown;
            if shown.is_loading() {
                return None;
            }
            if let Some(problem) = shown.problem() {
                return Some(Err(Notice::failed("It is not shown", problem).advice));
            }
            shown.value().map(|shown| Ok(shown.kind.clone()))
        })
    }

    /// Saves the files of these in a new folder; answers its names, and what is said of it.
    #[track_caller]
    pub(super) fn save(
        &mut self,
        folder: &str,
        ids: &[ConsignmentId],
    ) -> (Vec<String>, Vec<String>) {
        let folder = self.home.places.data().join(folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        let typed = folder.display().to_string();
        let files = SaveRequest::Files(ids.to_vec());
        self.do_it(SaveCommand::Save(files, Some(typed)));
        let said = self.desk.until("saved, or not", |core| {
            let files = &core.shared.track.files;
            if files.progress.is_some() {
                return None;
            }
            let question = core.shared.path_question.as_ref();
            let problem = question.and_then(|question| question.problem.clone());
            let problem = problem.map(|problem| vec![problem]);
            problem.or_else(|| Some(files.saved.clone()?.left_out))
        });
        (names(&folder), said)
    }
}

/// The names of all files in a folder, sorted.
pub(super) fn names(folder: &std::path::Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        let name = entry.expect("an entry").file_name();
        name.to_string_lossy().into_owned()
    };
    let mut names: Vec<String> = entries.map(name).collect();
    names.sort();
    names
}

/// A consignment that its receiver has, with so many files.
pub(super) fn delivered(id: i64, files: usize) -> Value {
    json!({
        "id": id, "consignmentNumber": format!("MS{id}"), "attachmentCount": files,
        "status": { "id": 7, "name": "Complete" }, "toName": "Kings Park Nursery",
    })
}

fn json_answer(body: &str) -> Fault {
    answer("200 OK", "application/json", body)
}

/// Bytes of no telling media type.
pub(super) fn file_answer(bytes: &[u8], then: Then) -> Fault {
    let length = bytes.len();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    );
    Fault::Bytes(Arc::from([head.as_bytes(), bytes].concat()), then)
}

/// A proof of so many pages.
pub(super) fn proof(pages: usize) -> Vec<u8> {
    let page = |at| format!("BT /F1 24 Tf 40 700 Td (Received, page {}) Tj ET", at + 1);
    pdf((595.0, 842.0), &(0..pages).map(page).collect::<Vec<_>>())
}

/// A photograph of this size.
pub(super) fn photo(width: u32, height: u32) -> Vec<u8> {
    let shade = |at: u32| at.to_le_bytes()[0];
    let dot = |x, y| image::Rgb([shade(x), shade(y), 90]);
    let image = image::RgbImage::from_fn(width, height, dot);
    let mut bytes = Cursor::new(Vec::new());
    image
        .write_to(&mut bytes, image::ImageFormat::Jpeg)
        .expect("a photograph");
    bytes.into_inner()
}

/// An archive of these.
pub(super) fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let options = SimpleFileOptions::default();
        archive.start_file(*name, options).expect("an entry");
        archive.write_all(bytes).expect("its bytes");
    }
    archive.finish().expect("an archive").into_inner()
}

/// What is shown of the page's file, as far as it came.
pub(super) fn size(core: &Core) -> Option<(u32, u32)> {
    let shown = core.shared.track.page.shown.value()?;
    Some((shown.picture.width, shown.picture.height))
}
