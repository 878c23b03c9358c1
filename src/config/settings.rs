//! What the bench is told once: its name, its connections, its printers. One small JSON file; never a token.
//!
//! What always holds: a file that an older Packbench wrote is still read.

use std::io::ErrorKind;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use thiserror::Error;

use super::connections::{Chosen, ConnectionSettings};
use super::follows::FollowSettings;
use super::places::{Places, write_private};
use super::track::TrackSettings;
use crate::printing::profile::{DocumentKind, PrinterProfile};
use crate::shipping::{CompanyId, CompanyLocationId, PrinterId};

/// Why the settings cannot be read.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// The file is there and cannot be read.
    #[error("the settings file cannot be used ({0})")]
    File(ErrorKind),
    /// Its content is not ours; it was set aside as `settings.bad`.
    #[error("the settings could not be read and were set aside as settings.bad")]
    SetAside,
}

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// As the system says.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// The settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The bench's name, for the top bar and for keys.
    pub bench: String,
    /// Six letters and digits of this installation's own, for keys: two benches may have the same name. Empty until the
    /// first start, see [`Settings::name_installation`].
    pub installation: String,
    /// Who packs; may be empty.
    pub staff: String,
    /// The services of one's own.
    pub connections: Vec<ConnectionSettings>,
    /// Which service the bench works with; nothing before the first choice.
    pub chosen: Option<Chosen>,
    /// The company that the bench works for at the practice service; each connection has its own.
    pub company: Option<CompanyId>,
    /// The saved locations that new consignments begin at when practising; each connection has its own.
    pub senders: Vec<CompanyLocationId>,
    /// The printers that were set up.
    pub printers: Vec<PrinterProfile>,
    /// The one that item labels go to; what else goes where is in the profiles.
    pub label_printer: Option<String>,
    /// A consignment is sent only after a question where its price is more than so many percent above the cheapest; nothing
    /// is never asked.
    pub dear_percent: Option<u32>,
    /// Print the label of each new consignment by itself.
    pub auto_print: bool,
    /// Whose consignments are followed.
    pub follow: FollowSettings,
    /// Light or dark.
    pub theme: Theme,
    /// What the supervisor's board looks at.
    pub track: TrackSettings,
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
            follow: FollowSettings::default(),
            theme: Theme::default(),
            track: TrackSettings::default(),
        }
    }
}

impl Settings {
    /// Reads the settings; the defaults where there are none yet.
    pub fn read(places: &Places) -> Result<Self, SettingsError> {
        let path = places.settings();
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(SettingsError::File(error.kind())),
        };
        let read =
            serde_json::from_slice(&bytes).and_then(|file| serde_json::from_value(of_today(file)));
        let read = read.map(Self::with_one_printer_a_kind);
        read.map_err(
            |_not_ours| match std::fs::rename(&path, path.with_extension("bad")) {
                Ok(()) => SettingsError::SetAside,
                Err(error) => SettingsError::File(error.kind()),
            },
        )
    }

    /// Writes the settings, whole or not at all.
    pub fn write(&self, places: &Places) -> Result<(), ErrorKind> {
        let bytes =
            serde_json::to_vec_pretty(self).map_err(|_unwritable| ErrorKind::InvalidData)?;
        write_private(&places.settings(), &bytes).map_err(|error| error.kind())
    }

    /// Gives the installation its own letters and digits, once and for all.
    pub fn name_installation(&mut self, places: &Places) -> Result<(), ErrorKind> {
        // Without vowels, so that no words come of it.
        const LETTERS: &[u8] = b"0123456789BCDFGHJKLMNPQRSTVWXZ";
        if !self.installation.is_empty() {
            return Ok(());
        }
        self.installation = (0..6)
            .map(|_| char::from(LETTERS[fastrand::usize(..LETTERS.len())]))
            .collect();
        self.write(places)
    }

    /// The first part of this bench's keys: its name in letters and digits, and the installation's own part.
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

    /// The printer that labels go to.
    pub fn label_printer(&self) -> Option<&PrinterProfile> {
        self.printer_for(DocumentKind::ItemLabels).ok()
    }

    /// The connection that is chosen; nothing for the practice service, and before the first choice.
    pub fn connection(&self) -> Option<&ConnectionSettings> {
        match self.chosen.as_ref()? {
            Chosen::Practice => None,
            Chosen::Connection(name) => self.named(name),
        }
    }

    /// The connection of this name.
    pub fn named(&self, name: &str) -> Option<&ConnectionSettings> {
        self.connections
            .iter()
            .find(|connection| connection.name == name)
    }

    /// The company that the bench works for at the chosen service.
    pub fn company(&self) -> Option<CompanyId> {
        match self.connection() {
            Some(connection) => connection.company,
            None => self.company,
        }
    }

    /// The number of the chosen service's own printer that was typed last. The practice service lists its printers.
    pub fn service_printer(&self) -> Option<PrinterId> {
        self.connection()?.service_printer
    }

    /// Keeps the number of the chosen service's own printer.
    pub fn set_service_printer(&mut self, printer: Option<PrinterId>) {
        if let Some(connection) = self.connection_mut() {
            connection.service_printer = printer;
        }
    }

    /// The saved locations that new consignments begin at, at the chosen service.
    pub fn senders(&self) -> &[CompanyLocationId] {
        match self.connection() {
            Some(connection) => &connection.senders,
            None => &self.senders,
        }
    }

    /// Has new consignments begin at this location in place of any of `others`.
    pub fn set_sender(&mut self, sender: Option<CompanyLocationId>, others: &[CompanyLocationId]) {
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

    /// Has the bench work for this company at the chosen service.
    pub fn set_company(&mut self, company: CompanyId) {
        match self.connection_mut() {
            Some(connection) => connection.company = Some(company),
            None => self.company = Some(company),
        }
    }
}

/// A file of an older Packbench had one connection or none, and practised without one; it knew no choice.
fn of_today(mut file: Value) -> Value {
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
