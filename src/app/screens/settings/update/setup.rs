//! Settings, connections and tokens. They exist from the start of the program to its end, independently of the open
//! service.
//!
//! The disk and the keyring are accessed in the background only. A token that no keyring accepts stays in
//! memory and is never written to a file.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::config::{
    ChosenService, ConnectionSettings, DataFolder, Keyring, MiddlewareSettings, Settings,
    SystemInfo, TokenError, Tokens, WorkgroupSettings,
};
use crate::launcher::CLOSE_LIMIT;
use crate::service::{KEYRING_LIMIT, Service, ServiceError, ask_keyring};
use crate::sounds::SoundPlayer;
use crate::state::{
    ConnectionTest, ConnectionView, Notice, PracticeSettings, SettingsCommand, Shared, TokenPlace,
    Tone, WindowStage, WorkgroupDraft,
};
use client::{Client, ConnectionError, ConnectionTestError, Failure};
use devices::scale::list_devices;
use draft::{ConnectionDraft, ConnectionField, ConnectionProblem, Secret, ServiceKind};
use engine::{ProbeResult, Remote, TaskRunner, probe, read_logo, within};
use secrecy::SecretString;
use shipping::{self, Clock, Paths};
use storage::Journal;

/// A request to open a service, handled by the launcher or, while a service is open, by `Core`.
#[derive(Debug)]
pub(crate) enum ServiceRequest {
    /// Opens this service.
    Open(ChosenService),
    /// Opens the chosen service again, because its connection was changed.
    Reopen,
}

/// Result of saving a connection.
struct SavedConnection {
    settings: ConnectionSettings,
    given: Tokens,
    /// Whether the keyring accepted the secrets; `None` if nothing was written to the keyring.
    stored: Option<Result<(), TokenError>>,
    /// Number of unfinished operations in the connection's journal. If there are any, its address must
    /// not change.
    unfinished: usize,
    then_use: bool,
    is_open: bool,
}

/// Result of removing a connection, or only its token.
struct RemovedConnection {
    name: String,
    whole: bool,
    cleared: Result<(), TokenError>,
    unfinished: usize,
}

/// Settings, connections and tokens, with the background jobs that read and write them.
pub(crate) struct Setup {
    pub(crate) settings: Settings,
    /// How the practice service is used. Not saved: each start of the program begins with the clerk as
    /// the user.
    pub(crate) practice: PracticeSettings,
    pub(crate) places: DataFolder,
    pub(crate) tasks: TaskRunner,
    pub(crate) clock: Clock,
    pub(crate) sounds: SoundPlayer,
    file_dialog: bool,
    keyring: Keyring,
    /// Tokens that became known in this session, by connection name.
    tokens: HashMap<String, Tokens>,
    /// Where each connection's token is stored, and whether the middleware's token and its integration id
    /// are known.
    token_places: HashMap<String, (TokenPlace, [bool; 2])>,
    /// The password of the workgroup's database, with the address for which it was entered since the start.
    pub(crate) workgroup_password: Option<(String, SecretString)>,
    /// Whether the keyring has accepted the workgroup's password.
    storing: Remote<Result<(), TokenError>>,
    writing: Remote<()>,
    keeping: Remote<SavedConnection>,
    removing: Remote<RemovedConnection>,
    looking: Remote<Vec<(String, Result<Tokens, TokenError>)>>,
    browsing: Remote<Option<PathBuf>>,
    /// The problem of the logo that was saved last.
    checking_logo: Remote<Option<String>>,
}

impl Setup {
    pub(crate) fn new(
        tasks: TaskRunner,
        settings: Settings,
        places: DataFolder,
        clock: Clock,
        sounds: SoundPlayer,
        system_info: &SystemInfo,
    ) -> Self {
        Self {
            settings,
            practice: PracticeSettings::default(),
            places,
            tasks,
            clock,
            sounds,
            file_dialog: system_info.file_dialog,
            keyring: system_info.keyring,
            tokens: HashMap::new(),
            token_places: HashMap::new(),
            workgroup_password: None,
            storing: Remote::default(),
            writing: Remote::default(),
            keeping: Remote::default(),
            removing: Remote::default(),
            looking: Remote::default(),
            browsing: Remote::default(),
            checking_logo: Remote::default(),
        }
    }

