//! What the bench is told once: its name, its connection, its printers. One small JSON file; never a token.

use std::io::ErrorKind;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::places::{Places, write_private};
use crate::printing::profile::PrinterProfile;
use crate::shipping::CompanyId;

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

/// Which kind of service a connection leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConnectionKind {
    /// A test-mode user: no carrier is called.
    Test,
    /// Carriers come.
    Live,
}

/// A service of one's own, instead of the practice service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConnectionSettings {
    /// Its name, under which the keyring has its token.
    pub name: String,
    /// Test or live.
    pub kind: ConnectionKind,
    /// `https://…`
    pub address: String,
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
    /// Who packs; may be empty.
    pub staff: String,
    /// The service; the practice service where there is none.
    pub connection: Option<ConnectionSettings>,
    /// The company that the bench works for.
    pub company: Option<CompanyId>,
    /// The printers that were set up.
    pub printers: Vec<PrinterProfile>,
    /// The one that labels go to.
    pub label_printer: Option<String>,
    /// Print the label of each new consignment by itself.
    pub auto_print: bool,
    /// Light or dark.
    pub theme: Theme,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            bench: "Bench 1".to_owned(),
            staff: String::new(),
            connection: None,
            company: None,
            printers: Vec::new(),
            label_printer: None,
            auto_print: false,
            theme: Theme::default(),
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
        serde_json::from_slice(&bytes).map_err(|_not_ours| {
            match std::fs::rename(&path, path.with_extension("bad")) {
                Ok(()) => SettingsError::SetAside,
                Err(error) => SettingsError::File(error.kind()),
            }
        })
    }

    /// Writes the settings, whole or not at all.
    pub fn write(&self, places: &Places) -> Result<(), ErrorKind> {
        let bytes =
            serde_json::to_vec_pretty(self).map_err(|_unwritable| ErrorKind::InvalidData)?;
        write_private(&places.settings(), &bytes).map_err(|error| error.kind())
    }

    /// The bench's name as it goes into keys: letters and digits.
    pub fn key_prefix(&self) -> String {
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
        let name = self.label_printer.as_ref()?;
        self.printers.iter().find(|printer| printer.name == *name)
    }
}
