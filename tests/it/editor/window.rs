//! The real window over a bench of its own, for a clerk who has a keyboard and nothing else.

use std::time::{Duration, Instant};

use egui::{Event, Key, Modifiers};
use egui_kittest::Harness;
use packbench::app::{Core, Program, Window};
use packbench::practice::Running;

use crate::journeys::kit::picture;
use crate::support::desk::Home;
use crate::support::wait::SOON;

pub(super) const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

/// The clerk.
pub(super) struct Clerk {
    pub(super) window: Harness<'static, Window>,
}

impl Clerk {
    /// At a bench that works with the practice service.
    pub(super) fn new(home: &Home, practice: &Running) -> Self {
        let core = home
            .open(&Home::service(practice.base_url(), practice.token()))
            .core;
        let program = Program::on(core, home.runtime.handle().clone());
        let mut ready = false;
        let window = Harness::builder()
            .with_size([1440.0, 900.0])
            .build_ui_state(
                move |ui, window: &mut Window| {
                    if !ready {
                        window.install(ui.ctx());
                        ready = true;
                        return;
                    }
                    window.turn(ui.ctx());
                    window.draw(ui);
                },
                Window::new(program, None),
            );
        Self { window }
    }

    pub(super) fn core(&self) -> &Core {
        self.window.state().core().expect("the window is open")
    }

    /// Frames until `probe` answers.
    #[track_caller]
    pub(super) fn until<T>(&mut self, what: &str, mut probe: impl FnMut(&Core) -> Option<T>) -> T {
        let begun = Instant::now();
        loop {
            self.window.step();
            if let Some(answer) = probe(self.core()) {
                self.rest();
                return answer;
            }
            if begun.elapsed() > SOON {
                self.picture("editor-stuck");
                panic!("after {SOON:?} still not: {what}");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub(super) fn press(&mut self, modifiers: Modifiers, key: Key) {
        self.window.key_press_modifiers(modifiers, key);
        self.rest();
    }

    pub(super) fn text(&mut self, text: &str) {
        self.window.event(Event::Text(text.to_owned()));
        self.rest();
    }

    /// The frames that a person's pause between two keys has.
    pub(super) fn rest(&mut self) {
        for _ in 0..5 {
            self.window.step();
        }
    }

    pub(super) fn picture(&mut self, name: &str) {
        picture(&mut self.window, name);
    }

    /// The saved sender, by its abbreviation.
    pub(super) fn pick_sender(&mut self) {
        self.until("the saved locations", |core| {
            core.shared.locations.value().map(|_| ())
        });
        self.press(Modifiers::ALT, Key::Num1);
        self.text("HSYD");
        self.press(Modifiers::NONE, Key::Enter);
    }
}
