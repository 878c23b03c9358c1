//! The card with references, despatch time and driver instructions. Rarely used options are folded below them:
//! equipment and delivery, who pays, tracking e-mail, printer token, numbers that the shipper assigns, and
//! carrier-specific options.

mod despatch;
mod references;

use egui::{Label, Ui, vec2};

use super::form::{FieldOptions, Form, fold_button, take_focus};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::counted;
use draft::{
    ConsignmentFlag, CustomField, CustomValueLine, DUTIES, Draft, Field, GoodsField, GoodsLine,
    ReceiverAccountKind,
};
pub(super) use references::next_incomplete;
use shipping::{BenchKeyField, Question};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::{Card, rule};
use widgets::checkbox::{checkbox, checkbox_with_key};
use widgets::picker::PickerItem;
use widgets::select::Select;
use widgets::tokens::{Tone, palette, size};
use widgets::{field, icons, key_cap, layout, text};

/// Below this width the fields are laid out in two rows.
const NARROW_POINTS: f32 = 600.0;
/// Maximum number of carrier-specific options.
const MOST_OPTIONS: usize = 50;

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
        self.open |= matches!(
            field,
            Field::Questions
                | Field::ReceiverAccount
                | Field::CarrierNumber
                | Field::Custom(..)
                | Field::PrinterToken
                | Field::Staff
                | Field::Goods(_, GoodsField::References)
        );
        if let Field::Goods(line, GoodsField::References) = field {
            self.references.scroll_to = Some(line);
        }
    }
}

/// Returns the action that switches an option.
const fn action_of(question: Question) -> Action {
    match question {
        Question::Tailgate => Action::Tailgate,
        Question::Crane => Action::Crane,
        Question::Residential => Action::Residential,
        Question::AuthorityToLeave => Action::AuthorityToLeave,
        Question::HandUnload => Action::HandUnload,
    }
}

/// Switches the options whose actions were triggered.
pub(super) fn toggle_triggered(context: &Context<'_>, draft: &mut Draft) {
    for question in Question::ALL {
        if context.is_triggered(action_of(*question)) {
            toggle(draft, *question);
        }
    }
}

/// Switches an option on or off.
fn toggle(draft: &mut Draft, question: Question) {
    if !draft.questions.remove(&question) {
        draft.questions.insert(question);
    }
}

pub(super) fn card(
    ui: &mut Ui,
    context: &Context<'_>,
    form: &mut Form<'_>,
    state: &mut DetailsState,
) {
    let body = |ui: &mut Ui| {
        fields(ui, context, form);
        if form.draft.is_international() {
            duties(ui, form);
        }
        ui.add_space(4.0);
        rule(ui);
        fold(ui, form.draft, &mut state.open);
        if state.open {
            questions(ui, form);
            options(ui, context, form);
            carrier_options(ui, form);
            references::show(ui, form, &mut state.references);
        }
    };
    Card::plain().show(ui, |_| {}, body);
}

fn fields(ui: &mut Ui, context: &Context<'_>, form: &mut Form<'_>) {
    let mut field = |at: usize, ui: &mut Ui| match at {
        0 => reference(
            ui,
            context,
            form,
            Field::Reference1,
            BenchKeyField::FirstReference,
        ),
        1 => reference(
            ui,
            context,
            form,
            Field::Reference2,
            BenchKeyField::SecondReference,
        ),
        2 => despatch::field(ui, context, form),
        _ => drop(form.text(ui, Field::Instructions)),
    };
    if ui.available_width() < NARROW_POINTS {
        layout::row(ui, &[1.0, 1.0], &mut field);
        layout::row(ui, &[1.0, 1.0], |at, ui| field(at + 2, ui));
    } else {
        layout::row(ui, &[3.0, 3.0, 4.0, 4.0], field);
    }
}

/// Draws a reference. If it will carry the bench's key, the empty field says so.
fn reference(
    ui: &mut Ui,
    context: &Context<'_>,
    form: &mut Form<'_>,
    field: Field,
    place: BenchKeyField,
) {
    let options = FieldOptions {
        hint: (context.shared.session.key_place == place).then_some("bench key"),
        ..FieldOptions::default()
    };
    form.text_with(ui, field, options);
}

