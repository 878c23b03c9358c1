//! The top of the page: number, status, exception, and the progress of a status change.

use egui::{Align, Label, Layout, Ui, UiBuilder, vec2};

use super::page_widgets::{CopyConfirmation, copy_button};
use super::{PageState, ShownConsignment};
use crate::launcher::capitalised;
use crate::screens::operations::view::operation_text::operation_state as look;
use crate::screens::track::view::late::{eta_status, exception_text};
use crate::screens::track::view::status_style;
use crate::state::{
    ActionItem, Notice, OperationState, OperationsCommand, PageCommand, TrackCommand,
};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::{clock, counted, kilograms};
use crate::ui::frame::notices;
use shipping::Consignment;
use widgets::badge::{self, Badge};
use widgets::button::Button;
use widgets::notice::NoticeBar;
use widgets::tokens::{Tone, palette, size};
use widgets::{card, icons, text};

/// Draws the header: the number at the left, the status at the right.
pub(super) fn header(
    ui: &mut Ui,
    context: &mut Context<'_>,
    one: Option<&ShownConsignment<'_>>,
    copied: &mut CopyConfirmation,
) {
    let height = vec2(ui.available_width(), size::CARD_HEAD);
    let (rect, _) = ui.allocate_exact_size(height, egui::Sense::hover());
    let inner = rect.shrink2(vec2(f32::from(size::CARD_PADDING), 0.0));
    let layout = Layout::right_to_left(Align::Center);
    let mut row = ui.new_child(UiBuilder::new().max_rect(inner).layout(layout));
    row.spacing_mut().item_spacing.x = 4.0;
    let close = Button::icon_only(icons::ICON_CLOSE, "Close this page").small();
    let hint = format!("Close this page ({})", Action::CloseConsignment.key());
    let close = row.add(close.skip_in_tab_order()).on_hover_text(hint);
    if close.clicked() {
        context.push(TrackCommand::Close);
    }
    if let Some(one) = one {
        let status = &one.row().status;
        let label = status.label();
        let badge = Badge::new(status_style::tone(status.id), &label);
        let badge = badge.icon(status_style::icon(status.id));
        badge.name(&format!("Status {label}")).show(&mut row);
    }
    row.with_layout(Layout::left_to_right(Align::Center), |ui| {
        let number = one.map_or("", |one| one.row().number.as_str());
        let label = Label::new(text::mono_strong(number));
        ui.add(label.truncate().selectable(true));
        if !number.is_empty() {
            copy_button(ui, "Copy number", number, copied);
        }
    });
    card::rule(ui);
}

/// Draws the receiver, the amount of goods, and the exception if there is one.
pub(super) fn summary(ui: &mut Ui, one: &ShownConsignment<'_>) {
    let p = palette(ui);
    let row = one.row();
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.add(Label::new(text::strong(&row.to)).wrap().selectable(true));
    let place = super::facts::place_text(&row.to_place, &row.to_place.country);
    let carrier = format!("{} {}", row.carrier, row.service);
    let mut parts = vec![place.as_str(), carrier.trim()];
    parts.retain(|part| !part.is_empty());
    text::note(ui, parts.join(" · "));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let pieces = usize::try_from(row.pieces).unwrap_or_default();
        // 0 pieces means that the count is unknown.
        let pieces = (pieces > 0).then(|| counted(pieces, "piece", "pieces"));
        let weight = row.weight.map(|weight| format!("{} kg", kilograms(weight)));
        let known: Vec<String> = pieces.into_iter().chain(weight).collect();
        if !known.is_empty() {
            ui.label(text::body(known.join(" · ")).color(p.muted));
        }
        dangerous(ui, one);
        if row.important {
            Badge::new(Tone::Warning, "important").show(ui);
        }
        if row.international {
            Badge::new(Tone::Neutral, "international").show(ui);
        }
    });
    ui.spacing_mut().item_spacing.y = size::GRID;
    exception(ui, one);
}

