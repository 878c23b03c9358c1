//! What the rules of a draft are asked for by the goods. Gone once the draft answers it itself.

use crate::draft::Draft;

fn is_one_of(country: &str, names: &[&str]) -> bool {
    let country = country.trim();
    names.iter().any(|name| name.eq_ignore_ascii_case(country))
}

/// Does one of its sides lie in another country than the other?
pub(super) fn is_international(draft: &Draft) -> bool {
    let home = |country: &str| is_one_of(country, &["", "AU", "AUS", "Australia"]);
    home(&draft.from.country) != home(&draft.to.country)
}

/// Do both of its sides lie in New Zealand?
pub(super) fn is_in_new_zealand(draft: &Draft) -> bool {
    let there = |country: &str| is_one_of(country, &["NZ", "NZL", "New Zealand"]);
    there(&draft.from.country) && there(&draft.to.country)
}
