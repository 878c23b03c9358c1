//! Explanations of the packaging rules for dangerous goods, shown next to the fields.

use draft::{DgLine, GoodsLine, container_rule};

/// Explains what to count as "In each package" for this packaging type, after the count as typed so far.
pub(super) fn rule(line: &GoodsLine, good: &DgLine) -> String {
    let in_each = good.containers_per_package();
    let rule = match good.container {
        Some(container) => container_rule(container, line.count(), in_each),
        None => "Count the inner packagings in one package, not in all of them".to_owned(),
    };
    match self::in_each(line, good) {
        Some(each) => format!("{each} · {rule}"),
        None => rule,
    }
}

/// Returns the word for the packages of a line: `carton`, `pallet`.
pub(super) fn package(line: &GoodsLine) -> String {
    let kind = line.kind().trim();
    if kind.is_empty() || kind == "Item" {
        "package".to_owned()
    } else if kind.chars().all(char::is_uppercase) {
        kind.to_owned()
    } else {
        kind.to_lowercase()
    }
}

/// Formats the counts as typed: `12 in each of 3 cartons`.
fn in_each(line: &GoodsLine, good: &DgLine) -> Option<String> {
    let each = good.containers_per_package()?;
    let packages = line.count()?;
    let kind = package(line);
    Some(match packages {
        1 => format!("{each} in 1 {kind}"),
        packages => format!("{each} in each of {packages} {}", many(&kind)),
    })
}

fn many(kind: &str) -> String {
    match kind {
        "timberloose" | "combined" | "rails" => kind.to_owned(),
        kind if kind.ends_with("ch") || kind.ends_with('x') => format!("{kind}es"),
        kind => format!("{kind}s"),
    }
}
