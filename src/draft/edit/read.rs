//! Reads the editable form into the fields of a draft.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::countries::is_australia;
use super::super::field::{AddressField, ContentsField, GoodsField, RecordField as _, TEXTS};
use super::super::party::join_parts;
use super::super::{
    AddressMode, ChosenRoute, ConsignmentFlag, ContentsLine, CustomValueLine, DUTIES, DgLine,
    Draft, GoodsLine, ItemSource, Party, PickedLocation, ReceiverAccountKind, Routing, parse_place,
    typed_time,
};
use shipping::{
    CompanyLocationId, DgItem, EditForm, EditItem, LocalTime, Location, Question, RouteSelection,
    UtcTime,
};

/// The possible field names of the despatch time.
pub(super) const DESPATCH: [&str; 4] = [
    "dispatchDateTimeUtc",
    "despatchDateTimeUtc",
    "dispatchDateTimeLocal",
    "despatchDateTimeLocal",
];

pub(crate) fn draft(form: &EditForm, zone: &str) -> Draft {
    let codes = ["receiverAccountCode", "receiverAccountId"].map(|name| form.text(name));
    let (receiver_account, receiver_account_by) = match codes {
        [code, id] if code.is_empty() && !id.is_empty() => (id, ReceiverAccountKind::Id),
        [code, _] => (code, ReceiverAccountKind::Code),
    };
    let custom: Vec<_> = form.objects("customValues").iter().map(custom).collect();
    let pays_duties = |line: &CustomValueLine| line.name == DUTIES && line.value == "true";
    let mut draft = Draft {
        company: form.get("companyId"),
        from: side(form, "from", "From"),
        to: side(form, "to", "To"),
        questions: questions(form),
        receiver_account,
        receiver_account_by,
        duties_by_recipient: custom.iter().any(pays_duties),
        custom_values: { custom.into_iter() }
            .filter(|line| line.name != DUTIES)
            .collect(),
        goods: form.items().iter().enumerate().map(line).collect(),
        routing: routing(form),
        ..Draft::default()
    };
    for option in { TEXTS.iter() }.filter(|option| option.request.is_some()) {
        *(option.value_mut)(&mut draft) = form.text(option.row.wire_names[0]);
    }
    for flag in ConsignmentFlag::ALL {
        *draft.flags.value_mut(*flag) = form.flag(flag.row().wire_names[0]);
    }
    draft.despatch = despatch(form, draft.from.time_zone().unwrap_or(zone));
    // The dangerous goods were declared on creation. Added or changed goods must be declared again.
    draft.declare(draft.has_dangerous_goods());
    draft
}

fn side(form: &EditForm, prefix: &str, title: &str) -> Party {
    let own = |name: &str| form.text(&format!("{prefix}{name}"));
    let abroad = |name: &str| form.text(&format!("international{title}{name}"));
    let location: Option<Location> = form.get(&format!("{prefix}Location"));
    let location = location.unwrap_or_default();
    let (suburb, state, postcode) = (&location.suburb, &location.state, &location.postcode);
    let country = Some(own("CountryCode")).filter(|code| !code.is_empty());
    let country = country.or_else(|| form.country(&format!("{prefix}Country")));
    let country = country.unwrap_or(location.country);
    let country = Some(country).filter(|country| !is_australia(country));
    let country = country.unwrap_or_default();
    let or = |first: String, other: &String| match &*first {
        "" if !country.is_empty() => other.clone(),
        _ => first,
    };
    let mut side = Party::default();
    for field in AddressField::ALL {
        let name = field.wire_name();
        let text = match field {
            AddressField::Place => place(suburb, state, postcode),
            AddressField::Country => country.clone(),
            AddressField::City => or(abroad(name), suburb),
            AddressField::Province => or(abroad(name), state),
            AddressField::Postcode => or(abroad(name), postcode),
            _ => own(name),
        };
        field.set_text(&mut side, text);
    }
    let saved: Option<CompanyLocationId> = form.get(&format!("{prefix}CompanyLocationId"));
    if saved.is_none() && side.abbreviation.is_empty() {
        side.mode = AddressMode::Full;
    }
    side.saved = saved.map(|id| PickedLocation {
        id,
        name: side.name.clone(),
        abbreviation: side.abbreviation.clone(),
        street: join_parts(&[&side.line1, &side.line2], ", "),
        place: join_parts(&[suburb, state, postcode], " "),
        contact: join_parts(&[&side.contact, &side.phone], " · "),
        time_zone: location.time_zone,
        country: side.country.clone(),
        company: form.get("companyId"),
    });
    side
}

