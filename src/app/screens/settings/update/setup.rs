//! Settings, connections and tokens. They exist from the start of the program to its end, whichever service
//! is open.
//!
//! The disk and the keyring are accessed in the background only. A token that no keyring accepts stays in
//! memory and is never written to a file.

mod saved_connections;

use std::collections::HashMap;
use std::path::PathBuf;

use super::connections::{draft_of, not_reached, not_usable, settings_of, tokens_of};
use crate::config::{
    ChosenService, ConnectionSettings, DataFolder, Keyring, Settings, SystemInfo, TokenError,
    Tokens,
};
use crate::service::{KEYRING_LIMIT, Service};
use crate::state::{
    ConnectionTest, ConnectionView, Notice, PracticeSettings, SettingsCommand, SetupView,
    TokenPlace, Tone,
};
use client::Client;
use draft::{ConnectionDraft, ConnectionProblem, Secret, ServiceKind};
use engine::{ProbeResult, Remote, TaskRunner, probe, within};
use saved_connections::{RemovedConnection, SavedConnection};
use shipping::Clock;

pub(crate) use saved_connections::{memory_only_notice, unfinished_notice};

/// A request about services, for the stage of the program that receives the command.
#[derive(Debug)]
pub(crate) enum ServiceRequest {
    /// Opens this service.
    Open(ChosenService),
    /// Opens the chosen service again, because its connection was changed.
    Reopen,
    /// Tries again to open the chosen service.
    Retry,
    /// Opens the chosen service with this token.
    OpenWithToken(Secret),
    /// Lets the clerk choose a service, or correct the connection of this name.
    Choose(Option<String>),
}

/// The open connection, and the operations that prevent closing it.
#[derive(Debug, Clone, Default)]
pub(crate) struct ActiveConnection {
    /// Name of the connection; `None` for the practice service, and while no service is open.
    pub(crate) name: Option<String>,
    /// Number of unfinished operations at this service.
    pub(crate) unfinished: usize,
}

/// Settings, connections and tokens, with the background jobs that read and write them.
pub(crate) struct Setup {
    pub(crate) settings: Settings,
    /// How the practice service is used. Not saved: each start of the program begins with the clerk as
    /// the user.
    pub(crate) practice: PracticeSettings,
    pub(crate) places: DataFolder,
    pub(crate) errands: TaskRunner,
    pub(crate) clock: Clock,
    file_dialog: bool,
    keyring: Keyring,
    /// Tokens that became known in this session, by connection name.
    tokens: HashMap<String, Tokens>,
    /// Where each connection's token is stored, and whether the middleware's token and its integration id
    /// are known.
    token_places: HashMap<String, (TokenPlace, [bool; 2])>,
    writing: Remote<()>,
    keeping: Remote<SavedConnection>,
    removing: Remote<RemovedConnection>,
    looking: Remote<Vec<(String, Result<Tokens, TokenError>)>>,
    browsing: Remote<Option<PathBuf>>,
}

impl Setup {
    pub(crate) fn new(
        errands: TaskRunner,
        settings: Settings,
        places: DataFolder,
        clock: Clock,
        surroundings: &SystemInfo,
    ) -> Self {
        Self {
            settings,
            practice: PracticeSettings::default(),
            places,
            errands,
            clock,
            file_dialog: surroundings.file_dialog,
            keyring: surroundings.keyring,
            tokens: HashMap::new(),
            token_places: HashMap::new(),
            writing: Remote::default(),
            keeping: Remote::default(),
            removing: Remote::default(),
            looking: Remote::default(),
            browsing: Remote::default(),
        }
    }

    /// Updates the settings that the screens show.
    pub(crate) fn show(&self, view: &mut SetupView) {
        let connections = self.settings.connections.iter();
        view.connections = connections
            .map(|saved| {
                let (token, [middleware_token, integration]) = self
                    .token_places
                    .get(&saved.name)
                    .copied()
                    .unwrap_or_default();
                ConnectionView {
                    draft: draft_of(saved),
                    token,
                    middleware_token,
                    integration,
                }
            })
            .collect();
        view.chosen.clone_from(&self.settings.chosen);
        view.file_dialog = self.file_dialog;
        view.busy = self.keeping.is_loading() || self.removing.is_loading();
    }

