//! Checks dangerous goods: UN number, packing group, class, container, amount, Hazchem code, flash point and
//! technical names.

use rust_decimal::Decimal;

use super::RuleContext;
use crate::catalogue::{StoredGood, UnNumber, catalogue};
use crate::consignment::DangerousGood;
use crate::wire::{DangerousGoodRequest, FieldsWithin, completed};

/// Number of class 3 (flammable liquids) in the API's class enum.
const CLASS_3: i64 = 5;

pub(super) fn goods(
    context: &RuleContext,
    orders: &[DangerousGoodRequest],
    new_zealand: bool,
    fields: &mut FieldsWithin<'_>,
) -> Vec<DangerousGood> {
    let orders = orders.iter().enumerate();
    let goods = orders.filter_map(|(position, order)| {
        let mut fields = fields.within(&format!("consignmentItemDgItems[{position}]"));
        match order.company_dg_item_id {
            None => good(order, new_zealand, &mut fields),
            Some(id) => {
                let stored = catalogue().stored_good(id);
                let stored = stored.filter(|stored| stored.company_id == context.company.id);
                let message = format!("Stored dangerous goods {id} are not known");
                let stored = fields.need(stored, "companyDgItemId", &message)?;
                good(&with_stored(order, stored), new_zealand, &mut fields)
            }
        }
    });
    goods.collect()
}

/// Returns the dangerous good. Fields that were not sent are taken from the stored good.
fn with_stored(sent: &DangerousGoodRequest, stored: &StoredGood) -> DangerousGoodRequest {
    let mut good = completed(sent, &stored.good);
    let names = &mut good.technical_or_chemical_group_names;
    if names.is_empty() {
        names.clone_from(&stored.good.technical_or_chemical_group_names);
    }
    // A request may have only one of the two Hazchem fields, so an id that was sent replaces the stored code.
    if sent.dg_hazchem_id.is_some() {
        good.hazchem.clone_from(&sent.hazchem);
    }
    good
}

fn good(
    order: &DangerousGoodRequest,
    new_zealand: bool,
    fields: &mut FieldsWithin<'_>,
) -> Option<DangerousGood> {
    let number = fields.need(order.un_number, "unNumber", "UN number is required");
    let entry = number.and_then(|number| {
        let message = format!("UN number {number:04} is not valid");
        fields.need(catalogue().un_number(number), "unNumber", &message)
    });
    let packing_group = packing_group(order, entry, fields);
    let container = order.container_type.filter(|kind| (1..=11).contains(kind));
    let message = "Container type is required and must be from 1 to 11";
    let container = fields.need(container, "containerType", message);
    let amount = order.aggregate_quantity;
    let amount = amount.filter(|amount| *amount > Decimal::ZERO);
    let message = "Aggregate quantity is required and must be greater than 0";
    let amount = fields.need(amount, "aggregateQuantity", message);
    let containers = order.number_of_containers.filter(|count| *count > 0);
    let message = "Number of containers is required and must be greater than 0";
    let containers = fields.need(containers, "numberOfContainers", message);
    let by_weight = order.is_aggregate_quantity_weight;
    let [by_weight, pollutant, controlled] = [
        ("isAggregateQuantityWeight", by_weight),
        ("isMarinePollutant", order.is_marine_pollutant),
        ("isTemperatureControlled", order.is_temperature_controlled),
    ]
    .map(|(name, sent)| fields.need(sent, name, &format!("{name} is required")));
    let entry = entry?;
    check_classes(order, entry, fields);
    let hazchem = match hazchem(order, entry, new_zealand) {
        Ok(code) => Some(code),
        Err((name, message)) => {
            fields.refuse(name, message);
            None
        }
    };
    if order.flashpoint.is_none() && entry.dg_class == CLASS_3 {
        fields.refuse("flashpoint", "A flash point is required for class 3");
    } else if order.flashpoint.is_none() && new_zealand {
        let message = "A flash point is required for New Zealand domestic shipments";
        fields.refuse("flashpoint", message);
    }
    let technical_names = &order.technical_or_chemical_group_names;
    if entry.requires_technical_name && technical_names.is_empty() {
        let number = entry.id;
        let message = format!("UN {number:04} needs a technical or chemical group name");
        fields.refuse("TechnicalOrChemicalGroupNames", message);
    }
    Some(DangerousGood {
        company_dg_item_id: order.company_dg_item_id,
        un_number: entry.id,
        proper_shipping_name: entry.name.clone(),
        packing_group: packing_group?,
        container_type: container?,
        aggregate_quantity: amount?,
        by_weight: by_weight?,
        number_of_containers: containers?,
        marine_pollutant: pollutant?,
        temperature_controlled: controlled?,
        // The API's documentation calls this field required, but its own samples omit it.
        empty_container: order.is_empty_dg_container.unwrap_or(false),
        class: entry.dg_class,
        sub_classes: entry.sub_classes.clone(),
        technical_names: technical_names.clone(),
        hazchem: hazchem?,
        flashpoint: order.flashpoint,
    })
}

