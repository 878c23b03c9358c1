//! A clerk at the real window over a bench, who has a keyboard and nothing else.

use app::state::RouteView;
use app::{Core, Service, Window};
use draft::Field;
use egui::{Event, Id, Key, Modifiers};
use egui_kittest::Harness;
use practice::RunningService;

use super::desk::Home;
use super::keyboard::{Stroke, strokes};
use super::window;
use crate::journeys::kit::picture;

/// So many fields may be passed on the way to one.
const MOST_TABS: usize = 60;

/// The clerk.
pub(crate) struct Clerk {
    pub(crate) window: Harness<'static, Window>,
    /// Keys that were pressed, with the keys that were held meanwhile as one; text apart.
    pub(crate) chords: usize,
    /// Keys that were pressed, Ctrl, Alt and Shift among them; text apart.
    pub(crate) keys_pressed: usize,
}

impl Clerk {
    /// At a window that is open.
    pub(crate) fn before(window: Harness<'static, Window>) -> Self {
        Self {
            window,
            chords: 0,
            keys_pressed: 0,
        }
    }

    /// At a bench that works with this service.
    pub(crate) fn at(home: &Home, service: &Service) -> Self {
        Self::before(window::open_on(home, service))
    }

    /// At a bench that works with the practice service.
    pub(crate) fn new(home: &Home, practice: &RunningService) -> Self {
        let service = Home::service(practice.base_url(), practice.token());
        Self::at(home, &service)
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
        let answer = window::until(&mut self.window, what, |window| probe(window.core()?));
        self.rest();
        answer
    }

    /// Presses the keys and types the texts of a script, with a pause after each; see [`strokes`].
    pub(crate) fn keys(&mut self, script: &str) {
        for stroke in strokes(script) {
            match stroke {
                Stroke::Text(text) => self.text(text),
                Stroke::Key(modifiers, key) => self.press(modifiers, key),
            }
        }
    }

    fn press(&mut self, modifiers: Modifiers, key: Key) {
        self.count(modifiers);
        self.window.key_press_modifiers(modifiers, key);
        self.rest();
    }

    fn count(&mut self, modifiers: Modifiers) {
        let held = [modifiers.command, modifiers.alt, modifiers.shift];
        self.chords += 1;
        self.keys_pressed += 1 + held.into_iter().filter(|held| *held).count();
    }

    /// A key that is held down for longer than a press.
    pub(crate) fn hold(&mut self, modifiers: Modifiers, key: Key) {
        self.count(modifiers);
        self.window.key_down_modifiers(modifiers, key);
        self.window.run_steps(80);
        self.window.key_up_modifiers(modifiers, key);
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
            self.picture("stuck");
            panic!("the focus is not at {field:?}");
        }
    }

    /// Types from the field that has the focus on, each text in the field that Tab leads to.
    #[track_caller]
    pub(crate) fn fill(&mut self, texts: &[(Field, &str)]) {
        for (field, text) in texts {
            self.is_at(*field);
            self.text(text);
            self.keys("<Tab>");
        }
    }

    /// Tab, until the focus is in this field.
    #[track_caller]
    pub(crate) fn tab_to(&mut self, field: Field) {
        for _ in 0..MOST_TABS {
            if self.has_focus(field) {
                return;
            }
            self.keys("<Tab>");
        }
        self.picture("stuck");
        panic!("Tab does not lead to {field:?}");
    }

    /// Another text in the place of what the field holds.
    #[track_caller]
    pub(crate) fn replace(&mut self, field: Field, text: &str) {
        self.tab_to(field);
        self.keys("<Ctrl+A>");
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
        self.keys("<Alt+2>BALFG<Enter>");
    }

    /// A new bench whose clerk has picked both sides, and is at the first reference.
    pub(crate) fn begin_with_sides() -> (Home, RunningService, Self) {
        let (home, practice, mut clerk) = Self::begin();
        clerk.pick_sides();
        clerk.is_at(Field::Reference1);
        (home, practice, clerk)
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
        self.keys("<Alt+1>HSYD<Enter>");
    }
}
