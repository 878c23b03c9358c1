//! Settings, connections, printers and files on disk. Only this module reads environment variables.
//!
//! Invariants: a token is never in a file, only in the operating system's keyring and in memory. A settings
//! file that cannot be read is set aside and never overwritten. Folders have mode 0700, files 0600.

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
