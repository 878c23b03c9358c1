//! Practice, test and live, in colour, word and shape: the same wherever something is sent.

use egui::{Align, Layout, Ui, vec2};

use super::kit::badge::Badge;
use super::kit::tokens::{Tone, palette, size};
use super::kit::{Icon, icons, text};
use crate::draft::ServiceKind;
use crate::state::{Environment, Shared};

/// Its colour and its shape.
pub(super) const fn look(environment: Environment) -> (Tone, Icon) {
    match environment {
        Environment::Practice => (Tone::Unknown, icons::ICON_SCHOOL),
        Environment::Test => (Tone::Warning, icons::ICON_SCIENCE),
        Environment::Live => (Tone::Ok, icons::ICON_LOCAL_SHIPPING),
    }
}

/// What a connection of this kind leads to.
pub(super) const fn of_kind(kind: ServiceKind) -> Environment {
    match kind {
        ServiceKind::Test => Environment::Test,
        ServiceKind::Live => Environment::Live,
    }
}

/// The pill that says it.
pub(super) fn badge(environment: Environment) -> Badge<'static> {
    let (tone, icon) = look(environment);
    Badge::new(tone, environment.word()).icon(icon).outlined()
}

/// The pill and what it means, beside what sends or books. Once the service has made a consignment of another kind, nothing is
/// promised of carriers.
pub(super) fn line_of(ui: &mut Ui, shared: &Shared) {
    if shared.mode_differs {
        meaning(ui, shared.environment, "The service does otherwise");
    } else {
        line(ui, shared.environment);
    }
}

/// The pill and what it means.
pub(super) fn line(ui: &mut Ui, environment: Environment) {
    meaning(ui, environment, environment.meaning());
}

fn meaning(ui: &mut Ui, environment: Environment, words: &str) {
    let room = vec2(ui.available_width(), size::PILL);
    ui.allocate_ui_with_layout(room, Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = size::GRID;
        badge(environment).show(ui);
        let ink = palette(ui).muted;
        ui.label(text::small(words).color(ink));
    });
}
