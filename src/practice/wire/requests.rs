//! Requests as sent, before any rule is applied. Unknown fields are ignored, as live services do, and values are read
//! leniently: real integrators send numbers as numbers or as text.

use rust_decimal::Decimal;
use rust_decimal::prelude::{FromPrimitive, ToPrimitive};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::consignment::EditFormFields;

/// Declares records of requests, whose fields are sent in the given case. A missing field has its default value.
/// The function after a field's type reads the value, because integrators send numbers as numbers or as text.
macro_rules! requests {
    ($case:literal $(
        $(#[$meta:meta])*
        $name:ident { $($(#[$of_field:meta])* $field:ident: $type:ty $(= $reader:literal)?,)+ }
    )+) => {
        $(
            $(#[$meta])*
            #[derive(Debug, Default, Clone, Deserialize)]
            #[serde(rename_all = $case, default)]
            pub(crate) struct $name {
                $(
                    $(#[$of_field])*
                    $(#[serde(deserialize_with = $reader)])?
                    pub(crate) $field: $type,
                )+
            }
        )+
    };
}

requests! { "camelCase"
    /// A create or routes request. The two spell the despatch time differently, so each spelling has
    /// its own fields.
    ConsignmentRequest {
        company_id: Option<i64> = "id",
        #[serde(flatten, with = "from_")]
        from: PartyFields,
        #[serde(flatten, with = "international_from")]
        from_abroad: PlaceAbroad,
        #[serde(flatten, with = "to_")]
        to: PartyFields,
        #[serde(flatten, with = "international_to")]
        to_abroad: PlaceAbroad,
        is_international: Option<bool>,
        special_instructions: Option<String>,
        carrier_id: Option<i64> = "id",
        carrier_ids: Vec<i64> = "ids",
        carrier_service_id: Option<i64> = "id",
        carrier_account_id: Option<i64> = "id",
        company_carrier_account_id: Option<i64> = "id",
        /// A name, or 0 for cheapest and 1 for fastest.
        default_route_selection: Option<Value>,
        customer_reference: Option<String> = "text",
        customer_reference2: Option<String> = "text",
        dispatch_date_time_utc: Option<String>,
        dispatch_date_time_local: Option<String>,
        despatch_date_time_utc: Option<String>,
        despatch_date_time_local: Option<String>,
        question_ids: Vec<i64> = "ids",
        sending_tracking_email: Option<bool>,
        receiver_account_code: Option<String> = "text",
        receiver_account_id: Option<String> = "text",
        staff_member_name: Option<String>,
        dgs_declaration: Option<bool>,
        items: Option<Vec<ItemRequest>> = "records",
        carrier_consignment_id: Option<String> = "text",
        request_id: Option<String>,
        printer_token: Option<String> = "text",
        custom_values: Option<Vec<CustomValueOrder>> = "records",
        /// Not in the specification, but published by live services.
        linked_pending_consignment_ids: Vec<i64> = "ids",
    }

    /// An element of `customValues`.
    CustomValueOrder {
        property_name: Option<String> = "text",
        value: Value,
    }

    Suburb {
        suburb: String,
        postcode: Option<String> = "text",
    }

    /// An element of `items` of either create operation.
    ItemRequest {
        item_type: Option<String> = "text",
        name: Option<String> = "text",
        sku: Option<String> = "text",
        quantity: Option<i64> = "id",
        #[serde(flatten)]
        measures: Measures,
        standard_item: Option<Measures> = "record",
        pallet_spaces: Option<Decimal> = "decimal",
        company_item_id: Option<i64> = "id",
        consignment_item_dg_items: Option<Vec<DangerousGoodRequest>> = "records",
        consignment_item_contents: Option<Vec<ContentsRequest>> = "records",
        consignment_item_references: Option<Vec<ItemReference>> = "records",
    }

    /// Weight in kilograms and dimensions in centimetres of one piece: of the item itself, or in its `standardItem`.
    Measures {
        weight: Option<Decimal> = "decimal",
        length: Option<Decimal> = "decimal",
        width: Option<Decimal> = "decimal",
        height: Option<Decimal> = "decimal",
    }

    /// An element of `consignmentItemDgItems`.
    DangerousGoodRequest {
        company_dg_item_id: Option<i64> = "id",
        un_number: Option<i64> = "id",
        packing_group: Option<i64> = "id",
        container_type: Option<i64> = "id",
        aggregate_quantity: Option<Decimal> = "decimal",
        is_aggregate_quantity_weight: Option<bool>,
        number_of_containers: Option<i64> = "id",
        is_marine_pollutant: Option<bool>,
        is_temperature_controlled: Option<bool>,
        is_empty_dg_container: Option<bool>,
        dg_class_type: Option<i64> = "id",
        sub_dg_class_types: Vec<i64> = "ids",
        /// The API writes this name with a capital letter.
        #[serde(rename = "TechnicalOrChemicalGroupNames")]
        technical_or_chemical_group_names: Vec<String> = "texts",
        hazchem: Option<String> = "text",
        dg_hazchem_id: Option<i64> = "id",
        flashpoint: Option<Decimal> = "decimal",
    }

    ItemReference {
        carrier_item_reference: String,
    }

    /// An element of `consignmentItemContents`. Once complete, it is stored as sent.
    ContentsRequest {
        description: Option<String> = "text",
        reference1: Option<String>,
        reference2: Option<String>,
        reference3: Option<String>,
        ci_marks_and_numbers: Option<String>,
        part_number: Option<String>,
        quantity: Option<i64> = "id",
        harmonized_code: Option<String> = "text",
        purpose: Option<String>,
        country_of_manufacture_code: Option<String>,
        dollar_value: Option<Decimal> = "decimal",
    }

    /// A request for a pending consignment: a create request with other names for the dangerous goods and contents
    /// of items.
    PendingRequest {
        items: Option<Vec<PendingItem>> = "records",
        send_tracking_email: Option<bool>,
        #[serde(flatten)]
        order: ConsignmentRequest,
    }

    PendingItem {
        pending_consignment_item_dg_items: Option<Vec<DangerousGoodRequest>> = "records",
        pending_consignment_item_contents: Option<Vec<ContentsRequest>> = "records",
        #[serde(flatten)]
        item: ItemRequest,
    }

    /// The editable form of a consignment as it came back: a create request, and the fields that only the form has.
    /// The form is complete: a missing field is cleared.
    EditRequest {
        id: Option<i64> = "id",
        row_version: Option<String>,
        /// References of items change only when this is true.
        set_item_references: Option<bool>,
        cost_centre_code: Option<String> = "text",
        handling_notes: Option<String> = "text",
        delivery_window: Option<Window> = "record",
        items: Option<Vec<FormItem>> = "records",
        #[serde(flatten)]
        order: ConsignmentRequest,
    }

    Window {
        opens_local: Option<String> = "text",
        closes_local: Option<String> = "text",
    }

    /// An item of the form. A new item has no id.
    FormItem {
        id: Option<i64> = "id",
        is_stackable: Option<bool>,
        #[serde(flatten)]
        item: ItemRequest,
    }

    /// A manifest group to book.
    ManifestGroupRequest {
        consignment_ids: Vec<i64> = "ids",
        company_id: Option<i64> = "id",
        pickup_date_time: Option<String>,
        pickup_closing_time: Option<String>,
        pallet_spaces: Option<Decimal> = "decimal",
        pickup_special_instructions: Option<String>,
        pickup_already_booked: bool,
        dgs_declaration: Option<bool>,
    }

    /// An element of `consignments/updateConsignmentStatuses`.
    StatusUpdateRequest {
        consignment_id: Option<i64> = "id",
        status: Option<i64> = "id",
        status_date_time_local: Option<String> = "text",
        item_reference: Option<String> = "text",
        extra_information: Option<String> = "text",
    }

    /// The body of `consignments/getAttachments`.
    AttachmentsRequest {
        consignment_id: Option<i64> = "id",
    }

    /// An element of `labels/sendLabelsToPrinter`.
    PrintRequest {
        consignment_ids: Vec<i64> = "ids",
        label_type: Option<i64> = "id",
        printer_id: Option<i64> = "id",
        #[serde(rename = "printA4")]
        print_a4: Option<bool>,
    }
}

requests! { "snake_case"
    QuoteRequest {
        warehouse: Option<PricingPlace> = "record",
        shipping_address: Option<PricingPlace> = "record",
        shipping_options: Option<PricedOptions> = "record",
        items: Option<Vec<PricingItem>> = "records",
    }

    /// The place of the sender or receiver. Street lines are not read, because they do not affect the price.
    PricingPlace {
        country: Option<String> = "text",
        postal_code: Option<String> = "text",
        province: Option<String> = "text",
        city: Option<String> = "text",
    }

    PricedOptions {
        authority_to_leave: Option<bool>,
        residential: Option<bool>,
        despatch_datetime_utc: Option<String> = "text",
    }

    PricingItem {
        name: Option<String> = "text",
        sku: Option<String> = "text",
        quantity: Option<i64> = "id",
        /// The price of one unit.
        price: Option<Decimal> = "decimal",
        #[serde(flatten)]
        measures: Measures,
        /// Free-form data of the platform. Only `oversize` is read.
        product_meta: Option<Map<String, Value>>,
    }
}

/// A request for live pricing, in the format of the middleware's reference mapping.
#[derive(Debug, Deserialize)]
pub(crate) struct LivePricingRequest {
    #[serde(deserialize_with = "record")]
    pub(crate) quote: Option<QuoteRequest>,
}

serde_with::with_prefix!(from_ "from");
serde_with::with_prefix!(international_from "internationalFrom");
serde_with::with_prefix!(to_ "to");
serde_with::with_prefix!(international_to "internationalTo");

requests! { "PascalCase"
    /// The fields of a sender or receiver, whose names begin with `from` or `to`.
    PartyFields {
        name: Option<String> = "trimmed",
        contact: Option<String> = "trimmed",
        phone: Option<String> = "trimmed",
        email: Option<String> = "trimmed",
        address_line1: Option<String> = "trimmed",
        address_line2: Option<String> = "trimmed",
        location: Option<Suburb> = "record",
        company_location_id: Option<i64> = "id",
        abbreviation: Option<String> = "trimmed",
        country_code: Option<String> = "trimmed",
    }

    /// A place abroad. The names of its fields begin with `internationalFrom` or `internationalTo`.
    PlaceAbroad {
        city: Option<String> = "trimmed",
        postcode: Option<String> = "trimmed",
        province: Option<String> = "trimmed",
    }
}

/// The sender or receiver of an order, as sent.
#[derive(Debug)]
pub(crate) struct PartyRequest<'a> {
    /// Prefix of the field names: `from` or `to`.
    pub(crate) prefix: &'static str,
    pub(crate) fields: &'a PartyFields,
    pub(crate) abroad: &'a PlaceAbroad,
}

impl PartyRequest<'_> {
    /// Returns the name of a field, such as `fromName`.
    pub(crate) fn field(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// Returns `From` or `To`, with which the API's messages begin.
    pub(crate) fn title(&self) -> &'static str {
        if self.prefix == "from" { "From" } else { "To" }
    }

    /// Returns whether a saved location was sent, by its id or its abbreviation.
    pub(crate) fn is_saved(&self) -> bool {
        self.fields.company_location_id.is_some() || self.fields.abbreviation.is_some()
    }

    /// Returns whether any field of an address was sent, apart from the saved location.
    pub(crate) fn has_address(&self) -> bool {
        let fields = self.fields;
        let lines = [&fields.address_line1, &fields.address_line2];
        let texts = [&fields.name, &fields.contact, &fields.phone, &fields.email];
        let mut texts = texts.into_iter().chain(lines).chain([&self.abroad.city]);
        fields.location.is_some() || texts.any(Option::is_some)
    }
}

impl ConsignmentRequest {
    /// Returns the sender and the receiver.
    pub(crate) fn parties(&self) -> [PartyRequest<'_>; 2] {
        [
            ("from", &self.from, &self.from_abroad),
            ("to", &self.to, &self.to_abroad),
        ]
        .map(|(prefix, fields, abroad)| PartyRequest {
            prefix,
            fields,
            abroad,
        })
    }
}

impl EditRequest {
    /// Returns the fields of the form that no create request has.
    pub(crate) fn office(&self) -> EditFormFields {
        let window = self.delivery_window.clone();
        EditFormFields {
            cost_centre_code: self.cost_centre_code.clone(),
            handling_notes: self.handling_notes.clone(),
            delivery_window: window
                .and_then(|window| Some((window.opens_local?, window.closes_local?))),
        }
    }
}

/// Class number in the API's sample, although its class enum does not list it. Read as no class.
const NO_CLASS: i64 = 1;

/// Converts a pending consignment to the field names of the complex create operation.
impl From<PendingRequest> for ConsignmentRequest {
    fn from(form: PendingRequest) -> Self {
        let items = form.items.unwrap_or_default();
        let mut order = form.order;
        order.sending_tracking_email = form.send_tracking_email.or(order.sending_tracking_email);
        // Pending consignments have `despatch…` where create requests have `dispatch…`.
        order.dispatch_date_time_utc = order.despatch_date_time_utc.take();
        order.dispatch_date_time_local = order.despatch_date_time_local.take();
        order.items = Some(items.into_iter().map(ItemRequest::from).collect());
        order
    }
}

impl From<PendingItem> for ItemRequest {
    fn from(pending: PendingItem) -> Self {
        let item = pending.item;
        let mut goods = pending.pending_consignment_item_dg_items;
        for good in goods.iter_mut().flatten() {
            good.dg_class_type = good.dg_class_type.filter(|class| *class != NO_CLASS);
        }
        let contents = pending.pending_consignment_item_contents;
        Self {
            standard_item: item.standard_item.or(Some(item.measures.clone())),
            consignment_item_dg_items: goods.or(item.consignment_item_dg_items),
            consignment_item_contents: contents.or(item.consignment_item_contents),
            ..item
        }
    }
}

/// Reads a whole number that was sent as a number or as text. Returns `None` for anything else.
pub(crate) fn whole_number(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64().or_else(|| whole(number.as_f64()?)),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// Accepts 5.0 as 5, because JSON does not tell them apart. The last of many digits may be inexact, so a
/// difference within the precision of `f64` is ignored.
fn whole(number: f64) -> Option<i64> {
    const LIMIT: f64 = 9.2e18;
    let rounded = number.round();
    if (number - rounded).abs() > number.abs() * f64::EPSILON || number.abs() > LIMIT {
        return None;
    }
    Decimal::from_f64(rounded).and_then(|number| number.to_i64())
}

/// Reads an optional record. Only a JSON object is accepted: serde would also read an array as the fields in
/// their order.
fn record<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let fields = Option::<Map<String, Value>>::deserialize(deserializer)?;
    let record = fields.map(read_fields).transpose();
    record.map_err(D::Error::custom)
}

/// Reads an optional list of records, each of which must be a JSON object.
fn records<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Option<Vec<T>>, D::Error> {
    let list = Option::<Vec<Map<String, Value>>>::deserialize(deserializer)?;
    let read = |list: Vec<Map<String, Value>>| list.into_iter().map(read_fields).collect();
    list.map(read).transpose().map_err(D::Error::custom)
}

fn read_fields<T: DeserializeOwned>(fields: Map<String, Value>) -> Result<T, serde_json::Error> {
    serde_json::from_value(Value::Object(fields))
}

fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let value = Option::<Value>::deserialize(deserializer)?;
    value.as_ref().map(required_number).transpose()
}

fn ids<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<i64>, D::Error> {
    let values = Option::<Vec<Value>>::deserialize(deserializer)?.unwrap_or_default();
    values.iter().map(required_number).collect()
}

fn required_number<E: Error>(value: &Value) -> Result<i64, E> {
    let wrong = || E::custom(format!("a whole number was expected, not {value}"));
    whole_number(value).ok_or_else(wrong)
}

fn decimal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Decimal>, D::Error> {
    let read = |value: Value| {
        match &value {
            Value::Number(number) => read_decimal(&number.to_string()),
            Value::String(text) => read_decimal(text.trim()),
            _ => None,
        }
        .ok_or_else(|| D::Error::custom(format!("a number was expected, not {value}")))
    };
    Option::<Value>::deserialize(deserializer)?
        .map(read)
        .transpose()
}

/// Reads a decimal with at most 28 places; anything smaller becomes 0. Returns `None` beyond 10^15, far more
/// than is ever carried or paid, so that sums cannot overflow.
fn read_decimal(text: &str) -> Option<Decimal> {
    let limit = Decimal::from(1_000_000_000_000_000_i64);
    let exact = text.parse::<Decimal>().ok();
    exact
        .or_else(|| Decimal::from_scientific(text).ok())
        .or_else(|| Decimal::from_f64(text.parse().ok()?))
        .filter(|decimal| decimal.abs() <= limit)
}

/// Reads text, or a number as text: item types and receiver accounts are sent as either. Blank
/// text becomes `None`.
fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    match Option::<Value>::deserialize(deserializer)? {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text).filter(|text| !text.trim().is_empty())),
        Some(Value::Number(number)) => Ok(Some(number.to_string())),
        Some(other) => Err(D::Error::custom(format!("text was expected, not {other}"))),
    }
}

/// Reads text without the spaces around it. Blank text becomes `None`.
fn trimmed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    let text = text.map(|text| text.trim().to_owned());
    Ok(text.filter(|text| !text.is_empty()))
}

