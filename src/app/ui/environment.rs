//! Badges for the environments practice, test and live: their colour, word and icon.

use egui::{Align, Label, Layout, Ui, vec2};

use crate::state::{Environment, KindEvidence, Shared};
use widgets::badge::Badge;
use widgets::tokens::{Tone, palette, size};
use widgets::{Icon, icons, text};

/// Returns the colour and icon of an environment.
pub(crate) const fn style(environment: Environment) -> (Tone, Icon) {
    match environment {
        Environment::Practice => (Tone::Unknown, icons::ICON_SCHOOL),
        Environment::Test => (Tone::Warning, icons::ICON_SCIENCE),
        Environment::Live => (Tone::Ok, icons::ICON_LOCAL_SHIPPING),
    }
}

pub(crate) fn badge(environment: Environment) -> Badge<'static> {
    let (tone, icon) = style(environment);
    Badge::new(tone, environment.label()).icon(icon).outlined()
}

/// Draws the badge of the open service and its meaning, next to buttons that send or book.
pub(crate) fn line(ui: &mut Ui, shared: &Shared) {
    line_of(ui, shared.session.environment, shared.session.kind_evidence);
}

/// Draws the badge and the meaning of an environment, for example of a service that is not open.
pub(crate) fn line_of(ui: &mut Ui, environment: Environment, evidence: KindEvidence) {
    let room = vec2(ui.available_width(), size::PILL);
    ui.allocate_ui_with_layout(room, Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = size::GRID;
        badge(environment).show(ui);
        let ink = palette(ui).muted;
        let meaning = text::small(environment.meaning(evidence)).color(ink);
        ui.add(Label::new(meaning).truncate());
    });
}
