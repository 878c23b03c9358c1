//! What the wizard and Settings ask for.

use crate::draft::{ConnectionDraft, Secret};
use crate::shipping::CompanyLocationId;

/// In the wizard and on Settings.
#[derive(Debug, Clone, PartialEq)]
pub enum SettingsCommand {
    /// Work with the practice service on this machine.
    Practise,
    /// Work with the connection of this name.
    Use(String),
    /// Look at a service, as typed: ping it, see what the token may do.
    Try(Box<ConnectionDraft>),
    /// Save a connection.
    Save(Box<ConnectionDraft>),
    /// Save a connection and work with it.
    SaveAndUse(Box<ConnectionDraft>),
    /// Forget a connection and its token; what was done with it stays in its journal.
    Remove(String),
    /// Forget the token of a connection.
    ForgetToken(String),
    /// Choose the certificate authority's file in a dialog.
    BrowseAuthority,
    /// The token that was asked for.
    AnswerToken(Secret),
    /// Open the chosen service once more.
    OpenAgain,
    /// Leave the service that could not be opened, to choose another or to mend the connection of this name.
    Choose(Option<String>),
    /// What the last look at a service found is read.
    ForgetLook,
    /// New consignments of the company begin at this saved location; at the sender of the one before where none.
    PickSender(Option<CompanyLocationId>),
    /// Ask before sending at a price so many percent above the cheapest; nothing is never.
    AskAbove(Option<u32>),
    /// Save the bench's name and who packs.
    SaveBench {
        /// "Bench 4".
        bench: String,
        /// May be empty.
        staff: String,
    },
}
