//! The options of a consignment: equipment and delivery, who pays, tracking e-mail, printer token, and
//! numbers that the shipper assigns.

use egui::{Label, Ui, vec2};

use super::super::form::{FieldOptions, Form, take_focus};
use super::{carrier_options, references};
use crate::ui::Context;
use crate::ui::actions::Action;
use draft::{ConsignmentFlag, Draft, Field, ReceiverAccountKind};
use shipping::Question;
use widgets::checkbox::{checkbox, checkbox_with_key};
use widgets::select::Select;
use widgets::tokens::palette;
use widgets::{layout, text};

/// Returns the option that an action toggles.
pub(in crate::screens::consign::view) const fn question_of(action: Action) -> Option<Question> {
    Some(match action {
        Action::Tailgate => Question::Tailgate,
        Action::Crane => Question::Crane,
        Action::Residential => Question::Residential,
        Action::AuthorityToLeave => Question::AuthorityToLeave,
        Action::HandUnload => Question::HandUnload,
        _ => return None,
    })
}

const fn action_of(question: Question) -> Action {
    match question {
        Question::Tailgate => Action::Tailgate,
        Question::Crane => Action::Crane,
        Question::Residential => Action::Residential,
        Question::AuthorityToLeave => Action::AuthorityToLeave,
        Question::HandUnload => Action::HandUnload,
    }
}

/// Switches an option on or off.
pub(in crate::screens::consign::view) fn toggle(draft: &mut Draft, question: Question) {
    if !draft.questions.remove(&question) {
        draft.questions.insert(question);
    }
}

pub(super) fn show(
    ui: &mut Ui,
    context: &Context<'_>,
    form: &mut Form<'_>,
    scanned: &mut references::ReferencesState,
) {
    flags(ui, form);
    let narrow = ui.available_width() < super::NARROW_POINTS;
    if narrow {
        layout::row(ui, &[2.0, 1.0], |at, ui| match at {
            0 => account(ui, form),
            _ => account_by(ui, form),
        });
        layout::row(ui, &[1.0, 1.0], |at, ui| match at {
            0 => carrier_number(ui, form),
            _ => staff(ui, context, form),
        });
        printer_token(ui, form);
    } else {
        layout::row(ui, &[3.0, 2.0, 3.0, 3.0, 3.0], |at, ui| match at {
            0 => account(ui, form),
            1 => account_by(ui, form),
            2 => carrier_number(ui, form),
            3 => staff(ui, context, form),
            _ => printer_token(ui, form),
        });
    }
    carrier_options::show(ui, form);
    references::show(ui, form, scanned);
}

/// Draws a small heading above a part of the options.
pub(super) fn heading(ui: &mut Ui, words: &str) {
    ui.add(Label::new(text::small(words).color(palette(ui).muted)).truncate());
}

fn flags(ui: &mut Ui, form: &mut Form<'_>) {
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

fn account(ui: &mut Ui, form: &mut Form<'_>) {
    let by_id = form.draft.receiver_account_by == ReceiverAccountKind::Id;
    let look = FieldOptions {
        mono: true,
        hint: if by_id {
            "account id at the service"
        } else {
            "account code with the carrier"
        },
        limit: 50,
        ..FieldOptions::default()
    };
    form.text(
        ui,
        "Receiver pays: account",
        Field::ReceiverAccount,
        |draft| &mut draft.receiver_account,
        look,
    );
}

/// Draws the choice between code and id for the receiver's account. The account field holds one of them,
/// never both.
fn account_by(ui: &mut Ui, form: &mut Form<'_>) {
    let by = &mut form.draft.receiver_account_by;
    let current = Some(usize::from(*by == ReceiverAccountKind::Id));
    let picked = Select::new("Account entered as", current, &["Code", "Id"]).show(ui);
    match picked.picked {
        Some(0) => *by = ReceiverAccountKind::Code,
        Some(_) => *by = ReceiverAccountKind::Id,
        None => {}
    }
}

fn carrier_number(ui: &mut Ui, form: &mut Form<'_>) {
    let look = FieldOptions {
        mono: true,
        hint: "given by the carrier",
        limit: 50,
        ..FieldOptions::default()
    };
    form.text(
        ui,
        "Carrier's number",
        Field::CarrierNumber,
        |draft| &mut draft.carrier_number,
        look,
    );
}

fn staff(ui: &mut Ui, context: &Context<'_>, form: &mut Form<'_>) {
    let look = FieldOptions {
        hint: &context.shared.staff,
        limit: 100,
        ..FieldOptions::default()
    };
    form.text(
        ui,
        "Packed by",
        Field::Staff,
        |draft| &mut draft.staff,
        look,
    );
}

fn printer_token(ui: &mut Ui, form: &mut Form<'_>) {
    let look = FieldOptions {
        mono: true,
        hint: "for printing by the service",
        limit: 100,
        ..FieldOptions::default()
    };
    form.text(
        ui,
        "Printer token",
        Field::PrinterToken,
        |draft| &mut draft.printer_token,
        look,
    );
}
