//! A consignment in the API's JSON: as created (`items`), as fetched (`consignmentItems` and the history), as
//! a row of a list, which has fewer fields, and as the editable form.

use jiff::Timestamp;
use rust_decimal::Decimal;
use serde_json::{Map, Value, json};

use super::{local_text, utc_text};
use crate::catalogue::{Carrier, Catalogue, Place, Service};
use crate::consignment::{Consignment, CustomsContent, DangerousGood, Job, Line, Party, Price};
use crate::proof;
use crate::status::{ConsignmentRecord, Status, StatusEvent};

/// Converts a decimal to a JSON number.
pub(crate) fn number(amount: Decimal) -> Value {
    amount
        .normalize()
        .to_string()
        .parse()
        .map_or(Value::Null, Value::Number)
}

/// Returns the answer of a create operation: the consignment response object, with `items`.
pub(crate) fn consignment_created(catalogue: &Catalogue, tracked: &ConsignmentRecord) -> Value {
    let mut object = common(catalogue, tracked);
    object.insert("status".into(), status(tracked.status));
    object.insert("items".into(), lines(catalogue, &tracked.consignment));
    Value::Object(object)
}

/// Returns a consignment as fetched, with all details.
pub(crate) fn consignment_fetched(catalogue: &Catalogue, tracked: &ConsignmentRecord) -> Value {
    let consignment = &tracked.consignment;
    let mut object = common(catalogue, tracked);
    object.extend(progress(catalogue, tracked));
    let job = &consignment.job;
    object.extend(fields(json!({
        "status": status(tracked.status), "statusHistory": history(catalogue, tracked),
        "consignmentItems": lines(catalogue, consignment), "isInternational": job.international,
        "questionIds": job.question_ids,
        "specialInstructions": job.special_instructions, "receiverAccountCode": job.receiver_account,
        "receiverAccountId": job.receiver_account_id, "sendingTrackingEmail": job.sending_tracking_email,
        "printerToken": job.printer_token, "customValues": custom_values(job),
        "staffMemberName": job.staff_member_name, "updateDateUtc": utc_text(consignment.updated.unwrap_or(consignment.created)),
        "areDutiesPaidByRecipient": catalogue.carrier(consignment.carrier_id).is_some_and(|carrier| job.duties_by_recipient(carrier)),
    })));
    Value::Object(object)
}

/// Returns a row of a list: without items, and with the list's own names for status and history.
pub(crate) fn consignment_listed(catalogue: &Catalogue, tracked: &ConsignmentRecord) -> Value {
    let mut object = common(catalogue, tracked);
    object.extend(progress(catalogue, tracked));
    object.insert("consignmentTrackingStatus".into(), status(tracked.status));
    object.insert(
        "consignmentTrackingHistories".into(),
        history(catalogue, tracked),
    );
    Value::Object(object)
}

