//! The watched folder of orders, and the outbox folder for their results.

use std::path::{Path, PathBuf};

use egui::{ScrollArea, Ui};

use super::documents::name_choice;
use crate::state::{OrderFolderSettings, SettingsCommand, Shared};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::parts::{action_button, choice, lockable, unsaved_badge};
use draft::number;
use engine::ResultFormat;
use shipping::{CompanyId, CompanyLocationId, Dollars};
use widgets::button::Button;
use widgets::card::Card;
use widgets::checkbox::checkbox;
use widgets::field::Field;
use widgets::{icons, layout, text};

/// The settings as typed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct OrderFolderDraft {
    folder: String,
    outbox: String,
    format: ResultFormat,
    saves_labels: bool,
    sender: Option<CompanyLocationId>,
    preset: String,
    sends: bool,
    price_limit: String,
}

/// The problems of the fields; `None` for each field that is right.
#[derive(Default)]
struct OrderFolderProblems {
    folder: Option<&'static str>,
    outbox: Option<&'static str>,
    price_limit: Option<&'static str>,
}

/// Unsaved input in the form.
#[derive(Default)]
pub(super) struct OrderFolderForm {
    /// `None` while everything is as saved.
    typed: Option<OrderFolderDraft>,
    /// The field for which a folder is chosen in a dialog.
    browsing: BrowsedField,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum BrowsedField {
    #[default]
    Folder,
    Outbox,
}

impl OrderFolderDraft {
    fn of(saved: Option<&OrderFolderSettings>) -> Self {
        let Some(saved) = saved else {
            return Self::default();
        };
        let outbox = saved.outbox.as_ref();
        let limit = saved.price_limit;
        Self {
            folder: saved.folder.display().to_string(),
            outbox: outbox.map_or_else(String::new, |path| path.display().to_string()),
            format: saved.result_format,
            saves_labels: saved.saves_labels,
            sender: saved.sender,
            preset: saved.preset.clone(),
            sends: saved.sends,
            price_limit: limit.map_or_else(String::new, |limit| number::to_text(limit.0)),
        }
    }

    fn problems(&self) -> OrderFolderProblems {
        const NOT_A_PATH: &str = "Enter the full path, starting with the drive or /";
        let (folder, outbox) = (self.folder.trim(), self.outbox.trim());
        let is_wrong = |path: &str| !path.is_empty() && !Path::new(path).is_absolute();
        let mut problems = OrderFolderProblems::default();
        if is_wrong(folder) {
            problems.folder = Some(NOT_A_PATH);
        } else if folder.is_empty() && *self != Self::default() {
            problems.folder = Some("Enter the folder, or remove it");
        }
        if is_wrong(outbox) {
            problems.outbox = Some(NOT_A_PATH);
        } else if !outbox.is_empty() && Path::new(outbox) == Path::new(folder) {
            problems.outbox = Some("Choose another folder: results here would be taken for orders");
        }
        if !self.price_limit.trim().is_empty() && self.limit().is_none() {
            problems.price_limit = Some("Enter an amount, or leave this empty for any price");
        }
        problems
    }

    fn limit(&self) -> Option<Dollars> {
        number::read_from_zero(&self.price_limit).ok().map(Dollars)
    }

    /// Returns the settings for orders of this company; `None` without a folder.
    fn settings(&self, company: Option<CompanyId>) -> Option<OrderFolderSettings> {
        let path =
            |text: &str| Some(PathBuf::from(text.trim())).filter(|_| !text.trim().is_empty());
        Some(OrderFolderSettings {
            folder: path(&self.folder)?,
            company,
            sender: self.sender,
            preset: self.preset.clone(),
            sends: self.sends,
            price_limit: self.limit(),
            outbox: path(&self.outbox),
            result_format: self.format,
            saves_labels: self.saves_labels,
        })
    }
}

impl OrderFolderProblems {
    fn any(&self) -> bool {
        self.folder.is_some() || self.outbox.is_some() || self.price_limit.is_some()
    }
}

impl OrderFolderForm {
    /// Returns whether there is unsaved input.
    pub(super) fn is_unsaved(&self, shared: &Shared) -> bool {
        let saved = OrderFolderDraft::of(shared.settings.order_folder.as_ref());
        self.typed.as_ref().is_some_and(|typed| *typed != saved)
    }

