//! The wizard and Settings: the stage of the window, the saved connections, and the result of a
//! connection test.

use std::sync::Arc;

use crate::config::MachineSettings;
use crate::sounds::ScanSound;
use crate::state::{BenchSettings, ChosenService, OrderFolderSettings};
use devices::scale::{FoundDevice, ScaleSettings};
use devices::serial::SerialSettings;
use draft::{ConnectionContext, ConnectionDraft, ConnectionProblem, Secret, ServiceKind};
use engine::{DocumentTexts, ProbeResult, Remote};
use shipping::CompanyLocationId;

/// The stage of the window: one of the startup pages or, while a service is open, the screens.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum WindowStage {
    /// The clerk chooses between practice and a connection.
    Welcome {
        /// The connection to correct, if one could not be opened.
        mend: Option<String>,
    },
    /// The clerk is asked for the token, because the keyring does not have it.
    Token {
        /// The connection's name.
        name: String,
        kind: ServiceKind,
        /// False if this machine has no keyring, so that the token is asked for at each start.
        keyring: bool,
        /// Problem with the token that the clerk entered.
        problem: Option<String>,
    },
    /// A service is being opened or closed.
    Opening {
        /// The present step, such as "Preparing the connection".
        what: String,
        /// Number of finished steps.
        done: usize,
        /// Number of all steps.
        total: usize,
    },
    Failed {
        /// One line that says what happened.
        headline: String,
        /// Advice for the clerk.
        advice: String,
        /// The connection's name; `None` for the practice service.
        connection: Option<String>,
    },
    #[default]
    Working,
}

/// The place where a connection's token is stored. The token itself is never shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TokenPlace {
    /// Not looked up yet.
    #[default]
    Unknown,
    /// In the operating system's keyring.
    Keyring,
    /// In memory, until Packbench is closed.
    Memory,
    Missing,
    /// Unknown, because this machine has no keyring.
    NoKeyring,
}

/// A saved connection as Settings shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectionView {
    /// The saved values, without secrets.
    pub draft: ConnectionDraft,
    pub token: TokenPlace,
    /// True if the middleware's token is stored.
    pub middleware_token: bool,
    /// True if the middleware's integration id is stored.
    pub integration: bool,
}

/// A finished connection test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectionTest {
    /// The connection as it was typed for the test.
    pub draft: ConnectionDraft,
    /// The result, or the problem at its field.
    pub outcome: Result<ProbeResult, ConnectionProblem>,
}

/// The workgroup's settings as the form shows them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WorkgroupDraft {
    /// Address of the database; empty for a bench that works alone.
    pub address: String,
    /// A new password; empty to keep the stored one.
    pub password: Secret,
    /// Path of the company's own certificate authority; may be empty.
    pub authority: String,
}

/// Everything that the wizard and Settings show.
#[derive(Default)]
pub struct SettingsView {
    pub connections: Vec<ConnectionView>,
    /// The service that the bench uses; `None` before the first choice.
    pub chosen: Option<ChosenService>,
    pub connection_test: Remote<ConnectionTest>,
    /// True while a connection is being saved or removed, or its token deleted.
    pub busy: bool,
    /// Number of connections saved since the start, and the name of the most recently saved connection.
    pub saved: (u64, String),
    /// Number of files picked in dialogs since the start, and the path of the most recently picked file.
    pub picked: (u64, String),
    pub file_dialog: bool,
    /// The saved settings of the workgroup, without its password.
    pub workgroup: WorkgroupDraft,
    /// Texts and the logo that the customer adds to documents.
    pub document_texts: DocumentTexts,
    /// The saved scale.
    pub scale: Option<ScaleSettings>,
    /// The watched folder of orders of the open service.
    pub order_folder: Option<OrderFolderSettings>,
    /// The saved scanner on a serial port.
    pub scanner: Option<SerialSettings>,
    /// The attached devices that may be scales or scanners.
    pub devices: Remote<Vec<FoundDevice>>,
    /// The machine-wide settings, which may lock fields.
    pub machine: Arc<MachineSettings>,
}