fn packing_group(
    order: &DangerousGoodRequest,
    entry: Option<&UnNumber>,
    fields: &mut FieldsWithin<'_>,
) -> Option<i64> {
    let group = order.packing_group.filter(|group| (1..=4).contains(group));
    let message = "Packing group is required and must be from 1 to 4";
    let group = fields.need(group, "packingGroup", message)?;
    if let Some(entry) = entry.filter(|entry| !entry.packing_groups.contains(&group)) {
        let number = entry.id;
        let message = format!("Packing group {group} is not valid for UN {number:04}");
        fields.refuse("packingGroup", message);
        return None;
    }
    Some(group)
}

fn check_classes(order: &DangerousGoodRequest, entry: &UnNumber, fields: &mut FieldsWithin<'_>) {
    let unknown = "Dangerous goods class must be from 2 to 49";
    let label = |class: i64| catalogue().values.class_label(class);
    let class = order.dg_class_type.unwrap_or(entry.dg_class);
    let number = entry.id;
    if label(class).is_none() {
        fields.refuse("dgClassType", unknown);
    } else if class != entry.dg_class {
        let label = label(entry.dg_class).unwrap_or_default();
        fields.refuse("dgClassType", format!("UN {number:04} is of class {label}"));
    }
    let mut subsidiary = order.sub_dg_class_types.iter();
    if subsidiary.clone().any(|class| label(*class).is_none()) {
        fields.refuse("subDgClassTypes", unknown);
    } else if let Some(other) = subsidiary.find(|class| !entry.sub_classes.contains(class)) {
        let label = label(*other).unwrap_or_default();
        let message = format!("UN {number:04} has no subsidiary class {label}");
        fields.refuse("subDgClassTypes", message);
    }
}

/// Returns the Hazchem code, if there is one. The error is the name of the wrong field and a message.
fn hazchem(
    order: &DangerousGoodRequest,
    entry: &UnNumber,
    new_zealand: bool,
) -> Result<Option<String>, (&'static str, String)> {
    let refused = |message: &str| Err(("hazchem", message.to_owned()));
    match (order.hazchem.as_deref(), order.dg_hazchem_id) {
        (Some(_), Some(_)) => refused("Cannot set both hazchem and dgHazchemId"),
        (Some(code), None) if catalogue().hazchem_id(code).is_some() => Ok(Some(code.to_owned())),
        (Some(code), None) => refused(&format!("Hazchem code {code} does not exist")),
        (None, Some(id)) => match catalogue().hazchem_by_id(id) {
            Some(code) => Ok(Some(code.to_owned())),
            None => Err(("dgHazchemId", format!("Hazchem id {id} does not exist"))),
        },
        // A code is required in New Zealand. Elsewhere, the code is set automatically if the UN number has only one.
        (None, None) if new_zealand => {
            refused("A Hazchem code is required for New Zealand domestic shipments")
        }
        (None, None) => match catalogue().hazchem_codes(entry.id) {
            [] => Ok(None),
            [only] => Ok(Some(only.clone())),
            several => {
                let (number, choice) = (entry.id, several.join(" or "));
                let known = format!("Several Hazchem codes exist for UN {number:04}");
                refused(&format!("{known}: send {choice}"))
            }
        },
    }
}
