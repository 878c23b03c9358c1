//! The Help dialog: shortcuts, guide, support bundle, and facts about this program.

use std::sync::{Arc, LazyLock};

use egui::{Label, ScrollArea, Ui, vec2};

use super::super::Context;
use super::super::actions::{self, Action};
use super::super::format::counted;
use super::super::guide::Guide;
use crate::state::{HelpView, SaveRequest, WindowCommand};
use crate::support_bundle::SupportBundle;
use client::Failure;
use engine::EngineError;
use widgets::button::Button;
use widgets::command_palette;
use widgets::field::{Field, OnEnter};
use widgets::layout::{panes, sized};
use widgets::modal::Modal;
use widgets::tokens::size;
use widgets::{icons, text};

const WIDTH: f32 = 940.0;
/// Width of the list of files.
const FILES: f32 = 224.0;

/// The licences of everything that the program contains.
const LICENCES: &str = include_str!("../../../../assets/licences/licences.txt");
static LICENCE_LINES: LazyLock<usize> = LazyLock::new(|| LICENCES.lines().count());

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Topic {
    #[default]
    Shortcuts,
    Guide,
    SupportBundle,
    About,
}

impl Topic {
    /// The topics in the order of their buttons, each with its name and the action that shows it.
    const ALL: [(Self, &'static str, Action); 4] = [
        (Self::Shortcuts, "Shortcuts", Action::Help),
        (Self::Guide, "Guide", Action::Guide),
        (Self::SupportBundle, "Support bundle", Action::SupportBundle),
        (Self::About, "About", Action::About),
    ];
}

#[derive(Default)]
pub(super) struct HelpDialog {
    pub(super) is_open: bool,
    topic: Topic,
    /// Text typed to find an action.
    query: String,
    guide: Guide,
    /// Position of the file of the bundle that is shown.
    file: usize,
}

impl HelpDialog {
    /// Opens the dialog if one of its topics was asked for.
    pub(super) fn open_when_asked(&mut self, context: &mut Context<'_>) {
        for (topic, _, action) in Topic::ALL {
            if context.is_triggered(action) {
                self.is_open = true;
                self.query.clear();
                self.show_topic(topic, context);
            }
        }
    }

    fn show_topic(&mut self, topic: Topic, context: &mut Context<'_>) {
        self.topic = topic;
        if topic == Topic::SupportBundle {
            self.file = 0;
            context.push(WindowCommand::CollectBundle);
        }
    }

    /// Draws the dialog while it is open. Returns the action that was picked among the shortcuts.
    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) -> Option<Action> {
        let mut open = self.is_open;
        let modal = Modal::new("help", "Help").width(WIDTH);
        let picked = modal.show(ui, &mut open, |ui, open| {
            let mut picked = None;
            ui.horizontal(|ui| {
                for (topic, name, action) in Topic::ALL {
                    let button = Button::new(name).icon(action.entry().icon);
                    let is_shown = self.topic == topic;
                    if ui.add(button.selected(is_shown)).clicked() && !is_shown {
                        self.show_topic(topic, context);
                    }
                }
                let entry = Action::Tour.entry();
                let tour = Button::quiet(entry.name).icon(entry.icon);
                if ui.add(tour).on_hover_text(entry.tooltip).clicked() {
                    picked = Some(Action::Tour);
                }
            });
            ui.add_space(4.0);
            let height = ui.ctx().content_rect().height() - 184.0;
            let room = vec2(ui.available_width(), height);
            sized(ui, room, |ui| match self.topic {
                Topic::Shortcuts => picked = picked.or(self.shortcuts(ui, context)),
                Topic::Guide => self.guide.show(ui),
                Topic::SupportBundle => self.support_bundle(ui, context),
                Topic::About => about(ui, context),
            });
            *open &= picked.is_none();
            picked
        });
        self.is_open = open;
        picked.flatten()
    }

