//! Settings of the bench: its name, the packer, the first sender, the price limit and the colours.

use egui::Ui;

use super::form::note;
use crate::state::{SettingsCommand, Shared, ThemeChoice, WindowCommand};
use crate::ui::Context;
use crate::ui::actions::Action;
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::Card;
use widgets::field::Field;
use widgets::radio_card::RadioCard;
use widgets::select::Select;
use widgets::tokens::Tone;
use widgets::{icons, layout};

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
            bench.trim() != shared.bench || staff.trim() != shared.staff
        })
    }

    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let shared = context.shared;
        let unsaved = self.is_unsaved(shared);
        if !unsaved {
            self.typed = None;
        }
        let (mut bench, mut staff) = self
            .typed
            .clone()
            .unwrap_or_else(|| (shared.bench.clone(), shared.staff.clone()));
        let mut wanted = context.is_triggered(Action::SaveSettings);
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
                note(
                    ui,
                    "The bench name is part of each consignment's key. The packer is sent with it as the staff member",
                );
                ui.horizontal(|ui| {
                    let key = Action::SaveSettings.key();
                    let save = Button::primary(Action::SaveSettings.entry().name).key(&key);
                    let can = unsaved && !empty;
                    wanted |= ui.add_enabled(can, save).clicked();
                    wanted &= can;
                });
            },
        );
        if wanted {
            context.push(SettingsCommand::SaveBench {
                bench: bench.clone(),
                staff: staff.clone(),
            });
        }
        let as_saved = bench == shared.bench && staff == shared.staff;
        self.typed = (!as_saved).then_some((bench, staff));
        sender(ui, context);
        prices(ui, context);
        colours(ui, context);
    }
}

/// Draws the choice of the saved location that new consignments start with as sender.
fn sender(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    let locations = shared.locations.value().into_iter().flatten();
    let locations: Vec<_> = locations.filter(|one| one.is_pickup()).collect();
    let mut names = vec!["Sender of the previous consignment"];
    names.extend(locations.iter().map(|one| one.name.as_str()));
    let current = locations
        .iter()
        .position(|one| Some(one.id) == shared.sender);
    Card::new("Sender").icon(icons::ICON_WAREHOUSE).show(
        ui,
        |_| {},
        |ui| {
            let at = Some(current.map_or(0, |at| at + 1));
            let picked = Select::new("New consignments start with", at, &names)
                .show(ui)
                .picked;
            if let Some(at) = picked {
                let sender = at.checked_sub(1).and_then(|at| locations.get(at));
                let sender = sender.map(|one| one.id);
                context.push(SettingsCommand::PickSender(sender));
            }
            note(
                ui,
                "Also used for the next consignment after a return. Saved for each company",
            );
        },
    );
}

/// Draws the choice of the price above which Packbench asks before sending.
fn prices(ui: &mut Ui, context: &mut Context<'_>) {
    const LIMITS: [Option<u32>; 6] = [Some(10), Some(25), Some(50), Some(100), Some(200), None];
    let names = LIMITS.map(|limit| match limit {
        Some(percent) => format!("More than {percent} % above the cheapest"),
        None => "Never ask".to_owned(),
    });
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let now = LIMITS
        .iter()
        .position(|limit| *limit == context.shared.price_limit_percent);
    Card::new("Prices").icon(icons::ICON_SELL).show(
        ui,
        |_| {},
        |ui| {
            let picked = Select::new("Ask before sending", now, &names).show(ui).picked;
            if let Some(at) = picked {
                context.push(SettingsCommand::SetPriceLimit(LIMITS[at]));
            }
            note(
                ui,
                "You are asked once if the chosen or fastest route costs more. Send all skips such drafts and tells you",
            );
        },
    );
}

fn colours(ui: &mut Ui, context: &mut Context<'_>) {
    Card::new("Colours").icon(icons::ICON_CONTRAST).show(
        ui,
        |_| {},
        |ui| {
            let choices = [
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
            layout::row(ui, &[1.0, 1.0, 1.0], |at, ui| {
                let (theme, icon, name, words) = choices[at];
                let chosen = context.shared.theme == theme;
                let pressed = RadioCard::new(icon, name, words).chosen(chosen).show(ui);
                if pressed.clicked() && !chosen {
                    context.push(WindowCommand::PickTheme(theme));
                }
            });
            note(ui, "Takes effect at once");
        },
    );
}
