//! Shows how fresh the tracked data is.

use egui::{Align, Layout, Ui, vec2};

use crate::state::{ListProgress, Shared};
use crate::ui::format::{clock, clock_seconds, counted, day_and_time, grouped};
use shipping::LocalTime;
use widgets::tokens::{Tone, palette, size};
use widgets::{progress, text};

/// Shows the time of the last sync, or the progress of the running one.
pub(super) fn show(ui: &mut Ui, shared: &Shared, wide: bool) {
    let track = &shared.track;
    if track.sync.is_loading()
        && let Some(of) = track.progress.filter(|progress| progress.came > 0)
    {
        let width = ui.available_width().clamp(60.0, 150.0);
        ui.allocate_ui_with_layout(
            vec2(width, size::BUTTON),
            Layout::top_down(Align::Min),
            |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                reading(ui, of);
            },
        );
        return;
    }
    let words = match track.mark {
        Some(mark) => {
            let there = LocalTime::at(mark.at, &shared.zone);
            let here = LocalTime::at(shared.now, &shared.zone);
            if there.0.date() == here.0.date() {
                let clock = if wide { clock_seconds } else { clock };
                format!("as of {}", clock(mark.at, &shared.zone))
            } else {
                format!("as of {}", day_and_time(there))
            }
        }
        None if track.sync.is_loading() => "syncing…".to_owned(),
        None => "not loaded yet".to_owned(),
    };
    let stale = track.sync.problem().is_some();
    let ink = if stale { Tone::Warning } else { Tone::Neutral }.ink(palette(ui));
    ui.add(egui::Label::new(text::body(words).color(ink)).truncate());
}

fn reading(ui: &mut Ui, so_far: ListProgress) {
    if let Some(of) = so_far.of {
        progress::bar(ui, so_far.came, of, "read", Tone::Accent);
    } else {
        let words = format!("{} read", counted(so_far.came, "row", "rows"));
        ui.label(text::small(words).color(palette(ui).muted))
            .on_hover_text(grouped(so_far.came));
    }
}
