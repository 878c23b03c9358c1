//! The support bundle: files for remote support, without tokens and without data of senders and receivers.

use std::fs::{self, File};
use std::io::{self, Cursor, Write as _};
use std::path::Path;

use printing::queue::QueueInfo;
use serde_json::{Value, json};
use storage::Journal;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::config::{DataFolder, SystemInfo};
use crate::log_file::sorted_files;

/// Number of operations of each journal.
const OPERATIONS: u32 = 200;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SupportBundle {
    pub files: Vec<BundledFile>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BundledFile {
    pub name: String,
    pub text: String,
    pub line_count: usize,
}

impl SupportBundle {
    /// Collects the files. `findings` are the doctor's lines; `queues` are the printers as the system describes them.
    pub fn collect(
        places: &DataFolder,
        system_info: &SystemInfo,
        findings: &str,
        queues: &[QueueInfo],
    ) -> Self {
        let mut bundle = Self::default();
        bundle.add("doctor.txt", findings);
        bundle.add("printers.json", format!("{:#}", json!(queues)));
        let system = json!({
            "version": system_info.version,
            "system": std::env::consts::OS,
            "processor": std::env::consts::ARCH,
            "graphics": system_info.graphics.label(),
            "zone": system_info.zone,
        });
        bundle.add("system.json", format!("{system:#}"));
        if let Ok(settings) = fs::read(places.settings()) {
            bundle.add(
                "settings.json",
                without_people(serde_json::from_slice(&settings).ok()),
            );
        }
        if let Ok(settings) = fs::read_to_string(places.machine_settings()) {
            let settings = without_people(toml::from_str(&settings).ok());
            bundle.add("machine-settings.json", settings);
        }
        for folder in [places.logs(), places.crashes()] {
            for file in sorted_files(&folder).unwrap_or_default() {
                bundle.add_file(&file);
            }
        }
        for journal in sorted_files(places.data()).unwrap_or_default() {
            let name = journal.file_name().unwrap_or_default().to_string_lossy();
            let Some(service) = name
                .strip_prefix("journal-")
                .and_then(|name| name.strip_suffix(".sqlite"))
            else {
                continue;
            };
            // The store of Track is no journal.
            if let Ok(operations) = Journal::outline(&journal, OPERATIONS) {
                let name = format!("operations-{service}.json");
                bundle.add(&name, format!("{:#}", json!(operations)));
            }
        }
        match &system_info.home {
            // The home folder of a service user can be the root folder.
            Some(home) if home.parent().is_some() => bundle.without_home(home),
            _ => bundle,
        }
    }

    /// Writes the bundle as a ZIP file, which must not exist yet.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let zip = self.to_zip()?;
        File::create_new(path)?.write_all(&zip)
    }

    pub(crate) fn to_zip(&self) -> io::Result<Vec<u8>> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for file in &self.files {
            archive.start_file(file.name.as_str(), SimpleFileOptions::default())?;
            archive.write_all(file.text.as_bytes())?;
        }
        Ok(archive.finish()?.into_inner())
    }

    fn add(&mut self, name: &str, text: impl Into<String>) {
        let text = text.into();
        self.files.push(BundledFile {
            name: name.to_owned(),
            line_count: text.lines().count(),
            text,
        });
    }

    /// Adds a file below its folder's name: `logs/2026-11-26.log`.
    fn add_file(&mut self, path: &Path) {
        let mut steps = path.iter().rev().map(|step| step.to_string_lossy());
        let (name, folder) = (steps.next(), steps.next());
        if let (Some(name), Some(folder), Ok(content)) = (name, folder, fs::read(path)) {
            let text = String::from_utf8_lossy(&content);
            self.add(&format!("{folder}/{name}"), text);
        }
    }

    /// Replaces the path of the home folder, which often contains a person's name, by `~`.
    fn without_home(mut self, home: &Path) -> Self {
        let plain = home.display().to_string();
        // As it is written in JSON.
        let escaped = plain.replace('\\', "\\\\");
        for file in &mut self.files {
            for path in [&plain, &escaped] {
                file.text = without_path(&file.text, path);
            }
        }
        self
    }
}

/// Replaces a path by `~`, but not the beginning of a longer name.
fn without_path(text: &str, path: &str) -> String {
    let mut parts = text.split(path);
    let mut without = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let goes_on = part.starts_with(|next: char| next.is_alphanumeric() || "._-".contains(next));
        without.push_str(if goes_on { path } else { "~" });
        without.push_str(part);
    }
    without
}

/// Returns settings without names of people, and with presets only counted: those contain instructions, and may contain
/// the token of a service's printer.
fn without_people(settings: Option<Value>) -> String {
    let Some(mut settings) = settings else {
        return "can't be read".to_owned();
    };
    for place in ["/staff", "/bench/staff", "/set_by"] {
        if let Some(name) = settings.pointer_mut(place) {
            *name = json!("…");
        }
    }
    if let Some(presets) = settings.get_mut("presets") {
        *presets = json!(presets.as_array().map_or(0, Vec::len));
    }
    format!("{settings:#}")
}
