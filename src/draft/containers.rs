//! The rules for counting the inner receptacles of a dangerous good (`numberOfContainers`), as texts for the
//! form.

use super::dg_line::DgLine;
use super::goods::GoodsLine;
use shipping::{ContainerType, ItemType};

/// Returns the rule for a kind of receptacle. `quantity` is the line's number of items; `in_each` is the
/// number typed so far.
pub fn container_rule(
    container: ContainerType,
    quantity: Option<u32>,
    in_each: Option<u32>,
) -> String {
    let mut words = match container {
        ContainerType::Carton => {
            "Enter 1 for goods loose in a carton. For a pallet of cartons, enter the number of cartons".to_owned()
        }
        other => format!(
            "Enter the number of {} in one package: for 12 in a carton, enter 12",
            plural(other)
        ),
    };
    let items = quantity.filter(|quantity| *quantity > 1);
    if let Some(items) = items {
        words.push_str(". Count one of the ");
        words.push_str(&items.to_string());
        words.push_str(" packages, not all of them");
        if let Some(all) = in_each.and_then(|in_each| in_each.checked_mul(items)) {
            words = format!("{words}: {all} in all");
        }
    }
    words
}

fn plural(container: ContainerType) -> &'static str {
    match container {
        ContainerType::Drum => "drums",
        ContainerType::Carton => "cartons",
        ContainerType::Ibc => "IBCs",
        ContainerType::Pail => "pails",
        ContainerType::DemountableTank => "demountable tanks",
        ContainerType::Bottle => "bottles",
        ContainerType::PressureDrum => "pressure drums",
        ContainerType::Tube => "tubes",
        ContainerType::Megc => "MEGCs",
        ContainerType::Aerosol => "aerosols",
        ContainerType::Bag => "bags",
    }
}

/// Warns about a suspicious count: several cartons in a line that is not a pallet of cartons.
pub(super) fn count_warning(line: &GoodsLine, good: &DgLine, containers: u32) -> Option<String> {
    if good.container != Some(ContainerType::Carton) || containers == 1 {
        return None;
    }
    let kind = line.kind();
    if ItemType::takes_space(kind) || matches!(kind, "" | "Stillage" | "Combined") {
        return None;
    }
    let words = match line.count() {
        Some(items) if items > 1 && items == containers => {
            format!(
                "Enter the number in one package, not in all {items}. Enter 1 for goods loose in a carton"
            )
        }
        _ => "Enter 1 for goods loose in a carton. Only for a pallet, enter the number of cartons"
            .to_owned(),
    };
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_names_the_receptacle_and_warns_of_counting_all_packages() {
        let rule = container_rule(ContainerType::Bottle, Some(3), Some(12));
        assert!(
            rule.contains("bottles") && rule.contains("one of the 3 packages"),
            "{rule}"
        );
        assert!(rule.ends_with("36 in all"), "{rule}");
        let rule = container_rule(ContainerType::Carton, Some(1), None);
        assert!(
            rule.contains("Enter 1") && !rule.contains("packages"),
            "{rule}"
        );
        for container in ContainerType::ALL {
            assert!(!container_rule(*container, None, Some(u32::MAX)).is_empty());
        }
        assert!(!container_rule(ContainerType::Bag, Some(u32::MAX), Some(9)).contains("in all"));
    }
}