    /// Uses the folder that was picked in a dialog.
    pub(super) fn set_folder(&mut self, shared: &Shared, path: &str) {
        let saved = || OrderFolderDraft::of(shared.settings.order_folder.as_ref());
        let typed = self.typed.get_or_insert_with(saved);
        let field = match self.browsing {
            BrowsedField::Folder => &mut typed.folder,
            BrowsedField::Outbox => &mut typed.outbox,
        };
        path.clone_into(field);
    }

    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let shared = context.shared;
        let saved = OrderFolderDraft::of(shared.settings.order_folder.as_ref());
        let is_unsaved = self.is_unsaved(shared);
        let mut draft = self.typed.take().unwrap_or_else(|| saved.clone());
        let problems = draft.problems();
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            Card::new("Orders from a folder")
                .icon(icons::ICON_INBOX)
                .show(
                    ui,
                    |ui| unsaved_badge(ui, is_unsaved),
                    |ui| {
                        ui.spacing_mut().item_spacing.y = 10.0;
                        let browsed = lockable(ui, shared, &["order_folders"], |ui| {
                            fields(ui, shared, &mut draft, &problems)
                        });
                        if let Some(field) = browsed {
                            self.browsing = field;
                            context.push(SettingsCommand::BrowseFolder);
                        }
                        ui.horizontal(|ui| {
                            let can = is_unsaved && !problems.any();
                            if action_button(
                                ui,
                                context,
                                Action::SaveSettings,
                                can,
                                Button::primary,
                            ) {
                                let settings = draft.settings(shared.session.company).map(Box::new);
                                context.push(SettingsCommand::SaveOrderFolder(settings));
                            }
                            let has_folder = saved != OrderFolderDraft::default();
                            if has_folder && ui.add(Button::new("Remove")).clicked() {
                                draft = OrderFolderDraft::default();
                                context.push(SettingsCommand::SaveOrderFolder(None));
                            }
                        });
                    },
                );
        });
        self.typed = Some(draft).filter(|draft| *draft != saved);
    }
}

/// Draws the fields. Returns the field for which the clerk wants to choose a folder in a dialog.
fn fields(
    ui: &mut Ui,
    shared: &Shared,
    draft: &mut OrderFolderDraft,
    problems: &OrderFolderProblems,
) -> Option<BrowsedField> {
    let words = "Packbench takes CSV and JSON files of orders from this folder while this service is open, and moves each \
                 file to done or failed";
    text::note(ui, words);
    let mut browsed = None;
    let (hint, problem) = (
        "folder that another program writes orders to",
        problems.folder,
    );
    if folder_field(
        ui,
        shared,
        "Watched folder",
        &mut draft.folder,
        (hint, problem),
    ) {
        browsed = Some(BrowsedField::Folder);
    }
    let locations = shared.catalogue.known_locations().iter();
    let mut senders = vec![(None, "As each order says")];
    senders.extend(locations.map(|location| (Some(location.id), location.name.as_str())));
    choice(ui, "Sender", &mut draft.sender, &senders);
    let presets = shared.catalogue.presets.iter();
    let presets = presets.map(|preset| preset.name.as_str());
    name_choice(ui, "Preset", "No preset", &mut draft.preset, presets);
    text::small_note(
        ui,
        "Gives orders the options and the carrier choice that they don't have: a carrier, the cheapest or the fastest",
    );
    checkbox(
        ui,
        &mut draft.sends,
        "Send orders without problems by themselves",
    );
    ui.add_enabled_ui(draft.sends, |ui| {
        Field::new("Up to a price of ($, with GST)", &mut draft.price_limit)
            .hint("any price")
            .limit(12)
            .number()
            .error(problems.price_limit)
            .show(ui);
    });
    let (hint, problem) = (
        "optional: folder for consignment numbers and prices",
        problems.outbox,
    );
    if folder_field(
        ui,
        shared,
        "Outbox folder",
        &mut draft.outbox,
        (hint, problem),
    ) {
        browsed = Some(BrowsedField::Outbox);
    }
    ui.add_enabled_ui(!draft.outbox.trim().is_empty(), |ui| {
        let options = [(ResultFormat::Csv, "CSV"), (ResultFormat::Json, "JSON")];
        choice(ui, "Results as", &mut draft.format, &options);
        checkbox(
            ui,
            &mut draft.saves_labels,
            "Save the label of each order there",
        );
    });
    browsed
}

/// Draws a field for a folder. Returns true if the clerk wants to choose it in a dialog.
fn folder_field(
    ui: &mut Ui,
    shared: &Shared,
    label: &str,
    path: &mut String,
    (hint, problem): (&str, Option<&str>),
) -> bool {
    let mut browses = false;
    let dialog = shared.settings.file_dialog;
    let parts: &[f32] = if dialog { &[4.0, 1.0] } else { &[1.0] };
    layout::row(ui, parts, |column, ui| {
        if column == 0 {
            Field::new(label, path)
                .hint(hint)
                .limit(400)
                .error(problem)
                .show(ui);
        } else {
            ui.add_space(widgets::tokens::size::LINE);
            let name = format!("Choose the {}", label.to_lowercase());
            let browse = Button::new("Browse…")
                .icon(icons::ICON_FOLDER_OPEN)
                .accessible_name(&name);
            browses = ui.add(browse.fill_width(ui)).clicked();
        }
    });
    browses
}

/// Returns the folder in a few words, for the list of Settings.
pub(super) fn summary(shared: &Shared) -> String {
    match &shared.settings.order_folder {
        None => "no folder is watched".to_owned(),
        Some(settings) if settings.sends => "orders are sent by themselves".to_owned(),
        Some(_) => "orders wait to be sent".to_owned(),
    }
}
