//! Requests as sent, before any rule is applied. Unknown fields are ignored, as live services do.

use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::lenient;
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
        company_id: Option<i64> = "lenient::id",
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
        carrier_id: Option<i64> = "lenient::id",
        carrier_ids: Vec<i64> = "lenient::ids",
        carrier_service_id: Option<i64> = "lenient::id",
        carrier_account_id: Option<i64> = "lenient::id",
        company_carrier_account_id: Option<i64> = "lenient::id",
        /// A name, or 0 for cheapest and 1 for fastest.
        default_route_selection: Option<Value>,
        customer_reference: Option<String> = "lenient::text",
        customer_reference2: Option<String> = "lenient::text",
        dispatch_date_time_utc: Option<String>,
        dispatch_date_time_local: Option<String>,
        despatch_date_time_utc: Option<String>,
        despatch_date_time_local: Option<String>,
        question_ids: Vec<i64> = "lenient::ids",
        sending_tracking_email: Option<bool>,
        receiver_account_code: Option<String> = "lenient::text",
        receiver_account_id: Option<String> = "lenient::text",
        staff_member_name: Option<String>,
        dgs_declaration: Option<bool>,
        items: Option<Vec<ItemRequest>> = "lenient::records",
        carrier_consignment_id: Option<String> = "lenient::text",
        request_id: Option<String>,
        printer_token: Option<String> = "lenient::text",
        custom_values: Option<Vec<CustomValueOrder>> = "lenient::records",
        /// Not in the specification, but published by live services.
        linked_pending_consignment_ids: Vec<i64> = "lenient::ids",
    }

    /// An element of `customValues`.
    CustomValueOrder {
        property_name: Option<String> = "lenient::text",
        value: Value,
    }

    Suburb {
        suburb: String,
        postcode: Option<String> = "lenient::text",
    }

    /// An element of `items` of either create operation.
    ItemRequest {
        item_type: Option<String> = "lenient::text",
        name: Option<String> = "lenient::text",
        sku: Option<String> = "lenient::text",
        quantity: Option<i64> = "lenient::id",
        weight: Option<Decimal> = "lenient::decimal",
        length: Option<Decimal> = "lenient::decimal",
        width: Option<Decimal> = "lenient::decimal",
        height: Option<Decimal> = "lenient::decimal",
        standard_item: Option<StandardItem> = "lenient::record",
        pallet_spaces: Option<Decimal> = "lenient::decimal",
        company_item_id: Option<i64> = "lenient::id",
        consignment_item_dg_items: Option<Vec<DangerousGoodRequest>> = "lenient::records",
        consignment_item_contents: Option<Vec<ContentsRequest>> = "lenient::records",
        consignment_item_references: Option<Vec<ItemReference>> = "lenient::records",
    }

    StandardItem {
        weight: Option<Decimal> = "lenient::decimal",
        length: Option<Decimal> = "lenient::decimal",
        width: Option<Decimal> = "lenient::decimal",
        height: Option<Decimal> = "lenient::decimal",
    }

    /// An element of `consignmentItemDgItems`.
    DangerousGoodRequest {
        company_dg_item_id: Option<i64> = "lenient::id",
        un_number: Option<i64> = "lenient::id",
        packing_group: Option<i64> = "lenient::id",
        container_type: Option<i64> = "lenient::id",
        aggregate_quantity: Option<Decimal> = "lenient::decimal",
        is_aggregate_quantity_weight: Option<bool>,
        number_of_containers: Option<i64> = "lenient::id",
        is_marine_pollutant: Option<bool>,
        is_temperature_controlled: Option<bool>,
        is_empty_dg_container: Option<bool>,
        dg_class_type: Option<i64> = "lenient::id",
        sub_dg_class_types: Vec<i64> = "lenient::ids",
        /// The API writes this name with a capital letter.
        #[serde(rename = "TechnicalOrChemicalGroupNames")]
        technical_or_chemical_group_names: Vec<String> = "lenient::texts",
        hazchem: Option<String> = "lenient::text",
        dg_hazchem_id: Option<i64> = "lenient::id",
        flashpoint: Option<Decimal> = "lenient::decimal",
    }

    ItemReference {
        carrier_item_reference: String,
    }

    /// An element of `consignmentItemContents`. Once complete, it is stored as sent.
    ContentsRequest {
        description: Option<String> = "lenient::text",
        reference1: Option<String>,
        reference2: Option<String>,
        reference3: Option<String>,
        ci_marks_and_numbers: Option<String>,
        part_number: Option<String>,
        quantity: Option<i64> = "lenient::id",
        harmonized_code: Option<String> = "lenient::text",
        purpose: Option<String>,
        country_of_manufacture_code: Option<String>,
        dollar_value: Option<Decimal> = "lenient::decimal",
    }

    /// A request for a pending consignment: a create request with other names for the dangerous goods and contents
    /// of items.
    PendingRequest {
        items: Option<Vec<PendingItem>> = "lenient::records",
        send_tracking_email: Option<bool>,
        #[serde(flatten)]
        order: ConsignmentRequest,
    }

    PendingItem {
        pending_consignment_item_dg_items: Option<Vec<DangerousGoodRequest>> = "lenient::records",
        pending_consignment_item_contents: Option<Vec<ContentsRequest>> = "lenient::records",
        #[serde(flatten)]
        item: ItemRequest,
    }

    /// The editable form of a consignment as it came back: a create request, and the fields that only the form has.
    /// The form is complete: a missing field is cleared.
    EditRequest {
        id: Option<i64> = "lenient::id",
        row_version: Option<String>,
        /// References of items change only when this is true.
        set_item_references: Option<bool>,
        cost_centre_code: Option<String> = "lenient::text",
        handling_notes: Option<String> = "lenient::text",
        delivery_window: Option<Window> = "lenient::record",
        items: Option<Vec<FormItem>> = "lenient::records",
        #[serde(flatten)]
        order: ConsignmentRequest,
    }

    Window {
        opens_local: Option<String> = "lenient::text",
        closes_local: Option<String> = "lenient::text",
    }

    /// An item of the form. A new item has no id.
    FormItem {
        id: Option<i64> = "lenient::id",
        is_stackable: Option<bool>,
        #[serde(flatten)]
        item: ItemRequest,
    }

    /// A manifest group to book.
    ManifestGroupRequest {
        consignment_ids: Vec<i64> = "lenient::ids",
        company_id: Option<i64> = "lenient::id",
        pickup_date_time: Option<String>,
        pickup_closing_time: Option<String>,
        pallet_spaces: Option<Decimal> = "lenient::decimal",
        pickup_special_instructions: Option<String>,
        pickup_already_booked: bool,
        dgs_declaration: Option<bool>,
    }

    /// An element of `consignments/updateConsignmentStatuses`.
    StatusUpdateRequest {
        consignment_id: Option<i64> = "lenient::id",
        status: Option<i64> = "lenient::id",
        status_date_time_local: Option<String> = "lenient::text",
        item_reference: Option<String> = "lenient::text",
        extra_information: Option<String> = "lenient::text",
    }

    /// The body of `consignments/getAttachments`.
    AttachmentsRequest {
        consignment_id: Option<i64> = "lenient::id",
    }

    /// An element of `labels/sendLabelsToPrinter`.
    PrintRequest {
        consignment_ids: Vec<i64> = "lenient::ids",
        label_type: Option<i64> = "lenient::id",
        printer_id: Option<i64> = "lenient::id",
        #[serde(rename = "printA4")]
        print_a4: Option<bool>,
    }
}

