//! Creates a new draft from a consignment, without its identity.
//!
//! Left out are references (each names one order, and reconciliation uses them to tell consignments apart),
//! the carrier's numbers, the despatch time, and the declaration of dangerous goods, which each consignment
//! needs anew.

use super::{
    AddressMode, ChosenCarrier, ContentsLine, DgLine, Draft, DraftId, GoodsLine, Party, Routing,
    dg_line::hazchem_from_id,
};
use shipping::{
    CarrierId, Consignment, ConsignmentDgItem, ConsignmentItem, ConsignmentItemContents, EditForm,
    Location, Question,
};

impl Draft {
    /// Copies the editable form of an unmanifested consignment.
    pub fn copy_of_form(form: &EditForm, zone: &str) -> Option<Self> {
        Some(Self::from_form(form, zone)?.without_identity())
    }

    /// Copies a fetched consignment. Saved locations, accounts and options are left out, because the answer
    /// does not contain them.
    pub fn copy_of(consignment: &Consignment) -> Self {
        let questions = { consignment.question_ids.iter() }
            .filter_map(|id| Question::ALL.iter().find(|known| known.id() == id))
            .copied();
        let mut goods: Vec<_> = consignment.items().iter().map(line).collect();
        if goods.is_empty() {
            goods.push(GoodsLine::default());
        }
        Self {
            company: consignment.company_id,
            from: from(consignment),
            to: to(consignment),
            instructions: consignment.special_instructions.clone().unwrap_or_default(),
            questions: questions.collect(),
            goods,
            routing: routing(consignment),
            ..Self::default()
        }
    }

    /// Removes everything that identifies the original consignment.
    #[must_use]
    fn without_identity(mut self) -> Self {
        for line in &mut self.goods {
            line.of_item = None;
            line.references.clear();
        }
        Self {
            id: DraftId::random(),
            reference1: String::new(),
            reference2: String::new(),
            despatch: String::new(),
            carrier_number: String::new(),
            staff: String::new(),
            dangerous_goods_declared: false,
            declared_goods: 0,
            pending: None,
            edits: None,
            ..self
        }
    }

    /// Returns the picked carrier.
    pub const fn carrier_id(&self) -> Option<CarrierId> {
        match &self.routing {
            Routing::Chosen(route) => Some(route.carrier_id),
            Routing::Carrier(chosen) => Some(chosen.carrier_id),
            Routing::Unchosen | Routing::Cheapest | Routing::Fastest => None,
        }
    }

    /// Sets the names of the carrier and service, if only their ids are known.
    pub fn name_carrier(&mut self, carrier: &str, service: &str) {
        let names = match &mut self.routing {
            Routing::Chosen(route) => Some((&mut route.carrier, &mut route.service)),
            Routing::Carrier(chosen) => Some((&mut chosen.carrier, &mut chosen.service)),
            Routing::Unchosen | Routing::Cheapest | Routing::Fastest => None,
        };
        if let Some((known, by)) = names.filter(|(known, _)| known.is_empty()) {
            carrier.clone_into(known);
            service.clone_into(by);
        }
    }
}

fn routing(of: &Consignment) -> Routing {
    of.carrier_id().map_or(Routing::Unchosen, |carrier_id| {
        Routing::from_carrier(ChosenCarrier {
            carrier_id,
            carrier: of.carrier_name().to_owned(),
            account_id: None,
            company_account_id: None,
            account: String::new(),
            service_id: of.carrier_service_id(),
            service: of.service_name().to_owned(),
        })
    })
}

fn from(of: &Consignment) -> Party {
    let text = |said: &Option<String>| said.clone().unwrap_or_default();
    Party {
        name: text(&of.from_name),
        contact: text(&of.from_contact),
        phone: text(&of.from_phone),
        email: text(&of.from_email),
        line1: text(&of.from_address_line1),
        line2: text(&of.from_address_line2),
        ..place(of.from_location.as_ref(), &text(&of.from_country_code))
    }
}

