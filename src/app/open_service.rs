//! Opens a service in the background: reads the token, creates the client, opens the journal and starts
//! the engine.
//!
//! No network is needed to open a connection, so that the bench works while the service is away. Only a token
//! that was just entered is tried.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use secrecy::SecretString;
use thiserror::Error;
use tokio::sync::watch;

use super::service::{KEYRING_LIMIT, Service, ServiceError};
use crate::config::{
    ChosenService, ConnectionSettings, DataFolder, Settings, SystemInfo, TokenError, Tokens,
};
use crate::screens::settings::update::connections::not_reached;
use crate::state::{PracticeUser, TokenPlace};
use client::{Client, ConnectionError, ConnectionTestError, Failure};
use engine::{Engine, EngineParts as WorkParts, TaskRunner, within};
use printing::renderer::Renderer;
use printing::service::{PrintService, ServerAddress};
use shipping::Clock;
use storage::{Journal, JournalError, OpenedJournal, Rescue};

/// Starts the practice service, or returns the practice service that already runs. `main` provides this
/// function, because the app does not depend on the practice service. An error is a message for the clerk.
pub type PracticeStarter =
    Arc<dyn Fn() -> Pin<Box<dyn Future<Output = Result<Service, String>> + Send>> + Send + Sync>;

/// Number of steps in opening a service.
pub(super) const STEPS: usize = 3;