    /// Updates the settings in the state that the screens read.
    pub(crate) fn show(&self, shared: &mut Shared) {
        shared.bench.clone_from(&self.settings.bench);
        let view = &mut shared.settings;
        let connections = self.settings.connections.iter();
        view.connections = connections
            .map(|saved| {
                let secrets = self.token_places.get(&saved.name).copied();
                let (token, [middleware_token, integration]) = secrets.unwrap_or_default();
                ConnectionView {
                    draft: saved.to_draft(),
                    token,
                    middleware_token,
                    integration,
                }
            })
            .collect();
        view.chosen.clone_from(&self.settings.chosen);
        view.machine = Arc::clone(&self.settings.machine);
        let workgroup = &self.settings.workgroup;
        let authority = workgroup.authority.as_ref();
        view.workgroup = WorkgroupDraft {
            address: workgroup.address.clone().unwrap_or_default(),
            password: Secret::default(),
            authority: authority.map_or_else(String::new, |path| path.display().to_string()),
        };
        view.document_texts
            .clone_from(&self.settings.document_texts);
        view.scale.clone_from(&self.settings.scale);
        view.order_folder = self.settings.order_folder().cloned();
        view.scanner.clone_from(&self.settings.scanner);
        view.file_dialog = self.file_dialog;
        view.busy = self.keeping.is_loading() || self.removing.is_loading();
    }

    /// Runs a command. Returns a request if a service must be opened.
    pub(crate) fn run(
        &mut self,
        command: SettingsCommand,
        shared: &mut Shared,
    ) -> Option<ServiceRequest> {
        match command {
            SettingsCommand::Practise => return self.switch_to(ChosenService::Practice, shared),
            SettingsCommand::Use(name) => {
                return self.switch_to(ChosenService::Connection(name), shared);
            }
            SettingsCommand::DismissTest => shared.settings.connection_test.clear(),
            SettingsCommand::TestConnection(draft) => self.test_connection(*draft, shared),
            SettingsCommand::Save(draft) => self.save_connection(*draft, false, shared),
            SettingsCommand::SaveAndUse(draft) => self.save_connection(*draft, true, shared),
            SettingsCommand::Remove(name) if self.is_open(&name, shared) => {
                let headline = format!("{name} is open and was not removed");
                let advice = "Switch to another service first";
                shared.notify(Notice::new(Tone::Warning, headline, advice));
            }
            SettingsCommand::Remove(name) => self.remove(name, true),
            SettingsCommand::ForgetToken(name) => self.remove(name, false),
            SettingsCommand::BrowseAuthority => {
                self.browse(
                    "Certificate authority",
                    "Certificates",
                    &["pem", "crt", "cer"],
                );
            }
            SettingsCommand::BrowseLogo => self.browse("Logo", "Pictures", &["png", "svg"]),
            SettingsCommand::BrowseFolder => {
                self.browsing.start(self.tasks.run(move || async move {
                    let dialog = rfd::AsyncFileDialog::new().set_title("Folder");
                    let folder = dialog.pick_folder().await;
                    Ok(folder.map(|folder| folder.path().to_owned()))
                }));
            }
            SettingsCommand::SaveOrderFolder(folder) => {
                self.settings.set_order_folder(folder.map(|folder| *folder));
                self.write();
            }
            SettingsCommand::SaveDocumentTexts(texts) => {
                if let Some(path) = texts.logo.clone() {
                    let check = self.tasks.disk(move || Ok(read_logo(&path).err()));
                    self.checking_logo.start(check);
                }
                self.settings.document_texts = *texts;
                self.write();
            }
            SettingsCommand::SaveWorkgroup(draft) => {
                let is_changed = self.save_workgroup(&draft);
                self.show(shared);
                let is_connection = self.settings.connection().is_some();
                let is_open = shared.stage == WindowStage::Working && is_connection;
                return (is_changed && is_open).then_some(ServiceRequest::Reopen);
            }
            SettingsCommand::SetBench(bench) => {
                self.settings.bench = bench;
                self.write();
            }
            SettingsCommand::ListDevices => {
                let list = self.tasks.disk(|| Ok(list_devices()));
                shared.settings.devices.start(list);
            }
            SettingsCommand::SaveScale(scale) => {
                self.settings.scale = scale.map(|scale| *scale);
                self.write();
            }
            SettingsCommand::SaveScanner(scanner) => {
                self.settings.scanner = scanner;
                self.write();
            }
            SettingsCommand::PlaySound(sound) => (self.sounds)(sound),
            // Handled elsewhere: `PickSender` and `TestScale` while a service is open, the other commands by the
            // launcher.
            SettingsCommand::PickSender(_)
            | SettingsCommand::TestScale
            | SettingsCommand::AnswerToken(_)
            | SettingsCommand::OpenAgain
            | SettingsCommand::Choose(_) => {}
        }
        self.show(shared);
        None
    }

