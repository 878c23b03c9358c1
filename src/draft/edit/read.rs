//! Reads the editable form into the fields of a draft.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::super::countries::is_australia;
use super::super::{
    AddressMode, ChosenCarrier, ChosenRoute, ContentsLine, CustomValueLine, DUTIES, DgLine, Draft,
    GoodsLine, ItemSource, Party, PickedLocation, ReceiverAccountKind, Routing,
    dg_line::hazchem_from_id, parse_place,
};
use shipping::{
    CompanyLocationId, ConsignmentDgItem, EditForm, EditItem, LocalTime, Location, Quantity,
    Question, RouteSelection, UtcTime,
};

/// The possible field names of the despatch time.
pub(super) const DESPATCH: [&str; 4] = [
    "dispatchDateTimeUtc",
    "despatchDateTimeUtc",
    "dispatchDateTimeLocal",
    "despatchDateTimeLocal",
];

/// A JSON object of the form.
trait FormFields {
    fn value<T: DeserializeOwned>(&self, name: &str) -> Option<T>;

    /// Returns a text or number as text.
    fn text(&self, name: &str) -> String {
        match self.value(name) {
            Some(Value::String(text)) => text,
            Some(Value::Number(number)) => number.to_string(),
            _ => String::new(),
        }
    }

    /// Returns a decimal as text, without loss of digits.
    fn amount(&self, name: &str) -> String {
        self.value::<Quantity>(name)
            .map(|amount| amount.0.normalize().to_string())
            .unwrap_or_default()
    }

    fn flag(&self, name: &str) -> bool {
        self.value(name).unwrap_or(false)
    }

    fn objects(&self, name: &str) -> Vec<EditItem> {
        self.value(name).unwrap_or_default()
    }
}

impl FormFields for EditForm {
    fn value<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        self.get(name)
    }
}

impl FormFields for EditItem {
    fn value<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        self.get(name)
    }
}

pub(super) fn draft(form: &EditForm, zone: &str) -> Draft {
    let account = form.text("receiverAccountCode");
    let (receiver_account, receiver_account_by) = if account.is_empty() {
        let id = form.text("receiverAccountId");
        let by = if id.is_empty() {
            ReceiverAccountKind::Code
        } else {
            ReceiverAccountKind::Id
        };
        (id, by)
    } else {
        (account, ReceiverAccountKind::Code)
    };
    let custom: Vec<_> = { form.objects("customValues").into_iter() }
        .map(|value| custom(&value))
        .collect();
    let pays_duties = |line: &CustomValueLine| line.name == DUTIES && line.value == "true";
    let mut draft = Draft {
        company: form.get("companyId"),
        from: side(form, "from", "From"),
        to: side(form, "to", "To"),
        reference1: form.text("customerReference"),
        reference2: form.text("customerReference2"),
        instructions: form.text("specialInstructions"),
        questions: questions(form),
        receiver_account,
        receiver_account_by,
        duties_by_recipient: custom.iter().any(pays_duties),
        custom_values: { custom.into_iter() }
            .filter(|line| line.name != DUTIES)
            .collect(),
        staff: form.text("staffMemberName"),
        tracking_email: form.flag("sendingTrackingEmail"),
        printer_token: form.text("printerToken"),
        carrier_number: form.text("carrierConsignmentId"),
        goods: form.items().iter().enumerate().map(line).collect(),
        routing: routing(form),
        ..Draft::default()
    };
    draft.despatch = despatch(form, draft.from.time_zone().unwrap_or(zone));
    // The consignment was declared when it was created. Added or changed goods must be declared again.
    draft.declare(draft.has_dangerous_goods());
    draft
}

