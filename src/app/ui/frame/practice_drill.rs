//! The practice drill: its badge in the top bar, and the dialog that switches faults on and off.

use egui::{Align, Frame, Grid, Layout, Margin, Response, ScrollArea, Ui};

use super::super::Context;
use super::super::actions::Action;
use crate::state::{
    CarrierSpeed, Drill, DrillStatus, Environment, PracticeCommand, PracticeUser, Shared,
};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::checkbox::checkbox;
use widgets::modal::Modal;
use widgets::tokens::{Tone, palette, size};
use widgets::{icons, text};

const WIDTH: f32 = 620.0;
const LINE: f32 = 24.0;
/// Indentation that aligns a text with the label of a checkbox.
const INDENT: i8 = 24;

/// Returns whether faults can be switched on: only at the practice service.
pub(crate) fn is_offered(shared: &Shared) -> bool {
    shared.session.environment == Environment::Practice
}

/// Draws the button that opens the dialog: a conspicuous badge while any fault is on.
pub(crate) fn button(ui: &mut Ui, context: &Context<'_>) -> Response {
    let entry = Action::PracticeDrill.entry();
    let on = context.shared.practice.active_drills().count();
    if on == 0 {
        let button = Button::icon_only(entry.icon, entry.name);
        return ui.add(button).on_hover_text(entry.tooltip);
    }
    let (words, name) = (format!("DRILL · {on}"), format!("Practice drill: {on} on"));
    let badge = Badge::new(Tone::Bad, &words).icon(entry.icon).outlined();
    let drills = context.shared.practice.active_drills();
    let names: Vec<&str> = drills.map(|active| active.drill.name()).collect();
    let button = badge.name(&name).show_button(ui);
    button.on_hover_text(names.join("\n"))
}

pub(crate) fn show(ui: &Ui, open: &mut bool, context: &mut Context<'_>) {
    Modal::new("trouble", "Practice drill")
        .width(WIDTH)
        .show(ui, open, |ui, _| {
            let words = "Ticked faults happen at the practice service only. Your drafts are safe";
            text::note(ui, words);
            ui.add_space(size::GRID);
            practice(ui, context);
            ui.add_space(size::GRID);
            let room = ui.ctx().content_rect().height() - 360.0;
            let lines = ScrollArea::vertical().max_height(room);
            lines.min_scrolled_height(room).show(ui, |ui| {
                for situation in Drill::ALL {
                    line(ui, situation, context);
                }
            });
            if let Some(problem) = context.shared.practice.drills.problem() {
                let words = format!("Couldn't reach the practice service. {}", problem.advice());
                ui.label(text::small(words).color(palette(ui).bad));
            }
            ui.add_space(size::GRID);
            let well = Button::new("Clear all faults").icon(icons::ICON_CHECK_CIRCLE);
            if ui.add(well).clicked() {
                context.push(PracticeCommand::EndAll);
            }
        });
}

/// Draws the settings of the practice service: its user, and the speed of its carriers.
fn practice(ui: &mut Ui, context: &mut Context<'_>) {
    let practice = context.shared.practice.settings;
    Grid::new("practice")
        .num_columns(2)
        .spacing([size::GUTTER, size::GRID])
        .show(ui, |ui| {
            ui.label(text::body("User"));
            ui.horizontal(|ui| {
                for user in PracticeUser::ALL {
                    let button = Button::new(user.name()).selected(practice.user == user);
                    if ui.add(button).on_hover_text(user.about()).clicked() {
                        context.push(PracticeCommand::SetUser(user));
                    }
                }
            });
            ui.end_row();
            ui.label(text::body("Carrier speed"));
            ui.horizontal(|ui| {
                for speed in CarrierSpeed::ALL {
                    let button = Button::new(speed.name()).selected(practice.speed == speed);
                    if ui.add(button).clicked() {
                        context.push(PracticeCommand::Speed(speed));
                    }
                }
            });
            ui.end_row();
            ui.label(text::body("Booked consignments"));
            ui.horizontal(|ui| {
                let deliver = Button::new("Deliver all now").icon(icons::ICON_LOCAL_SHIPPING);
                let about = "Carriers finish all deliveries at once";
                if ui.add(deliver).on_hover_text(about).clicked() {
                    context.push(PracticeCommand::DeliverAll);
                }
            });
            ui.end_row();
        });
}

fn line(ui: &mut Ui, situation: Drill, context: &mut Context<'_>) {
    let known = context.shared.practice.drills.value();
    let mut known = known.into_iter().flatten();
    let known = known.find(|rehearsed| rehearsed.drill == situation);
    let mut on = known.is_some_and(|rehearsed| rehearsed.is_active);
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.spacing_mut().interact_size.y = LINE;
        ui.horizontal(|ui| {
            let ticked = checkbox(ui, &mut on, situation.name());
            if ticked.gained_focus() {
                ticked.scroll_to_me(None);
            }
            if ticked.changed() {
                context.push(if on {
                    PracticeCommand::Start(situation)
                } else {
                    PracticeCommand::End(situation)
                });
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if let Some(rehearsed) = known {
                    count(ui, *rehearsed);
                }
            });
        });
        let under = Margin {
            left: INDENT,
            ..Margin::ZERO
        };
        let frame = Frame::new().inner_margin(under);
        frame.show(ui, |ui| text::small_note(ui, situation.about()));
    });
}

/// Draws how often a fault has occurred, in red while the fault is on.
fn count(ui: &mut Ui, rehearsed: DrillStatus) {
    let words = match rehearsed.count {
        0 => "not yet".to_owned(),
        1 => "happened once".to_owned(),
        times => format!("happened {times} times"),
    };
    let tone = if rehearsed.is_active {
        Tone::Bad
    } else {
        Tone::Neutral
    };
    Badge::new(tone, &words).show(ui);
}