fn duties(ui: &mut Ui, form: &mut Form<'_>) {
    let words = "The receiver pays duties and taxes";
    let response = checkbox(ui, &mut form.draft.duties_by_recipient, words);
    take_focus(ui, Field::Duties, &response);
    form.track_focus(Field::Duties, &response);
    if let Some(error) = form.error(Field::Duties) {
        field::show_error(ui, &response, error);
    }
}

/// Draws the row that folds and unfolds the options, with a badge for each option that is set.
fn fold(ui: &mut Ui, draft: &Draft, open: &mut bool) {
    ui.horizontal_wrapped(|ui| {
        fold_button(ui, "Options", open);
        key_cap::cap(ui, &Action::Options.key());
        let set = options_set(draft);
        for word in &set {
            Badge::new(Tone::Accent, word).show(ui);
        }
        if set.is_empty() && !*open {
            let words = "tailgate, receiver pays, tracking e-mail, delegated numbers…";
            ui.add(Label::new(text::body(words).color(palette(ui).muted)).truncate());
        }
    });
}

/// Returns a word for each option that is set.
fn options_set(draft: &Draft) -> Vec<String> {
    let typed = |text: &str| !text.trim().is_empty();
    let questions = draft.questions.iter().map(|question| question.label());
    let words = [
        (typed(&draft.receiver_account), "Receiver pays"),
        (typed(&draft.printer_token), "Printer token"),
        (typed(&draft.carrier_number), "Carrier con. number"),
        (typed(&draft.staff), "Packed by"),
    ];
    let words = words.iter().filter(|(is_set, _)| *is_set);
    let flags = draft.flags.iter().map(ConsignmentFlag::label);
    let values = draft.custom_values.iter();
    let values = values.filter(|line| typed(&line.name)).count();
    let references: usize = { draft.goods.iter() }
        .map(|line: &GoodsLine| line.references().count())
        .sum();
    let counts = [
        (values, "carrier option", "carrier options"),
        (references, "item reference", "item references"),
    ];
    let counts = counts.into_iter().filter(|(count, ..)| *count > 0);
    questions
        .chain(flags)
        .chain(words.map(|(_, word)| *word))
        .map(str::to_owned)
        .chain(counts.map(|(count, one, many)| counted(count, one, many)))
        .collect()
}

/// Draws a small heading above a part of the options.
fn heading(ui: &mut Ui, words: &str) {
    ui.add(Label::new(text::small(words).color(palette(ui).muted)).truncate());
}

fn questions(ui: &mut Ui, form: &mut Form<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(20.0, 4.0);
        for (at, question) in Question::ALL.iter().enumerate() {
            let mut on = form.draft.questions.contains(question);
            let key = action_of(*question).key();
            let response = checkbox_with_key(ui, &mut on, question.label(), &key);
            if response.changed() {
                toggle(form.draft, *question);
            }
            if at == 0 {
                take_focus(ui, Field::Questions, &response);
            }
        }
        for flag in ConsignmentFlag::ALL {
            checkbox(ui, form.draft.flags.value_mut(*flag), flag.checkbox_label());
        }
    });
    if let Some(error) = form.error(Field::Questions) {
        ui.add(Label::new(text::small(error).color(palette(ui).bad)).wrap());
    }
}

fn options(ui: &mut Ui, context: &Context<'_>, form: &mut Form<'_>) {
    let mut field = |at: usize, ui: &mut Ui| match at {
        0 => account(ui, form),
        1 => account_kind(ui, form.draft),
        2 => drop(form.text(ui, Field::CarrierNumber)),
        3 => {
            let options = FieldOptions {
                hint: Some(&context.shared.session.staff),
                ..FieldOptions::default()
            };
            form.text_with(ui, Field::Staff, options);
        }
        _ => drop(form.text(ui, Field::PrinterToken)),
    };
    if ui.available_width() < NARROW_POINTS {
        layout::row(ui, &[2.0, 1.0], &mut field);
        layout::row(ui, &[1.0, 1.0], |at, ui| field(at + 2, ui));
        field(4, ui);
    } else {
        layout::row(ui, &[3.0, 2.0, 3.0, 3.0, 3.0], field);
    }
}

