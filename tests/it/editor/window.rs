//! The real window over a bench, for a clerk who uses only the keyboard.

use app::state::RouteView;
use app::{Core, Window};
use draft::Field;
use egui::{Event, Id, Key, Modifiers};
use egui_kittest::Harness;
use practice::RunningService;

use crate::journeys::kit::picture;
use crate::support::desk::Home;
use crate::support::window;

pub(crate) const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

/// So many fields may be passed on the way to one.
const MOST_TABS: usize = 60;

/// The clerk.
pub(crate) struct Clerk {
    pub(crate) window: Harness<'static, Window>,
    /// Keys that were pressed, Ctrl, Alt and Shift among them; text apart.
    pub(crate) keys: usize,
}

impl Clerk {
    /// At a bench that works with the practice service.
    pub(crate) fn new(home: &Home, practice: &RunningService) -> Self {
        let service = Home::service(practice.base_url(), practice.token());
        let window = window::open_on(home, &service);
        Self { window, keys: 0 }
    }

    /// A clerk at a new bench, with its home and its practice service.
    pub(crate) fn begin() -> (Home, RunningService, Self) {
        let (home, practice) = Home::with_practice();
        let clerk = Self::new(&home, &practice);
        (home, practice, clerk)
    }

    pub(crate) fn core(&self) -> &Core {
        window::core(&self.window)
    }

    /// Frames until `probe` answers.
    #[track_caller]
    pub(crate) fn until<T>(&mut self, what: &str, mut probe: impl FnMut(&Core) -> Option<T>) -> T {
        let stuck = (what, "editor-stuck");
        let answer = window::until(&mut self.window, stuck, |window| probe(window.core()?));
        self.rest();
        answer
    }

    pub(crate) fn press(&mut self, modifiers: Modifiers, key: Key) {
        let held = [modifiers.command, modifiers.alt, modifiers.shift];
        self.keys += 1 + held.into_iter().filter(|held| *held).count();
        self.window.key_press_modifiers(modifiers, key);
        self.rest();
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.window.event(Event::Text(text.to_owned()));
        self.rest();
    }

    pub(crate) fn paste(&mut self, text: &str) {
        self.window.event(Event::Paste(text.to_owned()));
        self.rest();
    }

    pub(crate) fn has_focus(&self, field: Field) -> bool {
        let wanted = Id::unique(("consign", field));
        self.window.ctx.memory(|memory| memory.has_focus(wanted))
    }

    /// The focus is there by itself.
    #[track_caller]
    pub(crate) fn is_at(&mut self, field: Field) {
        if !self.has_focus(field) {
            self.picture("editor-stuck");
            panic!("the focus is not at {field:?}");
        }
    }

    /// Types from the field that has the focus on, each text in the field that Tab leads to.
    #[track_caller]
    pub(crate) fn fill(&mut self, texts: &[(Field, &str)]) {
        for (field, text) in texts {
            self.is_at(*field);
            self.text(text);
            self.press(Modifiers::NONE, Key::Tab);
        }
    }

    /// Tab, until the focus is in this field.
    #[track_caller]
    pub(crate) fn tab_to(&mut self, field: Field) {
        for _ in 0..MOST_TABS {
            if self.has_focus(field) {
                return;
            }
            self.press(Modifiers::NONE, Key::Tab);
        }
        self.picture("editor-stuck");
        panic!("Tab does not lead to {field:?}");
    }

    /// Another text in the place of what the field holds.
    #[track_caller]
    pub(crate) fn replace(&mut self, field: Field, text: &str) {
        self.tab_to(field);
        self.press(Modifiers::COMMAND, Key::A);
        self.text(text);
    }

    /// Prices for what is typed by now.
    pub(crate) fn await_routes(&mut self) {
        self.until("routes", |core| {
            let (routes, stale) = (
                &core.shared.consign.routes,
                core.shared.consign.routes_stale,
            );
            let offers = routes.value().is_some_and(|routes| {
                let mut all = routes.iter();
                all.any(|route| matches!(route, RouteView::Offer { .. }))
            });
            (offers && !stale && !routes.is_loading()).then_some(())
        });
    }

    /// Sender and receiver, by their abbreviations.
    pub(crate) fn pick_sides(&mut self) {
        self.pick_sender();
        self.press(Modifiers::ALT, Key::Num2);
        self.text("BALFG");
        self.press(Modifiers::NONE, Key::Enter);
    }

    /// The frames that a person's pause between two keys has.
    pub(crate) fn rest(&mut self) {
        window::rest(&mut self.window);
    }

    pub(crate) fn picture(&mut self, name: &str) {
        picture(&mut self.window, name);
    }

    /// The saved sender, by its abbreviation.
    pub(crate) fn pick_sender(&mut self) {
        self.until("the saved locations", |core| {
            core.shared.catalogue.locations.value().map(|_| ())
        });
        self.press(Modifiers::ALT, Key::Num1);
        self.text("HSYD");
        self.press(Modifiers::NONE, Key::Enter);
    }
}
