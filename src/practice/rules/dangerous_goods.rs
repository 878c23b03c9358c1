//! Checks dangerous goods: UN number, packing group, class, container, amount, Hazchem code, flash point and
//! technical names.

use rust_decimal::Decimal;

use super::{RuleContext, item_member};
use crate::catalogue::{StoredGood, UnNumber, class_label};
use crate::consignment::DangerousGood;
use crate::wire::{DangerousGoodRequest, Refusals};

/// Number of class 3 (flammable liquids) in the API's class enum.
const CLASS_3: i64 = 5;

pub(super) fn goods(
    context: &RuleContext<'_>,
    index: usize,
    orders: &[DangerousGoodRequest],
    new_zealand: bool,
    refusals: &mut Refusals,
) -> Vec<DangerousGood> {
    let good = |(position, order): (usize, &DangerousGoodRequest)| {
        let mut reader = GoodReader {
            context,
            index,
            position,
            new_zealand,
            refusals,
        };
        reader.good(order)
    };
    orders.iter().enumerate().filter_map(good).collect()
}

struct GoodReader<'a, 'r> {
    context: &'a RuleContext<'a>,
    index: usize,
    position: usize,
    new_zealand: bool,
    refusals: &'r mut Refusals,
}

impl<'a> GoodReader<'a, '_> {
    fn good(&mut self, sent: &DangerousGoodRequest) -> Option<DangerousGood> {
        let merged = self.with_stored(sent)?;
        let order = &merged;
        let entry = self.entry(order);
        let packing_group = self.packing_group(order, entry);
        let container = order.container_type.filter(|kind| (1..=11).contains(kind));
        let wording = "Container type is required and must be from 1 to 11";
        let container = self.need(container, "containerType", wording);
        let amount = order.aggregate_quantity;
        let amount = amount.filter(|amount| *amount > Decimal::ZERO);
        let wording = "Aggregate quantity is required and must be greater than 0";
        let amount = self.need(amount, "aggregateQuantity", wording);
        let containers = order.number_of_containers.filter(|count| *count > 0);
        let wording = "Number of containers is required and must be greater than 0";
        let containers = self.need(containers, "numberOfContainers", wording);
        let mut flag = |sent, name: &str| self.need(sent, name, &format!("{name} is required"));
        let by_weight = flag(
            order.is_aggregate_quantity_weight,
            "isAggregateQuantityWeight",
        );
        let pollutant = flag(order.is_marine_pollutant, "isMarinePollutant");
        let controlled = flag(order.is_temperature_controlled, "isTemperatureControlled");
        let entry = entry?;
        self.classes(order, entry);
        let hazchem = self.hazchem(order, entry);
        self.flash_point(order, entry);
        self.technical_names(order, entry);
        Some(DangerousGood {
            company_dg_item_id: order.company_dg_item_id,
            un_number: entry.un_number,
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
            technical_names: order.technical_or_chemical_group_names.clone(),
            hazchem: hazchem?,
            flashpoint: order.flashpoint,
        })
    }

    /// Fills in fields that were not sent from the stored dangerous good, if its id was sent.
    fn with_stored(&mut self, sent: &DangerousGoodRequest) -> Option<DangerousGoodRequest> {
        let Some(id) = sent.company_dg_item_id else {
            return Some(sent.clone());
        };
        let stored = self.context.catalogue.goods.stored(id);
        let stored = stored.filter(|stored| stored.company_id == self.context.company.id);
        let Some(stored) = stored else {
            let wording = format!("Stored dangerous goods {id} are not known");
            self.refuse("companyDgItemId", wording);
            return None;
        };
        Some(merged(sent, stored))
    }

    fn entry(&mut self, order: &DangerousGoodRequest) -> Option<&'a UnNumber> {
        let Some(number) = order.un_number else {
            self.refuse("unNumber", "UN number is required");
            return None;
        };
        let entry = self.context.catalogue.goods.un_number(number);
        if entry.is_none() {
            self.refuse("unNumber", format!("UN number {number:04} is not valid"));
        }
        entry
    }

    fn packing_group(
        &mut self,
        order: &DangerousGoodRequest,
        entry: Option<&UnNumber>,
    ) -> Option<i64> {
        let group = order.packing_group.filter(|group| (1..=4).contains(group));
        let wording = "Packing group is required and must be from 1 to 4";
        let group = self.need(group, "packingGroup", wording)?;
        if let Some(entry) = entry.filter(|entry| !entry.packing_groups.contains(&group)) {
            let number = entry.un_number;
            let wording = format!("Packing group {group} is not valid for UN {number:04}");
            self.refuse("packingGroup", wording);
            return None;
        }
        Some(group)
    }

    fn classes(&mut self, order: &DangerousGoodRequest, entry: &UnNumber) {
        let unknown = "Dangerous goods class must be from 2 to 49";
        let outside = |class: &i64| class_label(*class).is_none();
        let number = entry.un_number;
        if order.dg_class_type.iter().any(outside) {
            self.refuse("dgClassType", unknown);
        } else if order
            .dg_class_type
            .is_some_and(|class| class != entry.dg_class)
        {
            let label = class_label(entry.dg_class).unwrap_or_default();
            self.refuse("dgClassType", format!("UN {number:04} is of class {label}"));
        }
        let mut subsidiary = order.sub_dg_class_types.iter();
        if subsidiary.clone().any(outside) {
            self.refuse("subDgClassTypes", unknown);
        } else if let Some(other) = subsidiary.find(|class| !entry.sub_classes.contains(class)) {
            let label = class_label(*other).unwrap_or_default();
            let wording = format!("UN {number:04} has no subsidiary class {label}");
            self.refuse("subDgClassTypes", wording);
        }
    }

    /// Returns the Hazchem code: `None` if it is refused, `Some(None)` if no code exists and none is needed.
    #[expect(
        clippy::option_option,
        reason = "a refused code and no code at all are different things"
    )]
    fn hazchem(
        &mut self,
        order: &DangerousGoodRequest,
        entry: &UnNumber,
    ) -> Option<Option<String>> {
        let goods = &self.context.catalogue.goods;
        match (order.hazchem.as_deref(), order.dg_hazchem_id) {
            (Some(_), Some(_)) => self.refuse("hazchem", "Cannot set both hazchem and dgHazchemId"),
            (Some(code), None) if goods.hazchem_exists(code) => return Some(Some(code.to_owned())),
            (Some(code), None) => {
                self.refuse("hazchem", format!("Hazchem code {code} does not exist"));
            }
            (None, Some(id)) => match goods.hazchem_by_id(id) {
                Some(code) => return Some(Some(code.to_owned())),
                None => self.refuse("dgHazchemId", format!("Hazchem id {id} does not exist")),
            },
            // Required in New Zealand. Elsewhere, the only code of a UN number is set automatically.
            (None, None) if self.new_zealand => self.refuse(
                "hazchem",
                "A Hazchem code is required for New Zealand domestic shipments",
            ),
            (None, None) => match goods.hazchem_codes(entry.un_number) {
                [] => return Some(None),
                [only] => return Some(Some(only.clone())),
                several => {
                    let (number, choice) = (entry.un_number, several.join(" or "));
                    let known = format!("Several Hazchem codes exist for UN {number:04}");
                    self.refuse("hazchem", format!("{known}: send {choice}"));
                }
            },
        }
        None
    }

    fn flash_point(&mut self, order: &DangerousGoodRequest, entry: &UnNumber) {
        if order.flashpoint.is_some() {
            return;
        }
        if entry.dg_class == CLASS_3 {
            self.refuse("flashpoint", "A flash point is required for class 3");
        } else if self.new_zealand {
            let wording = "A flash point is required for New Zealand domestic shipments";
            self.refuse("flashpoint", wording);
        }
    }

    fn technical_names(&mut self, order: &DangerousGoodRequest, entry: &UnNumber) {
        if entry.requires_technical_name && order.technical_or_chemical_group_names.is_empty() {
            let number = entry.un_number;
            let wording = format!("UN {number:04} needs a technical or chemical group name");
            self.refuse("TechnicalOrChemicalGroupNames", wording);
        }
    }

    fn need<T>(&mut self, value: Option<T>, name: &str, wording: &str) -> Option<T> {
        if value.is_none() {
            self.refuse(name, wording);
        }
        value
    }

    fn refuse(&mut self, name: &str, wording: impl Into<String>) {
        let name = format!("consignmentItemDgItems[{}].{name}", self.position);
        self.refusals.add(item_member(self.index, &name), wording);
    }
}

fn merged(sent: &DangerousGoodRequest, stored: &StoredGood) -> DangerousGoodRequest {
    let mut order = sent.clone();
    order.un_number.get_or_insert(stored.un_number);
    order.packing_group.get_or_insert(stored.packing_group);
    order.container_type.get_or_insert(stored.container_type);
    order
        .aggregate_quantity
        .get_or_insert(stored.aggregate_quantity);
    let by_weight = stored.is_aggregate_quantity_weight;
    order.is_aggregate_quantity_weight.get_or_insert(by_weight);
    order
        .number_of_containers
        .get_or_insert(stored.number_of_containers);
    order.is_marine_pollutant.get_or_insert(false);
    order.is_temperature_controlled.get_or_insert(false);
    order.flashpoint = order.flashpoint.or(stored.flashpoint);
    if order.hazchem.is_none() && order.dg_hazchem_id.is_none() {
        order.hazchem.clone_from(&stored.hazchem);
    }
    let names = &mut order.technical_or_chemical_group_names;
    if names.is_empty() {
        names.extend(stored.technical_name.clone());
    }
    order
}