fn account(ui: &mut Ui, form: &mut Form<'_>) {
    let hint = match form.draft.receiver_account_by {
        ReceiverAccountKind::Id => "account id at the service",
        ReceiverAccountKind::Code => "account code with the carrier",
    };
    let options = FieldOptions {
        hint: Some(hint),
        ..FieldOptions::default()
    };
    form.text_with(ui, Field::ReceiverAccount, options);
}

/// Draws the choice between code and id for the receiver's account. The account field holds a code or an id,
/// never both.
fn account_kind(ui: &mut Ui, draft: &mut Draft) {
    const KINDS: [ReceiverAccountKind; 2] = [ReceiverAccountKind::Code, ReceiverAccountKind::Id];
    let current = KINDS
        .iter()
        .position(|kind| *kind == draft.receiver_account_by);
    let select = Select::new("Account entered as", current, &["Code", "Id"]);
    if let Some(picked) = select.show(ui).picked {
        draft.receiver_account_by = KINDS[picked];
    }
}

/// Draws the carrier-specific options (`customValues`): pairs of a name and a value.
fn carrier_options(ui: &mut Ui, form: &mut Form<'_>) {
    if !form.draft.custom_values.is_empty() {
        heading(ui, "Carrier-specific options");
    }
    let mut removed = None;
    for at in 0..form.draft.custom_values.len() {
        ui.push_id(("custom", at), |ui| {
            layout::row(ui, &[7.0, 6.0, 1.0], |cell, ui| match cell {
                0 => carrier_option(ui, form, Field::Custom(at, CustomField::Name)),
                1 => carrier_option(ui, form, Field::Custom(at, CustomField::Value)),
                _ => {
                    ui.horizontal(|ui| {
                        ui.set_height(size::FIELD);
                        let name = format!("Remove carrier option {}", at + 1);
                        let button = Button::icon_only(icons::ICON_CLOSE, &name).small();
                        if ui.add(button).clicked() {
                            removed = Some(at);
                        }
                    });
                }
            });
        });
    }
    if let Some(at) = removed {
        form.draft.custom_values.remove(at);
        let next = match form.draft.custom_values.len() {
            0 => Field::PrinterToken,
            left => Field::Custom(at.min(left - 1), CustomField::Name),
        };
        form.focus_field(ui, next);
    }
    let add = Button::quiet("Add carrier-specific option")
        .icon(icons::ICON_ADD)
        .small();
    let count = form.draft.custom_values.len();
    if ui.add_enabled(count < MOST_OPTIONS, add).clicked() {
        form.draft.custom_values.push(CustomValueLine::default());
        form.focus_field(ui, Field::Custom(count, CustomField::Name));
    }
}

/// Draws the name or the value of a carrier-specific option. The one option that the service's interface documents is
/// suggested, with its values.
fn carrier_option(ui: &mut Ui, form: &mut Form<'_>, at: Field) {
    let known: &[(&str, &str)] = match at {
        Field::Custom(_, CustomField::Name) => &[(DUTIES, "true or false")],
        Field::Custom(line, _) if form.draft.custom_values[line].name.trim() == DUTIES => {
            &[("true", ""), ("false", "")]
        }
        _ => &[],
    };
    let offer = |typed: &str| {
        let typed = typed.trim().to_lowercase();
        let fits = known
            .iter()
            .filter(|(text, _)| text.to_lowercase().contains(&typed));
        fits.map(|(text, detail)| (PickerItem::new(*text, *detail), *text))
            .collect()
    };
    let options = FieldOptions {
        hide_label: true,
        ..FieldOptions::default()
    };
    let (_, picked) = form.type_ahead(ui, at, options, offer);
    if let (Some(picked), Some(text)) = (picked, at.text_mut(form.draft)) {
        picked.clone_into(text);
    }
}
