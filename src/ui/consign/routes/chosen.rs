//! What unfolds below the chosen route: what its price is made of, and when it can leave.

use egui::{Align, Frame, Label, Layout, Margin, Ui};

use super::super::super::Context;
use super::super::super::kit::button::Button;
use super::super::super::kit::text;
use super::super::super::kit::tokens::palette;
use super::super::super::words::{day_and_time, price, weekday};
use crate::draft::{ChosenRoute, Draft, Routing};
use crate::shipping::{Dollars, LocalTime};
use crate::state::{ConsignCommand, DespatchView, RouteDetails};

/// An offer with its price before tax and its details.
pub(super) type Offer<'a> = (&'a ChosenRoute, Option<Dollars>, &'a RouteDetails);

/// The details of the chosen route.
pub(super) fn unfolded(
    ui: &mut Ui,
    context: &mut Context<'_>,
    draft: &mut Draft,
    (route, before_tax, details): Offer<'_>,
) {
    let p = palette(ui);
    let inset = Margin {
        left: 14,
        right: 12,
        top: 8,
        bottom: 10,
    };
    let shown = Frame::new()
        .fill(p.raised)
        .inner_margin(inset)
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 3.0;
            price_parts(ui, route, before_tax, details);
            if !details.despatches.is_empty() {
                ui.add_space(5.0);
                despatches(ui, context, draft, (route, details));
            }
        });
    let bottom = shown.response.rect.bottom() - 0.5;
    ui.painter()
        .hline(shown.response.rect.x_range(), bottom, (1.0, p.border));
}

/// Without tax, and each part: name at the left, amount at the right.
pub(super) fn price_parts(
    ui: &mut Ui,
    route: &ChosenRoute,
    before_tax: Option<Dollars>,
    details: &RouteDetails,
) {
    let p = palette(ui);
    for part in &details.parts {
        amount(ui, &part.name, part.amount, p.muted);
    }
    if let Some(before_tax) = before_tax {
        amount(ui, "Without tax", before_tax, p.text);
    }
    if let Some(whole) = route.price {
        amount(ui, "With tax", whole, p.text);
    }
}

fn amount(ui: &mut Ui, name: &str, amount: Dollars, ink: egui::Color32) {
    ui.horizontal(|ui| {
        ui.add(Label::new(text::small(name).color(ink)).truncate());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(text::small(price(amount)).color(ink));
        });
    });
}

/// When it can leave: the first is as things are typed, any other sets the despatch time.
fn despatches(
    ui: &mut Ui,
    context: &mut Context<'_>,
    draft: &mut Draft,
    (route, details): (&ChosenRoute, &RouteDetails),
) {
    ui.label(text::small("Leaves").color(palette(ui).muted));
    ui.spacing_mut().item_spacing.y = 1.0;
    let current = details.despatches.iter().position(|option| {
        draft.despatch.trim().is_empty()
            || option.leaves.map(typed).as_deref() == Some(draft.despatch.trim())
    });
    for (at, option) in details.despatches.iter().enumerate() {
        let words = words(option);
        let button = Button::quiet(&words)
            .selected(current.unwrap_or(0) == at)
            .left()
            .small()
            .fill_width(ui);
        let pressed = ui.add(button).on_hover_text(notes(option)).clicked();
        if let (true, Some(leaves)) = (pressed, option.leaves) {
            // The soonest is what an empty field means: now is over by the time that it is sent.
            if at > 0 || !draft.despatch.trim().is_empty() {
                draft.despatch = typed(leaves);
            }
            draft.routing = Routing::Chosen(ChosenRoute {
                eta: option.eta,
                ..route.clone()
            });
            if context.shared.route_change.is_some() {
                context.ask(ConsignCommand::AcknowledgeRoute);
            }
        }
    }
    if !draft.despatch.trim().is_empty()
        && ui
            .add(Button::quiet("As soon as it can").left().small())
            .clicked()
    {
        draft.despatch.clear();
    }
}

/// As the despatch field has it.
fn typed(leaves: LocalTime) -> String {
    let form = if leaves.0.second() == 0 {
        "%Y-%m-%d %H:%M"
    } else {
        "%Y-%m-%d %H:%M:%S"
    };
    leaves.0.strftime(form).to_string()
}

/// `Fri 20 Nov 15:30 → Mon 23 Nov, 1 business day`.
fn words(option: &DespatchView) -> String {
    let leaves = option.leaves.map(|leaves| match option.dates_only {
        true => weekday(leaves),
        false => day_and_time(leaves),
    });
    let arrives = match (option.eta_words.as_str(), option.eta) {
        ("", eta) => eta.map(weekday).unwrap_or_default(),
        (words, _) => words.to_owned(),
    };
    let days = match option.business_days {
        Some(1) => ", 1 business day".to_owned(),
        Some(days) => format!(", {days} business days"),
        None => String::new(),
    };
    let holiday = if option.holiday {
        ", public holiday"
    } else {
        ""
    };
    format!("{} → {arrives}{days}{holiday}", leaves.unwrap_or_default())
}

/// What there is to know besides.
fn notes(option: &DespatchView) -> String {
    let mut notes = Vec::new();
    if let Some(eta) = option.eta {
        notes.push(format!("Arrives {}", day_and_time(eta)));
    }
    if option.window {
        notes.push("A window of time, no moment".to_owned());
    }
    if option.dates_only {
        notes.push("The carrier takes a date, and no time of the day".to_owned());
    }
    if option.holiday {
        notes.push("A public holiday delays it".to_owned());
    }
    notes.join("\n")
}
