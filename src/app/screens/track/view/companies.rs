//! The menu that selects a company: the bench's company with its child companies, that company alone, or one
//! child company.

use egui::Ui;

use super::toolbar::{menu_button, menu_entry, short};
use crate::state::{CompanyFilter, Shared, TrackCommand};
use crate::ui::Context;
use crate::ui::actions::Action;
use shipping::{Company, CompanyId};

/// Draws the menu if there is more than one company.
pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>, wide: bool) {
    let all = choices(context.shared);
    if all.len() < 3 {
        return;
    }
    let of = context.shared.track.companies;
    let at = all.iter().position(|(one, _)| *one == of).unwrap_or(0);
    let lines: Vec<_> = { all.iter().enumerate() }
        .map(|(other, (_, name))| menu_entry(name, other == at))
        .collect();
    let words = match of {
        CompanyFilter::All if !wide => "Companies".to_owned(),
        _ => short(&all[at].1, wide),
    };
    if let Some(at) = menu_button(ui, context, Action::TrackCompanies, &words, at > 0, &lines) {
        context.push(TrackCommand::Companies(all[at].0));
    }
}

/// Returns the choices: all, the bench's company, then the others by name.
fn choices(shared: &Shared) -> Vec<(CompanyFilter, String)> {
    let known = shared.companies.value().map_or(&[][..], Vec::as_slice);
    let label = |company: &Company| company.label().to_owned();
    let own = |id: CompanyId| known.iter().find(|company| company.id == id).map(label);
    let Some(own) = shared.company.and_then(own) else {
        return Vec::new();
    };
    let others = { known.iter() }.filter(|company| Some(company.id) != shared.company);
    let mut others: Vec<_> = others
        .map(|company| (CompanyFilter::One(company.id), label(company)))
        .collect();
    others.sort_by(|(_, one), (_, other)| one.cmp(other));
    let mut all = vec![
        (CompanyFilter::All, "All companies".to_owned()),
        (CompanyFilter::Own, own),
    ];
    all.extend(others);
    all
}
