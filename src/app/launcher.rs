//! The program while no service is open: choosing a service, asking for its token, opening and closing it.

use std::time::Duration;

use secrecy::SecretString;
use tokio::sync::watch;

use super::open_service::{OpenError, OpenedService, PracticeStarter, STEPS, ServiceOpener, Step};
use super::restored_journal::restoration_notice;
use crate::config::{ChosenService, Keyring, SystemInfo};
use crate::screens::settings::update::setup::{ActiveConnection, ServiceRequest, Setup};
use crate::state::{
    Command, Editing, Environment, Notice, Shared, Tone, WindowCommand, WindowStage,
};
use engine::{Engine, Remote};
use shipping::Clock;

/// How long a service that is being closed may take to finish work in progress.
pub(super) const CLOSE_LIMIT: Duration = Duration::from_secs(5);

/// Context that every stage of the program needs.
#[derive(Clone)]
pub(super) struct ProgramContext {
    pub(super) system_info: SystemInfo,
    pub(super) clock: Clock,
    pub(super) practise: PracticeStarter,
}

/// The program while no service is open.
pub(super) struct Launcher {
    pub(super) shared: Shared,
    /// Always empty: no form is shown while no service is open.
    pub(super) editing: Editing,
    pub(super) setup: Setup,
    context: ProgramContext,
    closing: Remote<()>,
    closed: Option<watch::Receiver<bool>>,
    opening: Remote<Result<OpenedService, OpenError>>,
    step: Option<watch::Receiver<Step>>,
    /// Whether a typed token will be stored in the computer's keyring.
    has_keyring: bool,
    /// The service to open once the previous service is closed.
    then: Option<ChosenService>,
}

impl Launcher {
    /// Opens the chosen service, or asks the clerk to choose one.
    pub(super) fn begin(setup: Setup, standing: ProgramContext) -> Self {
        let mut shared = Shared::new(standing.clock.now(), Environment::Practice);
        shared.session.zone.clone_from(&standing.system_info.zone);
        shared.theme = setup.settings.theme;
        setup.show(&mut shared.setup);
        let mut entry = Self {
            shared,
            editing: Editing::default(),
            setup,
            has_keyring: standing.system_info.keyring == Keyring::System,
            context: standing,
            closing: Remote::default(),
            closed: None,
            opening: Remote::default(),
            step: None,
            then: None,
        };
        match entry.setup.settings.chosen.clone() {
            Some(chosen) => entry.open(chosen, None),
            None => entry.shared.stage = WindowStage::Welcome { mend: None },
        }
        entry
    }

    /// Closes the service that was open, then opens the chosen one.
    pub(super) fn after(mut left: ClosingService, standing: ProgramContext) -> Self {
        let chosen = left.setup.settings.chosen.take();
        let mut entry = Self::begin(left.setup, standing);
        let Shared {
            session,
            screen,
            notices,
            setup,
            ..
        } = left.shared;
        entry.shared = Shared {
            screen,
            notices,
            setup,
            ..entry.shared
        };
        entry.shared.session.environment = session.environment;
        let (end, closed) = watch::channel(false);
        let work = left.work;
        entry
            .closing
            .start(entry.setup.errands.run(move || async move {
                work.close(CLOSE_LIMIT).await;
                end.send_replace(true);
                Ok(())
            }));
        entry.closed = Some(closed);
        entry.shared.stage = opening((0, "Finishing current work"));
        entry.setup.settings.chosen.clone_from(&chosen);
        entry.setup.show(&mut entry.shared.setup);
        entry.then = chosen;
        entry
    }

    /// Runs commands and takes finished background work. Returns the service once it is open.
    pub(super) fn turn(
        &mut self,
        commands: impl Iterator<Item = Command>,
    ) -> Option<OpenedService> {
        self.shared.now = self.context.clock.now();
        for command in commands {
            self.run(command);
        }
        let mut notices = Vec::new();
        if let Some(next) = self.setup.poll(&mut self.shared.setup, &mut notices) {
            self.go(next);
        }
        for notice in notices {
            self.notify(notice);
        }
        if self.closing.poll() {
            self.closed = None;
            if let Some(chosen) = self.then.take() {
                self.open(chosen, None);
            }
        }
        if let Some(step) = &mut self.step
            && step.has_changed().unwrap_or(false)
        {
            self.shared.stage = opening(*step.borrow_and_update());
        }
        if self.opening.poll() {
            self.opened()
        } else {
            None
        }
    }

    /// Shows a notice until it is dismissed.
    pub(super) fn notify(&mut self, notice: Notice) {
        self.shared.notices.add(notice, self.shared.now);
    }