fn side(form: &EditForm, prefix: &str, title: &str) -> Party {
    let own = |name: &str| form.text(&format!("{prefix}{name}"));
    let abroad = |name: &str| form.text(&format!("international{title}{name}"));
    let location: Option<Location> = form.get(&format!("{prefix}Location"));
    let location = location.unwrap_or_default();
    let (suburb, state, postcode) = (location.suburb, location.state, location.postcode);
    let saved: Option<CompanyLocationId> = form.get(&format!("{prefix}CompanyLocationId"));
    let country = Some(own("CountryCode")).filter(|code| !code.is_empty());
    let country = country.or_else(|| form.country(&format!("{prefix}Country")));
    let country = country.unwrap_or(location.country);
    let country = if is_australia(&country) {
        String::new()
    } else {
        country
    };
    let or = |first: String, other: &str| {
        if first.is_empty() && !country.is_empty() {
            other.to_owned()
        } else {
            first
        }
    };
    let join = |parts: &[&str], between: &str| {
        let given: Vec<_> = parts
            .iter()
            .filter(|part| !part.is_empty())
            .copied()
            .collect();
        given.join(between)
    };
    let abbreviation = own("Abbreviation");
    let (line1, line2) = (own("AddressLine1"), own("AddressLine2"));
    let (contact, phone) = (own("Contact"), own("Phone"));
    let place = place(&suburb, &state, &postcode);
    Party {
        mode: if saved.is_some() || !abbreviation.is_empty() {
            AddressMode::Saved
        } else {
            AddressMode::Full
        },
        saved: saved.map(|id| PickedLocation {
            id,
            name: own("Name"),
            abbreviation: abbreviation.clone(),
            street: join(&[&line1, &line2], ", "),
            place: join(&[&suburb, &state, &postcode], " "),
            contact: join(&[&contact, &phone], " · "),
            time_zone: location.time_zone,
            country: country.clone(),
            company: form.get("companyId"),
        }),
        abbreviation,
        name: own("Name"),
        email: own("Email"),
        city: or(abroad("City"), &suburb),
        province: or(abroad("Province"), &state),
        postcode: or(abroad("Postcode"), &postcode),
        contact,
        phone,
        line1,
        line2,
        place,
        country,
        ..Party::default()
    }
}

/// Joins suburb, state and postcode, but leaves out the state if the text would then be parsed differently.
fn place(suburb: &str, state: &str, postcode: &str) -> String {
    if suburb.is_empty() && postcode.is_empty() {
        return String::new();
    }
    let short = format!("{suburb} {postcode}").trim().to_owned();
    let long = format!("{suburb} {state} {postcode}");
    let read = |text: &str| parse_place(text).map(|at| (at.suburb, at.postcode));
    if !state.is_empty() && read(&long) == read(&short) {
        long
    } else {
        short
    }
}

/// Reads the despatch time into the time zone of the draft.
fn despatch(form: &EditForm, zone: &str) -> String {
    let local = DESPATCH.iter().find_map(|name| {
        if name.ends_with("Utc") {
            form.get::<UtcTime>(name)
                .map(|time| LocalTime::at(time.0, zone))
        } else {
            form.get::<LocalTime>(name)
        }
    });
    let Some(LocalTime(time)) = local else {
        return String::new();
    };
    let format = if time.second() == 0 {
        "%Y-%m-%d %H:%M"
    } else {
        "%Y-%m-%d %H:%M:%S"
    };
    time.strftime(format).to_string()
}

/// Reads the questions that the bench knows; the others stay in the form.
fn questions(form: &EditForm) -> BTreeSet<Question> {
    let all: Vec<Value> = form.get("questionIds").unwrap_or_default();
    all.into_iter()
        .filter_map(|one| serde_json::from_value(one).ok())
        .collect()
}

fn custom(value: &EditItem) -> CustomValueLine {
    CustomValueLine {
        name: value.text("propertyName"),
        value: match value.get("value") {
            Some(Value::Bool(flag)) => flag.to_string(),
            _ => value.text("value"),
        },
    }
}

fn routing(form: &EditForm) -> Routing {
    let Some(carrier_id) = form.get("carrierId") else {
        return match form.get::<RouteSelection>("defaultRouteSelection") {
            Some(RouteSelection::Cheapest) => Routing::Cheapest,
            Some(RouteSelection::Fastest) => Routing::Fastest,
            None => Routing::Unchosen,
        };
    };
    let account_id = form.get("carrierAccountId");
    let company_account_id = form.get("companyCarrierAccountId");
    match form.get("carrierServiceId") {
        Some(service_id) => Routing::Chosen(ChosenRoute {
            carrier_id,
            service_id,
            account_id,
            company_account_id,
            carrier: String::new(),
            service: String::new(),
            price: None,
            account: String::new(),
            eta: None,
        }),
        None => Routing::Carrier(ChosenCarrier {
            carrier_id,
            carrier: String::new(),
            account_id,
            company_account_id,
            account: String::new(),
            service_id: None,
            service: String::new(),
        }),
    }
}

