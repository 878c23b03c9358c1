//! The bench's settings: its name, connections and printers. One small JSON file that never contains a token.
//!
//! Invariant: a settings file written by an older Packbench can still be read.

use std::io::ErrorKind;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use thiserror::Error;

use super::board::BoardSettings;
use super::connections::{ChosenService, ConnectionSettings};
use super::data_folder::{DataFolder, write_private};
use super::tracking_scope::TrackingScopes;
use printing::profile::{DocumentKind, PrinterProfile};
use shipping::{CompanyId, CompanyLocationId, PrinterId};

/// Why the settings cannot be read or written.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// The file cannot be read or written.
    #[error("the settings file cannot be used ({0})")]
    File(ErrorKind),
    /// The content is not valid; the file was renamed to `settings.bad`.
    #[error("the settings could not be read and were set aside as settings.bad")]
    SetAside,
}

/// The colour theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ThemeChoice {
    /// Follows the operating system.
    #[default]
    System,
    Light,
    Dark,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The bench's name: shown in the top bar, and part of the keys that consignments carry.
    pub bench: String,
    /// Six random letters and digits. They tell the keys of benches with the same name apart. Empty until the
    /// first start, see [`Settings::ensure_installation_id`].
    pub installation: String,
    /// Name of the person who packs; may be empty.
    pub staff: String,
    /// Connections to the user's own services.
    pub connections: Vec<ConnectionSettings>,
    /// The service that the bench works with; `None` before the first choice.
    pub chosen: Option<ChosenService>,
    /// The company that the bench works for at the practice service; each connection has its own.
    pub company: Option<CompanyId>,
    /// Saved locations that new consignments start with at the practice service; each connection has its own.
    pub senders: Vec<CompanyLocationId>,
    /// The printers that were set up.
    pub printers: Vec<PrinterProfile>,
    /// Name of the printer for item labels. The profiles say which printer prints the other documents.
    pub label_printer: Option<String>,
    /// Percent above the cheapest price from which Packbench asks before sending; `None` never asks.
    pub dear_percent: Option<u32>,
    /// Prints the label of each new consignment automatically.
    pub auto_print: bool,
    pub follow: TrackingScopes,
    pub theme: ThemeChoice,
    /// Settings of the board on Track.
    pub track: BoardSettings,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            bench: "Bench 1".to_owned(),
            installation: String::new(),
            staff: String::new(),
            connections: Vec::new(),
            chosen: None,
            company: None,
            senders: Vec::new(),
            printers: Vec::new(),
            label_printer: None,
            dear_percent: Some(50),
            auto_print: false,
            follow: TrackingScopes::default(),
            theme: ThemeChoice::default(),
            track: BoardSettings::default(),
        }
    }
}

