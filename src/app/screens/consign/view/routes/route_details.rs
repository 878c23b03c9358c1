//! The details below the chosen route: the parts of its price, and when it can leave.

use egui::{
    Align, Frame, Id, Label, Layout, Margin, Response, Role, Sense, Stroke, Ui, WidgetInfo, vec2,
};

use super::super::form::fold_button;
use super::{from_left, from_right};
use crate::state::{Editing, RouteDetails};
use crate::ui::format::{counted, day_and_time, price, weekday};
use draft::{ChosenRoute, Routing};
use shipping::{DespatchOption, Dollars, LocalTime};
use widgets::button::Button;
use widgets::tokens::{palette, size};
use widgets::{icons, paint, text};

/// From this window height on, in points, there is room for both the offers and the details.
const ROOMY: f32 = 800.0;

/// An offer with its price before tax and its details.
pub(super) type Offer<'a> = (&'a ChosenRoute, Option<Dollars>, &'a RouteDetails);

pub(super) fn unfolded(
    ui: &mut Ui,
    editing: &mut Editing,
    (route, before_tax, details): Offer<'_>,
) {
    let p = palette(ui);
    let (top, bottom) = if is_roomy(ui) { (7, 9) } else { (1, 3) };
    let inset = Margin {
        left: 36,
        right: 12,
        top,
        bottom,
    };
    let frame = Frame::new().fill(p.raised).inner_margin(inset);
    let shown = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        if !is_expanded(ui) {
            return;
        }
        price_parts(ui, before_tax, details);
        if !details.despatches.is_empty() {
            ui.add_space(6.0);
            despatches(ui, editing, (route, details));
        }
    });
    let rect = shown.response.rect;
    let line = Stroke::new(1.0, p.border);
    ui.painter()
        .hline(rect.x_range(), rect.bottom() - 0.5, line);
}

fn is_roomy(ui: &Ui) -> bool {
    ui.ctx().content_rect().height() >= ROOMY
}

/// Returns true if the details are to be shown. In a low window they are folded, so that the other offers
/// stay visible for comparison.
fn is_expanded(ui: &mut Ui) -> bool {
    if is_roomy(ui) {
        return true;
    }
    let at = Id::unique("consign route details");
    let mut open = ui.data(|data| data.get_temp(at)).unwrap_or(false);
    fold_button(ui, "Price and despatch", &mut open);
    ui.data_mut(|data| data.insert_temp(at, open));
    open
}

pub(super) fn price_parts(ui: &mut Ui, before_tax: Option<Dollars>, details: &RouteDetails) {
    ui.spacing_mut().item_spacing.y = 1.0;
    let (taxes, others): (Vec<_>, Vec<_>) = details.parts.iter().partition(|part| part.is_tax);
    for part in others {
        amount(ui, &part.name, part.amount, false);
    }
    if let Some(before_tax) = before_tax {
        amount(ui, "Subtotal (ex GST)", before_tax, true);
    }
    for tax in taxes {
        amount(ui, &tax.name, tax.amount, false);
    }
}

fn amount(ui: &mut Ui, name: &str, amount: Dollars, stands_out: bool) {
    let p = palette(ui);
    let ink = if stands_out { p.text } else { p.muted };
    let room = vec2(ui.available_width(), size::SMALL_LINE + 1.0);
    ui.allocate_ui_with_layout(room, Layout::right_to_left(Align::Center), |ui| {
        ui.label(text::small(price(amount)).color(ink));
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.add(Label::new(text::small(name).color(ink)).truncate());
        });
    });
}

/// Draws the times at which the consignment can leave. The first is the time as typed; picking another time
/// sets the despatch time.
fn despatches(ui: &mut Ui, editing: &mut Editing, (route, details): (&ChosenRoute, &RouteDetails)) {
    let draft = &mut editing.draft;
    let typed_time = draft.despatch.trim();
    let current = details
        .despatches
        .iter()
        .position(|option| option.despatch_date_local.map(typed).as_deref() == Some(typed_time));
    for (at, option) in details.despatches.iter().enumerate() {
        let response = row(ui, option, current.unwrap_or(0) == at);
        let response = response.on_hover_text(notes(option));
        if let (true, Some(leaves)) = (response.clicked(), option.despatch_date_local) {
            // An empty field means the soonest time. A fixed time of now would be in the past when the
            // consignment is sent.
            if at > 0 || !draft.despatch.trim().is_empty() {
                draft.despatch = typed(leaves);
            }
            draft.routing = Routing::Chosen(ChosenRoute {
                eta: option.eta_local,
                ..route.clone()
            });
            editing.route_change = None;
        }
    }
    if !draft.despatch.trim().is_empty() {
        let soon = Button::quiet("As soon as possible").left().small();
        if ui.add(soon).clicked() {
            draft.despatch.clear();
        }
    }
}

