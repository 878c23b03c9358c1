//! Pending consignments: drafts at the service, which a user completes there.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::customs::{CountryCode, ItemContents};
use super::dangerous_goods::DgItem;
use super::goods::ItemRequest;
use super::ids::{
    CarrierAccountId, CarrierId, CarrierServiceId, CompanyCarrierAccountId, CompanyId,
    CompanyItemId, CompanyLocationId, PendingConsignmentId,
};
use super::lenient;
use super::request::{
    ConsignmentRequest, CustomValue, Despatch, LocationRequest, Question, RouteSelection, addressed,
};
use super::time::{LocalTime, UtcTime};
use super::values::{Centimetres, Kilograms, Quantity};

addressed! {
    /// A request for a pending consignment. Every field may be missing. The despatch time is spelt
    /// `despatch…` here, but `dispatch…` on create.
    #[skip_serializing_none]
    #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct PendingConsignmentRequest {
        despatch_date_time_utc: Option<UtcTime>,
        despatch_date_time_local: Option<LocalTime>,
        /// Whether the receiver gets a tracking e-mail after the conversion to a consignment.
        pub send_tracking_email: Option<bool>,
        pub items: Vec<PendingItemRequest>,
    }
}

/// A line of goods in a pending consignment.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingItemRequest {
    /// The id of a saved item; any other field overrides the saved value.
    pub company_item_id: Option<CompanyItemId>,
    /// The name of a packaging kind.
    pub item_type: Option<String>,
    pub name: Option<String>,
    pub sku: Option<String>,
    /// The number of identical items.
    pub quantity: Option<u32>,
    /// Weight of one item.
    pub weight: Option<Kilograms>,
    /// Length of one item.
    pub length: Option<Centimetres>,
    /// Width of one item.
    pub width: Option<Centimetres>,
    /// Height of one item.
    pub height: Option<Centimetres>,
    pub pallet_spaces: Option<Quantity>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pending_consignment_item_dg_items: Vec<DgItem>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pending_consignment_item_contents: Vec<ItemContents>,
}

/// A pending consignment that the service created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingConsignment {
    /// The id; separate from consignment ids.
    pub id: PendingConsignmentId,
    /// `PC` followed by the id.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub consignment_number: String,
}

impl PendingConsignmentRequest {
    /// Converts a consignment's request. A pending consignment has no delegated numbers, receiver's account,
    /// declaration or printer token; these are given at its conversion.
    pub fn from_consignment(request: ConsignmentRequest) -> Self {
        let (utc, local) = match request.despatch() {
            None => (None, None),
            Some(Despatch::Utc(time)) => (Some(time), None),
            Some(Despatch::Local(time)) => (None, Some(time)),
        };
        Self {
            company_id: request.company_id,
            from_name: request.from_name,
            from_contact: request.from_contact,
            from_phone: request.from_phone,
            from_email: request.from_email,
            from_address_line1: request.from_address_line1,
            from_address_line2: request.from_address_line2,
            from_location: request.from_location,
            from_company_location_id: request.from_company_location_id,
            from_abbreviation: request.from_abbreviation,
            international_from_city: request.international_from_city,
            international_from_postcode: request.international_from_postcode,
            international_from_province: request.international_from_province,
            from_country_code: request.from_country_code,
            to_name: request.to_name,
            to_contact: request.to_contact,
            to_phone: request.to_phone,
            to_email: request.to_email,
            to_address_line1: request.to_address_line1,
            to_address_line2: request.to_address_line2,
            to_location: request.to_location,
            to_company_location_id: request.to_company_location_id,
            to_abbreviation: request.to_abbreviation,
            international_to_city: request.international_to_city,
            international_to_postcode: request.international_to_postcode,
            international_to_province: request.international_to_province,
            to_country_code: request.to_country_code,
            special_instructions: request.special_instructions,
            carrier_id: request.carrier_id,
            carrier_service_id: request.carrier_service_id,
            carrier_account_id: request.carrier_account_id,
            company_carrier_account_id: request.company_carrier_account_id,
            default_route_selection: request.default_route_selection,
            customer_reference: request.customer_reference,
            customer_reference2: request.customer_reference2,
            question_ids: request.question_ids,
            custom_values: request.custom_values,
            staff_member_name: request.staff_member_name,
            is_international: request.is_international,
            despatch_date_time_utc: utc,
            despatch_date_time_local: local,
            send_tracking_email: request.sending_tracking_email,
            items: request.items.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<ItemRequest> for PendingItemRequest {
    /// Puts weight and dimensions on the item itself, whether they were nested or not.
    fn from(item: ItemRequest) -> Self {
        let nested = item.standard_item;
        Self {
            company_item_id: item.company_item_id,
            item_type: item.item_type,
            name: item.name,
            sku: item.sku,
            quantity: item.quantity,
            weight: item.weight.or(nested.and_then(|nested| nested.weight)),
            length: item.length.or(nested.and_then(|nested| nested.length)),
            width: item.width.or(nested.and_then(|nested| nested.width)),
            height: item.height.or(nested.and_then(|nested| nested.height)),
            pallet_spaces: item.pallet_spaces,
            pending_consignment_item_dg_items: item.consignment_item_dg_items,
            pending_consignment_item_contents: item.consignment_item_contents,
        }
    }
}