fn to(of: &Consignment) -> Party {
    let text = |said: &Option<String>| said.clone().unwrap_or_default();
    Party {
        name: text(&of.to_name),
        contact: text(&of.to_contact),
        phone: text(&of.to_phone),
        email: text(&of.to_email),
        line1: text(&of.to_address_line1),
        line2: text(&of.to_address_line2),
        ..place(of.to_location.as_ref(), &text(&of.to_country_code))
    }
}

fn place(at: Option<&Location>, country: &str) -> Party {
    let mut side = Party {
        mode: AddressMode::Full,
        ..Party::default()
    };
    let Some(at) = at else { return side };
    let country = if country.is_empty() {
        at.country.as_str()
    } else {
        country
    };
    side.place = format!("{} {} {}", at.suburb, at.state, at.postcode);
    if !super::countries::is_australia(country) {
        country.clone_into(&mut side.country);
        side.city.clone_from(&at.suburb);
        side.province.clone_from(&at.state);
        side.postcode.clone_from(&at.postcode);
    }
    side
}

fn number<T: ToString>(of: Option<T>) -> String {
    of.map(|number| number.to_string()).unwrap_or_default()
}

fn line(item: &ConsignmentItem) -> GoodsLine {
    let size = item.size();
    let plain = |of: Option<rust_decimal::Decimal>| number(of.map(|of| of.normalize()));
    GoodsLine {
        item_type: item.item_type.clone(),
        name: item.name.clone(),
        sku: item.sku.clone().unwrap_or_default(),
        quantity: number(item.quantity),
        weight: plain(size.weight.map(|of| of.0)),
        length: plain(size.length.map(|of| of.0)),
        width: plain(size.width.map(|of| of.0)),
        height: plain(size.height.map(|of| of.0)),
        spaces: plain(item.pallet_spaces.map(|of| of.0)),
        dangerous: item
            .consignment_item_dg_items
            .iter()
            .map(Into::into)
            .collect(),
        contents: item.consignment_item_contents.iter().map(inside).collect(),
        ..GoodsLine::default()
    }
}

impl From<&ConsignmentDgItem> for DgLine {
    fn from(of: &ConsignmentDgItem) -> Self {
        let by_id = || of.dg_hazchem_id.and_then(hazchem_from_id);
        let hazchem = of.hazchem.as_deref().or_else(by_id);
        let un_number = of.un_number.map(|un| format!("{un:04}"));
        Self {
            un_number: un_number.unwrap_or_default(),
            shipping_name: of.proper_shipping_name.clone(),
            packing_group: of.packing_group,
            class: of.dg_class_type,
            sub_classes: of.sub_dg_class_types.clone(),
            container: of.container_type,
            containers: number(of.number_of_containers),
            amount: number(of.aggregate_quantity.map(|of| of.0.normalize())),
            litres: !of.is_aggregate_quantity_weight,
            flash_point: number(of.flashpoint.map(|of| of.0.normalize())),
            hazchem: hazchem.unwrap_or_default().to_owned(),
            technical_name: of.technical_or_chemical_group_names.join("; "),
            marine_pollutant: of.is_marine_pollutant,
            temperature_controlled: of.is_temperature_controlled,
            empty_uncleaned: of.is_empty_dg_container,
            ..Self::default()
        }
    }
}

fn inside(of: &ConsignmentItemContents) -> ContentsLine {
    let text = |said: &Option<String>| said.clone().unwrap_or_default();
    ContentsLine {
        description: of.description.clone(),
        reference1: text(&of.reference1),
        reference2: text(&of.reference2),
        reference3: text(&of.reference3),
        marks: text(&of.ci_marks_and_numbers),
        part_number: text(&of.part_number),
        quantity: number(of.quantity),
        harmonised_code: text(&of.harmonized_code),
        purpose: text(&of.purpose),
        country: text(&of.country_of_manufacture_code),
        value: number(of.dollar_value.map(|of| of.0.normalize())),
    }
}
