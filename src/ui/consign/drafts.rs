//! The title of the screen, and the drafts that wait beside the one that is open.

use egui::{Align, Layout, Ui};

use super::super::Context;
use super::super::actions::Action;
use super::super::kit::button::Button;
use super::super::kit::{icons, menu, text};
use super::super::words::counted;
use super::tools::Tools;
use crate::state::{ConsignCommand, Editing};

pub(super) fn title(ui: &mut Ui, context: &mut Context<'_>, editing: &Editing, tools: &mut Tools) {
    ui.horizontal(|ui| {
        ui.set_height(32.0);
        ui.label(text::title("New consignment"));
        waiting(ui, context);
        tools.entries(ui, context);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let key = Action::NextDraft.key();
            let entry = Action::NextDraft.entry();
            let (name, about) = if editing.sending {
                ("Begin the next", "This one goes on by itself")
            } else {
                (entry.name, entry.tooltip)
            };
            let keep = Button::new(name).icon(entry.icon).key(&key);
            let blank = editing.draft.is_blank();
            if ui.add_enabled(!blank, keep).on_hover_text(about).clicked() {
                context.ask(ConsignCommand::NewDraft);
            }
            if !blank
                && ui
                    .add_enabled(!editing.sending, Button::quiet("Clear"))
                    .on_hover_text("Throw away what is typed")
                    .clicked()
            {
                context.ask(ConsignCommand::DiscardDraft(editing.draft.id.clone()));
            }
        });
    });
}

fn waiting(ui: &mut Ui, context: &mut Context<'_>) {
    let drafts = &context.shared.drafts;
    if drafts.is_empty() {
        return;
    }
    let words = counted(drafts.len(), "draft", "drafts");
    let button = ui.add(Button::quiet(&words).opens().small());
    let asked = menu::under_with(&button, 340.0, |ui| {
        let mut asked = None;
        for draft in drafts {
            ui.push_id(&draft.id, |ui| {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    ui.set_height(32.0);
                    if ui
                        .add(Button::icon_only(
                            icons::ICON_DELETE,
                            "Throw this draft away",
                        ))
                        .clicked()
                    {
                        asked = Some(ConsignCommand::DiscardDraft(draft.id.clone()));
                    }
                    let title = if draft.title().is_empty() {
                        "No reference, no receiver"
                    } else {
                        draft.title()
                    };
                    let name = format!("{title} → {}", draft.to.title());
                    let name = if draft.to.title().is_empty() || draft.to.title() == title {
                        title
                    } else {
                        &name
                    };
                    if ui.add(Button::quiet(name).left().fill_width(ui)).clicked() {
                        asked = Some(ConsignCommand::OpenDraft(draft.id.clone()));
                    }
                });
                if let Some(words) = context.shared.doubts.get(&draft.id) {
                    menu::note(ui, words);
                }
            });
        }
        asked
    });
    if let Some(command) = asked {
        context.ask(command);
    }
}
