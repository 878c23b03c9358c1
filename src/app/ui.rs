//! Draws the window: the frame, the startup pages, the current screen, and the parts that several screens share.
//!
//! The view of a screen (`screens/<name>/view`) reads the shared state, owns its own state, and requests everything
//! else by a command. Views use no files, sockets, locks or clocks. Colours, sizes and widgets come from [`widgets`],
//! so that all screens look alike.

pub mod actions;
pub(crate) mod connection;
pub(crate) mod environment;
pub(crate) mod export;
pub mod format;
pub(crate) mod frame;
pub mod guide;
pub(crate) mod lists;
pub(crate) mod parts;
pub(crate) mod save_as;
pub(crate) mod startup;
pub(crate) mod unreadable;

use crate::screens::{self, with_screens};
use crate::state::{
    BenchSettings, Command, Editing, Screen, SettingsCommand, Shared, ThemeChoice, TrackPane,
    WindowStage,
};
use actions::Action;
use widgets::theme;

/// Everything that a screen needs to draw one frame.
pub(crate) struct Context<'a> {
    pub(crate) shared: &'a Shared,
    pub(crate) commands: &'a mut Vec<Command>,
    pub(crate) triggered: Vec<Action>,
    /// The preset that was picked in the list of all actions.
    pub(crate) preset: Option<String>,
    /// True if a dialog is open, so that the screen's shortcuts are off.
    pub(crate) is_dialog_open: bool,
}

impl Context<'_> {
    pub(crate) fn push(&mut self, command: impl Into<Command>) {
        self.commands.push(command.into());
    }

    pub(crate) fn push_some(&mut self, command: Option<impl Into<Command>>) {
        if let Some(command) = command {
            self.push(command);
        }
    }

    /// Changes the settings that apply to every service.
    pub(crate) fn set_bench(&mut self, change: impl FnOnce(&mut BenchSettings)) {
        let mut bench = self.shared.bench.clone();
        change(&mut bench);
        self.push(SettingsCommand::SetBench(bench));
    }

    /// Returns whether this command is in the queue.
    pub(crate) fn has_command(&self, command: &Command) -> bool {
        self.commands.contains(command)
    }

    /// Returns the actions that were triggered in this frame.
    pub(crate) fn triggered_actions(&self) -> impl Iterator<Item = Action> {
        self.triggered.iter().copied()
    }

    /// Returns whether this action was triggered in this frame, by its shortcut or by name.
    pub(crate) fn is_triggered(&self, action: Action) -> bool {
        self.triggered.contains(&action)
    }
}

/// The view of a screen, as the window draws it.
pub(crate) trait ScreenView {
    /// Returns whether a dialog, menu or viewer is in front of the screen, so that shortcuts are off.
    fn is_open(&self, shared: &Shared) -> bool;

    /// Gives the screen's list the keyboard focus when the screen opens, unless another widget takes it.
    fn offer_focus(&mut self) {}