impl Settings {
    /// Reads the settings file; returns the defaults if there is none. Renames an invalid file.
    pub fn read(places: &DataFolder) -> Result<Self, SettingsError> {
        let path = places.settings();
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(SettingsError::File(error.kind())),
        };
        let read =
            serde_json::from_slice(&bytes).and_then(|file| serde_json::from_value(upgrade(file)));
        let read = read.map(Self::with_one_printer_per_kind);
        read.map_err(
            |_not_ours| match std::fs::rename(&path, path.with_extension("bad")) {
                Ok(()) => SettingsError::SetAside,
                Err(error) => SettingsError::File(error.kind()),
            },
        )
    }

    /// Writes the settings file, completely or not at all.
    pub fn write(&self, places: &DataFolder) -> Result<(), ErrorKind> {
        let bytes =
            serde_json::to_vec_pretty(self).map_err(|_unwritable| ErrorKind::InvalidData)?;
        write_private(&places.settings(), &bytes).map_err(|error| error.kind())
    }

    /// Gives the installation its identifier and saves it. Does nothing if it already has one.
    pub fn ensure_installation_id(&mut self, places: &DataFolder) -> Result<(), ErrorKind> {
        // No vowels, so that the identifier never spells a word.
        const LETTERS: &[u8] = b"0123456789BCDFGHJKLMNPQRSTVWXZ";
        if !self.installation.is_empty() {
            return Ok(());
        }
        self.installation = (0..6)
            .map(|_| char::from(LETTERS[fastrand::usize(..LETTERS.len())]))
            .collect();
        self.write(places)
    }

    /// Returns the first part of this bench's keys: the bench name in letters and digits, and the identifier
    /// of the installation.
    pub fn key_prefix(&self) -> String {
        match self.installation.as_str() {
            "" => self.plain_name(),
            own => format!("{}-{own}", self.plain_name()),
        }
    }

    fn plain_name(&self) -> String {
        let plain: String = self
            .bench
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .take(12)
            .collect();
        if plain.is_empty() {
            "bench".to_owned()
        } else {
            plain
        }
    }

    /// Returns the printer for item labels.
    pub fn label_printer(&self) -> Option<&PrinterProfile> {
        self.printer_for(DocumentKind::ItemLabels).ok()
    }

    /// Returns the chosen connection; `None` for the practice service and before the first choice.
    pub fn connection(&self) -> Option<&ConnectionSettings> {
        match self.chosen.as_ref()? {
            ChosenService::Practice => None,
            ChosenService::Connection(name) => self.named(name),
        }
    }

    /// Returns the connection with this name.
    pub fn named(&self, name: &str) -> Option<&ConnectionSettings> {
        self.connections
            .iter()
            .find(|connection| connection.name == name)
    }

    /// Returns the company that the bench works for at the chosen service.
    pub fn company(&self) -> Option<CompanyId> {
        match self.connection() {
            Some(connection) => connection.company,
            None => self.company,
        }
    }

    /// Returns the id of the chosen service's own printer that the clerk typed last; `None` for the practice
    /// service, which lists its printers.
    pub fn service_printer(&self) -> Option<PrinterId> {
        self.connection()?.service_printer
    }

    /// Remembers the id of the chosen service's own printer.
    pub fn set_service_printer(&mut self, printer: Option<PrinterId>) {
        if let Some(connection) = self.connection_mut() {
            connection.service_printer = printer;
        }
    }

    /// Returns the saved locations that new consignments start with at the chosen service.
    pub fn default_senders(&self) -> &[CompanyLocationId] {
        match self.connection() {
            Some(connection) => &connection.senders,
            None => &self.senders,
        }
    }

    /// Lets new consignments start with `sender` instead of any of `others`.
    pub fn set_default_sender(
        &mut self,
        sender: Option<CompanyLocationId>,
        others: &[CompanyLocationId],
    ) {
        let senders = match self.connection_mut() {
            Some(connection) => &mut connection.senders,
            None => &mut self.senders,
        };
        senders.retain(|one| !others.contains(one));
        senders.extend(sender);
    }

    fn connection_mut(&mut self) -> Option<&mut ConnectionSettings> {
        let name = self.connection()?.name.clone();
        let mut connections = self.connections.iter_mut();
        connections.find(|connection| connection.name == name)
    }

    /// Sets the company that the bench works for at the chosen service.
    pub fn set_company(&mut self, company: CompanyId) {
        match self.connection_mut() {
            Some(connection) => connection.company = Some(company),
            None => self.company = Some(company),
        }
    }
}

/// Upgrades the settings of an older Packbench. They had no `chosen`, and at most one connection; with `null`
/// as connection, the bench used the practice service.
fn upgrade(mut file: Value) -> Value {
    let Some(fields) = file.as_object_mut() else {
        return file;
    };
    if fields.contains_key("chosen") {
        return file;
    }
    match fields.remove("connection") {
        None => {}
        Some(Value::Null) => drop(fields.insert("chosen".to_owned(), json!("practice"))),
        Some(mut connection) => {
            let name = connection["name"].clone();
            if let (Some(connection), Some(company)) =
                (connection.as_object_mut(), fields.remove("company"))
            {
                connection.insert("company".to_owned(), company);
            }
            fields.insert("connections".to_owned(), json!([connection]));
            fields.insert("chosen".to_owned(), json!({ "connection": name }));
        }
    }
    file
}