/// Draws the dangerous goods mark, with the UN numbers if they are known.
fn dangerous(ui: &mut Ui, one: &ShownConsignment<'_>) {
    if one.row().dangerous != Some(true) {
        return;
    }
    let items = one.full_record.into_iter().flat_map(Consignment::items);
    let goods = items.flat_map(|item| &item.consignment_item_dg_items);
    let mut numbers: Vec<_> = goods.filter_map(|good| good.un_number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    match numbers.as_slice() {
        [] => drop(badge::dangerous_mark(ui)),
        numbers => {
            for number in numbers.iter().take(4) {
                Badge::dangerous(&format!("UN {number:04}")).show(ui);
            }
        }
    }
}

/// Draws the exception, or how late the consignment is.
fn exception(ui: &mut Ui, one: &ShownConsignment<'_>) {
    let (row, now) = (one.row(), one.shared.now);
    if let Some(exception) = one.exception() {
        let words = exception_text(exception, row, now);
        NoticeBar::new(status_style::exception_tone(exception), &words).show(ui);
    } else if let Some((Tone::Warning, words)) = eta_status(row, one.shared.track.thresholds, now) {
        NoticeBar::new(Tone::Warning, &capitalised(&words)).show(ui);
    }
}

/// Shows why a refresh failed. The stored data stays visible below.
pub(super) fn freshness(ui: &mut Ui, context: &mut Context<'_>) {
    let page = &context.shared.track.page;
    if let Some(problem) = page.consignment.problem() {
        let mut notice = Notice::failed("Couldn't refresh this consignment", problem);
        if page.history.value().is_some_and(Option::is_some) {
            "Showing the details stored on this bench".clone_into(&mut notice.advice);
        }
        if notices::bar(&notice).action("Retry").show(ui).acted {
            context.push(PageCommand::Refresh);
        }
    }
    if let Some(problem) = page.history.problem() {
        let notice = Notice::failed("Couldn't read the details stored on this bench", problem);
        notices::bar(&notice).show(ui);
    }
}

/// Draws the heading "History", with the time of the last refresh and a refresh button.
pub(super) fn as_of(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    let page = &shared.track.page;
    ui.horizontal(|ui| {
        ui.label(text::strong("History"));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let refresh = Action::RefreshConsignment.entry();
            let name = format!("{} ({})", refresh.name, refresh.action.key());
            let button = Button::icon_only(refresh.icon, &name).small();
            if ui.add(button.skip_in_tab_order()).clicked() {
                context.push(PageCommand::Refresh);
            }
            let words = match page.fetched_at {
                _ if page.consignment.is_loading() => "asking the service".to_owned(),
                Some(at) => format!("as of {}", clock(at, &shared.session.zone)),
                None => "as of the last sync".to_owned(),
            };
            ui.label(text::small(words).color(palette(ui).muted));
        });
    });
}

impl PageState {
    /// Shows the progress or the outcome of the newest status change for this consignment.
    pub(super) fn under_way(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        one: &ShownConsignment<'_>,
    ) {
        let shared = context.shared;
        let changes = &shared.track.rights.changes;
        let newest = { changes.iter() }
            .filter_map(|id| shared.operations.by_id(*id))
            .find(|operation| operation.consignments.contains(&one.row().id));
        let Some(operation) = newest else { return };
        let outcome = (operation.id, operation.state);
        if self.dismissed_outcomes.contains(&outcome) {
            return;
        }
        let headline = match operation.state {
            OperationState::Done => "The status is set".to_owned(),
            OperationState::Rejected => "The service refused it".to_owned(),
            OperationState::Unknown => "Checking whether the status was set".to_owned(),
            state => format!("The status is {}", look(state).word),
        };
        let row = one.row();
        let words = if operation.state == OperationState::Done && !row.carrier.is_empty() {
            format!("{} was not notified", row.carrier)
        } else {
            operation.message.clone()
        };
        let tone = look(operation.state).tone;
        let mut bar = NoticeBar::new(tone, &headline).what_to_do(&words);
        let waits = matches!(
            operation.state,
            OperationState::Unknown
                | OperationState::Absent
                | OperationState::Conflict
                | OperationState::Ask
        );
        if waits {
            bar = bar.action("Show it");
        } else if !operation.state.is_open() {
            bar = bar.dismissable();
        }
        let pressed = bar.show(ui);
        if pressed.acted {
            context.push(OperationsCommand::Show(ActionItem::Operation(operation.id)));
        }
        if pressed.dismissed {
            self.dismissed_outcomes.insert(outcome);
        }
    }
}
