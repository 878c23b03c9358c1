//! The whole program behind its widgets, from its first start, with its own home folder; driven by keys and
//! text.

use std::sync::Arc;

use app::config::Settings;
use app::state::{Command, Shared, WindowStage};
use app::{PracticeStarter, Program, Service, Window};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::clerk::Clerk;
use super::desk::{Home, fill};
use super::window;

/// A clerk at the window, who has a keyboard and nothing else.
pub(crate) struct Front {
    clerk: Clerk,
}

impl Front {
    /// Starts the program on `home` with what its settings file says; its practice service is the one at `practice`.
    pub(crate) fn start(home: &Home, practice: &practice::RunningService) -> Self {
        Self::start_at(home, practice.base_url(), practice.token())
    }

    /// Starts the program, and waits until the practice service that its settings choose is open.
    pub(crate) fn start_open(home: &Home, practice: &practice::RunningService) -> Self {
        let mut front = Self::start(home, practice);
        front.until_open("practice");
        front
    }

    /// Starts the program with settings that choose the practice service, and waits until it is open.
    pub(crate) fn at_practice(home: &Home, practice: &practice::RunningService) -> Self {
        let settings = r#"{"chosen": "practice"}"#;
        std::fs::write(home.places.settings(), settings).expect("a settings file");
        Self::start_open(home, practice)
    }

    /// The same; its practice service is reached at `address`.
    pub(crate) fn start_at(home: &Home, address: String, token: &str) -> Self {
        Self::start_with(home, Service::practice(address, token))
    }

    /// The same; its practice service is this one.
    pub(crate) fn start_with(home: &Home, practice: Service) -> Self {
        let settings = Settings::read(&home.places).expect("settings that can be read");
        Self::begin(home, settings, practice)
    }

    /// Starts the program with these settings.
    pub(crate) fn start_first(
        home: &Home,
        settings: Settings,
        practice: &practice::RunningService,
    ) -> Self {
        let practice = Service::practice(practice.base_url(), practice.token());
        Self::begin(home, settings, practice)
    }

    fn begin(home: &Home, settings: Settings, practice: Service) -> Self {
        let opens: PracticeStarter = Arc::new(move || {
            let service = practice.clone();
            Box::pin(async move { Ok(service) })
        });
        let program = Program::begin(home.options(settings), opens);
        let clerk = Clerk::before(window::open(program));
        let mut front = Self { clerk };
        front.rest();
        front
    }

    pub(crate) fn shared(&self) -> &Shared {
        self.clerk
            .window
            .state()
            .shared()
            .expect("the window is open")
    }

    pub(crate) fn title(&self) -> &str {
        self.clerk.window.state().title()
    }

    /// The widgets, for what is looked at by name.
    pub(crate) fn widgets(&mut self) -> &mut Harness<'static, Window> {
        &mut self.clerk.window
    }

    /// Frames until `probe` answers.
    #[track_caller]
    pub(crate) fn until<T>(
        &mut self,
        what: &str,
        mut probe: impl FnMut(&Shared) -> Option<T>,
    ) -> T {
        window::until(&mut self.clerk.window, what, |window| {
            probe(window.shared()?)
        })
    }

    /// Frames until the screens are up on the connection called `name`.
    #[track_caller]
    pub(crate) fn until_open(&mut self, name: &str) {
        self.until(&format!("{name} is open"), |shared| {
            (shared.stage == WindowStage::Working && shared.session.connection == name)
                .then_some(())
        });
        self.rest();
    }

    /// Whether a widget is there whose label contains `text`.
    pub(crate) fn shows(&self, text: &str) -> bool {
        self.clerk.window.query_by_label_contains(text).is_some()
    }

    /// Presses the keys and types the texts of a script, with a pause after each.
    pub(crate) fn keys(&mut self, script: &str) {
        self.clerk.keys(script);
    }

    /// Puts the keyboard into the widget with this label.
    #[track_caller]
    pub(crate) fn focus(&mut self, label: &str) {
        self.widgets().get_by_label(label).focus();
        self.rest();
    }

    /// Has the service test the typed connection, and opens it once its token is accepted.
    #[track_caller]
    pub(crate) fn test_and_open(&mut self, name: &str) {
        self.keys("<Enter>");
        self.until("the service takes the token", |shared| {
            let tried = shared.settings.connection_test.value()?;
            tried.outcome.as_ref().ok().map(drop)
        });
        self.rest();
        self.keys("<Enter>");
        self.until_open(name);
    }

    /// A key that is held down for longer than a press.
    pub(crate) fn hold(&mut self, modifiers: Modifiers, key: Key) {
        self.clerk.hold(modifiers, key);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.clerk.text(text);
    }

    pub(crate) fn paste(&mut self, text: &str) {
        self.clerk.paste(text);
    }

    /// What a screen asks for, without the keys to it: for what a journey is not about.
    pub(crate) fn ask(&mut self, command: impl Into<Command>) {
        self.clerk.window.state_mut().push(command.into());
        self.rest();
    }

    /// Types a consignment that can be sent: a saved sender, a full address, one line of goods.
    #[track_caller]
    pub(crate) fn type_consignment(&mut self, reference: &str) {
        let sender = self.until("the saved locations", |shared| {
            shared.session.company?;
            shared.catalogue.locations.value()?.first().cloned()
        });
        let editing = self.clerk.window.state_mut().editing_mut().expect("a form");
        editing.draft.from.set_location(&sender);
        fill(&mut editing.draft, reference);
        self.rest();
    }

    /// Closes the window, as a clerk does.
    pub(crate) fn close(mut self) {
        self.clerk.window.state_mut().close();
    }

    /// The frames that a person's pause between two keys has.
    pub(crate) fn rest(&mut self) {
        self.clerk.rest();
    }
}