    /// Runs a command. Returns a request if the command is about opening a service.
    pub(crate) fn run(
        &mut self,
        command: SettingsCommand,
        busy: &ActiveConnection,
        view: &mut SetupView,
    ) -> Option<ServiceRequest> {
        match command {
            SettingsCommand::Practise => {
                return Some(ServiceRequest::Open(ChosenService::Practice));
            }
            SettingsCommand::Use(name) => {
                return Some(ServiceRequest::Open(ChosenService::Connection(name)));
            }
            SettingsCommand::AnswerToken(token) => {
                return Some(ServiceRequest::OpenWithToken(token));
            }
            SettingsCommand::OpenAgain => return Some(ServiceRequest::Retry),
            SettingsCommand::Choose(mend) => return Some(ServiceRequest::Choose(mend)),
            SettingsCommand::DismissTest => view.connection_test.clear(),
            SettingsCommand::TestConnection(draft) => self.test_connection(*draft, view),
            SettingsCommand::Save(draft) => self.save_connection(*draft, false, busy, view),
            SettingsCommand::SaveAndUse(draft) => self.save_connection(*draft, true, busy, view),
            SettingsCommand::Remove(name) => self.remove(name, true),
            SettingsCommand::ForgetToken(name) => self.remove(name, false),
            SettingsCommand::BrowseAuthority => {
                self.browsing.start(self.errands.run(|| async {
                    let dialog = rfd::AsyncFileDialog::new()
                        .set_title("Certificate authority")
                        .add_filter("Certificates", &["pem", "crt", "cer"]);
                    Ok(dialog.pick_file().await.map(|file| file.path().to_owned()))
                }));
            }
            // Handled by the open service, because only that knows its locations.
            SettingsCommand::PickSender(_) => {}
            SettingsCommand::SetPriceLimit(percent) => {
                self.settings.dear_percent = percent;
                self.write();
            }
            SettingsCommand::SaveBench { bench, staff } => {
                bench.trim().clone_into(&mut self.settings.bench);
                staff.trim().clone_into(&mut self.settings.staff);
                self.write();
            }
        }
        self.show(view);
        None
    }

    /// Handles finished background jobs. Messages for the clerk are added to `notices`.
    pub(crate) fn poll(
        &mut self,
        view: &mut SetupView,
        notices: &mut Vec<Notice>,
    ) -> Option<ServiceRequest> {
        let mut next = None;
        view.connection_test.poll();
        if self.writing.poll()
            && let Some(problem) = self.writing.problem()
        {
            let mut notice = Notice::failed("Couldn't save the settings", problem);
            notice.tone = Tone::Warning;
            notices.push(notice);
        }
        let mut changed = false;
        if self.keeping.poll() {
            next = self.connection_saved(view, notices);
            changed = true;
        }
        if self.removing.poll() {
            self.removed(notices);
            changed = true;
        }
        if self.looking.poll() {
            self.record_token_places();
            changed = true;
        }
        if self.browsing.poll()
            && let Some(Some(path)) = self.browsing.value()
        {
            view.picked = (view.picked.0 + 1, path.display().to_string());
        }
        if changed {
            self.show(view);
        }
        next
    }

    /// Saves the settings in the background. A failure is shown.
    pub(crate) fn write(&mut self) {
        let (settings, places) = (self.settings.clone(), self.places.clone());
        self.writing
            .start(self.errands.disk(move || settings.write(&places)));
    }

    /// Chooses the service that the bench works with from now on.
    pub(crate) fn choose(&mut self, chosen: ChosenService) {
        if self.settings.chosen.as_ref() != Some(&chosen) {
            self.settings.chosen = Some(chosen);
            self.write();
        }
    }

    /// Returns whether the connection of this name is for test or live; live if there is no such connection.
    pub(crate) fn kind(&self, name: &str) -> ServiceKind {
        let connection = self.settings.named(name);
        connection.map_or(ServiceKind::Live, |connection| connection.kind)
    }

    /// Returns the tokens of a connection as far as they are known without reading the keyring.
    pub(crate) fn tokens(&self, name: &str) -> Tokens {
        self.tokens.get(name).cloned().unwrap_or_default()
    }

    /// Records the tokens of a connection and where they are stored.
    pub(crate) fn record_tokens(&mut self, name: &str, tokens: Tokens, place: TokenPlace) {
        let parts = [tokens.middleware.is_some(), tokens.integration.is_some()];
        self.token_places.insert(name.to_owned(), (place, parts));
        self.tokens.insert(name.to_owned(), tokens);
    }

    /// Returns whether tokens of this connection were recorded before. If so, the clerk was already told
    /// where they are stored.
    pub(crate) fn has_recorded_tokens(&self, name: &str) -> bool {
        self.tokens.contains_key(name)
    }