    fn show(&mut self, ui: &mut egui::Ui, context: &mut Context<'_>, editing: &mut Editing);
}

with_screens! {
    ($([$Screen:ident $screen:ident] [$View:ident $Command:ident $Update:ident $State:ident] $tab:tt)+) => {
        /// State that the screens keep from frame to frame.
        #[derive(Default)]
        pub struct Screens {
            frame: frame::FrameState,
            /// The startup pages; `Some` while no service is open.
            entry: Option<startup::StartupPages>,
            /// The screen that was shown in the last frame.
            up: Option<(Screen, TrackPane)>,
            /// Name of the connection that the screens show.
            connection: String,
            theme: Option<ThemeChoice>,
            $($screen: screens::$screen::view::$State,)+
        }

        impl Screens {
            fn view(&mut self, screen: Screen) -> &mut dyn ScreenView {
                match screen {
                    $(Screen::$Screen => &mut self.$screen,)+
                }
            }
        }
    };
}

/// Sets fonts, style, options and the input pacer. Call once, before the first frame.
pub fn install(ctx: &egui::Context, choice: ThemeChoice) {
    theme::install(ctx, theme_preference(choice));
    ctx.add_plugin(widgets::pacer::Pacer::default());
}

impl Screens {
    /// Draws the frame and the current screen. Adds the commands that the clerk triggers to `commands`,
    /// in order.
    pub fn show(
        &mut self,
        ui: &mut egui::Ui,
        shared: &Shared,
        editing: &mut Editing,
        commands: &mut Vec<Command>,
    ) {
        if self.theme != Some(shared.bench.theme) {
            ui.ctx().set_theme(theme_preference(shared.bench.theme));
            self.theme = Some(shared.bench.theme);
        }
        let mut context = Context {
            shared,
            commands,
            triggered: Vec::new(),
            preset: self.frame.picked_preset.take(),
            is_dialog_open: false,
        };
        if shared.stage != WindowStage::Working {
            let entry = self.entry.get_or_insert_default();
            return entry.show(ui, &mut context);
        }
        self.begin_working(shared);
        context.is_dialog_open = self.is_dialog_open(shared);
        if !context.is_dialog_open {
            context.triggered = actions::pressed_actions(ui, shared);
        }
        context.triggered.extend(self.frame.picked_action.take());
        run_commands(&mut context);
        let consign = &self.consign;
        self.frame.deletion.undo(ui, &mut context, consign);
        self.offer_focus(ui, &context);
        let room = self.frame.show(ui, &mut context);
        let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(room).id_salt(shared.screen));
        inside.shrink_clip_rect(room.expand(4.0));
        self.view(shared.screen)
            .show(&mut inside, &mut context, editing);
        self.frame.show_in_front(ui, &mut context);
    }

    /// Returns whether a dialog is in front of the screens.
    pub(crate) fn is_dialog_open(&mut self, shared: &Shared) -> bool {
        self.frame.is_open(shared) || { Screen::ALL.into_iter() }
            .any(|screen| self.view(screen).is_open(shared))
    }

    /// Gives a list the focus when its screen opens, and when the shortcut of the screen is pressed again. A
    /// scan that opens a screen leaves the focus in the search box, for the next scan.
    fn offer_focus(&mut self, ui: &egui::Ui, context: &Context<'_>) {
        let shared = context.shared;
        let asked = context.triggered_actions().find_map(Action::target_screen);
        if asked.is_some_and(|screen| screen != Screen::Consign || screen != shared.screen) {
            ui.memory_mut(|memory| {
                if let Some(focused) = memory.focused() {
                    memory.surrender_focus(focused);
                }
            });
        }
        let up = Some((shared.screen, shared.track.pane));
        if self.up == up && asked != Some(shared.screen) {
            return;
        }
        self.up = up;
        self.view(shared.screen).offer_focus();
    }

    /// Drops the startup pages and everything typed there. After a change of service, resets all screens except
    /// Settings, which keeps its unsaved input.
    fn begin_working(&mut self, shared: &Shared) {
        self.entry = None;
        if self.connection != shared.session.connection {
            *self = Self {
                frame: std::mem::take(&mut self.frame),
                settings: std::mem::take(&mut self.settings),
                up: self.up,
                connection: shared.session.connection.clone(),
                theme: self.theme,
                ..Self::default()
            };
        }
    }
}

/// Queues the commands of the triggered actions that only run a command.
fn run_commands(context: &mut Context<'_>) {
    for action in context.triggered.clone() {
        if let Some(command) = &action.entry().command {
            context.push(command.clone());
        }
    }
}

fn theme_preference(choice: ThemeChoice) -> egui::ThemePreference {
    match choice {
        ThemeChoice::System => egui::ThemePreference::System,
        ThemeChoice::Light => egui::ThemePreference::Light,
        ThemeChoice::Dark => egui::ThemePreference::Dark,
    }
}
