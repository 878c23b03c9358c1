//! Writes a consignment as the API's JSON: the answer to a create operation (with `items`), the fetched consignment
//! (with `consignmentItems` and the history), a row of a list (with fewer fields), and the editable form.

use jiff::Timestamp;
use rust_decimal::Decimal;
use serde_json::{Map, Value, json};

use super::{local_text, utc_text};
use crate::catalogue::{Carrier, Place, Service, catalogue, time_zone};
use crate::consignment::{
    Consignment, ConsignmentRecord, CustomsContent, DangerousGood, Job, Line, Party, Price, Status,
    StatusEvent,
};
use crate::proof;

/// Converts a decimal to a JSON number.
pub(crate) fn number(amount: Decimal) -> Value {
    let text = amount.normalize().to_string();
    text.parse().map_or(Value::Null, Value::Number)
}

/// Returns the fields of a JSON object.
pub(super) fn fields(object: Value) -> Map<String, Value> {
    match object {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// Returns the answer of a create operation: the consignment response object, with `items`.
pub(crate) fn consignment_created(record: &ConsignmentRecord) -> Value {
    let mut object = common(record);
    object.extend(fields(json!({
        "status": status(record.status), "items": lines(&record.consignment),
    })));
    Value::Object(object)
}

/// Returns a consignment as fetched, with all details.
pub(crate) fn consignment_fetched(record: &ConsignmentRecord) -> Value {
    let consignment = &record.consignment;
    let job = &consignment.job;
    let carrier = consignment.carrier();
    let mut object = common(record);
    object.extend(progress(record));
    object.extend(options(job));
    object.extend(fields(json!({
        "status": status(record.status), "statusHistory": history(record),
        "consignmentItems": lines(consignment),
        "updateDateUtc": utc_text(consignment.updated.unwrap_or(consignment.created)),
        "areDutiesPaidByRecipient": carrier.is_some_and(|carrier| job.duties_by_recipient(carrier)),
    })));
    Value::Object(object)
}

/// Returns a row of a list: without items, and with the list's own names for status and history.
pub(crate) fn consignment_listed(record: &ConsignmentRecord) -> Value {
    let mut object = common(record);
    object.extend(progress(record));
    object.extend(fields(json!({
        "consignmentTrackingStatus": status(record.status), "consignmentTrackingHistories": history(record),
    })));
    Value::Object(object)
}

fn common(record: &ConsignmentRecord) -> Map<String, Value> {
    let consignment = &record.consignment;
    let job = &consignment.job;
    let carrier = consignment.carrier();
    let mut object = identity(consignment);
    object.extend(fields(json!({
        "consignmentNumber": consignment.number(), "trackingPageAccessToken": consignment.tracking_token,
        "isTest": consignment.is_test, "manifestId": record.manifest_id, "creationDateUtc": utc_text(consignment.created),
        "totalWeight": number(job.weight()), "totalCubic": number(job.cubic()), "totalVolume": number(job.cubic()),
        "heaviestWeight": number(job.heaviest()), "totalItemCount": job.pieces(), "palletSpaces": number(job.pallet_spaces()),
        "consignmentTotal": money(&consignment.price), "carrierName": carrier.map(|carrier| &carrier.name),
        "carrier": carrier.map(carrier_record), "carrierService": consignment.service().map(service_record),
        "despatchDateUtc": utc_text(consignment.despatch), "despatchDateLocal": local(consignment.despatch, &job.from.place),
        "etaUtc": utc_text(consignment.eta), "etaLocal": local(consignment.eta, &job.to.place),
    })));
    object.extend(side("from", &job.from));
    object.extend(side("to", &job.to));
    object
}

/// Returns the fields that every answer and the editable form have.
fn identity(consignment: &Consignment) -> Map<String, Value> {
    let job = &consignment.job;
    fields(json!({
        "id": consignment.id, "companyId": consignment.company_id,
        "carrierConsignmentId": consignment.carrier_consignment_id,
        "carrierAccountId": consignment.account_id, "companyCarrierAccountId": consignment.company_carrier_account_id,
        "customerReference": job.customer_reference, "customerReference2": job.customer_reference2,
        "dgsDeclaration": job.holds_dangerous_goods(),
    }))
}

/// Returns the options of a create request, which a fetched consignment and the editable form repeat.
fn options(job: &Job) -> Map<String, Value> {
    let mut options = fields(json!(job.options));
    options.insert("isInternational".into(), json!(job.international));
    options
}

/// Returns a carrier's id and names.
pub(crate) fn carrier_record(carrier: &Carrier) -> Value {
    json!({
        "id": carrier.id, "name": carrier.name, "abbreviation": carrier.abbreviation, "displayName": carrier.display_name,
    })
}

/// Returns the id and names of a carrier's service.
pub(crate) fn service_record(service: &Service) -> Value {
    json!({
        "id": service.id, "name": service.name, "abbreviation": service.abbreviation, "displayName": service.display_name,
    })
}

/// Returns a suburb with its state, time zone and country.
pub(crate) fn place_record(place: &Place) -> Value {
    json!({
        "id": place.id, "suburb": place.suburb, "postcode": place.postcode, "state": place.state,
        "timeZone": place.time_zone, "country": place.country,
    })
}

/// Formats a time in the time zone of a place.
fn local(at: Timestamp, place: &Place) -> String {
    local_text(&at.to_zoned(time_zone(&place.time_zone)))
}

fn side(prefix: &str, side: &Party) -> Map<String, Value> {
    let named = fields(json!({
        "Name": side.name, "Contact": side.contact, "Phone": side.phone, "Email": side.email,
        "AddressLine1": side.address_line1, "AddressLine2": side.address_line2,
        "Location": place_record(&side.place), "CompanyLocationId": side.company_location_id,
    }));
    let prefixed = |(name, value): (String, Value)| (format!("{prefix}{name}"), value);
    named.into_iter().map(prefixed).collect()
}

fn lines(consignment: &Consignment) -> Value {
    let line = |line: &Line| {
        let mut record = item(consignment, line);
        record.extend(fields(measures(line)));
        record.insert("references".into(), json!(line.references));
        Value::Object(record)
    };
    consignment.job.lines.iter().map(line).collect()
}

/// Returns the fields that an item has both in answers and in the editable form.
fn item(consignment: &Consignment, line: &Line) -> Map<String, Value> {
    fields(json!({
        "id": consignment.item_id(line), "companyItemId": line.company_item_id, "itemType": line.item_type,
        "name": line.name, "sku": line.sku, "quantity": line.quantity, "palletSpaces": line.pallet_spaces.map(number),
        "consignmentItemDgItems": line.goods.iter().map(good).collect::<Vec<_>>(),
        "consignmentItemContents": line.contents.iter().map(content).collect::<Vec<_>>(),
    }))
}

fn measures(line: &Line) -> Value {
    json!({
        "weight": number(line.weight), "length": number(line.length), "width": number(line.width),
        "height": number(line.height),
    })
}

fn good(good: &DangerousGood) -> Value {
    let hazchem_id = |code: &String| catalogue().hazchem_id(code);
    json!({
        "companyDgItemId": good.company_dg_item_id, "unNumber": good.un_number, "properShippingName": good.proper_shipping_name,
        "packingGroup": good.packing_group, "containerType": good.container_type,
        "aggregateQuantity": number(good.aggregate_quantity), "isAggregateQuantityWeight": good.by_weight,
        "numberOfContainers": good.number_of_containers, "isMarinePollutant": good.marine_pollutant,
        "isTemperatureControlled": good.temperature_controlled, "isEmptyDgContainer": good.empty_container,
        "dgClassType": good.class, "subDgClassTypes": good.sub_classes,
        "TechnicalOrChemicalGroupNames": good.technical_names, "hazchem": good.hazchem,
        "dgHazchemId": good.hazchem.as_ref().and_then(hazchem_id),
        "flashpoint": good.flashpoint.map(number),
    })
}

fn content(content: &CustomsContent) -> Value {
    json!({
        "description": content.description, "reference1": content.references[0], "reference2": content.references[1],
        "reference3": content.references[2], "ciMarksAndNumbers": content.marks_and_numbers,
        "partNumber": content.part_number, "quantity": content.quantity, "harmonizedCode": content.harmonized_code,
        "purpose": content.purpose, "countryOfManufactureCode": content.country_of_manufacture,
        "dollarValue": number(content.dollar_value),
    })
}

fn status(status: Status) -> Value {
    let info = status.info();
    json!({ "id": info.id, "name": info.name, "description": info.description })
}

/// Returns the fields about the consignment's progress. `bookedDate` is in the sender's local time, and
/// `completedDate` is in the receiver's.
fn progress(record: &ConsignmentRecord) -> Map<String, Value> {
    let job = &record.consignment.job;
    let completed = record.completion().map(|event| event.at);
    fields(json!({
        "bookedDate": record.booked.map(|at| local(at, &job.from.place)),
        "completedDate": completed.map(|at| local(at, &job.to.place)),
        "completedDateUtc": completed.map(utc_text),
        "attachmentCount": proof::all(record).len(), "important": record.status.info().important,
    }))
}

/// Returns the status changes, each with the local time of the place where it happened.
fn history(record: &ConsignmentRecord) -> Value {
    let event = |event: &StatusEvent| {
        json!({
            "consignmentId": record.consignment.id, "createdByName": event.by, "createdByUserId": event.by_user_id,
            "statusIsPartial": event.partial, "consignmentTrackingStatus": status(event.status),
            "statusDateLocal": local_text(&event.at.to_zoned(record.zone_of(event))), "statusDateUtc": utc_text(event.at),
            "carrierStatus": event.carrier_status, "carrierStatusDescription": event.carrier_words,
            "statusInformation": event.information, "itemReference": event.item_reference,
        })
    };
    record.history.iter().map(event).collect()
}

/// Returns a `consignmentTotal`. Cost prices are sell prices minus the margin.
pub(crate) fn money(price: &Price) -> Value {
    let cost = |sell: Decimal| number(price.cost_of(sell));
    json!({
        "sellPricesCleared": false,
        "totalSellPrice": number(price.total()), "totalCostPrice": cost(price.total()),
        "totalBaseSellPrice": number(price.freight), "totalBaseCostPrice": cost(price.freight),
        "totalTaxSellPrice": number(price.tax), "totalTaxCostPrice": cost(price.tax),
        "sellFuelLevyPrice": number(price.fuel_levy),
        "consignmentRouteSellPrice": number(price.freight + price.fuel_levy),
        "totalSellBeforeTax": number(price.before_tax()),
    })
}

/// Returns the consignment in its editable form.
pub(crate) fn editable(consignment: &Consignment, version: &str) -> Value {
    let job = &consignment.job;
    let mut form = identity(consignment);
    form.extend(options(job));
    form.extend(fields(json!(consignment.office)));
    form.extend(fields(json!({
        "rowVersion": version, "carrierId": consignment.carrier_id, "carrierServiceId": consignment.service_id,
        "defaultRouteSelection": null, "dispatchDateTimeUtc": utc_text(job.not_before), "setItemReferences": false,
        "items": job.lines.iter().map(|line| form_item(consignment, line)).collect::<Vec<_>>(),
    })));
    form.extend(form_side("from", "From", &job.from));
    form.extend(form_side("to", "To", &job.to));
    Value::Object(form)
}

/// Returns the fields of a party in the form. An address abroad has city, postcode and province; a domestic address
/// has a location record.
fn form_side(prefix: &str, title: &str, party: &Party) -> Map<String, Value> {
    let mut form = side(prefix, party);
    let place = &party.place;
    if place.is_abroad() {
        form.insert(format!("{prefix}Location"), Value::Null);
    }
    let spelt = [
        (format!("international{title}City"), &place.suburb),
        (format!("international{title}Postcode"), &place.postcode),
        (format!("international{title}Province"), &place.state),
        (format!("{prefix}CountryCode"), &place.country),
    ];
    form.extend(spelt.map(|(name, text)| (name, json!(place.is_abroad().then_some(text)))));
    form
}

/// Returns an item of the form. Dangerous goods have the fields of a request: no shipping name, because the UN number
/// determines it, and only one of the two Hazchem fields, because a request may not have both.
fn form_item(consignment: &Consignment, line: &Line) -> Value {
    let mut record = item(consignment, line);
    let goods = record.get_mut("consignmentItemDgItems");
    let goods = goods.and_then(Value::as_array_mut).into_iter().flatten();
    for good in goods.filter_map(Value::as_object_mut) {
        good.remove("properShippingName");
        good.remove("dgHazchemId");
    }
    let references = line.references.iter();
    let references = references.map(|reference| json!({ "carrierItemReference": reference }));
    record.extend(fields(json!({
        "standardItem": measures(line), "isStackable": line.stackable,
        "consignmentItemReferences": references.collect::<Vec<_>>(),
    })));
    Value::Object(record)
}