    /// Lets the clerk pick a file with one of these endings.
    fn browse(&mut self, title: &'static str, kind: &'static str, endings: &'static [&str]) {
        self.browsing.start(self.tasks.run(move || async move {
            let dialog = rfd::AsyncFileDialog::new();
            let dialog = dialog.set_title(title).add_filter(kind, endings);
            Ok(dialog.pick_file().await.map(|file| file.path().to_owned()))
        }));
    }

    /// Saves the workgroup's settings, and its password in the keyring. Returns true if anything changed.
    fn save_workgroup(&mut self, draft: &WorkgroupDraft) -> bool {
        let filled = |typed: &str| Some(typed.trim().to_owned()).filter(|text| !text.is_empty());
        let typed = WorkgroupSettings {
            address: filled(&draft.address),
            authority: filled(&draft.authority).map(PathBuf::from),
        };
        let password = draft.password.to_secret_string();
        let is_changed = typed != self.settings.workgroup || password.is_some();
        self.settings.workgroup = typed;
        self.write();
        if let (Some(password), Some(address)) = (password, self.settings.workgroup.address.clone())
        {
            self.workgroup_password = Some((address.clone(), password.clone()));
            let keyring = self.keyring;
            let storing = self.tasks.run(move || async move {
                let write = move || keyring.write_workgroup_password(&address, &password);
                Ok(ask_keyring(write).await)
            });
            self.storing.start(storing);
        }
        is_changed
    }

    /// Returns the request to open a service, unless an administrator has set another one.
    fn switch_to(&self, chosen: ChosenService, shared: &mut Shared) -> Option<ServiceRequest> {
        let machine = &self.settings.machine;
        if machine.is_locked(&["chosen"]) && self.settings.chosen.as_ref() != Some(&chosen) {
            let advice = format!("The service is set by {}", machine.set_by());
            let headline = "You can't switch to another service";
            shared.notify(Notice::new(Tone::Warning, headline, advice));
            return None;
        }
        Some(ServiceRequest::Open(chosen))
    }

    /// Handles finished background jobs.
    pub(crate) fn poll(&mut self, shared: &mut Shared) -> Option<ServiceRequest> {
        let mut next = None;
        shared.settings.connection_test.poll();
        shared.settings.devices.poll();
        if self.writing.poll()
            && let Some(problem) = self.writing.problem()
        {
            let mut notice = Notice::failed("Couldn't save the settings", problem);
            notice.tone = Tone::Warning;
            shared.notify(notice);
        }
        if self.storing.poll()
            && let Some(Err(_)) = self.storing.value()
        {
            let headline = "The workgroup's password is kept in memory only";
            let advice = "This computer has no usable keyring. Enter the password again at the next start; it is never \
                          written to a file";
            shared.notify(Notice::new(Tone::Warning, headline, advice));
        }
        if self.checking_logo.poll()
            && let Some(Some(problem)) = self.checking_logo.value()
        {
            let advice = "Documents are printed without it until you choose another in Settings";
            shared.notify(Notice::new(Tone::Warning, problem.clone(), advice));
        }
        let mut changed = false;
        if self.keeping.poll() {
            next = self.connection_saved(shared);
            changed = true;
        }
        if self.removing.poll() {
            self.removed(shared);
            changed = true;
        }
        if self.looking.poll() {
            self.record_token_places();
            changed = true;
        }
        if self.browsing.poll()
            && let Some(Some(path)) = self.browsing.value()
        {
            let picked = &mut shared.settings.picked;
            *picked = (picked.0 + 1, path.display().to_string());
        }
        if changed {
            self.show(shared);
        }
        next
    }

    /// Returns whether the bench works with the connection of this name now.
    fn is_open(&self, name: &str, shared: &Shared) -> bool {
        shared.stage == WindowStage::Working
            && shared.session.connection == name
            && matches!(self.settings.chosen, Some(ChosenService::Connection(_)))
    }

