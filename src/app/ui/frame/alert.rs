//! The number of new exceptions, on the tab of Track and in the status line of every screen.
//!
//! The alert makes no sound, does not move, opens nothing, and stays until somebody has seen the exceptions.

use egui::{CornerRadius, Rect, Ui, pos2, vec2};

use super::super::Context;
use super::super::format::{counted, grouped};
use crate::state::{Command, Screen, TrackCommand, TrackPane};
use widgets::badge::Badge;
use widgets::tokens::{Tone, palette, size};
use widgets::{icons, key_cap, text};

/// Returns the name of a tab for screen readers, with the number of new exceptions.
pub(crate) fn spoken(name: &str, news: usize) -> String {
    match news {
        0 => name.to_owned(),
        news => format!("{name}, {}", words(news)),
    }
}

fn words(news: usize) -> String {
    counted(news, "new exception", "new exceptions")
}

/// Draws the number of new exceptions on the tab at `tab`.
pub(crate) fn badge(ui: &Ui, tab: Rect, key: &str, news: usize, narrow: bool) {
    if news == 0 {
        return;
    }
    let p = palette(ui);
    let count = if news > 99 {
        "99+".to_owned()
    } else {
        grouped(news)
    };
    let count = text::plain(ui, &count, text::small_strong_font(), p.on_accent);
    let room = vec2((count.size().x + 10.0).max(18.0), 18.0);
    let middle = if narrow {
        pos2(tab.center().x + 16.0, tab.top() + 12.0)
    } else {
        let cap = 10.0 + key_cap::width(ui, key) + size::GRID;
        pos2(tab.right() - cap - room.x / 2.0, tab.center().y)
    };
    let pill = Rect::from_center_size(middle, room);
    ui.painter()
        .rect_filled(pill, CornerRadius::same(9), p.accent);
    let at = pill.center() - count.size() / 2.0;
    ui.painter().galley(at, count, p.on_accent);
}

/// Draws the number of new exceptions in the status line. A click opens the board, which marks them.
pub(crate) fn line(ui: &mut Ui, context: &mut Context<'_>) {
    let news = context.shared.track.new_exceptions.len();
    if news == 0 {
        return;
    }
    let words = words(news);
    let badge = Badge::new(Tone::Accent, &words).icon(icons::ICON_NOTIFICATIONS);
    if badge
        .show_button(ui)
        .on_hover_text("Show them on Track")
        .clicked()
    {
        context.push(TrackCommand::Show(TrackPane::Board));
        context.push(Command::Show(Screen::Track));
    }
    ui.add_space(14.0);
}
