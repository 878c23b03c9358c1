//! The screens and the kit that they are built from.
//!
//! A screen reads what every screen may read, owns what only it needs, and asks for everything else by command: no file,
//! socket, lock or clock is touched here. Colours, sizes and widgets come from [`kit`], so that screens agree with each other.

pub mod actions;
mod connection;
mod consign;
pub mod dispatch;
mod entry;
mod environment;
mod export;
mod frame;
pub mod kit;
mod labels;
mod lists;
mod operations;
mod settings;
mod track;
mod unread;
mod words;

use crate::state::{Command, Commands, Editing, Screen, Shared, Stage, ThemeChoice, TrackPane};
use actions::Action;
use kit::theme;

/// What a screen is given to draw with.
pub(crate) struct Context<'a> {
    /// What every screen may read.
    pub(crate) shared: &'a Shared,
    commands: &'a mut Commands,
    asked: Vec<Action>,
    /// The preset that was picked by name.
    preset: Option<String>,
    /// A dialog has the keys.
    in_front: bool,
}

impl Context<'_> {
    /// Asks for something.
    pub(crate) fn ask(&mut self, command: impl Into<Command>) {
        self.commands.push(command.into());
    }

    /// Asks for it, where there is something to be asked for.
    pub(crate) fn asks(&mut self, command: Option<impl Into<Command>>) {
        if let Some(command) = command {
            self.ask(command);
        }
    }

    /// True where a command waits to be run.
    pub(crate) fn has_asked(&self, command: &Command) -> bool {
        self.commands.holds(command)
    }

    /// What was asked for in this frame.
    pub(crate) fn all_asked(&self) -> impl Iterator<Item = Action> {
        self.asked.iter().copied()
    }

    /// Was this asked for in this frame, by its key or by name?
    pub(crate) fn asked(&self, action: Action) -> bool {
        self.asked.contains(&action)
    }
}

/// What the screens keep for themselves from frame to frame.
#[derive(Default)]
pub struct Screens {
    frame: frame::State,
    consign: consign::State,
    dispatch: dispatch::State,
    labels: labels::State,
    track: track::State,
    operations: operations::State,
    settings: settings::State,
    /// While no service is open.
    entry: Option<entry::State>,
    /// The screen that was up in the last frame.
    up: Option<(Screen, TrackPane)>,
    /// The connection that the screens show.
    connection: String,
    theme: Option<ThemeChoice>,
}

/// Sets fonts, style, options and the input pacer. Call once, before the first frame.
pub fn install(ctx: &egui::Context, choice: ThemeChoice) {
    theme::install(ctx, themed(choice));
    ctx.add_plugin(kit::pacer::Pacer::default());
}

/// Says why Packbench can't start, in the place of all screens. True where the clerk closes it.
pub fn show_unstartable(ui: &mut egui::Ui, headline: &str, advice: &str) -> bool {
    entry::unstartable(ui, headline, advice)
}

impl Screens {
    /// Draws the frame and the screen that is up; what is asked for goes into `commands`, in order.
    pub fn show(
        &mut self,
        ui: &mut egui::Ui,
        shared: &Shared,
        editing: &mut Editing,
        commands: &mut Commands,
    ) {
        if self.theme != Some(shared.theme) {
            theme::choose(ui.ctx(), themed(shared.theme));
            self.theme = Some(shared.theme);
        }
        let mut context = Context {
            shared,
            commands,
            asked: Vec::new(),
            preset: self.frame.take_preset(),
            in_front: false,
        };
        if shared.stage != Stage::Working {
            let entry = self.entry.get_or_insert_default();
            return entry.show(ui, &mut context);
        }
        self.begin_working(shared);
        context.in_front = self.frame.is_open()
            || self.consign.is_open(shared)
            || self.dispatch.is_open()
            || self.labels.is_open()
            || self.track.is_open()
            || self.operations.is_open()
            || self.settings.is_open();
        if !context.in_front {
            context.asked = actions::pressed(ui, shared);
        }
        if let Some(found) = self.frame.take_found() {
            context.asked.push(found);
        }
        run_commands(&mut context);
        self.frame.undo(ui, &mut context, &self.consign);
        self.offer_focus(ui, &context);
        let room = self.frame.show(ui, &mut context);
        let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(room).id_salt(shared.screen));
        inside.shrink_clip_rect(room.expand(4.0));
        match shared.screen {
            Screen::Consign => self.consign.show(&mut inside, &mut context, editing),
            Screen::Dispatch => self.dispatch.show(&mut inside, &mut context),
            Screen::Labels => self.labels.show(&mut inside, &mut context),
            Screen::Track => self.track.show(&mut inside, &mut context),
            Screen::Operations => self.operations.show(&mut inside, &mut context),
            Screen::Settings => self.settings.show(&mut inside, &mut context),
        }
        self.frame.show_in_front(ui, &mut context);
    }

    /// Lists have the keys when their screen opens, or when its key is pressed once more. A scan that opens a screen leaves
    /// the focus in the box for the next scan.
    fn offer_focus(&mut self, ui: &egui::Ui, context: &Context<'_>) {
        let shared = context.shared;
        let asked = context.all_asked().find_map(Action::goes_to);
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
        match shared.screen {
            Screen::Dispatch => self.dispatch.offer_focus(),
            Screen::Labels => self.labels.offer_focus(),
            Screen::Track => self.track.offer_focus(),
            Screen::Operations => self.operations.offer_focus(),
            Screen::Consign | Screen::Settings => {}
        }
    }

    /// What was typed on the way to a service is not kept, and of another service nothing but the settings as typed.
    fn begin_working(&mut self, shared: &Shared) {
        self.entry = None;
        if self.connection != shared.connection {
            self.connection.clone_from(&shared.connection);
            self.consign = consign::State::default();
            self.dispatch = dispatch::State::default();
            self.labels = labels::State::default();
            self.track = track::State::default();
            self.operations = operations::State::default();
        }
    }
}

/// Asks for what needs no more than its command.
fn run_commands(context: &mut Context<'_>) {
    for action in context.asked.clone() {
        if let Some(command) = &action.entry().command {
            context.ask(command.clone());
        }
    }
}

fn themed(choice: ThemeChoice) -> theme::Choice {
    match choice {
        ThemeChoice::System => theme::Choice::System,
        ThemeChoice::Light => theme::Choice::Light,
        ThemeChoice::Dark => theme::Choice::Dark,
    }
}