    /// Saves the settings in the background, with every locked field as the administrator set it. A notice tells of a
    /// failure to write.
    pub(crate) fn write(&mut self) {
        self.settings.restore_locked();
        let (settings, places) = (self.settings.clone(), self.places.clone());
        self.writing
            .start(self.tasks.disk(move || settings.write(&places)));
    }

    /// Waits until the last change of the settings is saved, at most [`CLOSE_LIMIT`].
    pub(crate) fn finish_writing(&mut self) {
        self.writing.finish(CLOSE_LIMIT);
    }

    /// Sets the service that the bench works with from now on.
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

    /// Returns the tokens of a connection that are known without reading the keyring.
    pub(crate) fn tokens(&self, name: &str) -> Tokens {
        self.tokens.get(name).cloned().unwrap_or_default()
    }

    /// Records the tokens of a connection and where they are stored.
    pub(crate) fn record_tokens(&mut self, name: &str, tokens: Tokens, place: TokenPlace) {
        let parts = secret_parts(&tokens);
        self.token_places.insert(name.to_owned(), (place, parts));
        self.tokens.insert(name.to_owned(), tokens);
    }

    /// Returns whether tokens of this connection were recorded before. If so, the clerk already knows where
    /// they are stored.
    pub(crate) fn has_recorded_tokens(&self, name: &str) -> bool {
        self.tokens.contains_key(name)
    }

