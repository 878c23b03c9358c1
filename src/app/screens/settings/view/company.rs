//! The choice of the company that the bench works for at a service.

use egui::Ui;

use super::form::note;
use crate::ui::Context;
use crate::ui::connection::ConnectionForm;
use shipping::{Company, CompanyId};
use widgets::card::Card;
use widgets::icons;
use widgets::select::Select;

pub(super) fn card(ui: &mut Ui, context: &Context<'_>, form: &mut ConnectionForm, open: bool) {
    let shared = context.shared;
    let found = shared.setup.test_of(&form.draft);
    let found = found.and_then(|tried| tried.outcome.as_ref().ok());
    let companies: &[Company] = match (found, open) {
        (Some(found), _) => &found.companies,
        (None, true) => shared.companies.value().map_or(&[], Vec::as_slice),
        (None, false) => &[],
    };
    let unknown = form
        .draft
        .company
        .filter(|id| companies.iter().all(|company| company.id != *id));
    let number = unknown.map(|id| format!("Company {id}"));
    let mut ids: Vec<Option<CompanyId>> = vec![None];
    let own = { companies.iter() }.find(|one| open && Some(one.id) == shared.own_company);
    let own = own.map_or_else(
        || "The token's own company".to_owned(),
        |own| format!("The token's own company ({})", own.label()),
    );
    let mut names: Vec<&str> = vec![&own];
    for company in companies {
        ids.push(Some(company.id));
        names.push(company.label());
    }
    if let Some(number) = &number {
        ids.push(unknown);
        names.push(number);
    }
    let current = ids.iter().position(|id| *id == form.draft.company);
    Card::new("Company").icon(icons::ICON_APARTMENT).show(
        ui,
        |_| {},
        |ui| {
            let picked = Select::new("Works for", current, &names).show(ui).picked;
            if let Some(id) = picked.and_then(|at| ids.get(at)) {
                form.draft.company = *id;
            }
            if companies.is_empty() {
                note(
                    ui,
                    "Test the connection to see which companies its token may work for",
                );
            }
        },
    );
}
