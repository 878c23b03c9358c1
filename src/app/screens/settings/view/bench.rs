//! Settings of the bench: its name, the packer, the first sender, the price limit and the colours.

use egui::Ui;

use crate::state::{SettingsCommand, Shared, ThemeChoice, WindowCommand};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::parts::{action_button, choice};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::Card;
use widgets::field::Field;
use widgets::radio_card::RadioCard;
use widgets::tokens::Tone;
use widgets::{Icon, icons, layout, text};

/// Unsaved input.
#[derive(Default)]
pub(super) struct BenchForm {
    /// Name of the bench and of the packer; `None` while both are as saved.
    typed: Option<(String, String)>,
}

impl BenchForm {
    /// Returns whether there is unsaved input.
    pub(super) fn is_unsaved(&self, shared: &Shared) -> bool {
        let typed = self.typed.as_ref();
        typed.is_some_and(|(bench, staff)| {
            bench.trim() != shared.session.bench || staff.trim() != shared.session.staff
        })
    }

    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let shared = context.shared;
        let unsaved = self.is_unsaved(shared);
        let saved = (shared.session.bench.clone(), shared.session.staff.clone());
        let typed = self.typed.take().filter(|_| unsaved);
        let (mut bench, mut staff) = typed.unwrap_or_else(|| saved.clone());
        let mut wanted = false;
        Card::new("This bench").icon(icons::ICON_BADGE).show(
            ui,
            |ui| {
                if unsaved {
                    Badge::new(Tone::Warning, "not saved").show(ui);
                }
            },
            |ui| {
                ui.spacing_mut().item_spacing.y = 10.0;
                let empty = bench.trim().is_empty();
                layout::row(ui, &[1.0, 1.0], |at, ui| {
                    if at == 0 {
                        Field::new("Bench", &mut bench)
                            .hint("Bench 4")
                            .limit(40)
                            .error(empty.then_some("Give the bench a name"))
                            .show(ui);
                    } else {
                        Field::new("Packed by", &mut staff)
                            .hint("optional")
                            .limit(60)
                            .show(ui);
                    }
                });
                let words = "The bench name is part of each consignment's key. The packer is sent with it as the staff \
                             member";
                text::small_note(ui, words);
                let can = unsaved && !empty;
                ui.horizontal(|ui| {
                    wanted = action_button(ui, context, Action::SaveSettings, can, Button::primary);
                });
            },
        );
        if wanted {
            context.push(SettingsCommand::SaveBench {
                bench: bench.clone(),
                staff: staff.clone(),
            });
        }
        self.typed = Some((bench, staff)).filter(|typed| *typed != saved);
        sender(ui, context);
        prices(ui, context);
        colours(ui, context);
    }
}

/// Draws the choice of the saved location that new consignments start with as sender.
fn sender(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    let locations = shared.catalogue.locations.value().into_iter().flatten();
    let locations = locations.filter(|one| one.is_pickup());
    let mut options = vec![(None, "Sender of the previous consignment")];
    options.extend(locations.map(|one| (Some(one.id), one.name.as_str())));
    // A location that no longer exists counts as none.
    let known = |sender: &Option<_>| options.iter().any(|(id, _)| id == sender);
    let mut sender = Some(shared.catalogue.sender).filter(known).flatten();
    let card = Card::new("Sender").icon(icons::ICON_WAREHOUSE);
    card.body(ui, |ui| {
        if choice(ui, "New consignments start with", &mut sender, &options) {
            context.push(SettingsCommand::PickSender(sender));
        }
        let words = "Also used for the next consignment after a return. Saved for each company";
        text::small_note(ui, words);
    });
}

/// Draws the choice of the price above which Packbench asks before sending.
fn prices(ui: &mut Ui, context: &mut Context<'_>) {
    const LIMITS: [(Option<u32>, &str); 6] = [
        (Some(10), "More than 10 % above the cheapest"),
        (Some(25), "More than 25 % above the cheapest"),
        (Some(50), "More than 50 % above the cheapest"),
        (Some(100), "More than 100 % above the cheapest"),
        (Some(200), "More than 200 % above the cheapest"),
        (None, "Never ask"),
    ];
    let mut limit = context.shared.session.price_limit_percent;
    Card::new("Prices").icon(icons::ICON_SELL).body(ui, |ui| {
        if choice(ui, "Ask before sending", &mut limit, &LIMITS) {
            context.push(SettingsCommand::SetPriceLimit(limit));
        }
        let words = "You are asked once if the chosen or fastest route costs more. Send all skips such drafts and tells \
                     you";
        text::small_note(ui, words);
    });
}

/// The colour schemes, each with its icon, name and description.
const THEMES: [(ThemeChoice, Icon, &str, &str); 3] = [
    (
        ThemeChoice::System,
        icons::ICON_DESKTOP_WINDOWS,
        "Match system",
        "follows this computer",
    ),
    (
        ThemeChoice::Light,
        icons::ICON_LIGHT_MODE,
        "Light",
        "for a bright hall",
    ),
    (
        ThemeChoice::Dark,
        icons::ICON_DARK_MODE,
        "Dark",
        "for a night shift",
    ),
];

fn colours(ui: &mut Ui, context: &mut Context<'_>) {
    let card = Card::new("Colours").icon(icons::ICON_CONTRAST);
    card.body(ui, |ui| {
        layout::row(ui, &[1.0, 1.0, 1.0], |at, ui| {
            let (theme, icon, name, words) = THEMES[at];
            let chosen = context.shared.theme == theme;
            let pressed = RadioCard::new(icon, name, words).chosen(chosen).show(ui);
            if pressed.clicked() && !chosen {
                context.push(WindowCommand::PickTheme(theme));
            }
        });
        text::small_note(ui, "Takes effect at once");
    });
}
