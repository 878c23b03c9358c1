//! What is read out of an address as typed: its country, and the lines of a pasted block.

use crate::draft::Side;

/// Countries that begin with or hold what was typed, best first: name and 3-letter code.
pub(super) fn countries(typed: &str) -> Vec<(&'static str, &'static str)> {
    const SOME: [(&str, &str); 4] = [
        ("Australia", "AUS"),
        ("Fiji", "FJI"),
        ("New Zealand", "NZL"),
        ("United States", "USA"),
    ];
    let typed = typed.trim().to_lowercase();
    SOME.into_iter()
        .filter(|(name, code)| name.to_lowercase().contains(&typed) || code.to_lowercase() == typed)
        .collect()
}

/// True where a country as typed is the service's own.
pub(in crate::ui::consign) fn is_home(country: &str) -> bool {
    let country = country.trim();
    let home = ["", "AU", "AUS", "Australia"];
    home.iter().any(|home| home.eq_ignore_ascii_case(country))
}

/// True where a side is in another country than the other side, and not at home.
pub(in crate::ui::consign) fn is_abroad(side: &Side, other: &Side) -> bool {
    !is_home(&side.country)
        && !side
            .country
            .trim()
            .eq_ignore_ascii_case(other.country.trim())
}

/// A block of an address, split into fields; and the lines that fit none of them.
pub(super) fn block(text: &str) -> (Side, Vec<String>) {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut side = Side::default();
    let slots = [&mut side.name, &mut side.line1, &mut side.place];
    for (slot, line) in slots.into_iter().zip(lines.by_ref()) {
        line.clone_into(slot);
    }
    (side, lines.map(str::to_owned).collect())
}