/// Number of finished steps, and a description of the current step.
pub(super) type Step = (usize, &'static str);

/// An open service, with the facts that were found while opening it.
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

/// Reasons why a service could not be opened.
#[derive(Debug, Error)]
pub(super) enum OpenError {
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
    /// A thread could not be started, or a blocking job panicked.
    #[error("the operating system refused a resource that Packbench needs ({0})")]
    System(#[from] std::io::Error),
}

/// Everything that opening a service needs.
pub(super) struct ServiceOpener {
    pub(super) errands: TaskRunner,
    pub(super) places: DataFolder,
    pub(super) settings: Settings,
    pub(super) system_info: SystemInfo,
    pub(super) clock: Clock,
    pub(super) practice_starter: PracticeStarter,
    /// Tokens of the connection that are known without reading the keyring.
    pub(super) known_tokens: Tokens,
    /// A token that the clerk just entered. The service must accept it before it is stored.
    pub(super) entered_token: Option<SecretString>,
    pub(super) practice_user: PracticeUser,
}

impl ServiceOpener {
    /// Opens the chosen service and shows each step as it begins.
    pub(super) async fn open(
        self,
        chosen: ChosenService,
        step: watch::Sender<Step>,
    ) -> Result<OpenedService, OpenError> {
        let say = |done, what| {
            step.send_replace((done, what));
            (self.errands.repaint())();
        };
        let (service, tokens, without_prices) = match &chosen {
            ChosenService::Practice => {
                say(0, "Starting the practice service");
                let started = (self.practice_starter)().await;
                let service = started.map_err(OpenError::Practice)?;
                (service.as_practice_user(self.practice_user), None, false)
            }
            ChosenService::Connection(name) => {
                say(0, "Reading the token from the keyring");
                let saved = self.settings.named(name);
                let saved = saved.ok_or(ServiceError::NoConnection)?;
                self.connect(saved).await?
            }
        };
        say(1, "Preparing the connection");
        let (made, clock) = (service.clone(), self.clock.clone());
        let client = blocking(move || Client::new(&made.connection()?.with_clock(clock))).await?;
        let client = client.map_err(ServiceError::from)?;
        if self.entered_token.is_some() {
            check_entered_token(&client).await?;
        }
        let tokens = match tokens {
            Some((tokens, place)) => Some(self.store(&service.name, tokens, place).await),
            None => None,
        };
        say(2, "Opening the journal");
        let (work, rescue) = self.start_engine(&service, client).await?;
        Ok(OpenedService {
            service,
            work,
            tokens,
            without_prices,
            rescue,
        })
    }

    async fn connect(
        &self,
        saved: &ConnectionSettings,
    ) -> Result<(Service, Option<(Tokens, TokenPlace)>, bool), OpenError> {
        let mut known = self.known_tokens.clone();
        let mut place = TokenPlace::Memory;
        if let Some(given) = &self.entered_token {
            known.service = Some(given.clone());
        } else if known.service.is_none() {
            place = TokenPlace::Keyring;
        }
        let (name, keyring) = (saved.name.clone(), self.system_info.keyring);
        let wanted = known.service.is_none() || saved.middleware.is_some();
        if wanted {
            let read = within(KEYRING_LIMIT, move || keyring.read(&name)).await;
            match read.unwrap_or(Err(TokenError::NoKeyring)) {
                Ok(stored) => known = known.or(stored),
                Err(_) if known.service.is_some() => {}
                Err(_) => return Err(OpenError::NoToken { keyring: false }),
            }
        }
        if known.service.is_none() {
            return Err(OpenError::NoToken { keyring: true });
        }
        let service = Service::from_connection(saved, known.clone(), keyring).await?;
        let without_prices = saved.middleware.is_some() && service.middleware.is_none();
        Ok((service, Some((known, place)), without_prices))
    }

    /// Writes a token that was just entered to the keyring. Without a usable keyring it stays in memory.
    async fn store(&self, name: &str, tokens: Tokens, place: TokenPlace) -> (Tokens, TokenPlace) {
        if self.entered_token.is_none() {
            return (tokens, place);
        }
        let fresh = Tokens {
            service: self.entered_token.clone(),
            ..Tokens::default()
        };
        let (name, keyring) = (name.to_owned(), self.system_info.keyring);
        let stored = within(KEYRING_LIMIT, move || keyring.write(&name, &fresh)).await;
        match stored {
            Some(Ok(())) => (tokens, TokenPlace::Keyring),
            _ => (tokens, TokenPlace::Memory),
        }
    }

    async fn start_engine(
        &self,
        service: &Service,
        client: Client,
    ) -> Result<(Engine, Option<Rescue>), OpenError> {
        let (path, now) = (self.places.journal(&service.name), self.clock.now());
        let opened = blocking(move || Journal::open_or_restore(&path, now)).await??;
        let OpenedJournal { journal, rescue } = opened;
        let parts = WorkParts {
            runtime: self.errands.runtime().clone(),
            client,
            journal,
            renderer: Renderer::new(self.system_info.program.clone()),
            print_service: print_service(&self.system_info),
            spool: self.places.spool(),
            clock: self.clock.clone(),
            bench: self.settings.key_prefix(),
            settle_after: service.reconcile_after.clone(),
            repaint: self.errands.repaint(),
            fault_hook: Arc::new(|_| ()),
        };
        Ok((Engine::start(parts)?, rescue))
    }
}

/// Returns an error if the service refuses the token that was just entered. Any other failure is ignored,
/// because it does not show that the token is wrong: the service may be away.
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
    done.map_err(|_panicked| OpenError::System(std::io::Error::other("a background job failed")))
}

/// Returns the computer's print service, at the address in `CUPS_SERVER` or else at the operating system's
/// default address.
pub(super) fn print_service(surroundings: &SystemInfo) -> PrintService {
    let server = surroundings
        .print_server
        .as_deref()
        .and_then(ServerAddress::parse);
    PrintService::new(
        surroundings.program.clone(),
        server.unwrap_or_else(ServerAddress::of_this_system),
    )
}

impl OpenError {
    /// Returns the headline and the advice for the clerk.
    pub(super) fn headline_and_advice(&self, name: &str) -> (String, String) {
        let headline = format!("Couldn't open {name}");
        let advice = match self {
            Self::Journal(error) => format!("{error}. Nothing was changed: {}", advice(error)),
            Self::Service(
                ServiceError::Authority(..) | ServiceError::Connection(ConnectionError::Authority),
            ) => {
                format!("{self}. Choose the company's certificate file again")
            }
            Self::Service(_) => format!("{self}. Change the connection"),
            Self::NoToken { .. } | Self::TokenRefused(_) | Self::Practice(_) | Self::System(_) => {
                format!("{self}. Try again")
            }
        };
        (headline, capitalised(&advice))
    }
}

/// Returns what to do about a journal that can't be opened.
fn advice(error: &JournalError) -> &'static str {
    match error {
        JournalError::Full => "free some space, then try again",
        JournalError::ReadOnly => "allow writing to the data folder and its files, then try again",
        JournalError::Locked => "close the program that is using it, then try again",
        _ => {
            "check the data folder, then try again. To start a new journal, move the journal, its .commits file and its \
             backups folder to another place"
        }
    }
}

/// Returns the text with a capital first letter.
pub(super) fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}
