//! The consignment create request, for both endpoints ("Consignment create request").

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::goods::ItemRequest;
use super::ids::{
    CarrierAccountId, CarrierId, CarrierServiceId, CompanyCarrierAccountId, CompanyId,
    CompanyLocationId,
};
use super::time::{LocalTime, UtcTime};

/// A suburb as sent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LocationRequest {
    /// Suburb.
    pub suburb: String,
    /// Postcode.
    pub postcode: String,
}

/// Automatic routing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RouteSelection {
    /// The lowest price.
    Cheapest,
    /// The earliest arrival.
    Fastest,
}

/// Surcharge groups and carrier restriction flags (`questionIds`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Question {
    /// 7: hydraulic tailgate required.
    #[serde(rename = "7")]
    Tailgate,
    /// 8: crane truck required.
    #[serde(rename = "8")]
    Crane,
    /// 13: residential delivery.
    #[serde(rename = "13")]
    Residential,
    /// 14: authorised to leave.
    #[serde(rename = "14")]
    AuthorityToLeave,
    /// 36: hand unload required.
    #[serde(rename = "36")]
    HandUnload,
}

impl Question {
    /// All of them, in the specification's order.
    pub const ALL: &'static [Self] = &[
        Self::Tailgate,
        Self::Crane,
        Self::Residential,
        Self::AuthorityToLeave,
        Self::HandUnload,
    ];

    /// The label that the clerk sees.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Tailgate => "Tailgate",
            Self::Crane => "Crane truck",
            Self::Residential => "Residential",
            Self::AuthorityToLeave => "Authority to leave",
            Self::HandUnload => "Hand unload",
        }
    }
}

/// A carrier-specific option.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CustomValue {
    /// Which option.
    pub property_name: String,
    /// Its value.
    pub value: String,
}

/// A consignment to create. Each side is either a saved location or a full address; one despatch time at the most.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConsignmentRequest {
    /// Whose it is; the calling user's company where absent.
    pub company_id: Option<CompanyId>,
    /// Pickup name.
    pub from_name: Option<String>,
    /// Pickup contact.
    pub from_contact: Option<String>,
    /// Pickup phone.
    pub from_phone: Option<String>,
    /// Pickup e-mail.
    pub from_email: Option<String>,
    /// Pickup street.
    pub from_address_line1: Option<String>,
    /// Pickup second line.
    pub from_address_line2: Option<String>,
    /// Pickup suburb.
    pub from_location: Option<LocationRequest>,
    /// Saved pickup place, instead of all the above.
    pub from_company_location_id: Option<CompanyLocationId>,
    /// Delivery name.
    pub to_name: Option<String>,
    /// Delivery contact.
    pub to_contact: Option<String>,
    /// Delivery phone.
    pub to_phone: Option<String>,
    /// Delivery e-mail.
    pub to_email: Option<String>,
    /// Delivery street.
    pub to_address_line1: Option<String>,
    /// Delivery second line.
    pub to_address_line2: Option<String>,
    /// Delivery suburb.
    pub to_location: Option<LocationRequest>,
    /// Saved delivery place, instead of all the above.
    pub to_company_location_id: Option<CompanyLocationId>,
    /// Instruction to the carrier.
    pub special_instructions: Option<String>,
    /// Carrier; alone, its cheapest service.
    pub carrier_id: Option<CarrierId>,
    /// Service of the carrier.
    pub carrier_service_id: Option<CarrierServiceId>,
    /// Account, where several are linked.
    pub carrier_account_id: Option<CarrierAccountId>,
    /// The company's link to the account.
    pub company_carrier_account_id: Option<CompanyCarrierAccountId>,
    /// Automatic routing instead of a carrier.
    pub default_route_selection: Option<RouteSelection>,
    /// The shipper's reference.
    pub customer_reference: Option<String>,
    /// The second reference; carries the bench's key where the clerk left it empty.
    pub customer_reference2: Option<String>,
    /// Despatch, UTC; absent means now.
    pub dispatch_date_time_utc: Option<UtcTime>,
    /// Despatch on the pickup place's clocks.
    pub dispatch_date_time_local: Option<LocalTime>,
    /// Surcharge groups and restriction flags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub question_ids: Vec<Question>,
    /// Steers printing rules at the service.
    pub printer_token: Option<String>,
    /// Sends the receiver a tracking e-mail.
    pub sending_tracking_email: Option<bool>,
    /// Carrier-specific options.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub custom_values: Vec<CustomValue>,
    /// Receiver pays: their account with the carrier.
    pub receiver_account_code: Option<String>,
    /// Who made it.
    pub staff_member_name: Option<String>,
    /// True where any item holds dangerous goods.
    pub dgs_declaration: Option<bool>,
    /// The goods.
    pub items: Vec<ItemRequest>,
    /// The carrier's number, given by the shipper (complex endpoint).
    pub carrier_consignment_id: Option<String>,
}

impl ConsignmentRequest {
    /// True where only `createConsignmentwithComplexItems` can take it: dangerous goods or delegated numbers.
    pub fn is_complex(&self) -> bool {
        self.carrier_consignment_id.is_some()
            || self.items.iter().any(|item| {
                !item.consignment_item_dg_items.is_empty()
                    || !item.consignment_item_references.is_empty()
            })
    }
}
