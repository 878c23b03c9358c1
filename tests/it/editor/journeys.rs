//! What a clerk does on the editor, through the real window, with a keyboard and nothing else.

mod edit;
mod pending;

use std::time::{Duration, Instant};

use egui::{Event, Id, Key, Modifiers};
use egui_kittest::Harness;
use packbench::app::{Core, Program, Window};
use packbench::draft::Field;
use packbench::practice::Running;

use crate::journeys::kit::picture;
use crate::support::desk::Home;
use crate::support::wait::SOON;

const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

/// So many fields may be passed on the way to one.
const MOST_TABS: usize = 60;

/// The clerk.
struct Clerk {
    window: Harness<'static, Window>,
}

impl Clerk {
    /// At a bench that works with the practice service.
    fn new(home: &Home, practice: &Running) -> Self {
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

    fn core(&self) -> &Core {
        self.window.state().core().expect("the window is open")
    }

    /// Frames until `probe` answers.
    #[track_caller]
    fn until<T>(&mut self, what: &str, mut probe: impl FnMut(&Core) -> Option<T>) -> T {
        let begun = Instant::now();
        loop {
            self.window.step();
            if let Some(answer) = probe(self.core()) {
                self.rest();
                return answer;
            }
            if begun.elapsed() > SOON {
                picture(&mut self.window, "journey-stuck");
                panic!("after {SOON:?} still not: {what}");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn press(&mut self, modifiers: Modifiers, key: Key) {
        self.window.key_press_modifiers(modifiers, key);
        self.rest();
    }

    fn text(&mut self, text: &str) {
        self.window.event(Event::Text(text.to_owned()));
        self.rest();
    }

    /// Tab, until the focus is in this field.
    #[track_caller]
    fn tab_to(&mut self, field: Field) {
        let wanted = Id::unique(("consign", field));
        for _ in 0..MOST_TABS {
            if self.window.ctx.memory(|memory| memory.has_focus(wanted)) {
                return;
            }
            self.press(Modifiers::NONE, Key::Tab);
        }
        picture(&mut self.window, "journey-stuck");
        panic!("Tab does not lead to {field:?}");
    }

    /// Another text in the place of what the field holds.
    fn replace(&mut self, field: Field, text: &str) {
        self.tab_to(field);
        self.press(Modifiers::COMMAND, Key::A);
        self.text(text);
    }

    /// The frames that a person's pause between two keys has.
    fn rest(&mut self) {
        for _ in 0..5 {
            self.window.step();
        }
    }

    /// Sender and receiver, by their abbreviations.
    fn pick_sides(&mut self) {
        self.until("the saved locations", |core| {
            core.shared.locations.value().map(|_| ())
        });
        for (side, short) in [(Key::Num1, "HSYD"), (Key::Num2, "BALFG")] {
            self.press(Modifiers::ALT, side);
            self.text(short);
            self.press(Modifiers::NONE, Key::Enter);
        }
    }
}
