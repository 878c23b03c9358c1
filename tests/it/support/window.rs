//! The real window in a test, opened over a program and driven frame by frame.

use std::time::{Duration, Instant};

use app::{Core, Program, Service, Window};
use egui_kittest::{Harness, HarnessBuilder};

use super::desk::Home;
use super::wait::SOON;
use crate::journeys::kit::picture;

/// The window over this program.
pub(crate) fn open(program: Program) -> Harness<'static, Window> {
    build(Harness::builder(), program)
}

/// The window over the program on `home`, which works with `service`.
pub(crate) fn open_on(home: &Home, service: &Service) -> Harness<'static, Window> {
    open(over(home.open(service).core, home))
}

/// This program, with the runtime of `home`.
pub(crate) fn over(core: Core, home: &Home) -> Program {
    Program::with_core(core, home.runtime.handle().clone())
}

/// The window in a harness of its own settings.
pub(crate) fn build(builder: HarnessBuilder<Window>, program: Program) -> Harness<'static, Window> {
    let mut ready = false;
    let draw = move |ui: &mut egui::Ui, window: &mut Window| {
        if !ready {
            // Fonts are there from the next frame on.
            window.install(ui.ctx());
            ready = true;
            return;
        }
        window.turn(ui.ctx());
        window.draw(ui);
    };
    let window = Window::new(program, None);
    builder
        .with_size([1440.0, 900.0])
        .build_ui_state(draw, window)
}

/// The program behind the window.
pub(crate) fn core<'w>(window: &'w Harness<'_, Window>) -> &'w Core {
    window.state().core().expect("the window is open")
}

/// Frames until `probe` answers. Where it does not in time: leaves a picture called `stuck`, and says what it waited for.
#[track_caller]
pub(crate) fn until<T>(
    window: &mut Harness<'static, Window>,
    what: &str,
    mut probe: impl FnMut(&Window) -> Option<T>,
) -> T {
    let begun = Instant::now();
    loop {
        window.step();
        if let Some(answer) = probe(window.state()) {
            return answer;
        }
        if begun.elapsed() > SOON {
            picture(window, "stuck");
            let state = window.state_mut();
            let problems: Vec<_> = { state.editing_mut() }
                .map(|editing| editing.problems().cloned().collect())
                .unwrap_or_default();
            let shared = state.shared();
            let stage = shared.map(|shared| &shared.stage);
            let notices = shared.map(|shared| &shared.notices.shown);
            let operations = shared.map(|shared| &shared.operations.list);
            panic!(
                "after {SOON:?} still not: {what}; {problems:?}, {stage:?}, {notices:?}, {operations:?}"
            );
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The frames that a person's pause between two keys has.
pub(crate) fn rest(window: &mut Harness<'static, Window>) {
    window.run_steps(5);
}
