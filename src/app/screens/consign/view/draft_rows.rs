//! The rows of the list of drafts. Only visible rows are drawn.

use egui::{CornerRadius, Rect, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};
use jiff::Timestamp;

use super::drafts::row_id;
use crate::state::{ConsignCommand, DraftState, Shared};
use draft::Draft;
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::tokens::{Tone, palette, size};
use widgets::{icons, text};

const ROW: f32 = 44.0;
const MOST_HIGH: f32 = 8.0 * ROW;

/// Returns the title of a draft, or a placeholder if nothing that names it is typed yet.
pub(super) fn name(draft: &Draft) -> &str {
    match draft.title() {
        "" => "Untitled draft",
        title => title,
    }
}

/// Draws the rows of the drafts at the indices `found`. Returns the command that was
/// requested with the mouse.
pub(super) fn list(
    ui: &mut Ui,
    shared: &Shared,
    found: &[usize],
    marked: usize,
    follow: bool,
) -> Option<ConsignCommand> {
    let mut asked = None;
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::vertical()
        .id_salt("drafts")
        .max_height(MOST_HIGH)
        .auto_shrink([false, true]);
    if follow {
        // Centres the marked row, so that the rows before and after it are visible, too.
        let top = ROW.mul_add(rows(marked), -(MOST_HIGH - ROW) / 2.0);
        area = area.vertical_scroll_offset(top.max(0.0));
    }
    area.show_rows(ui, ROW, found.len(), |ui, shown| {
        for at in shown {
            if let Some(command) = row(ui, shared, &shared.drafts[found[at]], at == marked) {
                asked = Some(command);
            }
        }
    });
    asked
}

#[expect(
    clippy::cast_precision_loss,
    reason = "no bench has so many drafts that a row would be lost"
)]
const fn rows(count: usize) -> f32 {
    count as f32
}

fn row(ui: &mut Ui, shared: &Shared, draft: &Draft, marked: bool) -> Option<ConsignCommand> {
    let p = palette(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let mut button = ui.new_child(
        egui::UiBuilder::new()
            .max_rect(Rect::from_min_max(
                pos2(rect.right() - 36.0, rect.top()),
                rect.max,
            ))
            .layout(egui::Layout::right_to_left(egui::Align::Center)),
    );
    let body = rect.with_max_x(rect.right() - 40.0);
    let response = ui.interact(body, row_id(&draft.id), Sense::CLICK);
    let (word, tone, why) = state_badge(shared.draft_state(draft));
    let said = format!("{}, {}, {word}", name(draft), draft.to.title());
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, marked, &said));
    let fill = if marked {
        p.accent_weak
    } else if response.hovered() {
        p.raised
    } else {
        p.surface
    };
    ui.painter()
        .rect_filled(body, CornerRadius::same(size::BUTTON_RADIUS), fill);
    let inner = body.shrink2(vec2(10.0, 0.0));
    let badge = Badge::new(tone, &word);
    let left = inner.right() - badge.size(ui).x;
    badge.paint(ui, ui.painter(), pos2(left, rect.center().y - 8.0));
    let age = shared.draft_times.get(&draft.id);
    let age = age.map(|at| age_of(*at, shared.now)).unwrap_or_default();
    let age = text::line(ui, text::small(&age), 120.0, p.muted);
    let at = pos2(inner.right() - age.size().x, rect.center().y + 4.0);
    ui.painter().galley(at, age, p.muted);
    let room = inner.width() - 150.0;
    let title = text::line(ui, text::strong(name(draft)), room, p.text);
    let at = pos2(inner.left(), rect.top() + 4.0);
    ui.painter().galley(at, title, p.text);
    let second = match why {
        Some(why) => why.to_owned(),
        None => second_line(draft),
    };
    let ink = if why.is_some() { tone.ink(p) } else { p.muted };
    let second = text::line(ui, text::small(&second), room, ink);
    let at = pos2(inner.left(), rect.top() + 24.0);
    ui.painter().galley(at, second, ink);
    let words = if draft.pending.is_some() {
        format!("Delete {} here and at the service", name(draft))
    } else {
        format!("Delete {}", name(draft))
    };
    let delete = Button::icon_only(icons::ICON_DELETE, &words);
    let deleted = button.add(delete).clicked();
    let id = || draft.id.clone();
    if deleted {
        Some(ConsignCommand::DiscardDraft(id()))
    } else {
        response.clicked().then(|| ConsignCommand::OpenDraft(id()))
    }
}

/// Formats receiver, place and pieces, as far as they are typed.
fn second_line(draft: &Draft) -> String {
    let receiver = if draft.title() == draft.to.title() {
        ""
    } else {
        draft.to.title()
    };
    let pieces = draft.totals().pieces;
    let goods = draft.goods.first().map_or("", |line| line.name.trim());
    let goods = if goods.is_empty() {
        String::new()
    } else {
        format!("{pieces} × {goods}")
    };
    let parts = [receiver, draft.to.place.trim(), &goods];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" · ")
}

fn state_badge(state: DraftState<'_>) -> (String, Tone, Option<&str>) {
    match state {
        DraftState::InDoubt(words) => ("may have been sent".to_owned(), Tone::Unknown, Some(words)),
        DraftState::Refused(words) => ("refused".to_owned(), Tone::Bad, Some(words)),
        DraftState::Changing(number) => (format!("editing {number}"), Tone::Accent, None),
        DraftState::Pending(number) => (format!("pending {number}"), Tone::Warning, None),
        DraftState::Draft => ("draft".to_owned(), Tone::Neutral, None),
    }
}

/// Formats an age: `now`, `12 min`, `3 h`, `2 d`.
fn age_of(at: Timestamp, now: Timestamp) -> String {
    let minutes = now.duration_since(at).as_mins().max(0);
    match minutes {
        0 => "now".to_owned(),
        1..60 => format!("{minutes} min"),
        60..1440 => format!("{} h", minutes / 60),
        _ => format!("{} d", minutes / 1440),
    }
}