    /// Records the tokens that a connection was opened with. If a place is already recorded, `Memory` does not
    /// replace it.
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
        let names = self.settings.connections.iter().map(|one| one.name.clone());
        let is_unknown = |name: &String| !self.token_places.contains_key(name);
        let unknown: Vec<_> = names.filter(is_unknown).collect();
        if unknown.is_empty() || self.looking.is_loading() {
            return;
        }
        let keyring = self.keyring;
        self.looking.start(self.tasks.run(move || async move {
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
        let found = self.looking.take().and_then(Result::ok);
        for (name, tokens) in found.into_iter().flatten() {
            // Information that became known meanwhile is newer, and a connection may have been removed.
            if self.token_places.contains_key(&name) || self.settings.named(&name).is_none() {
                continue;
            }
            // The tokens themselves are not kept, because only their place was wanted.
            let place = match &tokens {
                Ok(tokens) if tokens.service.is_some() => TokenPlace::Keyring,
                Ok(_) => TokenPlace::Missing,
                Err(_) => TokenPlace::NoKeyring,
            };
            let parts = tokens.as_ref().map_or([false; 2], secret_parts);
            self.token_places.insert(name, (place, parts));
        }
    }

    /// Returns whether the draft changes the address of a saved connection, or of its middleware.
    fn changes_address(&self, draft: &ConnectionDraft) -> bool {
        let typed = settings_of(draft);
        let address = |one: &ConnectionSettings| {
            let middleware = one.middleware.as_ref().map(|one| one.address.clone());
            (one.address.clone(), middleware)
        };
        let saved = { draft.saved_name.as_ref() }.and_then(|name| self.settings.named(name));
        saved.is_some_and(|saved| address(saved) != address(&typed))
    }

    /// Tests a connection as it is typed.
    fn test_connection(&mut self, draft: ConnectionDraft, shared: &mut Shared) {
        let known = self.tokens(draft.saved_name.as_deref().unwrap_or_default());
        let typed = tokens_of(&draft);
        // A stored token belongs to the saved address and must not be sent to another address.
        let lacks_token = self.changes_address(&draft) && typed.service.is_none();
        let tokens = typed.or(known);
        let (clock, keyring) = (self.clock.clone(), self.keyring);
        let test = self.tasks.run(move || async move {
            let outcome = if lacks_token {
                Err(not_usable(&TokenError::NoToken.into()))
            } else {
                test_service(&draft, (tokens, keyring), &clock).await
            };
            Ok(ConnectionTest { draft, outcome })
        });
        shared.settings.connection_test.start(test);
    }

    /// Saves a connection: its secrets in the keyring, the rest in the settings.
    fn save_connection(&mut self, draft: ConnectionDraft, then_use: bool, shared: &Shared) {
        if !shared.settings.check(&draft).is_empty() {
            return;
        }
        let (settings, given) = (settings_of(&draft), tokens_of(&draft));
        let is_open = self.is_open(&settings.name, shared);
        // Operations that were sent to one address must never be reconciled at another.
        let moved = self
            .settings
            .named(&settings.name)
            .is_some_and(|saved| saved.address != settings.address);
        let known = is_open.then(|| shared.operations.open().count());
        let (journal, keyring) = (self.places.journal(&settings.name), self.keyring);
        self.keeping.start(self.tasks.run(move || async move {
            let unfinished = match (moved, known) {
                (false, _) => 0,
                (true, Some(known)) => known,
                (true, None) => count_unfinished(journal).await,
            };
            let typed = draft.has_secrets();
            let stored = if unfinished == 0 && typed {
                let (name, given) = (settings.name.clone(), given.clone());
                Some(ask_keyring(move || keyring.write(&name, &given)).await)
            } else {
                None
            };
            Ok(SavedConnection {
                settings,
                given,
                stored,
                unfinished,
                then_use,
                is_open,
            })
        }));
    }

    fn connection_saved(&mut self, shared: &mut Shared) -> Option<ServiceRequest> {
        let SavedConnection {
            settings,
            given,
            stored,
            unfinished,
            then_use,
            is_open,
        } = match self.keeping.take()? {
            Ok(saved) => saved,
            Err(problem) => {
                shared.notify(Notice::failed("Couldn't save the connection", &problem));
                return None;
            }
        };
        let name = settings.name.clone();
        if unfinished > 0 {
            let headline = format!("The address of {name} was not changed");
            shared.notify(unfinished_notice(&headline, unfinished));
            return None;
        }
        let changed = self.put(settings);
        if let Some(stored) = stored {
            self.record_secrets(&name, given, stored, shared);
        }
        self.write();
        // The secrets are stored now, so the screens don't need them any more.
        if let Some(tried) = shared.settings.connection_test.value_mut() {
            tried.draft = tried.draft.without_secrets();
        }
        let saved = &mut shared.settings.saved;
        *saved = (saved.0 + 1, name.clone());
        if then_use {
            return self.switch_to(ChosenService::Connection(name), shared);
        }
        (is_open && (changed || stored.is_some())).then_some(ServiceRequest::Reopen)
    }

    /// Adds a connection to the settings, or replaces the connection of the same name. Returns true if the
    /// settings changed.
    fn put(&mut self, mut settings: ConnectionSettings) -> bool {
        let all = &mut self.settings.connections;
        let Some(saved) = all.iter_mut().find(|saved| saved.name == settings.name) else {
            all.push(settings);
            return true;
        };
        // The service's printer and the senders are chosen on other screens, not in this form.
        settings.service_printer = saved.service_printer;
        settings.senders.clone_from(&saved.senders);
        let changed = *saved != settings;
        *saved = settings;
        changed
    }

    /// Records the secrets of a connection. If the keyring did not accept them, they stay in memory, and a
    /// notice says so.
    fn record_secrets(
        &mut self,
        name: &str,
        given: Tokens,
        stored: Result<(), TokenError>,
        shared: &mut Shared,
    ) {
        let all = given.or(self.tokens(name));
        let place = if stored.is_ok() {
            TokenPlace::Keyring
        } else {
            shared.notify(memory_only_notice(name));
            TokenPlace::Memory
        };
        self.record_tokens(name, all, place);
    }

    /// Removes a connection's token from the keyring; with `whole`, also the connection.
    fn remove(&mut self, name: String, whole: bool) {
        let (journal, keyring) = (self.places.journal(&name), self.keyring);
        self.removing.start(self.tasks.run(move || async move {
            let unfinished = if whole {
                count_unfinished(journal).await
            } else {
                0
            };
            let cleared = if unfinished == 0 {
                let name = name.clone();
                ask_keyring(move || keyring.delete(&name)).await
            } else {
                Ok(())
            };
            Ok(RemovedConnection {
                name,
                whole,
                cleared,
                unfinished,
            })
        }));
    }

    fn removed(&mut self, shared: &mut Shared) {
        let RemovedConnection {
            name,
            whole,
            cleared,
            unfinished,
        } = match self.removing.take() {
            Some(Ok(removed)) => removed,
            Some(Err(problem)) => {
                return shared.notify(Notice::failed("Nothing was removed", &problem));
            }
            None => return,
        };
        if unfinished > 0 {
            let headline = format!("{name} was not removed");
            return shared.notify(unfinished_notice(&headline, unfinished));
        }
        let known = self.token_places.get(&name);
        let was_in_keyring = known.is_none_or(|(place, _)| *place == TokenPlace::Keyring);
        if cleared.is_err() && was_in_keyring {
            let advice = "Unlock the keyring and try again, or delete Packbench's entry in your keyring program";
            let headline = format!("The token of {name} may still be in the keyring");
            shared.notify(Notice::new(Tone::Warning, headline, advice));
        }
        self.tokens.remove(&name);
        if whole {
            self.token_places.remove(&name);
            let connections = &mut self.settings.connections;
            connections.retain(|connection| connection.name != name);
            self.settings.order_folders.remove(&name);
            return self.write();
        }
        let place = match cleared {
            Ok(()) => TokenPlace::Missing,
            Err(_) => TokenPlace::NoKeyring,
        };
        self.token_places.insert(name, (place, [false; 2]));
    }
}

/// Returns whether the middleware's token and its integration id are known.
const fn secret_parts(tokens: &Tokens) -> [bool; 2] {
    [tokens.middleware.is_some(), tokens.integration.is_some()]
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
        .unwrap_or(Err(ConnectionError::Address))
        .map_err(|error| not_usable(&error.into()))?;
    let found = probe(&client, clock.now()).await;
    found.map_err(|why| not_reached(&why, settings.proxy.is_some()))
}

/// Counts the unfinished operations of a journal that is not in use. A journal that can't be read counts as one
/// unfinished operation, because it may contain some.
async fn count_unfinished(journal: PathBuf) -> usize {
    let counted = tokio::task::spawn_blocking(move || Journal::count_open(&journal)).await;
    counted.ok().and_then(Result::ok).unwrap_or(1)
}

/// Returns a notice that unfinished operations prevent a change.
pub(crate) fn unfinished_notice(headline: &str, unfinished: usize) -> Notice {
    let count = if unfinished == 1 {
        "1 operation is unresolved".to_owned()
    } else {
        format!("{unfinished} operations are unresolved")
    };
    let advice = format!("{count} at that service. Open Operations there to resolve this");
    Notice::new(Tone::Warning, headline, advice)
}

/// Returns a notice that no keyring accepted the token.
pub(crate) fn memory_only_notice(name: &str) -> Notice {
    Notice::new(
        Tone::Warning,
        format!("The token of {name} is kept in memory only"),
        "This computer has no usable keyring. You are asked for the token at each start; it is never written to a file",
    )
}

/// Returns a typed connection as the settings store it: trimmed, and without secrets.
fn settings_of(draft: &ConnectionDraft) -> ConnectionSettings {
    let text = |text: &str| text.trim().to_owned();
    let filled = |typed: &str| Some(text(typed)).filter(|text| !text.is_empty());
    let mut dialect = draft.compatibility.clone();
    let paths = &mut dialect.paths;
    let usual = Paths::default();
    for (path, usual) in [
        (&mut paths.routes, usual.routes),
        (&mut paths.complex_routes, usual.complex_routes),
        (&mut paths.company_locations, usual.company_locations),
        (&mut paths.un_numbers, usual.un_numbers),
    ] {
        *path = filled(path).unwrap_or(usual);
    }
    ConnectionSettings {
        name: { draft.saved_name.clone() }.unwrap_or_else(|| text(&draft.name)),
        kind: draft.kind.unwrap_or(ServiceKind::Test),
        address: text(&draft.address),
        company: draft.company,
        service_printer: None,
        senders: Vec::new(),
        dialect,
        tracking: draft.tracking_bases(),
        middleware: filled(&draft.middleware_address).map(|address| MiddlewareSettings {
            address,
            platform: text(&draft.platform),
        }),
        authority: filled(&draft.authority).map(PathBuf::from),
        proxy: filled(&draft.proxy),
    }
}

/// Returns the tokens that are typed in a form.
fn tokens_of(draft: &ConnectionDraft) -> Tokens {
    Tokens {
        service: draft.token.to_secret_string(),
        middleware: draft.middleware_token.to_secret_string(),
        integration: draft.integration.to_secret_string(),
    }
}

/// Returns the reason why a connection can't be used, with the field where the clerk can correct it.
fn not_usable(error: &ServiceError) -> ConnectionProblem {
    use ConnectionField as At;
    let (field, words) = match error {
        ServiceError::NoConnection => (At::Name, "This connection no longer exists"),
        ServiceError::Token(TokenError::NoToken) => {
            (At::Token, "Paste the token here: the keyring has none")
        }
        ServiceError::Token(TokenError::NoKeyring) => {
            let words = "Paste the token here: this machine's keyring cannot be used";
            (At::Token, words)
        }
        ServiceError::Authority(_, kind) => {
            let words = format!("The file cannot be read ({kind})");
            return ConnectionProblem::at(At::Authority, words);
        }
        ServiceError::Connection(ConnectionError::Address) => {
            (At::Address, "Enter a web address that starts with https://")
        }
        ServiceError::Connection(ConnectionError::NotHttps) => {
            (At::Address, "It must start with https://")
        }
        ServiceError::Connection(ConnectionError::CredentialsInAddress) => (
            At::Address,
            "Remove the user name and password from the address: settings can't store secrets",
        ),
        ServiceError::Connection(ConnectionError::Token) => (
            At::Token,
            "Some characters can't be part of a token. Paste it again",
        ),
        ServiceError::Connection(ConnectionError::Authority) => (
            At::Authority,
            "The file contains no certificate in PEM format (-----BEGIN CERTIFICATE-----)",
        ),
        ServiceError::Connection(ConnectionError::Proxy) => {
            (At::Proxy, "Enter the proxy as http://host:port")
        }
        ServiceError::Connection(ConnectionError::Platform) => {
            (At::Platform, "Enter the platform: letters, digits, - and _")
        }
    };
    ConnectionProblem::at(field, words)
}

/// Returns the reason why a service can't be reached, with the field that probably causes it.
pub(crate) fn not_reached(why: &ConnectionTestError, proxied: bool) -> ConnectionProblem {
    use ConnectionField as At;
    let (field, words) = match why {
        ConnectionTestError::UnknownHost => (
            At::Address,
            "Server not found. Check the spelling, or the network",
        ),
        ConnectionTestError::Untrusted => (
            At::Authority,
            "This computer doesn't trust the service's certificate. If your company has a certificate authority of its \
             own, choose its file here",
        ),
        ConnectionTestError::WrongHost => (
            At::Address,
            "A different server answers there: its certificate is for another server name. Nothing was sent",
        ),
        ConnectionTestError::OutOfDate => (
            At::Address,
            "The service's certificate has expired. Check this computer's clock, or tell the service's administrator",
        ),
        ConnectionTestError::Failed(Failure::Unauthorised) => (
            At::Token,
            "The service does not accept this token (HTTP 401)",
        ),
        ConnectionTestError::Failed(Failure::Refused(errors)) => {
            let words = shipping::ServiceError::joined_messages(errors);
            return ConnectionProblem::at(At::Token, words);
        }
        ConnectionTestError::Failed(Failure::NeverSent) if proxied => (
            At::Proxy,
            "No answer through this proxy. Check the proxy and the address",
        ),
        ConnectionTestError::Failed(other) => {
            return ConnectionProblem::at(At::Address, no_service(other));
        }
    };
    ConnectionProblem::at(field, words)
}

/// Describes why there is no usable service at an address.
fn no_service(failure: &Failure) -> String {
    let words = match failure {
        Failure::NeverSent => "No answer from this address. Check the address, and the network",
        Failure::TimedOut => "The service didn't answer in time. Try again",
        Failure::Broken => "The connection was lost. Try again",
        Failure::WebPage => {
            "A web page answered instead of the service. Check the address, or sign in to the network"
        }
        Failure::Status(status @ 300..=399) => {
            return format!(
                "This address redirects elsewhere (HTTP {status}), and the token wasn't sent there. Enter the address \
                 where the service really is"
            );
        }
        Failure::Status(404) => "There is no such service at this address (HTTP 404)",
        Failure::Status(status) => {
            return format!(
                "The service has an internal error (HTTP {status}). Try again in a minute"
            );
        }
        Failure::Busy { .. } => "The service is busy. Try again in a minute",
        Failure::Unreadable(_) | Failure::Empty | Failure::TooLarge(_) => {
            "A different server answers at this address. Check the address"
        }
        other => return format!("The service can't be used: {other}"),
    };
    words.to_owned()
}
