//! What the wizard and Settings show: the stage that the window is in, the connections, and what became of a look at one.

use crate::draft::{ConnectionDraft, ConnectionProblem, Known, ServiceKind};
use crate::work::{Findings, Remote};

/// Where the window is between its opening and the screens.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Stage {
    /// Nothing is chosen yet, or the clerk goes back to choose: practise or connect.
    Welcome {
        /// The connection to be mended, where one could not be opened.
        mend: Option<String>,
    },
    /// The chosen connection's token is in no keyring: it is asked for.
    Token {
        /// The connection.
        name: String,
        /// Test or live.
        kind: ServiceKind,
        /// False where this machine has no keyring: it will be asked for at each start.
        keyring: bool,
        /// What is wrong with the one that was given.
        problem: Option<String>,
    },
    /// A service is on its way in or out.
    Opening {
        /// "Opening the journal".
        what: String,
        /// Steps done.
        done: usize,
        /// Of how many.
        total: usize,
    },
    /// The service could not be opened.
    Failed {
        /// One line.
        headline: String,
        /// What to do.
        advice: String,
        /// The connection; nothing for the practice service.
        connection: Option<String>,
    },
    /// The screens are up.
    #[default]
    Working,
}

/// Which service.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ServiceChoice {
    /// The practice service on this machine.
    Practice,
    /// The connection of this name.
    Connection(String),
}

/// Where a connection's token is. It is never shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TokenPlace {
    /// Not looked for yet.
    #[default]
    Unseen,
    /// In the operating system's keyring.
    Keyring,
    /// In memory, until Packbench is closed.
    Memory,
    /// Nowhere.
    Missing,
    /// There is no keyring to look into.
    NoKeyring,
}

/// A saved connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectionView {
    /// As it is saved; without secrets.
    pub draft: ConnectionDraft,
    /// Where its token is.
    pub token: TokenPlace,
    /// The middleware's token is stored.
    pub middleware_token: bool,
    /// The middleware's integration id is stored.
    pub integration: bool,
}

/// A look at a service, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tried {
    /// As it was typed then.
    pub draft: ConnectionDraft,
    /// What was found, or what is wrong, at its field.
    pub outcome: Result<Findings, ConnectionProblem>,
}

/// What the wizard and Settings show.
#[derive(Default)]
pub struct SetupView {
    /// All connections, as saved.
    pub connections: Vec<ConnectionView>,
    /// The service that the bench works with; nothing before the first choice.
    pub chosen: Option<ServiceChoice>,
    /// The last look at a service.
    pub tried: Remote<Tried>,
    /// A connection is being saved, removed, or its token forgotten.
    pub busy: bool,
    /// How many connections were saved since the start, and the name of the last.
    pub saved: (u64, String),
    /// How many certificate files were picked since the start, and the path of the last.
    pub picked: (u64, String),
    /// True where a file dialog can be had.
    pub file_dialog: bool,
}

impl SetupView {
    /// The connection of this name.
    pub fn named(&self, name: &str) -> Option<&ConnectionView> {
        self.connections
            .iter()
            .find(|connection| connection.draft.name == name)
    }

    /// Every problem of a typed connection, with what is known of the others and of its stored secrets.
    pub fn check(&self, draft: &ConnectionDraft) -> Vec<ConnectionProblem> {
        let names: Vec<&str> = self
            .connections
            .iter()
            .map(|connection| connection.draft.name.as_str())
            .filter(|name| draft.was.as_deref() != Some(name))
            .collect();
        let stored = draft.was.as_ref().and_then(|name| self.named(name));
        draft.check(Known {
            names: &names,
            token: stored.is_some_and(|stored| {
                // Until it was looked for, it is believed to be there.
                matches!(
                    stored.token,
                    TokenPlace::Keyring | TokenPlace::Memory | TokenPlace::Unseen
                )
            }),
            middleware_token: stored.is_some_and(|stored| stored.middleware_token),
            integration: stored.is_some_and(|stored| stored.integration),
        })
    }

    /// What came of the last look, where it was a look at this very draft.
    pub fn tried(&self, draft: &ConnectionDraft) -> Option<&Tried> {
        let tried = self.tried.value().filter(|_| !self.tried.is_loading())?;
        // Which company the bench works for, and that it was saved meanwhile, change nothing about the service.
        let plain = ConnectionDraft {
            company: None,
            was: None,
            ..draft.without_secrets()
        };
        let looked_at = ConnectionDraft {
            company: None,
            was: None,
            ..tried.draft.without_secrets()
        };
        (plain == looked_at && !draft.has_other_secrets(&tried.draft)).then_some(tried)
    }
}