impl SettingsView {
    pub fn named(&self, name: &str) -> Option<&ConnectionView> {
        self.connections
            .iter()
            .find(|connection| connection.draft.name == name)
    }

    /// Validates a typed connection against the other connections and its stored secrets.
    /// Returns every problem.
    pub fn check(&self, draft: &ConnectionDraft) -> Vec<ConnectionProblem> {
        let names: Vec<&str> = self
            .connections
            .iter()
            .map(|connection| connection.draft.name.as_str())
            .filter(|name| draft.saved_name.as_deref() != Some(name))
            .collect();
        let stored = draft.saved_name.as_ref().and_then(|name| self.named(name));
        draft.check(ConnectionContext {
            names: &names,
            token: stored.is_some_and(|stored| {
                // A token that was not looked up yet is assumed to be stored.
                matches!(
                    stored.token,
                    TokenPlace::Keyring | TokenPlace::Memory | TokenPlace::Unknown
                )
            }),
            middleware_token: stored.is_some_and(|stored| stored.middleware_token),
            integration: stored.is_some_and(|stored| stored.integration),
        })
    }

    /// Returns the last connection test, if it tested exactly these values.
    pub fn test_of(&self, draft: &ConnectionDraft) -> Option<&ConnectionTest> {
        let tried = self
            .connection_test
            .value()
            .filter(|_| !self.connection_test.is_loading())?;
        // The company and the former name do not affect the test.
        let plain = ConnectionDraft {
            company: None,
            saved_name: None,
            ..draft.without_secrets()
        };
        let looked_at = ConnectionDraft {
            company: None,
            saved_name: None,
            ..tried.draft.without_secrets()
        };
        (plain == looked_at && !draft.has_other_secrets(&tried.draft)).then_some(tried)
    }
}

/// A command in the wizard or on Settings.
#[derive(Debug, Clone, PartialEq)]
pub enum SettingsCommand {
    Practise,
    /// Use the connection of this name.
    Use(String),
    /// Test a connection as typed: call the service and find out the permissions of the token.
    TestConnection(Box<ConnectionDraft>),
    Save(Box<ConnectionDraft>),
    SaveAndUse(Box<ConnectionDraft>),
    /// Remove a connection and its token. The journal of the connection stays.
    Remove(String),
    ForgetToken(String),
    /// Pick the certificate authority's file in a dialog.
    BrowseAuthority,
    /// Pick the logo for documents in a dialog.
    BrowseLogo,
    /// Pick a folder for orders in a dialog.
    BrowseFolder,
    /// Save the watched folder of the open service; with `None`, remove it.
    SaveOrderFolder(Option<Box<OrderFolderSettings>>),
    /// Save what the customer adds to documents.
    SaveDocumentTexts(Box<DocumentTexts>),
    /// Use this token, which the clerk was asked for.
    AnswerToken(Secret),
    /// Try again to open the chosen service.
    OpenAgain,
    /// After a failure, choose another service or correct the connection of this name.
    Choose(Option<String>),
    /// Dismiss the result of the connection test.
    DismissTest,
    /// Start new consignments of the company from this saved location; with `None`, from the sender of
    /// the previous consignment.
    PickSender(Option<CompanyLocationId>),
    /// Save the workgroup's settings, and work with it from now on.
    SaveWorkgroup(Box<WorkgroupDraft>),
    /// Change settings that apply to every service.
    SetBench(BenchSettings),
    /// List the attached devices that may be scales or scanners.
    ListDevices,
    /// Save the scale and read it from now on; with `None`, remove it.
    SaveScale(Option<Box<ScaleSettings>>),
    /// Show the next weight that would be taken from the scale.
    TestScale,
    /// Save the scanner on a serial port and read it from now on; with `None`, remove it.
    SaveScanner(Option<SerialSettings>),
    /// Play a sound, also while sounds for scans are off.
    PlaySound(ScanSound),
}