/// Draws one time: `Fri 20 Nov 15:30 → Mon 23 Nov`, with the number of business days at the right.
fn row(ui: &mut Ui, option: &DespatchOption, current: bool) -> Response {
    let p = palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 25.0), Sense::click());
    let (words, days) = (words(option), days(option));
    let enabled = ui.is_enabled();
    response.widget_info(|| {
        let holiday = if has_holiday(option) {
            ", a public holiday delays it"
        } else {
            ""
        };
        let spoken = format!("Leaves {words}, {days}{holiday}");
        WidgetInfo::selected(Role::RadioButton, enabled, current, spoken)
    });
    let rect = rect.expand2(vec2(8.0, 0.0));
    if current || response.hovered() {
        let fill = if current { p.accent_weak } else { p.head };
        ui.painter().rect_filled(rect, size::FIELD_RADIUS, fill);
    }
    paint::focus_ring(ui, &response, rect, size::FIELD_RADIUS);
    let inner = rect.shrink2(vec2(8.0, 0.0));
    let days = text::plain(ui, &days, text::small_font(), p.muted);
    let mut right = from_right(ui, inner.right_center(), days).left_center();
    if has_holiday(option) {
        let icon = paint::icon(ui, icons::ICON_EVENT_BUSY, 15.0, p.warning);
        right = from_right(ui, right - vec2(4.0, 0.0), icon).left_center();
    }
    let ink = if current { p.accent } else { p.text };
    let room = right.x - inner.left() - 6.0;
    let words = text::cut(ui, &words, text::cell_font(), room, ink);
    from_left(ui, inner.left_center(), words);
    response
}

/// Formats a time as it is typed in the despatch field.
fn typed(leaves: LocalTime) -> String {
    let form = if leaves.0.second() == 0 {
        "%Y-%m-%d %H:%M"
    } else {
        "%Y-%m-%d %H:%M:%S"
    };
    leaves.0.strftime(form).to_string()
}

fn words(option: &DespatchOption) -> String {
    let leaves = option.despatch_date_local.map(if is_date_only(option) {
        weekday
    } else {
        day_and_time
    });
    let by_carrier = option.custom_eta_string.clone().unwrap_or_default();
    let arrives = if by_carrier.is_empty() {
        option.eta_local.map(weekday).unwrap_or_default()
    } else {
        by_carrier
    };
    format!("{} → {arrives}", leaves.unwrap_or_default())
}

/// Returns true if the carrier accepts a date but no time of day.
fn is_date_only(option: &DespatchOption) -> bool {
    option.carrier_accepts_despatch_times == Some(false)
}

/// Returns true if a public holiday causes a delay.
fn has_holiday(option: &DespatchOption) -> bool {
    option.eta_affected_by_public_holidays || option.despatch_date_affected_by_public_holidays
}

fn days(option: &DespatchOption) -> String {
    let count = option
        .total_business_days
        .and_then(|days| days.try_into().ok());
    count
        .map(|days| counted(days, "business day", "business days"))
        .unwrap_or_default()
}

fn notes(option: &DespatchOption) -> String {
    let mut notes = Vec::new();
    if let Some(eta) = option.eta_local {
        notes.push(format!("Arrives {}", day_and_time(eta)));
    }
    if option.is_time_window {
        notes.push("A time window, not an exact time".to_owned());
    }
    if is_date_only(option) {
        notes.push("The carrier accepts a date only, no time of day".to_owned());
    }
    if has_holiday(option) {
        notes.push("A public holiday delays it".to_owned());
    }
    notes.join("\n")
}