/// Reads an item. A saved item becomes a direct line if the form contains its details, and stays a saved item
/// if the form only references it.
fn line((at, item): (usize, &EditItem)) -> GoodsLine {
    let nested: Option<EditItem> = item.get("standardItem");
    let size = |name: &str| {
        let own = item.amount(name);
        match &nested {
            Some(nested) if own.is_empty() => nested.amount(name),
            _ => own,
        }
    };
    let references: Vec<_> = { item.references().into_iter() }
        .map(|one| one.carrier_item_reference)
        .collect();
    let (item_type, name) = (item.text("itemType"), item.text("name"));
    let (saved, sku) = (item.text("companyItemId"), item.text("sku"));
    let source = match (item_type.is_empty() && name.is_empty(), &*saved, &*sku) {
        (true, "", "") | (false, ..) => ItemSource::Direct,
        (true, "", _) => ItemSource::Sku,
        (true, ..) => ItemSource::Id,
    };
    GoodsLine {
        source,
        item_id: if source == ItemSource::Id {
            saved
        } else {
            String::new()
        },
        item_type,
        name,
        sku,
        quantity: item.amount("quantity"),
        weight: size("weight"),
        length: size("length"),
        width: size("width"),
        height: size("height"),
        spaces: item.amount("palletSpaces"),
        references: references.join("\n"),
        dangerous: { item.objects("consignmentItemDgItems").into_iter() }
            .map(|good| dangerous(&good))
            .collect(),
        contents: { item.objects("consignmentItemContents").into_iter() }
            .map(|inside| contents(&inside))
            .collect(),
        of_item: Some(at),
        ..GoodsLine::default()
    }
}

fn dangerous(good: &EditItem) -> DgLine {
    let un_number = good.value::<u16>("unNumber").map(|un| format!("{un:04}"));
    let read: Option<ConsignmentDgItem> = good.read();
    let read = read.as_ref();
    let technical = read.map(|read| read.technical_or_chemical_group_names.join("; "));
    let by_id = || {
        let id = read?.dg_hazchem_id?;
        hazchem_from_id(id).map(str::to_owned)
    };
    let hazchem = read.and_then(|read| read.hazchem.clone());
    DgLine {
        stored: if un_number.is_none() {
            good.text("companyDgItemId")
        } else {
            String::new()
        },
        un_number: un_number.unwrap_or_default(),
        packing_group: read.and_then(|read| read.packing_group),
        class: read.and_then(|read| read.dg_class_type),
        sub_classes: read
            .map(|read| read.sub_dg_class_types.clone())
            .unwrap_or_default(),
        container: read.and_then(|read| read.container_type),
        containers: good.amount("numberOfContainers"),
        amount: good.amount("aggregateQuantity"),
        litres: good.get("isAggregateQuantityWeight") == Some(false),
        flash_point: good.amount("flashpoint"),
        hazchem: hazchem.or_else(by_id).unwrap_or_default(),
        technical_name: technical.unwrap_or_default(),
        marine_pollutant: good.flag("isMarinePollutant"),
        temperature_controlled: good.flag("isTemperatureControlled"),
        empty_uncleaned: good.flag("isEmptyDgContainer"),
        ..DgLine::default()
    }
}

fn contents(inside: &EditItem) -> ContentsLine {
    ContentsLine {
        description: inside.text("description"),
        reference1: inside.text("reference1"),
        reference2: inside.text("reference2"),
        reference3: inside.text("reference3"),
        marks: inside.text("ciMarksAndNumbers"),
        part_number: inside.text("partNumber"),
        quantity: inside.amount("quantity"),
        harmonised_code: inside.text("harmonizedCode"),
        purpose: inside.text("purpose"),
        country: { inside.country("countryOfManufactureCode") }
            .or_else(|| inside.country("countryOfManufacture"))
            .unwrap_or_default(),
        value: inside.amount("dollarValue"),
    }
}
