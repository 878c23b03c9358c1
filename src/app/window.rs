//! The window: eframe calls it for each frame, and it runs the [`Program`].

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use egui::epaint::text::{FallbackRequest, FontInsert, FontProvider as _};
use egui::{FontFamily, UserAttentionType, ViewportCommand};
use egui_system_font_provider::SystemFontProvider;
use poll_promise::Promise;

use crate::config::Graphics;
use crate::core::Core;
use crate::launcher::{PracticeStarter, capitalised};
use crate::program::{Program, ProgramOptions, StartError};
use crate::single_instance::SingleInstance;
use crate::state::{Command, Editing, Environment, Shared, ThemeChoice, WindowStage};
use crate::ui::{self, Screens};
use engine::Repaint;

const TITLE: &str = "Packbench";

/// Smallest size of the window, in points. A screen of 1366 × 768 pixels still has room for it at a scale of
/// 150 %.
const MIN_SIZE: [f32; 2] = [800.0, 480.0];

/// The program's window, with the state of its screens.
pub struct Window {
    program: Program,
    screens: Screens,
    commands: Vec<Command>,
    title: String,
    fonts: SystemFonts,
    frame_log: Option<PathBuf>,
    frames: u64,
}

impl Window {
    /// Creates a window for `program`. If there is a `frame_log`, the number of frames drawn is written to it
    /// with each frame.
    pub fn new(program: Program, frame_log: Option<PathBuf>) -> Self {
        Self {
            program,
            screens: Screens::default(),
            commands: Vec::new(),
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

    pub fn push(&mut self, command: Command) {
        self.commands.push(command);
    }

    /// Installs fonts, style and input pacing. Call this before the first frame.
    pub fn install(&self, ctx: &egui::Context) {
        let theme = self
            .shared()
            .map(|shared| shared.bench.theme)
            .unwrap_or_default();
        ui::install(ctx, theme);
        self.fonts.install(ctx);
    }

    pub fn turn(&mut self, ctx: &egui::Context) {
        self.fonts.turn(ctx);
        let at = Duration::try_from_secs_f64(ctx.input(|input| input.time)).unwrap_or_default();
        let is_hidden = ctx.input(|input| input.viewport().visible()) == Some(false);
        let shared = self.program.shared();
        let is_dialog_open = shared.is_some_and(|shared| self.screens.is_dialog_open(shared));
        let commands = self.commands.drain(..);
        let after = self.program.turn(at, commands, is_hidden, is_dialog_open);
        if let Some(after) = after {
            ctx.request_repaint_after(after);
        }
        if let Some(title) = self.program.shared().map(title)
            && title != self.title
        {
            self.title.clone_from(&title);
            ctx.send_viewport_cmd(ViewportCommand::Title(title));
        }
        if std::mem::take(&mut self.program.raise) {
            ctx.send_viewport_cmd(ViewportCommand::Minimized(false));
            ctx.send_viewport_cmd(ViewportCommand::Focus);
            ctx.send_viewport_cmd(ViewportCommand::RequestUserAttention(
                UserAttentionType::Informational,
            ));
        }
    }

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

/// Returns the window's title. Environment and connection come first, so that they stay visible if a task bar
/// shortens the title.
fn title(shared: &Shared) -> String {
    let (word, connection) = (
        shared.session.environment.label(),
        &shared.session.connection,
    );
    match (&shared.stage, shared.session.environment) {
        (WindowStage::Working, Environment::Practice) => format!("{word} - {TITLE}"),
        (WindowStage::Working, _) => format!("{word} - {connection} - {TITLE}"),
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

/// The icon of the windows, for task bars.
const ICON: &[u8] = include_bytes!("../../assets/icon/packbench-256.png");

/// Opens the window at once and runs until it is closed. The service is opened in the background.
pub fn run(
    options: &ProgramOptions,
    practice_starter: &PracticeStarter,
    only: &SingleInstance,
) -> Result<(), StartError> {
    let viewport = egui::ViewportBuilder::default()
        .with_title(TITLE)
        .with_inner_size([1440.0, 900.0])
        .with_min_inner_size(MIN_SIZE);
    open_app(options.system_info.graphics, &viewport, |ctx| {
        let repaint: Repaint = Arc::new({
            let ctx = ctx.clone();
            move || ctx.request_repaint()
        });
        let options = ProgramOptions {
            repaint: Arc::clone(&repaint),
            ..options.clone()
        };
        let frame_log = options.system_info.frame_log.clone();
        let program = Program::begin(options, Arc::clone(practice_starter));
        program.listen_for_second_starts(only, repaint);
        let window = Window::new(program, frame_log);
        window.install(ctx);
        window
    })
}

/// The window that explains why Packbench can't start. After a start from a desktop icon, nobody sees standard error.
struct Unstartable {
    headline: String,
    advice: String,
}

/// Shows in a window why Packbench can't start, until that window is closed.
pub fn show_unstartable(
    graphics: Graphics,
    headline: &str,
    advice: &str,
) -> Result<(), StartError> {
    let viewport = egui::ViewportBuilder::default()
        .with_title("Packbench can't start")
        .with_inner_size([640.0, 280.0])
        .with_min_inner_size([480.0, 240.0]);
    open_app(graphics, &viewport, |ctx| {
        ui::install(ctx, ThemeChoice::System);
        Unstartable {
            headline: capitalised(headline),
            advice: advice.to_owned(),
        }
    })
}

impl eframe::App for Unstartable {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        if ui::startup::unstartable(ui, &self.headline, &self.advice) {
            ui.ctx().send_viewport_cmd(ViewportCommand::Close);
        }
    }

    fn persist_egui_memory(&self) -> bool {
        false
    }
}

/// Opens a window, with the first of the ways to draw that works. Returns when the window is closed.
fn open_app<A: eframe::App>(
    graphics: Graphics,
    viewport: &egui::ViewportBuilder,
    make: impl Fn(&egui::Context) -> A,
) -> Result<(), StartError> {
    let mut last = String::new();
    let icon = eframe::icon_data::from_png_bytes(ICON).unwrap_or_default();
    let icon = Arc::new(icon);
    for drawing in graphics.ways_to_draw() {
        let renderer = drawing.renderer;
        let options = eframe::NativeOptions {
            viewport: viewport
                .clone()
                .with_app_id("packbench")
                .with_icon(icon.clone()),
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

/// Adds the system's fonts once a text needs one that the program's own fonts can't draw: Chinese, Arabic, Thai,
/// Hindi, emoji.
///
/// Listing the fonts takes hundreds of milliseconds, so it starts only when a text first needs a font, on a separate
/// thread. Until the fonts are listed, the text shows boxes. Font files are mapped into memory, not copied.
#[derive(Default)]
struct SystemFonts {
    /// Set when a frame lacked a font.
    is_wanted: Arc<AtomicBool>,
    stage: FontStage,
}

#[derive(Default)]
enum FontStage {
    #[default]
    NotNeeded,
    Listing(Promise<Arc<SystemFontProvider>>),
    Added,
}

impl SystemFonts {
    /// Makes egui report text that no font can draw. Call this before the first frame.
    fn install(&self, ctx: &egui::Context) {
        let is_wanted = Arc::clone(&self.is_wanted);
        ctx.add_font_provider(Arc::new(
            move |_: &FallbackRequest<'_>| -> Option<FontInsert> {
                is_wanted.store(true, Ordering::Relaxed);
                None
            },
        ));
    }

    /// Returns whether the last frame lacked a font, so that the next turn has to list the system's fonts.
    fn is_wanted(&self) -> bool {
        matches!(self.stage, FontStage::NotNeeded) && self.is_wanted.load(Ordering::Relaxed)
    }

    /// Lists the system's fonts if the last frame lacked one, and adds them once they are listed.
    fn turn(&mut self, ctx: &egui::Context) {
        let is_wanted = self.is_wanted.load(Ordering::Relaxed);
        self.stage = match std::mem::take(&mut self.stage) {
            FontStage::NotNeeded if is_wanted => FontStage::Listing(list_fonts(ctx.clone())),
            FontStage::Listing(listing) => match listing.try_take() {
                Ok(provider) => {
                    ctx.add_font_provider(provider);
                    FontStage::Added
                }
                Err(listing) => FontStage::Listing(listing),
            },
            other => other,
        };
    }
}

fn list_fonts(ctx: egui::Context) -> Promise<Arc<SystemFontProvider>> {
    Promise::spawn_thread("system fonts", move || {
        let provider = Arc::new(SystemFontProvider::new());
        // A lookup waits until the fonts are listed.
        drop(provider.font_for(&FallbackRequest {
            cluster: "a",
            family: &FontFamily::Proportional,
        }));
        ctx.request_repaint();
        provider
    })
}