    /// Draws the shortcuts that work now or, once words are typed, all actions with these words.
    fn shortcuts(&mut self, ui: &mut Ui, context: &Context<'_>) -> Option<Action> {
        let field = Field::new("Find an action", &mut self.query)
            .icon(icons::ICON_SEARCH)
            .hint("What do you want to do?")
            .on_enter(OnEnter::Stay)
            .hide_label()
            .show(ui);
        let is_search = !self.query.trim().is_empty();
        let entries: Vec<_> = actions::available(context.shared)
            .filter(|entry| is_search || entry.shortcut.is_some())
            .map(|entry| (entry, entry.action.key()))
            .collect();
        let lines = entries.iter().map(|(entry, key)| (*entry, entry.line(key)));
        let mut found: Vec<_> = lines
            .filter(|(_, line)| line.matches(&self.query))
            .collect();
        found.sort_by_key(|(entry, _)| entry.screen.is_none());
        let first = found.first().map(|(entry, _)| entry.action);
        let mut picked = first.filter(|_| field.entered && is_search);
        if found.is_empty() {
            text::note(ui, "No matching action");
        }
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (heading, of_screen) in [("On this screen", true), ("On every screen", false)] {
                let group = found.iter();
                let group = group.filter(|(entry, _)| entry.screen.is_some() == of_screen);
                let mut group = group.peekable();
                if group.peek().is_none() {
                    continue;
                }
                ui.add_space(size::GRID);
                ui.label(text::strong(heading));
                ui.add_space(size::GRID / 2.0);
                for (entry, line) in group {
                    let is_marked = is_search && first == Some(entry.action);
                    if command_palette::line(ui, line, is_marked) {
                        picked = Some(entry.action);
                    }
                }
            }
        });
        picked
    }

    fn support_bundle(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        text::note(
            ui,
            "A ZIP file for the people who support you. It contains no tokens, and nothing about senders and receivers, but it \
             names your connections and printers. Look at it before you send it: Packbench sends it nowhere",
        );
        let bundle = &context.shared.help.bundle;
        if let Some(problem) = bundle.problem() {
            text::warning(ui, &problem.advice());
        }
        let collected = bundle.value().map(Arc::clone);
        ui.horizontal(|ui| {
            let save = Button::primary("Save…").icon(icons::ICON_FILE_SAVE);
            if ui.add_enabled(collected.is_some(), save).clicked() {
                context.push(SaveRequest::SupportBundle);
            }
            let again = Button::new("Collect again").icon(icons::ICON_REFRESH);
            if ui.add_enabled(!bundle.is_loading(), again).clicked() {
                context.push(WindowCommand::CollectBundle);
            }
            if bundle.is_loading() {
                ui.label(text::body("Collecting…"));
            }
        });
        if let Some(collected) = collected {
            files(ui, &collected, &mut self.file);
        }
    }
}

/// Draws the names of the bundle's files, and the text of the chosen file.
fn files(ui: &mut Ui, bundle: &SupportBundle, shown: &mut usize) {
    let page = ui.available_width() - FILES - size::GUTTER;
    panes(ui, &[FILES, page], |pane, ui| {
        if pane == 0 {
            let list = ScrollArea::vertical().id_salt("files");
            list.auto_shrink(false).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                for (at, file) in bundle.files.iter().enumerate() {
                    let button = Button::quiet(&file.name).left().selected(at == *shown);
                    if ui.add(button.fill_width(ui)).clicked() {
                        *shown = at;
                    }
                }
            });
        } else if let Some(file) = bundle.files.get(*shown) {
            let words = counted(file.line_count, "line", "lines");
            text::small_note(ui, format!("{}: {words}", file.name));
            lines(ui, &file.name, &file.text, file.line_count);
        }
    });
}

/// Draws a long text, of which only the visible lines are laid out.
fn lines(ui: &mut Ui, name: &str, all: &str, count: usize) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let list = ScrollArea::both().id_salt(name).auto_shrink(false);
    list.show_rows(ui, size::LINE, count, |ui, rows| {
        for line in all.lines().skip(rows.start).take(rows.len()) {
            let line = text::mono(line).line_height(Some(size::LINE));
            ui.add(Label::new(line).extend().selectable(true));
        }
    });
}

fn about(ui: &mut Ui, context: &mut Context<'_>) {
    let help = &context.shared.help;
    ui.label(text::title("Packbench"));
    ui.add(Label::new(text::mono(help.version)).selectable(true));
    ui.label(text::body(update_text(help)));
    if let Some(newer) = help.newer() {
        if newer.download.starts_with("https://") {
            ui.hyperlink(&newer.download);
        } else {
            ui.add(Label::new(text::body(&newer.download)).selectable(true));
        }
    }
    if help.update_address.is_some() {
        let check = Button::new("Check now").icon(icons::ICON_REFRESH);
        if ui.add_enabled(!help.newest.is_loading(), check).clicked() {
            context.push(WindowCommand::CheckForUpdate);
        }
    }
    text::note(
        ui,
        "Packbench is free software, under the MIT licence or the Apache licence 2.0",
    );
    lines(ui, "licences", LICENCES, *LICENCE_LINES);
}

/// Returns what is known about newer versions.
fn update_text(help: &HelpView) -> String {
    let Some(address) = &help.update_address else {
        return "Checks for newer versions are off. An administrator can set them up".to_owned();
    };
    if help.newest.is_loading() {
        return "Checking for a newer version…".to_owned();
    }
    if let Some(problem) = help.newest.problem() {
        let reason = match problem {
            EngineError::Service(Failure::Status(status)) => format!("HTTP status {status}"),
            EngineError::Service(failure) if failure.is_out_of_reach() => {
                "it can't be reached".to_owned()
            }
            _ => "its answer can't be read".to_owned(),
        };
        return format!("Couldn't check for a newer version at {address}: {reason}");
    }
    match (help.newer(), help.newest.value()) {
        (Some(newer), _) => format!("Version {} is available", newer.version),
        (None, Some(_)) => "This is the newest version".to_owned(),
        (None, None) => String::new(),
    }
}
