//! The program while no service is open: choosing a service, asking for its token, opening and closing it.
//!
//! A service is opened in the background: read the token, create the client, open the journal, start the engine. No
//! network is needed to open a connection, so that the bench works while the service can't be reached. Only a token
//! that the clerk has just entered is tested.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use secrecy::SecretString;
use thiserror::Error;
use tokio::sync::{oneshot, watch};

use crate::config::{ChosenService, ConnectionSettings, Keyring, TokenError, Tokens};
use crate::membership::{self, MembershipError};
use crate::program::ProgramOptions;
use crate::screens::settings::update::setup::{ServiceRequest, Setup, not_reached};
use crate::service::{Service, ServiceError, ask_keyring};
use crate::state::{
    Command, Editing, Environment, PracticeUser, SettingsCommand, Shared, TokenPlace,
    WindowCommand, WindowStage,
};
use client::{Client, ConnectionError, ConnectionTestError, Failure};
use engine::{Engine, Remote};
use storage::{JournalError, Rescue};
use workgroup::Workgroup;

/// How long a service that is being closed may take to finish work in progress.
pub(crate) const CLOSE_LIMIT: Duration = Duration::from_secs(5);

/// Number of steps in opening a service.
const STEPS: usize = 3;

/// Number of finished steps, and a description of the current step.
type Step = (usize, &'static str);

/// Starts the practice service, or returns the practice service that already runs. `main` provides this
/// function, because the app does not depend on the practice service. An error is a message for the clerk.
pub type PracticeStarter =
    Arc<dyn Fn() -> Pin<Box<dyn Future<Output = Result<Service, String>> + Send>> + Send + Sync>;

/// The program while no service is open.
pub(super) struct Launcher {
    pub(super) shared: Shared,
    /// Always empty: no form is shown while no service is open.
    pub(super) editing: Editing,
    pub(super) setup: Setup,
    options: ProgramOptions,
    practice_starter: PracticeStarter,
    /// Gets a message once the previous service is closed; `None` if none is being closed.
    closing: Option<oneshot::Receiver<()>>,
    opening: Remote<Result<OpenedService, OpenError>>,
    step: watch::Sender<Step>,
    /// Whether a typed token will be stored in the computer's keyring.
    has_keyring: bool,
}

impl Launcher {
    fn new(setup: Setup, options: ProgramOptions, practice_starter: PracticeStarter) -> Self {
        let mut shared = Shared::new(options.clock.now(), Environment::Practice);
        shared.session.zone.clone_from(&options.system_info.zone);
        setup.show(&mut shared);
        Self {
            shared,
            editing: Editing::default(),
            setup,
            has_keyring: options.system_info.keyring == Keyring::System,
            options,
            practice_starter,
            closing: None,
            opening: Remote::default(),
            step: watch::Sender::default(),
        }
    }

    /// Opens the chosen service, or asks the clerk to choose one.
    pub(super) fn begin(options: ProgramOptions, practice_starter: PracticeStarter) -> Self {
        let mut entry = Self::new(options.setup(), options, practice_starter);
        entry.shared.stage = WindowStage::Welcome { mend: None };
        entry.open_chosen(None);
        entry
    }

    /// Closes the service that was open, then opens the chosen one.
    pub(super) fn after(
        left: ClosingService,
        options: ProgramOptions,
        practice_starter: PracticeStarter,
    ) -> Self {
        let ClosingService {
            setup,
            shared,
            work,
        } = left;
        let mut entry = Self::new(setup, options, practice_starter);
        entry.shared.screen = shared.screen;
        entry.shared.notices = shared.notices;
        entry.shared.session.environment = shared.session.environment;
        entry.shared.settings = shared.settings;
        entry.setup.show(&mut entry.shared);
        entry.shared.stage = opening((0, "Finishing current work"));
        let (ended, closing) = oneshot::channel();
        let repaint = Arc::clone(&entry.options.repaint);
        entry.options.runtime.spawn(async move {
            work.close(CLOSE_LIMIT).await;
            // Ignored: the program may have been closed meanwhile.
            let _closed = ended.send(());
            repaint();
        });
        entry.closing = Some(closing);
        entry
    }

    /// Runs commands and handles finished background jobs. Returns the service once it is open.
    pub(super) fn turn(
        &mut self,
        commands: impl Iterator<Item = Command>,
    ) -> Option<OpenedService> {
        self.shared.now = self.options.clock.now();
        for command in commands {
            self.run(command);
        }
        if let Some(next) = self.setup.poll(&mut self.shared) {
            self.handle_service_request(next);
        }
        let is_closing = |closing: &mut oneshot::Receiver<()>| {
            closing.try_recv() == Err(oneshot::error::TryRecvError::Empty)
        };
        if self
            .closing
            .take_if(|closing| !is_closing(closing))
            .is_some()
        {
            self.open_chosen(None);
        }
        if self.opening.is_loading() {
            self.shared.stage = opening(*self.step.borrow());
        }
        if self.opening.poll() {
            self.opened()
        } else {
            None
        }
    }

    /// Waits until the settings are saved and the previous service is closed, each at most [`CLOSE_LIMIT`].
    pub(super) fn close(mut self) {
        self.setup.finish_writing();
        let Some(closing) = self.closing else {
            return;
        };
        let ended = async { tokio::time::timeout(CLOSE_LIMIT, closing).await };
        if self.options.runtime.block_on(ended).is_err() {
            tracing::warn!("closed while a service was still being left");
        }
    }

    /// Runs a command of the startup pages. Other commands are ignored: their screens are not shown.
    fn run(&mut self, command: Command) {
        let command = match command {
            Command::Settings(command) => command,
            Command::Window(WindowCommand::Dismiss(id)) => return self.shared.notices.dismiss(id),
            _ => return,
        };
        match command {
            SettingsCommand::OpenAgain if self.is_idle() => self.open_chosen(None),
            SettingsCommand::AnswerToken(token) if self.is_idle() => {
                self.open_chosen(token.to_secret_string());
            }
            SettingsCommand::Choose(mend) if self.is_idle() => {
                self.shared.stage = WindowStage::Welcome { mend };
            }
            command => {
                if let Some(next) = self.setup.run(command, &mut self.shared) {
                    self.handle_service_request(next);
                }
            }
        }
    }

    /// Returns whether no service is being opened or closed.
    fn is_idle(&self) -> bool {
        !self.opening.is_loading() && self.closing.is_none()
    }

    fn handle_service_request(&mut self, next: ServiceRequest) {
        if self.is_idle() {
            if let ServiceRequest::Open(chosen) = next {
                self.setup.choose(chosen);
                self.setup.show(&mut self.shared);
            }
            self.open_chosen(None);
        }
    }

    /// Opens the chosen service, if one is chosen.
    fn open_chosen(&mut self, entered_token: Option<SecretString>) {
        let Some(chosen) = self.setup.settings.chosen.clone() else {
            return;
        };
        let known_tokens = match &chosen {
            ChosenService::Practice => Tokens::default(),
            ChosenService::Connection(name) => self.setup.tokens(name),
        };
        self.step.send_replace((0, "Opening"));
        self.shared.stage = opening((0, "Opening"));
        let opener = ServiceOpener {
            options: ProgramOptions {
                settings: self.setup.settings.clone(),
                ..self.options.clone()
            },
            practice_starter: Arc::clone(&self.practice_starter),
            known_tokens,
            entered_token,
            workgroup_password: self.setup.workgroup_password.clone(),
            practice_user: self.setup.practice.user,
            step: self.step.clone(),
        };
        let tasks = &self.setup.tasks;
        self.opening
            .start(tasks.run(|| async move { Ok(opener.open(chosen).await) }));
    }

    fn opened(&mut self) -> Option<OpenedService> {
        let result = self.opening.take()?;
        let name = self.setup.settings.connection();
        let name = name.map(|connection| connection.name.clone());
        let error = match result {
            Ok(Ok(opened)) => return Some(opened),
            Ok(Err(error)) => error,
            Err(_) => OpenError::job_failed(),
        };
        let problem = match &error {
            OpenError::NoToken { keyring } => {
                self.has_keyring = *keyring;
                None
            }
            OpenError::TokenRefused(words) => Some(words.clone()),
            _ => {
                tracing::error!(%error, "the service could not be opened");
                self.shared.stage = WindowStage::Failed {
                    headline: format!("Couldn't open {}", name.as_deref().unwrap_or("Practice")),
                    advice: capitalised(&error.advice()),
                    connection: name,
                };
                return None;
            }
        };
        let name = name.unwrap_or_default();
        self.shared.stage = WindowStage::Token {
            kind: self.setup.kind(&name),
            name,
            keyring: self.has_keyring,
            problem,
        };
        None
    }
}

fn opening((done, what): Step) -> WindowStage {
    WindowStage::Opening {
        what: what.to_owned(),
        done,
        total: STEPS,
    }
}

/// A service that is being closed, and state that outlives it.
pub(super) struct ClosingService {
    pub(super) setup: Setup,
    pub(super) shared: Shared,
    pub(super) work: Engine,
}

/// An open service, with the facts that became known while it was opened.
pub(super) struct OpenedService {
    pub(super) service: Service,
    pub(super) work: Engine,
    /// The connection's tokens and where they are stored; `None` for the practice service.
    pub(super) tokens: Option<(Tokens, TokenPlace)>,
    /// True if the connection has a middleware, but the middleware's own tokens are missing.
    pub(super) without_prices: bool,
    /// How the journal was recovered, if it was damaged or missing.
    pub(super) rescue: Option<Rescue>,
}

#[derive(Debug, Error)]
enum OpenError {
    /// The connection's token is not known and not in the keyring.
    #[error("the token is asked for")]
    NoToken {
        /// True if the keyring could be read.
        keyring: bool,
    },
    /// The service refused the token that was just entered. Contains the message for the clerk.
    #[error("{0}")]
    TokenRefused(String),
    #[error("the practice service did not start: {0}")]
    Practice(String),
    #[error(transparent)]
    Service(#[from] ServiceError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Workgroup(#[from] MembershipError),
    /// A thread could not be started, or a blocking job panicked.
    #[error("the operating system refused a resource that Packbench needs ({0})")]
    System(#[from] io::Error),
}

impl OpenError {
    fn job_failed() -> Self {
        Self::System(io::Error::other("a background job failed"))
    }

    fn advice(&self) -> String {
        match self {
            Self::Journal(error) => {
                let advice = match error {
                    JournalError::Full => "free some space, then try again",
                    JournalError::ReadOnly => {
                        "allow writing to the data folder and its files, then try again"
                    }
                    JournalError::Locked => "close the program that is using it, then try again",
                    JournalError::Newer => "install the newer version again",
                    JournalError::OtherAddress { .. } => {
                        "set the earlier address again, and change it when Operations shows that nothing is unresolved"
                    }
                    _ => {
                        "check the data folder, then try again. To start with empty records, move the journal, its \
                         .commits file and its backups folder to another place"
                    }
                };
                format!("{error}. Nothing was changed: {advice}")
            }
            Self::Service(
                ServiceError::Authority(..) | ServiceError::Connection(ConnectionError::Authority),
            ) => format!("{self}. Choose the company's certificate file again"),
            Self::Service(_) => format!("{self}. Change the connection"),
            Self::Workgroup(_) => {
                format!(
                    "{self}. Ask the administrator to correct the workgroup with packbench provision"
                )
            }
            Self::NoToken { .. } | Self::TokenRefused(_) | Self::Practice(_) | Self::System(_) => {
                format!("{self}. Try again")
            }
        }
    }
}

struct ServiceOpener {
    options: ProgramOptions,
    practice_starter: PracticeStarter,
    /// Tokens of the connection that are known without reading the keyring.
    known_tokens: Tokens,
    /// A token that the clerk just entered. The service must accept it before it is stored.
    entered_token: Option<SecretString>,
    /// The password of the workgroup's database, with the address for which it was entered since the start.
    workgroup_password: Option<(String, SecretString)>,
    practice_user: PracticeUser,
    step: watch::Sender<Step>,
}

impl ServiceOpener {
    fn say(&self, step: Step) {
        self.step.send_replace(step);
        (self.options.repaint)();
    }

    /// Opens the chosen service and shows each step as it begins.
    async fn open(self, chosen: ChosenService) -> Result<OpenedService, OpenError> {
        let (service, mut tokens, without_prices) = match &chosen {
            ChosenService::Practice => {
                self.say((0, "Starting the practice service"));
                let started = (self.practice_starter)().await;
                let service = started.map_err(OpenError::Practice)?;
                (service.as_practice_user(self.practice_user), None, false)
            }
            ChosenService::Connection(name) => {
                self.say((0, "Reading the token from the keyring"));
                let saved = self.options.settings.named(name);
                let saved = saved.ok_or(ServiceError::NoConnection)?;
                let (service, tokens, place) = self.connect(saved).await?;
                let without_prices = saved.middleware.is_some() && service.middleware.is_none();
                (service, Some((tokens, place)), without_prices)
            }
        };
        self.say((1, "Preparing the connection"));
        let (made, clock) = (service.clone(), self.options.clock.clone());
        let client = blocking(move || Client::new(&made.connection()?.with_clock(clock))).await?;
        let client = client.map_err(ServiceError::from)?;
        if let Some(entered) = &self.entered_token {
            check_entered_token(&client).await?;
            if let Some((_, place)) = &mut tokens {
                *place = self.store(&service.name, entered).await;
            }
        }
        self.say((2, "Opening this bench's records"));
        let workgroup = self.workgroup(&service).await?;
        let (options, opened) = (self.options, service.clone());
        let (work, rescue) =
            blocking(move || options.start_engine::<OpenError>(&opened, client, workgroup))
                .await??;
        Ok(OpenedService {
            service,
            work,
            tokens,
            without_prices,
            rescue,
        })
    }

    /// Returns the workgroup, if one is set. The practice service of this bench has nothing to share.
    async fn workgroup(&self, service: &Service) -> Result<Option<Workgroup>, OpenError> {
        if service.environment == Environment::Practice {
            return Ok(None);
        }
        let (settings, system_info) = (&self.options.settings, &self.options.system_info);
        let entered = self.workgroup_password.clone();
        let password = entered
            .filter(|(address, _)| settings.workgroup.address.as_ref() == Some(address))
            .map(|(_, password)| password);
        let options = membership::options(settings, password, system_info.keyring).await?;
        // As the client has it, so that two benches with the same service share, however its address was typed.
        let connection = service.connection().map_err(ServiceError::from)?;
        let join = |options| {
            membership::join(options, settings, connection.address(), system_info.version)
        };
        Ok(options.map(join))
    }

    /// Returns the service of a connection, with its tokens and where they come from.
    async fn connect(
        &self,
        saved: &ConnectionSettings,
    ) -> Result<(Service, Tokens, TokenPlace), OpenError> {
        let mut known = self.known_tokens.clone();
        if self.entered_token.is_some() {
            known.service.clone_from(&self.entered_token);
        }
        let place = match &known.service {
            Some(_) => TokenPlace::Memory,
            None => TokenPlace::Keyring,
        };
        let keyring = self.options.system_info.keyring;
        let connected = Service::from_connection(saved, known, keyring).await;
        let (service, tokens) = connected.map_err(|error| match error {
            ServiceError::Token(error) => OpenError::NoToken {
                keyring: error == TokenError::NoToken,
            },
            other => other.into(),
        })?;
        Ok((service, tokens, place))
    }

    /// Writes a token that was just entered to the keyring. Without a usable keyring, the token stays in memory only.
    async fn store(&self, name: &str, entered: &SecretString) -> TokenPlace {
        let fresh = Tokens {
            service: Some(entered.clone()),
            ..Tokens::default()
        };
        let (name, keyring) = (name.to_owned(), self.options.system_info.keyring);
        match ask_keyring(move || keyring.write(&name, &fresh)).await {
            Ok(()) => TokenPlace::Keyring,
            Err(_) => TokenPlace::Memory,
        }
    }
}

/// Returns an error if the service refuses the token that was just entered. Any other failure is ignored, because the
/// token may still be right: perhaps the service can't be reached.
async fn check_entered_token(client: &Client) -> Result<(), OpenError> {
    match client.test_connection().await {
        Err(why @ ConnectionTestError::Failed(Failure::Unauthorised | Failure::Refused(_))) => {
            Err(OpenError::TokenRefused(not_reached(&why, false).message))
        }
        _ => Ok(()),
    }
}

async fn blocking<T: Send + 'static>(
    job: impl FnOnce() -> T + Send + 'static,
) -> Result<T, OpenError> {
    let done = tokio::task::spawn_blocking(job).await;
    done.map_err(|_panicked| OpenError::job_failed())
}

/// Returns the text with a capital first letter.
pub(super) fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}
