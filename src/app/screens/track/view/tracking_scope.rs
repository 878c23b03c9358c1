//! The dialog for the tracking scope: the company and carrier whose consignments are requested from the
//! service. Nothing changes until Save; the new scope then takes effect at once.

use egui::Ui;

use super::toolbar::carriers;
use crate::state::{Shared, SyncScope, TrackCommand};
use crate::ui::Context;
use crate::ui::actions::Action;
use shipping::CompanyId;
use widgets::button::Button;
use widgets::checkbox::checkbox;
use widgets::modal::{self, Modal};
use widgets::select::Select;
use widgets::text;

/// The dialog, and the scope selected in it.
#[derive(Debug, Default)]
pub(super) struct TrackingScopeDialog {
    /// `Some` while the dialog is open.
    chosen: Option<SyncScope>,
}

impl TrackingScopeDialog {
    pub(super) const fn is_open(&self) -> bool {
        self.chosen.is_some()
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        if context.is_triggered(Action::TrackScope) {
            self.chosen = Some(context.shared.track.sync_scope);
        }
        let title = Action::TrackScope.entry().name.trim_end_matches('…');
        let mut open = self.chosen.is_some();
        Modal::new("follows", title)
            .width(420.0)
            .show(ui, &mut open, |ui, open| {
                if let Some(chosen) = &mut self.chosen {
                    content(ui, context, chosen, open);
                }
            });
        self.chosen = self.chosen.filter(|_| open);
    }
}

fn content(ui: &mut Ui, context: &mut Context<'_>, chosen: &mut SyncScope, open: &mut bool) {
    ui.spacing_mut().item_spacing.y = 10.0;
    let all = companies(context.shared, chosen.company);
    if let Some(company) = one_of(ui, "Company", chosen.company, &all) {
        chosen.company = company;
    }
    checkbox(ui, &mut chosen.children, "Include child companies");
    let mut all = vec![(None, "All carriers".to_owned())];
    let named = carriers(context.shared).into_iter();
    all.extend(named.map(|(id, name)| (Some(id), name)));
    if let Some(id) = chosen.carrier
        && all.iter().all(|(known, _)| *known != Some(id))
    {
        all.push((Some(id), format!("Carrier {id}")));
    }
    if let Some(carrier) = one_of(ui, "Carrier", chosen.carrier, &all) {
        chosen.carrier = carrier;
    }
    let words =
        "Only these consignments are tracked. Use the filters above the board to narrow them down";
    text::small_note(ui, words);
    if modal::confirm_or_cancel(ui, open, Button::primary("Save"), true) {
        if *chosen != context.shared.track.sync_scope {
            context.push(TrackCommand::SetSyncScope(*chosen));
        }
        *open = false;
    }
}

/// Returns the choices: the bench's company, the default company of the token (`None`), then all others that
/// the token may use.
fn companies(shared: &Shared, chosen: Option<CompanyId>) -> Vec<(Option<CompanyId>, String)> {
    let known = shared
        .catalogue
        .companies
        .value()
        .map_or(&[][..], Vec::as_slice);
    let name = |id: CompanyId| {
        let found = known.iter().find(|company| company.id == id);
        found.map_or_else(|| format!("Company {id}"), |found| found.label().to_owned())
    };
    let mut all = Vec::new();
    let bench = shared.session.company;
    all.extend(bench.map(|id| (Some(id), format!("{} (this bench)", name(id)))));
    all.push((None, "The token's default company".to_owned()));
    let others = known.iter().map(|company| company.id).chain(chosen);
    for id in others {
        if all.iter().all(|(there, _)| *there != Some(id)) {
            all.push((Some(id), name(id)));
        }
    }
    all
}

/// Draws a drop-down over `all` and returns the new choice.
fn one_of<T: Copy + PartialEq>(
    ui: &mut Ui,
    label: &str,
    current: T,
    all: &[(T, String)],
) -> Option<T> {
    let names: Vec<&str> = all.iter().map(|(_, name)| name.as_str()).collect();
    let at = all.iter().position(|(one, _)| *one == current);
    let picked = Select::new(label, at, &names).show(ui).picked;
    picked.and_then(|at| all.get(at)).map(|(one, _)| *one)
}