requests! { "snake_case"
    QuoteRequest {
        warehouse: PricingPlace = "lenient::record_or_none",
        shipping_address: PricingPlace = "lenient::record_or_none",
        shipping_options: PricedOptions = "lenient::record_or_none",
        items: Option<Vec<PricingItem>> = "lenient::records",
    }

    /// The place of the sender or receiver. Street lines are not read, because they do not affect the price.
    PricingPlace {
        country: Option<String> = "lenient::text",
        postal_code: Option<String> = "lenient::text",
        province: Option<String> = "lenient::text",
        city: Option<String> = "lenient::text",
    }

    PricedOptions {
        authority_to_leave: Option<bool>,
        residential: Option<bool>,
        despatch_datetime_utc: Option<String> = "lenient::text",
    }

    PricingItem {
        name: Option<String> = "lenient::text",
        sku: Option<String> = "lenient::text",
        quantity: Option<i64> = "lenient::id",
        weight: Option<Decimal> = "lenient::decimal",
        /// The price of one unit.
        price: Option<Decimal> = "lenient::decimal",
        length: Option<Decimal> = "lenient::decimal",
        width: Option<Decimal> = "lenient::decimal",
        height: Option<Decimal> = "lenient::decimal",
        /// Free-form data of the platform. Only `oversize` is read.
        product_meta: Option<Map<String, Value>>,
    }
}