    /// Records the tokens that a connection was opened with. A place that was recorded before is not replaced
    /// by `Memory`.
    pub(crate) fn opened_with(&mut self, name: &str, tokens: Tokens, place: TokenPlace) {
        let place = match self.token_places.get(name) {
            Some((known, _)) if self.has_recorded_tokens(name) && place == TokenPlace::Memory => {
                *known
            }
            _ => place,
        };
        self.record_tokens(name, tokens, place);
    }

    /// Reads the keyring to show where the token of each connection is stored.
    pub(crate) fn find_token_places(&mut self) {
        let unknown: Vec<String> = self
            .settings
            .connections
            .iter()
            .map(|connection| connection.name.clone())
            .filter(|name| !self.token_places.contains_key(name))
            .collect();
        if unknown.is_empty() || self.looking.is_loading() {
            return;
        }
        let keyring = self.keyring;
        self.looking.start(self.errands.run(move || async move {
            let names = unknown.clone();
            let looked = within(KEYRING_LIMIT, move || {
                let read = |name: String| (name.clone(), keyring.read(&name));
                names.into_iter().map(read).collect::<Vec<_>>()
            });
            Ok(looked.await.unwrap_or_else(|| {
                let late = |name| (name, Err(TokenError::NoKeyring));
                unknown.into_iter().map(late).collect()
            }))
        }));
    }

    fn record_token_places(&mut self) {
        for (name, tokens) in self.looking.value().into_iter().flatten() {
            // Information that became known meanwhile is newer, and a connection may have been removed.
            let here = |one: &ConnectionSettings| one.name == *name;
            if self.token_places.contains_key(name) || !self.settings.connections.iter().any(here) {
                continue;
            }
            let found = match tokens {
                Ok(tokens) => {
                    let place = if tokens.service.is_some() {
                        TokenPlace::Keyring
                    } else {
                        TokenPlace::Missing
                    };
                    let parts = [tokens.middleware.is_some(), tokens.integration.is_some()];
                    (place, parts)
                }
                Err(_) => (TokenPlace::NoKeyring, [false; 2]),
            };
            self.token_places.insert(name.clone(), found);
        }
        // The tokens themselves are not kept, because only their place was wanted.
        self.looking.clear();
    }

    /// Returns whether the draft changes the address of a saved connection, or of its middleware.
    fn changes_address(&self, draft: &ConnectionDraft) -> bool {
        let typed = settings_of(draft);
        let address = |one: &ConnectionSettings| {
            let middleware = one.middleware.as_ref().map(|one| one.address.clone());
            (one.address.clone(), middleware)
        };
        let mut saved = self.settings.connections.iter();
        let saved = saved.find(|one| Some(&one.name) == draft.saved_name.as_ref());
        saved.is_some_and(|saved| address(saved) != address(&typed))
    }

    /// Tests a connection as it is typed.
    fn test_connection(&mut self, draft: ConnectionDraft, view: &mut SetupView) {
        let known = self.tokens(draft.saved_name.as_deref().unwrap_or_default());
        let typed = tokens_of(&draft);
        if self.changes_address(&draft) && typed.service.is_none() {
            // A stored token belongs to the saved address and must not be sent to another address.
            let problem = not_usable(&TokenError::NoToken.into());
            let outcome = Err(problem);
            view.connection_test.start(
                self.errands
                    .run(move || async move { Ok(ConnectionTest { draft, outcome }) }),
            );
            return;
        }
        let tokens = typed.or(known);
        let (clock, keyring) = (self.clock.clone(), self.keyring);
        view.connection_test
            .start(self.errands.run(move || async move {
                let outcome = test_service(&draft, (tokens, keyring), &clock).await;
                Ok(ConnectionTest { draft, outcome })
            }));
    }
}

async fn test_service(
    draft: &ConnectionDraft,
    (tokens, keyring): (Tokens, Keyring),
    clock: &Clock,
) -> Result<ProbeResult, ConnectionProblem> {
    let settings = settings_of(draft);
    let (service, _tokens) = Service::from_connection(&settings, tokens, keyring)
        .await
        .map_err(|error| not_usable(&error))?;
    let made = within(KEYRING_LIMIT, move || {
        service
            .connection()
            .and_then(|connection| Client::new(&connection))
    });
    // Creating a client reads the system's certificates, which must not block the runtime's few threads.
    let client = made
        .await
        .unwrap_or(Err(client::ConnectionError::Address))
        .map_err(|error| not_usable(&error.into()))?;
    let found = probe(&client, clock.now()).await;
    found.map_err(|why| not_reached(&why, settings.proxy.is_some()))
}
