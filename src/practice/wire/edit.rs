//! The editable form of a consignment, as it is sent to the client and as it comes back.
//!
//! The form that comes back is complete: a missing field is cleared. Besides the fields of a create request,
//! the form has fields that the service keeps itself: item ids, the version, and the cost centre, handling
//! notes and delivery window.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::consignment_response::{content, custom_values, fields, good, number, place_record};
use super::{ConsignmentRequest, ItemRequest, lenient, utc_text};
use crate::catalogue::Catalogue;
use crate::consignment::{Consignment, DangerousGood, EditFormFields, Line, Party};

/// The form as it came back, before any rule is applied.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct EditFormRequest {
    #[serde(deserialize_with = "lenient::id")]
    id: Option<i64>,
    row_version: Option<String>,
    set_item_references: Option<bool>,
    #[serde(deserialize_with = "lenient::text")]
    cost_centre_code: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    handling_notes: Option<String>,
    #[serde(deserialize_with = "lenient::record")]
    delivery_window: Option<Window>,
    #[serde(deserialize_with = "lenient::records")]
    items: Option<Vec<FormItem>>,
    #[serde(flatten)]
    order: ConsignmentRequest,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Window {
    #[serde(deserialize_with = "lenient::text")]
    opens_local: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    closes_local: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct FormItem {
    #[serde(deserialize_with = "lenient::id")]
    id: Option<i64>,
    is_stackable: Option<bool>,
    #[serde(flatten)]
    item: ItemRequest,
}

/// An edit request: an order, and the fields that only the form has.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "EditFormRequest")]
pub(crate) struct EditRequest {
    pub(crate) id: Option<i64>,
    pub(crate) row_version: Option<String>,
    /// References of items change only when this is true.
    pub(crate) set_item_references: bool,
    pub(crate) office: EditFormFields,
    pub(crate) order: ConsignmentRequest,
    /// One for each item of the order.
    pub(crate) marks: Vec<FormOnlyFields>,
}

/// Fields of an item that only the form has. A new item has no id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FormOnlyFields {
    pub(crate) id: Option<i64>,
    pub(crate) stackable: Option<bool>,
}

impl From<EditFormRequest> for EditRequest {
    fn from(form: EditFormRequest) -> Self {
        let items = form.items.unwrap_or_default();
        let mark = |item: &FormItem| FormOnlyFields {
            id: item.id,
            stackable: item.is_stackable,
        };
        let marks = items.iter().map(mark).collect();
        let window = form.delivery_window;
        let mut order = form.order;
        order.items = Some(items.into_iter().map(|item| item.item).collect());
        Self {
            id: form.id,
            row_version: form.row_version,
            set_item_references: form.set_item_references.unwrap_or(false),
            office: EditFormFields {
                cost_centre_code: form.cost_centre_code,
                handling_notes: form.handling_notes,
                delivery_window: window
                    .and_then(|window| Some((window.opens_local?, window.closes_local?))),
            },
            marks,
            order,
        }
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
    form.extend(side("from", "From", &job.from));
    form.extend(side("to", "To", &job.to));
    let items = job
        .lines
        .iter()
        .map(|line| item(catalogue, consignment, line));
    form.insert("items".into(), items.collect());
    Value::Object(form)
}

/// Returns the fields of a party. An address abroad has city, postcode and province; a domestic one has a
/// location record.
fn side(prefix: &str, title: &str, side: &Party) -> Map<String, Value> {
    let place = &side.place;
    let abroad = place.id == 0;
    let spelt = |text: &str| Some(text.to_owned()).filter(|_| abroad);
    let location = Some(place_record(place)).filter(|_| !abroad);
    let named = [
        (format!("{prefix}Name"), json!(side.name)),
        (format!("{prefix}Contact"), json!(side.contact)),
        (format!("{prefix}Phone"), json!(side.phone)),
        (format!("{prefix}Email"), json!(side.email)),
        (format!("{prefix}AddressLine1"), json!(side.address_line1)),
        (format!("{prefix}AddressLine2"), json!(side.address_line2)),
        (
            format!("{prefix}CompanyLocationId"),
            json!(side.company_location_id),
        ),
        (format!("{prefix}Location"), json!(location)),
        (
            format!("international{title}City"),
            json!(spelt(&place.suburb)),
        ),
        (
            format!("international{title}Postcode"),
            json!(spelt(&place.postcode)),
        ),
        (
            format!("international{title}Province"),
            json!(spelt(&place.state)),
        ),
        (format!("{prefix}CountryCode"), json!(spelt(&place.country))),
    ];
    named.into_iter().collect()
}

fn item(catalogue: &Catalogue, consignment: &Consignment, line: &Line) -> Value {
    let goods: Vec<Value> = line
        .goods
        .iter()
        .map(|sent| dangerous(catalogue, sent))
        .collect();
    let references: Vec<Value> = line
        .references
        .iter()
        .map(|reference| json!({ "carrierItemReference": reference }))
        .collect();
    json!({
        "id": consignment.item_id(line), "companyItemId": line.company_item_id, "itemType": line.item_type,
        "name": line.name, "sku": line.sku, "quantity": line.quantity,
        "standardItem": {
            "weight": number(line.weight), "length": number(line.length), "width": number(line.width),
            "height": number(line.height),
        },
        "palletSpaces": line.pallet_spaces.map(number), "isStackable": line.stackable,
        "consignmentItemDgItems": goods,
        "consignmentItemContents": line.contents.iter().map(content).collect::<Vec<_>>(),
        "consignmentItemReferences": references,
    })
}

/// Returns a dangerous good as a request has it: without the shipping name, which follows from the UN number,
/// and with only one of the two Hazchem fields, because a request may not have both.
fn dangerous(catalogue: &Catalogue, sent: &DangerousGood) -> Value {
    let mut record = fields(good(catalogue, sent));
    record.remove("properShippingName");
    record.remove("dgHazchemId");
    Value::Object(record)
}
