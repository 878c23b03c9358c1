//! The window: eframe calls it for each frame, and it runs the [`Program`].

use std::path::PathBuf;
use std::time::Duration;

use egui::{UserAttentionType, ViewportCommand};

use super::core::Core;
use super::fonts::SystemFonts;
use super::program::Program;
use super::start::StartError;
use crate::config::Graphics;
use crate::state::{Command, Commands, Editing, Environment, Shared, WindowStage};
use crate::ui::{self, Screens};

const TITLE: &str = "Packbench";

/// Smallest size of the window, in points. A screen of 1366 × 768 pixels still has room for it at a scale of
/// 150 %.
const MIN_SIZE: [f32; 2] = [800.0, 480.0];

/// The program's window, with the state of its screens.
pub struct Window {
    program: Program,
    screens: Screens,
    commands: Commands,
    title: String,
    fonts: SystemFonts,
    frame_log: Option<PathBuf>,
    frames: u64,
}

impl Window {
    /// Creates a window for `program`. If there is a `frame_log`, the number of frames drawn is written to it
    /// with each frame.
    pub fn new(program: Program, frame_log: Option<PathBuf>) -> Self {
        let (screens, commands) = (Screens::default(), Commands::default());
        Self {
            program,
            screens,
            commands,
            title: TITLE.to_owned(),
            fonts: SystemFonts::default(),
            frame_log,
            frames: 0,
        }
    }

    /// Returns the open service; `None` while no service is open.
    pub fn core(&self) -> Option<&Core> {
        self.program.core()
    }

    /// Returns the state that the screens read; `None` once the program is closed.
    pub fn shared(&self) -> Option<&Shared> {
        self.program.shared()
    }

    /// Returns the form that the screens write into; `None` once the program is closed.
    pub fn editing_mut(&mut self) -> Option<&mut Editing> {
        self.program.view_state().map(|(_, editing)| editing)
    }

    pub fn title(&self) -> &str {
        &self.title
    }

    /// Queues a command, as the screens do.
    pub fn push(&mut self, command: Command) {
        self.commands.push(command);
    }

    /// Installs fonts, style and input pacing. Call this before the first frame.
    pub fn install(&self, ctx: &egui::Context) {
        let theme = self.shared().map(|shared| shared.theme).unwrap_or_default();
        ui::install(ctx, theme);
        self.fonts.install(ctx);
    }

    /// Runs one turn of the program.
    pub fn turn(&mut self, ctx: &egui::Context) {
        self.fonts.turn(ctx);
        let at = Duration::try_from_secs_f64(ctx.input(|input| input.time)).unwrap_or_default();
        for command in self.commands.take() {
            self.program.push(command);
        }
        let seen = ctx.input(|input| input.viewport().visible());
        self.program.hide(seen == Some(false));
        if let Some(after) = self.program.turn(at) {
            ctx.request_repaint_after(after);
        }
        if let Some(title) = self.program.shared().map(title)
            && title != self.title
        {
            self.title.clone_from(&title);
            ctx.send_viewport_cmd(ViewportCommand::Title(title));
        }
        if self.program.take_raise() {
            ctx.send_viewport_cmd(ViewportCommand::Minimized(false));
            ctx.send_viewport_cmd(ViewportCommand::Focus);
            ctx.send_viewport_cmd(ViewportCommand::RequestUserAttention(
                UserAttentionType::Informational,
            ));
        }
    }

    /// Draws a frame.
    pub fn draw(&mut self, ui: &mut egui::Ui) {
        let Some((shared, editing)) = self.program.view_state() else {
            return;
        };
        let root = egui::accesskit_root_id();
        ui.ctx()
            .accesskit_node_builder(root, |node| node.set_label(self.title.as_str()));
        self.screens.show(ui, shared, editing, &mut self.commands);
        if !self.commands.is_empty() || editing.is_changed() || self.fonts.is_wanted() {
            ui.ctx().request_repaint();
        }
    }

    /// Saves the drafts, and waits a short time for background work to end.
    pub fn close(&mut self) {
        self.program.close();
    }

    fn count_frame(&mut self) {
        self.frames += 1;
        if let Some(path) = &self.frame_log
            && std::fs::write(path, self.frames.to_string()).is_err()
        {
            self.frame_log = None;
        }
    }
}

/// Returns the window's title. Environment and connection come first, so that they are visible where a task
/// bar cuts the title.
fn title(shared: &Shared) -> String {
    match (&shared.stage, shared.session.environment) {
        (WindowStage::Working, environment @ Environment::Practice) => {
            format!("{} - {TITLE}", environment.label())
        }
        (WindowStage::Working, environment) => {
            format!(
                "{} - {} - {TITLE}",
                environment.label(),
                shared.session.connection
            )
        }
        _ => TITLE.to_owned(),
    }
}

impl eframe::App for Window {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        self.turn(ctx);
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.draw(ui);
        self.count_frame();
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.close();
    }

    fn persist_egui_memory(&self) -> bool {
        false
    }
}

/// Opens the program's window, and returns when it is closed.
pub(super) fn open(
    graphics: Graphics,
    make: impl Fn(&egui::Context) -> Window,
) -> Result<(), StartError> {
    let viewport = egui::ViewportBuilder::default()
        .with_title(TITLE)
        .with_app_id("packbench")
        .with_inner_size([1440.0, 900.0])
        .with_min_inner_size(MIN_SIZE);
    open_app(graphics, &viewport, |ctx| {
        let window = make(ctx);
        window.install(ctx);
        window
    })
}

/// Opens a window in the first way to draw that works. Returns when the window is closed.
pub(super) fn open_app<A: eframe::App>(
    graphics: Graphics,
    viewport: &egui::ViewportBuilder,
    make: impl Fn(&egui::Context) -> A,
) -> Result<(), StartError> {
    let mut last = String::new();
    for drawing in graphics.ways_to_draw() {
        let renderer = drawing.renderer;
        let options = eframe::NativeOptions {
            viewport: viewport.clone(),
            system_font_fallback: false,
            persist_window: false,
            ..drawing
        };
        let opened = eframe::run_native(
            TITLE,
            options,
            Box::new(|context| Ok(Box::new(make(&context.egui_ctx)))),
        );
        match opened {
            Ok(()) => return Ok(()),
            Err(error) => {
                tracing::warn!(%renderer, %error, "the window could not be opened");
                last = error.to_string();
            }
        }
    }
    Err(StartError::Window(last))
}
