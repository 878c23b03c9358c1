//! Commands of the wizard and of Settings.

use draft::{ConnectionDraft, Secret};
use shipping::CompanyLocationId;

/// A command in the wizard or on Settings.
#[derive(Debug, Clone, PartialEq)]
pub enum SettingsCommand {
    /// Use the practice service on this machine.
    Practise,
    /// Use the connection of this name.
    Use(String),
    /// Test a connection as typed: ping the service and find out what the token may do.
    TestConnection(Box<ConnectionDraft>),
    Save(Box<ConnectionDraft>),
    /// Save a connection and use it.
    SaveAndUse(Box<ConnectionDraft>),
    /// Remove a connection and its token. The journal of the connection stays.
    Remove(String),
    /// Delete the token of a connection.
    ForgetToken(String),
    /// Pick the certificate authority's file in a dialog.
    BrowseAuthority,
    /// Use this token, which the clerk was asked for.
    AnswerToken(Secret),
    /// Try again to open the chosen service.
    OpenAgain,
    /// Leave the service that could not be opened: choose another, or correct the connection of this name.
    Choose(Option<String>),
    /// Dismiss the result of the connection test.
    DismissTest,
    /// Start new consignments of the company from this saved location; with `None`, from the sender
    /// of the one before.
    PickSender(Option<CompanyLocationId>),
    /// Ask before sending at a price more than this many percent above the cheapest; `None` to never ask.
    SetPriceLimit(Option<u32>),
    /// Save the bench's name and the name of the packer.
    SaveBench {
        /// The bench's name, such as "Bench 4".
        bench: String,
        /// The packer's name; may be empty.
        staff: String,
    },
}
