//! The rules of dangerous goods, as they are said beside the fields.

use crate::draft::GoodsLine;
use crate::shipping::ContainerType;

/// What "in each package" counts, by the kind of container.
pub(super) fn rule_of(container: Option<ContainerType>) -> String {
    match container {
        Some(ContainerType::Carton) => {
            "Carton: 1 in each carton, where the goods are in no receptacles of their own"
                .to_owned()
        }
        Some(container) => {
            format!(
                "{}: the inner receptacles in each package, not in all packages",
                container.label()
            )
        }
        None => "In each package: the inner receptacles in one package, not in all".to_owned(),
    }
}

/// The packages of a line: `carton`, `pallet`.
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

/// `12 in each of 3 cartons`.
pub(super) fn in_each(line: &GoodsLine, containers: &str) -> Option<String> {
    let each: u32 = containers.trim().parse().ok().filter(|count| *count > 0)?;
    let packages = line.pieces()?;
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
