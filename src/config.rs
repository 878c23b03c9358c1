//! Connections, printers, bench name and places on disk; the only reader of the environment.
//!
//! What always holds: the token is never in a file, only in the operating system's keyring and in memory; a settings file
//! that cannot be read is set aside, never written over; folders are 0700, files 0600.
//! What it must not know: what the settings are used for.

mod connections;
mod follows;
mod places;
mod routes;
mod settings;
mod surroundings;
mod token;
mod track;

pub use connections::{Chosen, ConnectionKind, ConnectionSettings, MiddlewareSettings};
pub use follows::{FollowSettings, Follows, Whose};
pub use places::{Places, PlacesError};
pub use routes::NoPrinter;
pub use settings::{Settings, SettingsError, Theme};
pub use surroundings::{Graphics, Surroundings};
pub use token::{Keyring, TokenError, Tokens};
pub use track::TrackSettings;