/// A request for live pricing, in the format of the middleware's reference mapping.
#[derive(Debug, Deserialize)]
pub(crate) struct LivePricingRequest {
    #[serde(deserialize_with = "lenient::record_or_none")]
    pub(crate) quote: QuoteRequest,
}

serde_with::with_prefix!(from_ "from");
serde_with::with_prefix!(international_from "internationalFrom");
serde_with::with_prefix!(to_ "to");
serde_with::with_prefix!(international_to "internationalTo");

requests! { "PascalCase"
    /// The fields of a sender or receiver, whose names begin with `from` or `to`.
    PartyFields {
        name: Option<String> = "lenient::trimmed",
        contact: Option<String> = "lenient::trimmed",
        phone: Option<String> = "lenient::trimmed",
        email: Option<String> = "lenient::trimmed",
        address_line1: Option<String> = "lenient::trimmed",
        address_line2: Option<String> = "lenient::trimmed",
        location: Option<Suburb> = "lenient::record",
        company_location_id: Option<i64> = "lenient::id",
        abbreviation: Option<String> = "lenient::trimmed",
        country_code: Option<String> = "lenient::trimmed",
    }

    /// A place abroad. The names of its fields begin with `internationalFrom` or `internationalTo`.
    PlaceAbroad {
        city: Option<String> = "lenient::trimmed",
        postcode: Option<String> = "lenient::trimmed",
        province: Option<String> = "lenient::trimmed",
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
    /// Whether a saved location was sent, by its id or its abbreviation.
    pub(crate) fn is_saved(&self) -> bool {
        self.fields.company_location_id.is_some() || self.fields.abbreviation.is_some()
    }

    /// Whether any field of an address was sent, apart from the saved location.
    pub(crate) fn has_address(&self) -> bool {
        let fields = self.fields;
        let texts = [
            &fields.name,
            &fields.contact,
            &fields.phone,
            &fields.email,
            &fields.address_line1,
            &fields.address_line2,
            &self.abroad.city,
        ];
        fields.location.is_some() || texts.into_iter().any(Option::is_some)
    }
}

impl ConsignmentRequest {
    pub(crate) fn sender(&self) -> PartyRequest<'_> {
        PartyRequest {
            prefix: "from",
            fields: &self.from,
            abroad: &self.from_abroad,
        }
    }

    pub(crate) fn receiver(&self) -> PartyRequest<'_> {
        PartyRequest {
            prefix: "to",
            fields: &self.to,
            abroad: &self.to_abroad,
        }
    }

    /// Replaces the country codes by the spelling that `spelt` returns. Codes for which `spelt` returns
    /// `None` stay.
    pub(crate) fn spell_countries(&mut self, spelt: impl Fn(&str) -> Option<String>) {
        for code in [&mut self.from.country_code, &mut self.to.country_code] {
            if let Some(other) = code.as_deref().and_then(&spelt) {
                *code = Some(other);
            }
        }
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
        let direct = StandardItem {
            weight: item.weight,
            length: item.length,
            width: item.width,
            height: item.height,
        };
        Self {
            standard_item: item.standard_item.or(Some(direct)),
            consignment_item_dg_items: goods.or(item.consignment_item_dg_items),
            consignment_item_contents: pending
                .pending_consignment_item_contents
                .or(item.consignment_item_contents),
            ..item
        }
    }
}