    /// Waits until the previous service is closed, at most [`CLOSE_LIMIT`].
    pub(super) fn close(mut self) {
        let Some(mut closed) = self.closed.take() else {
            return;
        };
        let runtime = self.setup.errands.runtime().clone();
        runtime.block_on(async {
            let ended = closed.wait_for(|ended| *ended);
            if tokio::time::timeout(CLOSE_LIMIT, ended).await.is_err() {
                tracing::warn!("closed while a service was still being left");
            }
        });
    }

    fn run(&mut self, command: Command) {
        match command {
            Command::Settings(command) => {
                let busy = ActiveConnection::default();
                if let Some(next) = self.setup.run(command, &busy, &mut self.shared.setup) {
                    self.go(next);
                }
            }
            Command::Window(WindowCommand::Dismiss(id)) => {
                self.shared.notices.dismiss(id);
            }
            Command::Window(WindowCommand::PickTheme(theme)) => {
                self.shared.theme = theme;
                self.setup.settings.theme = theme;
                self.setup.write();
            }
            // All other commands come from screens that are not shown now.
            _ => {}
        }
    }

    fn go(&mut self, next: ServiceRequest) {
        if self.opening.is_loading() || self.closing.is_loading() {
            return;
        }
        match next {
            ServiceRequest::Open(chosen) => {
                self.setup.choose(chosen.clone());
                self.setup.show(&mut self.shared.setup);
                self.open(chosen, None);
            }
            ServiceRequest::Retry | ServiceRequest::Reopen => {
                if let Some(chosen) = self.setup.settings.chosen.clone() {
                    self.open(chosen, None);
                }
            }
            ServiceRequest::OpenWithToken(token) => {
                if let Some(chosen) = self.setup.settings.chosen.clone() {
                    self.open(chosen, token.to_secret_string());
                }
            }
            ServiceRequest::Choose(mend) => self.shared.stage = WindowStage::Welcome { mend },
        }
    }

    fn open(&mut self, chosen: ChosenService, given: Option<SecretString>) {
        let known = match &chosen {
            ChosenService::Practice => crate::config::Tokens::default(),
            ChosenService::Connection(name) => self.setup.tokens(name),
        };
        let ground = ServiceOpener {
            errands: self.setup.errands.clone(),
            places: self.setup.places.clone(),
            settings: self.setup.settings.clone(),
            system_info: self.context.system_info.clone(),
            clock: self.context.clock.clone(),
            practice_starter: std::sync::Arc::clone(&self.context.practise),
            known_tokens: known,
            entered_token: given,
            practice_user: self.setup.practice.user,
        };
        let (says, step) = watch::channel((0, "Opening"));
        self.shared.stage = opening((0, "Opening"));
        self.step = Some(step);
        self.opening.start(
            self.setup
                .errands
                .run(|| async move { Ok(ground.open(chosen, says).await) }),
        );
    }

    fn opened(&mut self) -> Option<OpenedService> {
        self.step = None;
        let result = self.opening.take()?;
        let name = self
            .setup
            .settings
            .connection()
            .map(|connection| connection.name.clone());
        let error = match result {
            Ok(Ok(opened)) => return Some(opened),
            Ok(Err(error)) => error,
            Err(_) => OpenError::System(std::io::Error::other("a background job failed")),
        };
        let problem = match &error {
            OpenError::NoToken { keyring } => {
                self.has_keyring = *keyring;
                None
            }
            OpenError::TokenRefused(words) => Some(words.clone()),
            _ => {
                let (headline, advice) =
                    error.headline_and_advice(name.as_deref().unwrap_or("Practice"));
                tracing::error!(%error, "the service could not be opened");
                self.shared.stage = WindowStage::Failed {
                    headline,
                    advice,
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

/// A service that is being closed, and state that outlives it.
pub(super) struct ClosingService {
    pub(super) setup: Setup,
    pub(super) shared: Shared,
    pub(super) work: Engine,
}

fn opening((done, what): Step) -> WindowStage {
    WindowStage::Opening {
        what: what.to_owned(),
        done,
        total: STEPS,
    }
}

/// Returns notices about a service that has just been opened.
pub(super) fn on_opening(opened: &OpenedService, zone: &str) -> Vec<Notice> {
    let mut notices = Vec::new();
    notices.extend(
        opened
            .rescue
            .as_ref()
            .map(|rescue| restoration_notice(rescue, zone)),
    );
    if opened.without_prices {
        notices.push(Notice::new(
            Tone::Warning,
            "Live prices are off: the middleware's own token is missing",
            "Enter it again in Settings",
        ));
    }
    notices
}
