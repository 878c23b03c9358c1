//! References, despatch time and instructions; the rarely used options folded below them.

use egui::Ui;

use super::super::Context;
use super::super::actions::Action;
use super::super::kit::badge::Badge;
use super::super::kit::button::Button;
use super::super::kit::card::{Card, rule};
use super::super::kit::checkbox::checkbox;
use super::super::kit::tokens::{Tone, palette};
use super::super::kit::{icons, keys, layout, text};
use super::super::words::zone_name;
use super::form::{Form, Look};
use crate::draft::{Draft, Field};
use crate::shipping::Question;

pub(super) fn card(ui: &mut Ui, context: &Context<'_>, form: &mut Form<'_>, open: &mut bool) {
    Card::plain().show(
        ui,
        |_| {},
        |ui| {
            fields(ui, context, form);
            ui.add_space(4.0);
            rule(ui);
            fold(ui, form.draft, open);
            if *open {
                options(ui, form);
            }
        },
    );
}

fn fields(ui: &mut Ui, context: &Context<'_>, form: &mut Form<'_>) {
    let check = context.shared.check_context();
    let zone = zone_name(context.shared.now, form.draft.despatch_zone(&check));
    layout::row(ui, &[3.0, 3.0, 3.0, 4.0], |at, ui| {
        let reference = Look {
            mono: true,
            limit: 50,
            ..Look::default()
        };
        match at {
            0 => form.text(
                ui,
                "Reference",
                Field::Reference1,
                |draft| &mut draft.reference1,
                reference,
            ),
            1 => {
                let look = Look {
                    hint: "bench key",
                    ..reference
                };
                form.text(
                    ui,
                    "Second reference",
                    Field::Reference2,
                    |draft| &mut draft.reference2,
                    look,
                )
            }
            2 => {
                let look = Look {
                    hint: "now",
                    unit: &zone,
                    ..Look::default()
                };
                form.text(
                    ui,
                    "Despatch",
                    Field::Despatch,
                    |draft| &mut draft.despatch,
                    look,
                )
            }
            _ => {
                let look = Look {
                    hint: "What the driver should know",
                    ..Look::default()
                };
                form.text(
                    ui,
                    "Instructions",
                    Field::Instructions,
                    |draft| &mut draft.instructions,
                    look,
                )
            }
        };
    });
}

/// The line that folds the options, with what is set in them.
fn fold(ui: &mut Ui, draft: &Draft, open: &mut bool) {
    ui.horizontal_wrapped(|ui| {
        let icon = if *open {
            icons::ICON_KEYBOARD_ARROW_DOWN
        } else {
            icons::ICON_CHEVRON_RIGHT
        };
        if ui
            .add(Button::quiet("Options").icon(icon).small())
            .clicked()
        {
            *open = !*open;
        }
        keys::cap(ui, &Action::Options.key());
        let mut set: Vec<&str> = draft
            .questions
            .iter()
            .map(|question| question.label())
            .collect();
        let typed = [
            (!draft.receiver_account.trim().is_empty(), "Receiver pays"),
            (draft.tracking_email, "Tracking e-mail"),
            (!draft.printer_token.trim().is_empty(), "Printer token"),
            (!draft.carrier_number.trim().is_empty(), "Carrier's number"),
        ];
        set.extend(typed.iter().filter(|(on, _)| *on).map(|(_, word)| *word));
        for word in &set {
            Badge::new(Tone::Accent, word).show(ui);
        }
        if set.is_empty() && !*open {
            let words = "tailgate, receiver pays, tracking e-mail, delegated numbers…";
            ui.add(egui::Label::new(text::body(words).color(palette(ui).muted)).truncate());
        }
    });
}

fn options(ui: &mut Ui, form: &mut Form<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 18.0;
        for question in Question::ALL {
            let mut on = form.draft.questions.contains(question);
            if checkbox(ui, &mut on, question.label()).changed() {
                if on {
                    form.draft.questions.insert(*question);
                } else {
                    form.draft.questions.remove(question);
                }
            }
        }
        checkbox(ui, &mut form.draft.tracking_email, "Send a tracking e-mail");
    });
    layout::row(ui, &[1.0, 1.0, 1.0], |at, ui| {
        match at {
            0 => {
                let look = Look {
                    mono: true,
                    ..Look::default()
                };
                form.text(
                    ui,
                    "Receiver pays: account",
                    Field::ReceiverAccount,
                    |draft| &mut draft.receiver_account,
                    look,
                )
            }
            1 => {
                let look = Look {
                    mono: true,
                    hint: "given by the carrier",
                    ..Look::default()
                };
                form.text(
                    ui,
                    "Carrier's number",
                    Field::CarrierNumber,
                    |draft| &mut draft.carrier_number,
                    look,
                )
            }
            _ => {
                let token = &mut form.draft.printer_token;
                super::super::kit::field::Field::new("Printer token", token)
                    .mono()
                    .hint("the service's own printing")
                    .show(ui)
            }
        };
    });
}
