//! Settings, connections, printers and files on disk. Only this module reads environment variables.
//!
//! Invariants: a token is never in a file, only in the operating system's keyring and in memory. A settings
//! file that cannot be read is set aside and never overwritten. Folders have mode 0700, files 0600.

mod data_folder;
mod keyring;
mod settings;
mod system_info;

pub use data_folder::{DataFolder, DataFolderError};
pub use keyring::{Keyring, TokenError, Tokens};
pub use settings::{
    BoardSettings, ChosenService, CompanyScope, ConnectionSettings, MiddlewareSettings, NoPrinter,
    Settings, SettingsError, ThemeChoice, TrackingScope, TrackingScopes,
};
pub use system_info::{Graphics, SystemInfo};