fn common(catalogue: &Catalogue, tracked: &ConsignmentRecord) -> Map<String, Value> {
    let consignment = &tracked.consignment;
    let job = &consignment.job;
    let carrier = catalogue.carrier(consignment.carrier_id);
    let service = carrier.and_then(|carrier| carrier.service(consignment.service_id));
    let mut object = fields(json!({
        "id": consignment.id, "consignmentNumber": consignment.number(), "companyId": consignment.company_id,
        "carrierConsignmentId": consignment.carrier_consignment_id, "trackingPageAccessToken": consignment.tracking_token,
        "isTest": consignment.is_test, "manifestId": tracked.manifest_id, "creationDateUtc": utc_text(consignment.created),
        "customerReference": job.customer_reference, "customerReference2": job.customer_reference2,
        "dgsDeclaration": job.holds_dangerous_goods(),
        "totalWeight": number(job.weight()), "totalCubic": number(job.cubic()), "totalVolume": number(job.cubic()),
        "heaviestWeight": number(job.heaviest()), "totalItemCount": job.pieces(), "palletSpaces": number(job.pallet_spaces()),
        "consignmentTotal": money(&consignment.price), "carrierName": carrier.map(|carrier| &carrier.name),
        "carrier": carrier.map(carrier_record), "carrierService": service.map(service_record),
        "carrierAccountId": consignment.account_id, "companyCarrierAccountId": consignment.company_carrier_account_id,
        "despatchDateUtc": utc_text(consignment.despatch),
        "despatchDateLocal": local(catalogue, consignment.despatch, &job.from.place),
        "etaUtc": utc_text(consignment.eta), "etaLocal": local(catalogue, consignment.eta, &job.to.place),
    }));
    object.extend(side("from", &job.from));
    object.extend(side("to", &job.to));
    object
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
fn local(catalogue: &Catalogue, at: Timestamp, place: &Place) -> String {
    local_text(&at.to_zoned(catalogue.time_zone(&place.time_zone)))
}

fn side(prefix: &str, side: &Party) -> Map<String, Value> {
    let named = [
        ("Name", json!(side.name)),
        ("Contact", json!(side.contact)),
        ("Phone", json!(side.phone)),
        ("Email", json!(side.email)),
        ("AddressLine1", json!(side.address_line1)),
        ("AddressLine2", json!(side.address_line2)),
        ("Location", place_record(&side.place)),
        ("CompanyLocationId", json!(side.company_location_id)),
    ];
    named
        .into_iter()
        .map(|(name, value)| (format!("{prefix}{name}"), value))
        .collect()
}

fn lines(catalogue: &Catalogue, consignment: &Consignment) -> Value {
    let line = |line: &Line| {
        let mut record = item(catalogue, consignment, line);
        record.extend(measures(line));
        record.insert("references".into(), json!(line.references));
        Value::Object(record)
    };
    consignment.job.lines.iter().map(line).collect()
}

/// Returns the fields that an item has both in answers and in the editable form.
fn item(catalogue: &Catalogue, consignment: &Consignment, line: &Line) -> Map<String, Value> {
    let goods = line.goods.iter().map(|sent| good(catalogue, sent));
    fields(json!({
        "id": consignment.item_id(line), "companyItemId": line.company_item_id, "itemType": line.item_type,
        "name": line.name, "sku": line.sku, "quantity": line.quantity, "palletSpaces": line.pallet_spaces.map(number),
        "consignmentItemDgItems": goods.collect::<Vec<_>>(),
        "consignmentItemContents": line.contents.iter().map(content).collect::<Vec<_>>(),
    }))
}

fn measures(line: &Line) -> Map<String, Value> {
    fields(json!({
        "weight": number(line.weight), "length": number(line.length), "width": number(line.width),
        "height": number(line.height),
    }))
}

fn good(catalogue: &Catalogue, good: &DangerousGood) -> Value {
    json!({
        "companyDgItemId": good.company_dg_item_id, "unNumber": good.un_number, "properShippingName": good.proper_shipping_name,
        "packingGroup": good.packing_group, "containerType": good.container_type,
        "aggregateQuantity": number(good.aggregate_quantity), "isAggregateQuantityWeight": good.by_weight,
        "numberOfContainers": good.number_of_containers, "isMarinePollutant": good.marine_pollutant,
        "isTemperatureControlled": good.temperature_controlled, "isEmptyDgContainer": good.empty_container,
        "dgClassType": good.class, "subDgClassTypes": good.sub_classes,
        "TechnicalOrChemicalGroupNames": good.technical_names, "hazchem": good.hazchem,
        "dgHazchemId": good.hazchem.as_deref().and_then(|code| catalogue.goods.hazchem_id(code)),
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

fn custom_values(job: &Job) -> Vec<Value> {
    let values = job.custom_values.iter();
    values
        .map(|custom| json!({ "propertyName": custom.property_name, "value": custom.value }))
        .collect()
}

fn status(status: Status) -> Value {
    json!({ "id": status.id(), "name": status.name(), "description": status.description() })
}

/// Returns how far the consignment has come. `bookedDate` is local to the sender, `completedDate`
/// to the receiver.
fn progress(catalogue: &Catalogue, tracked: &ConsignmentRecord) -> Map<String, Value> {
    let job = &tracked.consignment.job;
    let completed = tracked.completion().map(|event| event.at);
    fields(json!({
        "bookedDate": tracked.booked.map(|at| local(catalogue, at, &job.from.place)),
        "completedDate": completed.map(|at| local(catalogue, at, &job.to.place)),
        "completedDateUtc": completed.map(utc_text),
        "attachmentCount": proof::all(catalogue, tracked).len(), "important": tracked.status.is_important(),
    }))
}

/// Returns the status changes, each with the local time of the place where it happened.
fn history(catalogue: &Catalogue, tracked: &ConsignmentRecord) -> Value {
    let sender = &tracked.consignment.job.from.place.time_zone;
    let event = |event: &StatusEvent| {
        let zone = catalogue.time_zone(event.zone.as_ref().unwrap_or(sender));
        json!({
            "consignmentId": tracked.consignment.id, "createdByName": event.by, "createdByUserId": event.by_user_id,
            "statusIsPartial": event.partial, "consignmentTrackingStatus": status(event.status),
            "statusDateLocal": local_text(&event.at.to_zoned(zone)), "statusDateUtc": utc_text(event.at),
            "carrierStatus": event.carrier_status, "carrierStatusDescription": event.carrier_words,
            "statusInformation": event.information, "itemReference": event.item_reference,
        })
    };
    tracked.history.iter().map(event).collect()
}

/// Returns a `consignmentTotal`. Cost prices are sell prices less the margin.
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

/// Returns the fields of a JSON object.
pub(super) fn fields(object: Value) -> Map<String, Value> {
    match object {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// Returns the consignment in its editable form.
pub(crate) fn editable(catalogue: &Catalogue, consignment: &Consignment, version: &str) -> Value {
    let job = &consignment.job;
    let office = &consignment.office;
    let window = office.delivery_window.as_ref();
    let mut form = fields(json!({
        "id": consignment.id, "rowVersion": version, "companyId": consignment.company_id,
        "carrierId": consignment.carrier_id, "carrierServiceId": consignment.service_id,
        "carrierAccountId": consignment.account_id, "companyCarrierAccountId": consignment.company_carrier_account_id,
        "defaultRouteSelection": null, "carrierConsignmentId": consignment.carrier_consignment_id,
        "customerReference": job.customer_reference, "customerReference2": job.customer_reference2,
        "dispatchDateTimeUtc": utc_text(job.not_before), "specialInstructions": job.special_instructions,
        "questionIds": job.question_ids, "printerToken": job.printer_token,
        "sendingTrackingEmail": job.sending_tracking_email, "customValues": custom_values(job),
        "receiverAccountCode": job.receiver_account, "receiverAccountId": job.receiver_account_id,
        "staffMemberName": job.staff_member_name, "dgsDeclaration": job.holds_dangerous_goods(),
        "isInternational": job.international, "setItemReferences": false,
        "costCentreCode": office.cost_centre_code, "handlingNotes": office.handling_notes,
        "deliveryWindow": window.map(|(opens, closes)| json!({ "opensLocal": opens, "closesLocal": closes })),
    }));
    form.extend(form_side("from", "From", &job.from));
    form.extend(form_side("to", "To", &job.to));
    let items = job.lines.iter();
    let items = items.map(|line| form_item(catalogue, consignment, line));
    form.insert("items".into(), items.collect());
    Value::Object(form)
}

/// Returns the fields of a party in the form. An address abroad has city, postcode and province; a domestic one
/// has a location record.
fn form_side(prefix: &str, title: &str, party: &Party) -> Map<String, Value> {
    let mut form = side(prefix, party);
    let place = &party.place;
    let abroad = place.id == 0;
    if abroad {
        form.insert(format!("{prefix}Location"), Value::Null);
    }
    let spelt = [
        (format!("international{title}City"), &place.suburb),
        (format!("international{title}Postcode"), &place.postcode),
        (format!("international{title}Province"), &place.state),
        (format!("{prefix}CountryCode"), &place.country),
    ];
    form.extend(spelt.map(|(name, text)| (name, json!(abroad.then_some(text)))));
    form
}

/// Returns an item of the form. Dangerous goods are as a request has them: without the shipping name, which
/// follows from the UN number, and with only one of the two Hazchem fields, because a request may not have both.
fn form_item(catalogue: &Catalogue, consignment: &Consignment, line: &Line) -> Value {
    let mut record = item(catalogue, consignment, line);
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
