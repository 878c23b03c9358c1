//! The program while no service is open: choosing a service, asking for its token, opening and closing it.

use std::time::Duration;

use secrecy::SecretString;
use tokio::sync::watch;

use super::core::frame_theme;
use super::mended::what_was_done;
use super::opening::{Ground, OpenError, Opened, Practise, STEPS, Step};
use super::setup::{Busy, Next, Setup};
use crate::config::{Chosen, Keyring, Surroundings};
use crate::shipping::Clock;
use crate::state::{
    Command, Editing, Environment, FrameCommand, Notice, NoticeId, Shared, Stage, ThemeChoice, Tone,
};
use crate::work::{Remote, Work};

/// How long a service that is being closed may take to finish work in progress.
pub(super) const CLOSE_LIMIT: Duration = Duration::from_secs(5);

/// Context that every stage of the program needs.
#[derive(Clone)]
pub(super) struct Standing {
    pub(super) surroundings: Surroundings,
    pub(super) clock: Clock,
    pub(super) practise: Practise,
}

/// The program while no service is open.
pub(super) struct Entry {
    pub(super) shared: Shared,
    /// Always empty: no form is shown while no service is open.
    pub(super) editing: Editing,
    pub(super) setup: Setup,
    standing: Standing,
    closing: Remote<()>,
    closed: Option<watch::Receiver<bool>>,
    opening: Remote<Result<Opened, OpenError>>,
    step: Option<watch::Receiver<Step>>,
    /// Whether a typed token will be stored in the computer's keyring.
    has_keyring: bool,
    /// The service to open once the previous service is closed.
    then: Option<Chosen>,
    next_notice: u64,
}

impl Entry {
    /// Opens the chosen service, or asks the clerk to choose one.
    pub(super) fn begin(setup: Setup, standing: Standing) -> Self {
        let mut shared = Shared::new(standing.clock.now(), Environment::Practice);
        shared.zone.clone_from(&standing.surroundings.zone);
        shared.theme = frame_theme(setup.settings.theme);
        setup.show(&mut shared.setup);
        let mut entry = Self {
            shared,
            editing: Editing::default(),
            setup,
            has_keyring: standing.surroundings.keyring == Keyring::System,
            standing,
            closing: Remote::default(),
            closed: None,
            opening: Remote::default(),
            step: None,
            then: None,
            next_notice: 0,
        };
        match entry.setup.settings.chosen.clone() {
            Some(chosen) => entry.open(chosen, None),
            None => entry.shared.stage = Stage::Welcome { mend: None },
        }
        entry
    }

    /// Closes the service that was open, then opens the chosen one.
    pub(super) fn after(mut left: Left, standing: Standing) -> Self {
        let chosen = left.setup.settings.chosen.take();
        let mut entry = Self::begin(left.setup, standing);
        entry.shared.setup = std::mem::take(&mut left.shared.setup);
        entry.shared.environment = left.shared.environment;
        entry.shared.screen = left.shared.screen;
        entry.shared.notices = left.notices;
        entry.next_notice = left.next_notice;
        let (end, closed) = watch::channel(false);
        let work = left.work;
        entry
            .closing
            .start(entry.setup.errands.run(move || async move {
                work.closed(CLOSE_LIMIT).await;
                end.send_replace(true);
                Ok(())
            }));
        entry.closed = Some(closed);
        entry.shared.stage = opening((0, "Ending what is under way"));
        entry.setup.settings.chosen.clone_from(&chosen);
        entry.setup.show(&mut entry.shared.setup);
        entry.then = chosen;
        entry
    }

