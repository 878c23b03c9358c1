//! Settings, connections, printers and files on disk. Only this module reads environment variables.
//!
//! Invariants: a token is never in a file, only in the operating system's keyring and in memory. A settings
//! file that cannot be read is set aside and never overwritten. Folders have mode 0700, files 0600.

mod board;
mod connections;
mod data_folder;
mod document_printers;
mod graphics;
mod keyring;
mod settings;
mod system_info;
mod tracking_scope;

pub use board::BoardSettings;
pub use connections::{ChosenService, ConnectionKind, ConnectionSettings, MiddlewareSettings};
pub use data_folder::{DataFolder, DataFolderError};
pub use document_printers::NoPrinter;
pub use graphics::Graphics;
pub use keyring::{Keyring, TokenError, Tokens};
pub use settings::{Settings, SettingsError, ThemeChoice};
pub use system_info::SystemInfo;
pub use tracking_scope::{CompanyScope, TrackingScope, TrackingScopes};