/// Reads a list of texts, or a single text. Blank texts are dropped.
fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let mut texts: Vec<String> = match Option::<Value>::deserialize(deserializer)? {
        None => Vec::new(),
        Some(Value::String(text)) => vec![text],
        Some(list) => serde_json::from_value(list).map_err(D::Error::custom)?,
    };
    texts.retain(|text| !text.trim().is_empty());
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_whole_number_is_one_however_it_is_written() {
        let long: Value = serde_json::from_str("2251799813685247.0").expect("JSON");
        assert_eq!(whole_number(&long), Some(2_251_799_813_685_247));
        for written in [json!(5), json!(5.0), json!("5"), json!(" 5 "), json!("+5")] {
            assert_eq!(whole_number(&written), Some(5), "{written}");
        }
        let beyond = json!(9_223_372_036_854_775_808_u64);
        for written in [json!(1e300), beyond, json!(true), json!("5.0"), json!([])] {
            assert_eq!(whole_number(&written), None, "{written}");
        }
    }

    #[test]
    fn a_decimal_too_fine_to_keep_is_nothing_and_one_too_large_is_none() {
        let thousand_billions = Decimal::from(-1_000_000_000_000_000_i64);
        for (text, expected) in [
            ("5e-324", Some(Decimal::ZERO)),
            ("1.25e3", Some(Decimal::from(1250))),
            ("0.1", Some(Decimal::new(1, 1))),
            ("-1e15", Some(thousand_billions)),
            ("1000000000000000.1", None),
            ("1e300", None),
            ("NaN", None),
        ] {
            assert_eq!(read_decimal(text), expected, "{text}");
        }
    }
}