    /// Runs commands and takes finished background work. Returns the service once it is open.
    pub(super) fn turn(&mut self, commands: impl Iterator<Item = Command>) -> Option<Opened> {
        self.shared.now = self.standing.clock.now();
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
    pub(super) fn notify(&mut self, mut notice: Notice) {
        notice.at = Some(self.shared.now);
        self.next_notice += 1;
        self.shared
            .notices
            .push((NoticeId(self.next_notice), notice));
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
                let busy = Busy::default();
                if let Some(next) = self.setup.run(command, &busy, &mut self.shared.setup) {
                    self.go(next);
                }
            }
            Command::Frame(FrameCommand::Dismiss(id)) => {
                self.shared.notices.retain(|(notice, _)| *notice != id);
            }
            Command::Frame(FrameCommand::PickTheme(theme)) => {
                self.shared.theme = theme;
                self.setup.settings.theme = settings_theme(theme);
                self.setup.write();
            }
            // All other commands come from screens that are not shown now.
            _ => {}
        }
    }

    fn go(&mut self, next: Next) {
        if self.opening.is_loading() || self.closing.is_loading() {
            return;
        }
        match next {
            Next::Open(chosen) => {
                self.setup.choose(chosen.clone());
                self.setup.show(&mut self.shared.setup);
                self.open(chosen, None);
            }
            Next::Again | Next::Anew => {
                if let Some(chosen) = self.setup.settings.chosen.clone() {
                    self.open(chosen, None);
                }
            }
            Next::With(token) => {
                if let Some(chosen) = self.setup.settings.chosen.clone() {
                    self.open(chosen, token.given());
                }
            }
            Next::Choose(mend) => self.shared.stage = Stage::Welcome { mend },
        }
    }

    fn open(&mut self, chosen: Chosen, given: Option<SecretString>) {
        let known = match &chosen {
            Chosen::Practice => crate::config::Tokens::default(),
            Chosen::Connection(name) => self.setup.tokens(name),
        };
        let ground = Ground {
            errands: self.setup.errands.clone(),
            places: self.setup.places.clone(),
            settings: self.setup.settings.clone(),
            surroundings: self.standing.surroundings.clone(),
            clock: self.standing.clock.clone(),
            practise: std::sync::Arc::clone(&self.standing.practise),
            known,
            given,
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

    fn opened(&mut self) -> Option<Opened> {
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
            Err(_) => OpenError::System(std::io::Error::other("a job ended early")),
        };
        let problem = match &error {
            OpenError::NoToken { keyring } => {
                self.has_keyring = *keyring;
                None
            }
            OpenError::TokenRefused(words) => Some(words.clone()),
            _ => {
                let (headline, advice) = error.words(name.as_deref().unwrap_or("Practice"));
                tracing::error!(%error, "the service could not be opened");
                self.shared.stage = Stage::Failed {
                    headline,
                    advice,
                    connection: name,
                };
                return None;
            }
        };
        let name = name.unwrap_or_default();
        self.shared.stage = Stage::Token {
            kind: self.setup.kind(&name),
            name,
            keyring: self.has_keyring,
            problem,
        };
        None
    }
}

/// A service that is being closed, and state that outlives it.
pub(super) struct Left {
    pub(super) setup: Setup,
    pub(super) shared: Shared,
    pub(super) notices: Vec<(NoticeId, Notice)>,
    pub(super) next_notice: u64,
    pub(super) work: Work,
}

fn opening((done, what): Step) -> Stage {
    Stage::Opening {
        what: what.to_owned(),
        done,
        total: STEPS,
    }
}

/// Returns notices about a service that has just been opened.
pub(super) fn on_opening(opened: &Opened, zone: &str) -> Vec<Notice> {
    let mut notices = Vec::new();
    notices.extend(
        opened
            .rescue
            .as_ref()
            .map(|rescue| what_was_done(rescue, zone)),
    );
    if opened.without_prices {
        notices.push(Notice::new(
            Tone::Warning,
            "Live prices are off: the middleware's own token is missing",
            "Give it again in Settings",
        ));
    }
    notices
}

pub(super) const fn settings_theme(theme: ThemeChoice) -> crate::config::Theme {
    match theme {
        ThemeChoice::System => crate::config::Theme::System,
        ThemeChoice::Light => crate::config::Theme::Light,
        ThemeChoice::Dark => crate::config::Theme::Dark,
    }
}