/// Joins suburb, state and postcode, but leaves out the state if the text with the state would be parsed differently.
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

/// Reads the despatch time as a time in the draft's time zone.
fn despatch(form: &EditForm, zone: &str) -> String {
    let local = DESPATCH.iter().find_map(|name| {
        if name.ends_with("Utc") {
            form.get::<UtcTime>(name)
                .map(|time| LocalTime::at(time.0, zone))
        } else {
            form.get::<LocalTime>(name)
        }
    });
    local.map(typed_time).unwrap_or_default()
}

/// Reads the questions that the bench knows; unknown questions stay in the form.
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
    Routing::from_carrier(ChosenRoute {
        account_id: form.get("carrierAccountId"),
        company_account_id: form.get("companyCarrierAccountId"),
        service_id: form.get("carrierServiceId"),
        ..ChosenRoute::of_carrier(carrier_id, String::new())
    })
}

/// Reads an item. A saved item becomes a direct line if the form contains its details, and stays a saved item
/// if the form only references it.
fn line((at, item): (usize, &EditItem)) -> GoodsLine {
    let nested: Option<EditItem> = item.get("standardItem");
    let size = |name: &str| match (item.amount(name), &nested) {
        (own, Some(nested)) if own.is_empty() => nested.amount(name),
        (own, _) => own,
    };
    let references: Vec<_> = { item.references().into_iter() }
        .map(|one| one.carrier_item_reference)
        .collect();
    let is_described = !(item.text("itemType").is_empty() && item.text("name").is_empty());
    let saved = item.text("companyItemId");
    let source = match (is_described, saved.is_empty(), item.text("sku").is_empty()) {
        (true, ..) | (false, true, true) => ItemSource::Direct,
        (false, true, false) => ItemSource::Sku,
        (false, false, _) => ItemSource::Id,
    };
    let goods = item.objects("consignmentItemDgItems");
    let inside = item.objects("consignmentItemContents");
    let mut line = GoodsLine {
        source,
        dangerous: goods.iter().map(dangerous).collect(),
        contents: inside.iter().map(contents).collect(),
        of_item: Some(at),
        ..GoodsLine::default()
    };
    for field in GoodsField::ALL {
        let name = field.wire_name();
        let text = match field {
            GoodsField::Type | GoodsField::Name | GoodsField::Sku => item.text(name),
            GoodsField::SavedId if source == ItemSource::Id => saved.clone(),
            GoodsField::SavedId => String::new(),
            GoodsField::Quantity | GoodsField::Spaces => item.amount(name),
            GoodsField::Weight | GoodsField::Length | GoodsField::Width | GoodsField::Height => {
                size(name)
            }
            GoodsField::References => references.join("\n"),
        };
        field.set_text(&mut line, text);
    }
    line
}

fn dangerous(good: &EditItem) -> DgLine {
    let read: Option<DgItem> = good.read();
    let mut line = read.as_ref().map(DgLine::from).unwrap_or_default();
    if line.un_number.is_empty() {
        line.stored = good.text("companyDgItemId");
    }
    line.shipping_name.clear();
    line.litres = good.get("isAggregateQuantityWeight") == Some(false);
    line
}

fn contents(inside: &EditItem) -> ContentsLine {
    let mut line = ContentsLine::default();
    for field in ContentsField::ALL {
        let name = field.wire_name();
        let text = match field {
            ContentsField::Quantity | ContentsField::Value => inside.amount(name),
            ContentsField::Country => { inside.country(name) }
                .or_else(|| inside.country("countryOfManufacture"))
                .unwrap_or_default(),
            _ => inside.text(name),
        };
        field.set_text(&mut line, text);
    }
    line
}
