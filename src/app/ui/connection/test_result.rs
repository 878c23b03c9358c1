//! The result of a connection test: response time, mode of the token's user, and what the token is not
//! allowed to do.

use egui::{Align, Label, Layout, Ui, vec2};

use crate::state::{Permission, PermissionAnswer, ProbeResult, TokenMode};
use draft::ServiceKind;
use widgets::notice::NoticeBar;
use widgets::tokens::{Tone, palette, size};
use widgets::{Icon, icons, text};

/// Width of the column with the names, in points.
const WHAT: f32 = 156.0;

/// Draws the result, one finding below the other.
pub(crate) fn show(ui: &mut Ui, found: &ProbeResult, kind: Option<ServiceKind>) {
    ui.spacing_mut().item_spacing.y = 6.0;
    let headline = format!(
        "The service answers in {} ms",
        found.took.as_millis().max(1)
    );
    let words = "The token is valid";
    NoticeBar::new(Tone::Ok, &headline)
        .what_to_do(words)
        .show(ui);
    mode(ui, found.mode, kind);
    if found.is_view_only() {
        NoticeBar::new(Tone::Warning, "This token is view-only")
            .what_to_do(
                "Its user can't create or change anything. Ask for a token with more permissions",
            )
            .show(ui);
    }
    for (ability, verdict) in &found.abilities {
        let what = match ability {
            Permission::Delete => "Delete consignments",
            Permission::Manifest => "Book pickups",
            Permission::Statuses => "Set statuses",
        };
        let (icon, tone, words) = match verdict {
            PermissionAnswer::NotRefused => {
                (icons::ICON_CHECK_CIRCLE, Tone::Ok, "not refused".to_owned())
            }
            PermissionAnswer::Denied(words) => (
                icons::ICON_BLOCK,
                Tone::Bad,
                format!("not allowed: {words}"),
            ),
            PermissionAnswer::Unclear(words) => {
                (icons::ICON_HELP, Tone::Unknown, format!("unknown: {words}"))
            }
        };
        entry(ui, icon, tone, what, &words);
    }
    if !found.is_view_only() {
        let words = "unknown until the first consignment: testing it would create one";
        entry(
            ui,
            icons::ICON_HELP,
            Tone::Unknown,
            "Create consignments",
            words,
        );
    }
}

/// Draws the mode of the token's user. Warns if the mode contradicts the kind of the connection.
fn mode(ui: &mut Ui, mode: TokenMode, kind: Option<ServiceKind>) {
    let (icon, tone, words) = match (mode, kind) {
        (TokenMode::Unknown, _) => (
            icons::ICON_HELP,
            Tone::Unknown,
            "unknown until the first consignment",
        ),
        (TokenMode::Production, Some(ServiceKind::Test)) => {
            NoticeBar::new(Tone::Bad, "Set to TEST, but this token's user works in production")
                .what_to_do("The company's recent consignments are real, and carriers were booked. Ask for a test-mode user, or choose LIVE")
                .show(ui);
            return;
        }
        (TokenMode::Test, Some(ServiceKind::Live)) => {
            NoticeBar::new(Tone::Bad, "Set to LIVE, but this token's user works in test mode")
                .what_to_do("The company's recent consignments are tests, and no carrier was booked. Ask for a production user, or choose TEST")
                .show(ui);
            return;
        }
        (TokenMode::Test, _) => (
            icons::ICON_SCIENCE,
            Tone::Warning,
            "test mode: all recent consignments of the company are tests",
        ),
        (TokenMode::Production, _) => (
            icons::ICON_LOCAL_SHIPPING,
            Tone::Ok,
            "production: all recent consignments of the company are real",
        ),
    };
    entry(ui, icon, tone, "User mode", words);
}

fn entry(ui: &mut Ui, icon: Icon, tone: Tone, what: &str, words: &str) {
    let p = palette(ui);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        text::decorative_icon(ui, icon, 18.0, tone.ink(p));
        ui.allocate_ui_with_layout(
            vec2(WHAT, size::LINE),
            Layout::left_to_right(Align::Center),
            |ui| {
                ui.set_width(WHAT);
                ui.label(text::strong(what))
            },
        );
        ui.add(Label::new(text::body(words).color(p.muted)).wrap());
    });
}
