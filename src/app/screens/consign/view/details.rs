//! The card with references, despatch time and driver instructions. Rarely used options
//! are folded below them.

mod carrier_options;
mod despatch;
mod options;
mod references;

use egui::Ui;

use super::form::{FieldOptions, Form};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::counted;
use draft::{Draft, Field};
pub(super) use options::{question_of, toggle};
pub(super) use references::next_incomplete;
use shipping::BenchKeyField;
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::{Card, rule};
use widgets::tokens::{Tone, palette};
use widgets::{icons, key_cap, layout, text};

/// Below this width the fields are laid out in two rows.
const NARROW_POINTS: f32 = 600.0;

/// State of the card that is kept between frames.
#[derive(Debug, Default)]
pub(super) struct DetailsState {
    /// True while the options are unfolded.
    pub(super) open: bool,
    references: references::ReferencesState,
}

impl DetailsState {
    /// Unfolds whatever hides a field.
    pub(super) fn unfold(&mut self, field: Field) {
        let folded = match field {
            Field::Questions
            | Field::ReceiverAccount
            | Field::CarrierNumber
            | Field::Custom(..)
            | Field::PrinterToken
            | Field::Staff => true,
            Field::Goods(line, draft::GoodsField::References) => {
                self.references.scroll_to(line);
                true
            }
            _ => false,
        };
        self.open |= folded;
    }
}

pub(super) fn card(
    ui: &mut Ui,
    context: &Context<'_>,
    form: &mut Form<'_>,
    state: &mut DetailsState,
) {
    Card::plain().show(
        ui,
        |_| {},
        |ui| {
            fields(ui, context, form);
            if form.draft.is_international() {
                let words = "The receiver pays duties and taxes";
                form.checkbox(ui, words, Field::Duties, |draft| {
                    &mut draft.duties_by_recipient
                });
            }
            ui.add_space(4.0);
            rule(ui);
            fold(ui, form.draft, &mut state.open);
            if state.open {
                options::show(ui, context, form, &mut state.references);
            }
        },
    );
}

fn fields(ui: &mut Ui, context: &Context<'_>, form: &mut Form<'_>) {
    if ui.available_width() < NARROW_POINTS {
        layout::row(ui, &[1.0, 1.0], |at, ui| field(ui, context, form, at));
        layout::row(ui, &[1.0, 1.0], |at, ui| field(ui, context, form, at + 2));
    } else {
        layout::row(ui, &[3.0, 3.0, 4.0, 4.0], |at, ui| {
            field(ui, context, form, at);
        });
    }
}

fn field(ui: &mut Ui, context: &Context<'_>, form: &mut Form<'_>, at: usize) {
    // The reference field that will carry the bench's key says so while nothing is typed in it.
    let reference = |place| FieldOptions {
        mono: true,
        limit: 50,
        hint: if context.shared.key_place == place {
            "bench key"
        } else {
            ""
        },
        ..FieldOptions::default()
    };
    match at {
        0 => drop(form.text(
            ui,
            "Reference",
            Field::Reference1,
            |draft| &mut draft.reference1,
            reference(BenchKeyField::FirstReference),
        )),
        1 => {
            form.text(
                ui,
                "Second reference",
                Field::Reference2,
                |draft| &mut draft.reference2,
                reference(BenchKeyField::SecondReference),
            );
        }
        2 => despatch::field(ui, context, form),
        _ => {
            let look = FieldOptions {
                hint: "Notes for the driver",
                limit: 500,
                ..FieldOptions::default()
            };
            form.text(
                ui,
                "Driver instructions",
                Field::Instructions,
                |draft| &mut draft.instructions,
                look,
            );
        }
    }
}

/// Draws the row that folds and unfolds the options, with a badge for each option that is set.
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
        key_cap::cap(ui, &Action::Options.key());
        let mut none = true;
        for question in &draft.questions {
            none = false;
            Badge::new(Tone::Accent, question.label()).show(ui);
        }
        for flag in draft.flags.iter() {
            none = false;
            Badge::new(Tone::Accent, flag.label()).show(ui);
        }
        let typed = |text: &str| !text.trim().is_empty();
        let words = [
            (typed(&draft.receiver_account), "Receiver pays"),
            (typed(&draft.printer_token), "Printer token"),
            (typed(&draft.carrier_number), "Carrier's number"),
            (typed(&draft.staff), "Packed by"),
        ];
        for (_, word) in words.iter().filter(|(on, _)| *on) {
            none = false;
            Badge::new(Tone::Accent, word).show(ui);
        }
        let values = draft.custom_values.iter();
        let values = values.filter(|line| typed(&line.name)).count();
        let references = draft.goods.iter().map(|line| line.references().count());
        for (count, one, many) in [
            (values, "carrier option", "carrier options"),
            (references.sum(), "item reference", "item references"),
        ] {
            if count > 0 {
                none = false;
                Badge::new(Tone::Accent, &counted(count, one, many)).show(ui);
            }
        }
        if none && !*open {
            let words = "tailgate, receiver pays, tracking e-mail, delegated numbers…";
            ui.add(egui::Label::new(text::body(words).color(palette(ui).muted)).truncate());
        }
    });
}
