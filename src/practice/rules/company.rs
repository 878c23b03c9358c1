//! Companies that a user may act for: the user's own and those below it.

use crate::catalogue::{Catalogue, Company};
use crate::store::User;
use crate::wire::Refusal;

/// Returns the requested company, or the user's own if none is requested.
pub(crate) fn company<'a>(
    catalogue: &'a Catalogue,
    user: &User,
    asked: Option<i64>,
) -> Result<&'a Company, Refusal> {
    let id = asked.unwrap_or(user.company_id);
    let allowed = company_and_descendants(catalogue, user.company_id);
    let company = allowed
        .contains(&id)
        .then(|| catalogue.company(id))
        .flatten();
    company.ok_or_else(|| Refusal::general("Invalid Company ID"))
}

/// Returns the ids of a company and of all companies below it.
pub(crate) fn company_and_descendants(catalogue: &Catalogue, id: i64) -> Vec<i64> {
    let mut found = vec![id];
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        let children = catalogue
            .companies
            .iter()
            .filter(|company| company.parent_company_id == Some(parent));
        let new: Vec<i64> = children
            .map(|company| company.id)
            .filter(|id| !found.contains(id))
            .collect();
        found.extend(new);
        next += 1;
    }
    found
}
