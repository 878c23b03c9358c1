//! Requests as sent, before any rule is applied. Unknown fields are ignored, as live services do, and values are read
//! leniently: real integrators send numbers as numbers or as text.

use rust_decimal::Decimal;
use rust_decimal::prelude::{FromPrimitive, ToPrimitive};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};

/// Declares request records. `$case` is the letter case of the field names. A missing field has its default value.
/// The function after a field's type reads the value, because integrators send numbers as numbers or as text.
macro_rules! requests {
    ($case:literal $(
        $(#[$meta:meta])*
        $name:ident { $($(#[$of_field:meta])* $field:ident: $type:ty $(= $reader:literal)?,)+ }
    )+) => {
        $(
            $(#[$meta])*
            #[derive(Debug, Default, Clone, Serialize, Deserialize)]
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
        #[serde(flatten)]
        options: Options,
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
        dgs_declaration: Option<bool>,
        items: Option<Vec<ItemRequest>> = "records",
        carrier_consignment_id: Option<String> = "text",
        request_id: Option<String>,
        /// Not in the specification, but published by live services.
        linked_pending_consignment_ids: Vec<i64> = "ids",
    }

    /// The options of a create request, which are stored with the consignment, and which a fetched consignment and
    /// the editable form repeat. A new option needs a field here and a property of `Order`, `PendingRequest` and
    /// `ConsignmentOptions` in the definition.
    Options {
        special_instructions: Option<String>,
        question_ids: Vec<i64> = "ids",
        receiver_account_code: Option<String> = "text",
        receiver_account_id: Option<String> = "text",
        sending_tracking_email: bool = "flag",
        printer_token: Option<String> = "text",
        custom_values: Vec<CustomValue> = "list",
        staff_member_name: Option<String>,
    }

    /// A carrier-specific option: an element of `customValues`.
    CustomValue {
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

    /// Weight (kg) and dimensions (cm) of one piece, which are sent in the item itself or in its `standardItem`.
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

    /// An element of `consignmentItemContents`. It is stored as sent if it has all required fields.
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

    /// The editable form of a consignment as the client sends it back: a create request, and the fields that only the
    /// form has. A missing field is cleared, because a form is always complete.
    EditRequest {
        id: Option<i64> = "id",
        row_version: Option<String>,
        /// The references of items change only if this is true.
        set_item_references: Option<bool>,
        items: Option<Vec<FormItem>> = "records",
        #[serde(flatten)]
        fields: FormFields,
        #[serde(flatten)]
        order: ConsignmentRequest,
    }

    /// The fields that only the editable form has, not the create request. They are stored with the consignment.
    FormFields {
        cost_centre_code: Option<String> = "text",
        handling_notes: Option<String> = "text",
        delivery_window: Option<Window> = "record",
    }

    /// Start and end as local times of day.
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

/// Field names in a request for a pending consignment, each with the name of the same field in a create request.
const PENDING_NAMES: &[(&str, &str)] = &[
    ("sendTrackingEmail", "sendingTrackingEmail"),
    ("pendingConsignmentItemDgItems", "consignmentItemDgItems"),
    ("pendingConsignmentItemContents", "consignmentItemContents"),
];

/// A class number that the API's sample has although its class enum does not. It is read as no class.
const NO_CLASS: i64 = 1;

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

    /// Reads a request for a pending consignment as a request of the complex create operation.
    pub(crate) fn of_pending(mut sent: Value) -> Result<Self, serde_json::Error> {
        let names = PENDING_NAMES.iter().copied();
        rename(&mut sent, names.clone());
        for item in sent
            .get_mut("items")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            rename(item, names.clone());
        }
        let mut request: Self = serde_json::from_value(sent)?;
        // Pending consignments have `despatch…` where create requests have `dispatch…`.
        request.dispatch_date_time_utc = request.despatch_date_time_utc.take();
        request.dispatch_date_time_local = request.despatch_date_time_local.take();
        for item in request.items.get_or_insert_default() {
            item.standard_item.get_or_insert(item.measures.clone());
            for good in item.consignment_item_dg_items.iter_mut().flatten() {
                good.dg_class_type = good.dg_class_type.filter(|class| *class != NO_CLASS);
            }
        }
        Ok(request)
    }
}

fn rename<'n>(record: &mut Value, names: impl Iterator<Item = (&'n str, &'n str)>) {
    let Some(fields) = record.as_object_mut() else {
        return;
    };
    for (from, to) in names {
        let value = fields.remove(from);
        // Null counts as absent, so it does not replace a value.
        if let Some(value) = value.filter(|value| !value.is_null() || !fields.contains_key(to)) {
            fields.insert(to.to_owned(), value);
        }
    }
}

/// Returns records of requests with all their fields, and the schemas of the published definition that describe each
/// of them together, so that tests can compare both.
pub(crate) fn request_records() -> Vec<(&'static [&'static str], Value)> {
    let mut pending = json!(ConsignmentRequest::default());
    let mut pending_item = json!(ItemRequest::default());
    for record in [&mut pending, &mut pending_item] {
        let names = PENDING_NAMES.iter();
        rename(record, names.map(|(pending, create)| (*create, *pending)));
    }
    vec![
        (
            &["CreateRequest", "ComplexCreateRequest", "RoutesRequest"],
            json!(ConsignmentRequest::default()),
        ),
        (&["ConsignmentOptions"], json!(Options::default())),
        (&["PendingRequest"], pending),
        (&["PendingItem"], pending_item),
        (&["EditRequest"], json!(EditRequest::default())),
        (&["FormItem", "Item"], json!(FormItem::default())),
        (&["DangerousGood"], json!(DangerousGoodRequest::default())),
        (&["Contents"], json!(ContentsRequest::default())),
        (&["StatusUpdate"], json!(StatusUpdateRequest::default())),
    ]
}

/// Returns the record. Fields that were not sent are taken from `saved`.
pub(crate) fn completed<T: Clone + Serialize + DeserializeOwned>(sent: &T, saved: &T) -> T {
    let (mut fields, saved) = (json!(sent), json!(saved));
    for (name, value) in fields.as_object_mut().into_iter().flatten() {
        if value.is_null() {
            value.clone_from(&saved[name]);
        }
    }
    // Everything that a record writes can be read again.
    serde_json::from_value(fields).unwrap_or_else(|_unreadable| sent.clone())
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

/// Reads a list of records, which may be absent.
fn list<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    Ok(records(deserializer)?.unwrap_or_default())
}

/// Reads a boolean. An absent value is false.
fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

fn read_fields<T: DeserializeOwned>(fields: Map<String, Value>) -> Result<T, serde_json::Error> {
    serde_json::from_value(Value::Object(fields))
}

/// Reads an optional value of any JSON type; `read` returns `None` for a value that is not as expected.
fn read_with<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    expected: &str,
    read: fn(&Value) -> Option<T>,
) -> Result<Option<T>, D::Error> {
    let value = Option::<Value>::deserialize(deserializer)?;
    let wrong = |value: &Value| D::Error::custom(format!("{expected} was expected, not {value}"));
    let value = value.map(|value| read(&value).ok_or_else(|| wrong(&value)));
    value.transpose()
}

fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    read_with(deserializer, "a whole number", whole_number)
}

fn ids<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<i64>, D::Error> {
    let read = |list: &Value| list.as_array()?.iter().map(whole_number).collect();
    let ids = read_with(deserializer, "a list of whole numbers", read)?;
    Ok(ids.unwrap_or_default())
}

fn decimal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Decimal>, D::Error> {
    read_with(deserializer, "a number", |value| match value {
        Value::Number(number) => read_decimal(&number.to_string()),
        Value::String(text) => read_decimal(text.trim()),
        _ => None,
    })
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

/// Reads text, or a number as text: item types and receiver accounts are sent in both forms. Blank
/// text becomes `None`.
fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = read_with(deserializer, "text", |value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })?;
    Ok(text.filter(|text| !text.trim().is_empty()))
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
