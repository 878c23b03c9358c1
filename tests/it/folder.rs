//! The watched folder of orders and the outbox folder: at the window, on the wire, and killed.

mod json;
mod kills;
mod rules;
mod taking;
mod window;

use std::fs;
use std::path::{Path, PathBuf};

use app::config::OrderFolderSettings;
use practice::RunningService;
use serde_json::Value;
use shipping::CompanyLocationId;
use tempfile::TempDir;

use crate::editor::orders;
use crate::support::desk::{Desk, Home};

/// The id of the practice service's location in Sydney.
const HSYD: i64 = 7001;

/// A watched folder with an outbox folder beside it.
struct Folders(TempDir);

impl Folders {
    fn new() -> Self {
        let folders = Self(tempfile::tempdir().expect("a temporary folder"));
        fs::create_dir(folders.watched()).expect("a folder");
        folders
    }

    fn watched(&self) -> PathBuf {
        self.0.path().join("orders")
    }

    fn outbox(&self) -> PathBuf {
        self.0.path().join("results")
    }

    fn settings(&self) -> OrderFolderSettings {
        OrderFolderSettings {
            folder: self.watched(),
            outbox: Some(self.outbox()),
            sender: Some(CompanyLocationId::new(HSYD)),
            ..OrderFolderSettings::default()
        }
    }

    /// Puts a complete file into the folder, which is taken at once.
    fn put(&self, name: &str, text: &str) {
        fs::write(self.watched().join(name), text).expect("a file");
        fs::write(self.watched().join(format!("{name}.ready")), "").expect("a file");
    }

    fn names(&self, folder: &str) -> Vec<String> {
        names(&self.watched().join(folder))
    }

    /// Returns the only line of each result file, as JSON objects by column.
    fn results(&self) -> Vec<Value> {
        results(&self.outbox())
    }
}

/// Returns the names of the files in a folder without the time of taking, sorted.
fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let files = entries.map(|entry| entry.expect("an entry"));
    let files = files.filter(|entry| entry.path().is_file());
    let mut names: Vec<_> = files
        .map(|entry| entry.file_name().into_string().expect("a name"))
        .map(|name| engine::without_time(&name).to_owned())
        .collect();
    names.sort();
    names
}

/// Returns the lines of all result files, as JSON objects by column.
fn results(outbox: &Path) -> Vec<Value> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(outbox).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        let ending = path.extension().unwrap_or_default().to_owned();
        if ending == "csv" {
            let mut file = csv::Reader::from_path(&path).expect("a file");
            let columns = file.headers().expect("columns").clone();
            for line in file.records() {
                let line = line.expect("a line");
                let cells = columns.iter().zip(line.iter());
                lines.push(
                    cells
                        .map(|(name, cell)| (name.to_owned(), Value::from(cell)))
                        .collect(),
                );
            }
        } else if ending == "json" {
            let text = fs::read_to_string(&path).expect("a file");
            let all: Vec<Value> = serde_json::from_str(&text).expect("a list");
            lines.extend(all);
        }
    }
    lines
}

/// An order as CSV, with the header.
fn csv_order(reference: &str) -> String {
    orders::file(&[orders::row(reference, "Ballarat Farm", "1", "9")])
}

/// The program with these folders. Orders are sent from a saved location of the practice service.
fn open(
    folders: &Folders,
    change: impl FnOnce(&mut OrderFolderSettings),
) -> (Home, RunningService, Desk) {
    let mut home = Home::new();
    let mut settings = folders.settings();
    change(&mut settings);
    home.settings.order_folders.insert(String::new(), settings);
    let (practice, desk) = home.open_practice();
    (home, practice, desk)
}
