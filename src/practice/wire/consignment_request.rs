//! Create, routes and manifest requests, before any rule is applied. Unknown fields are ignored, as live
//! services do.

use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::Value;

use super::{DangerousGoodRequest, lenient};

/// A create or routes request. The two spell the despatch time differently, so each spelling has
/// its own fields.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ConsignmentRequest {
    #[serde(deserialize_with = "lenient::id")]
    pub(crate) company_id: Option<i64>,
    from_name: Option<String>,
    from_contact: Option<String>,
    from_phone: Option<String>,
    from_email: Option<String>,
    from_address_line1: Option<String>,
    from_address_line2: Option<String>,
    #[serde(deserialize_with = "lenient::record")]
    from_location: Option<Suburb>,
    #[serde(deserialize_with = "lenient::id")]
    from_company_location_id: Option<i64>,
    from_abbreviation: Option<String>,
    international_from_city: Option<String>,
    international_from_postcode: Option<String>,
    international_from_province: Option<String>,
    from_country_code: Option<String>,
    to_name: Option<String>,
    to_contact: Option<String>,
    to_phone: Option<String>,
    to_email: Option<String>,
    to_address_line1: Option<String>,
    to_address_line2: Option<String>,
    #[serde(deserialize_with = "lenient::record")]
    to_location: Option<Suburb>,
    #[serde(deserialize_with = "lenient::id")]
    to_company_location_id: Option<i64>,
    to_abbreviation: Option<String>,
    international_to_city: Option<String>,
    international_to_postcode: Option<String>,
    international_to_province: Option<String>,
    to_country_code: Option<String>,
    pub(crate) is_international: Option<bool>,
    pub(crate) special_instructions: Option<String>,
    #[serde(deserialize_with = "lenient::id")]
    pub(crate) carrier_id: Option<i64>,
    #[serde(deserialize_with = "lenient::ids")]
    pub(crate) carrier_ids: Vec<i64>,
    #[serde(deserialize_with = "lenient::id")]
    pub(crate) carrier_service_id: Option<i64>,
    #[serde(deserialize_with = "lenient::id")]
    pub(crate) carrier_account_id: Option<i64>,
    #[serde(deserialize_with = "lenient::id")]
    pub(crate) company_carrier_account_id: Option<i64>,
    /// A name, or 0 for cheapest and 1 for fastest.
    pub(crate) default_route_selection: Option<Value>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) customer_reference: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) customer_reference2: Option<String>,
    pub(crate) dispatch_date_time_utc: Option<String>,
    pub(crate) dispatch_date_time_local: Option<String>,
    pub(crate) despatch_date_time_utc: Option<String>,
    pub(crate) despatch_date_time_local: Option<String>,
    #[serde(deserialize_with = "lenient::ids")]
    pub(crate) question_ids: Vec<i64>,
    pub(crate) sending_tracking_email: Option<bool>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) receiver_account_code: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) receiver_account_id: Option<String>,
    pub(crate) staff_member_name: Option<String>,
    pub(crate) dgs_declaration: Option<bool>,
    #[serde(deserialize_with = "lenient::records")]
    pub(crate) items: Option<Vec<ItemRequest>>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) carrier_consignment_id: Option<String>,
    pub(crate) request_id: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) printer_token: Option<String>,
    #[serde(deserialize_with = "lenient::records")]
    pub(crate) custom_values: Option<Vec<CustomValueOrder>>,
    /// Not in the specification, but published by live services.
    #[serde(deserialize_with = "lenient::ids")]
    pub(crate) linked_pending_consignment_ids: Vec<i64>,
}

/// An element of `customValues`.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct CustomValueOrder {
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) property_name: Option<String>,
    pub(crate) value: Value,
}

/// The sender or receiver of an order, as sent.
#[derive(Debug)]
pub(crate) struct PartyRequest<'a> {
    /// Prefix of the field names: `from` or `to`.
    pub(crate) prefix: &'static str,
    pub(crate) name: Option<&'a str>,
    pub(crate) contact: Option<&'a str>,
    pub(crate) phone: Option<&'a str>,
    pub(crate) email: Option<&'a str>,
    pub(crate) address_line1: Option<&'a str>,
    pub(crate) address_line2: Option<&'a str>,
    pub(crate) location: Option<&'a Suburb>,
    pub(crate) company_location_id: Option<i64>,
    pub(crate) abbreviation: Option<&'a str>,
    pub(crate) city: Option<&'a str>,
    pub(crate) postcode: Option<&'a str>,
    pub(crate) province: Option<&'a str>,
    pub(crate) country_code: Option<&'a str>,
}

impl PartyRequest<'_> {
    /// Whether any field of an address was sent, apart from the saved location.
    pub(crate) fn has_address(&self) -> bool {
        self.name.is_some()
            || self.contact.is_some()
            || self.phone.is_some()
            || self.email.is_some()
            || self.address_line1.is_some()
            || self.address_line2.is_some()
            || self.location.is_some()
            || self.city.is_some()
    }
}

impl ConsignmentRequest {
    /// Replaces the country codes by the spelling that `spelt` returns. Codes for which `spelt` returns
    /// `None` stay.
    pub(crate) fn spell_countries(&mut self, spelt: impl Fn(&str) -> Option<String>) {
        for code in [&mut self.from_country_code, &mut self.to_country_code] {
            if let Some(other) = code.as_deref().and_then(&spelt) {
                *code = Some(other);
            }
        }
    }

    pub(crate) fn sender(&self) -> PartyRequest<'_> {
        PartyRequest {
            prefix: "from",
            name: non_blank(self.from_name.as_ref()),
            contact: non_blank(self.from_contact.as_ref()),
            phone: non_blank(self.from_phone.as_ref()),
            email: non_blank(self.from_email.as_ref()),
            address_line1: non_blank(self.from_address_line1.as_ref()),
            address_line2: non_blank(self.from_address_line2.as_ref()),
            location: self.from_location.as_ref(),
            company_location_id: self.from_company_location_id,
            abbreviation: non_blank(self.from_abbreviation.as_ref()),
            city: non_blank(self.international_from_city.as_ref()),
            postcode: non_blank(self.international_from_postcode.as_ref()),
            province: non_blank(self.international_from_province.as_ref()),
            country_code: non_blank(self.from_country_code.as_ref()),
        }
    }

    pub(crate) fn receiver(&self) -> PartyRequest<'_> {
        PartyRequest {
            prefix: "to",
            name: non_blank(self.to_name.as_ref()),
            contact: non_blank(self.to_contact.as_ref()),
            phone: non_blank(self.to_phone.as_ref()),
            email: non_blank(self.to_email.as_ref()),
            address_line1: non_blank(self.to_address_line1.as_ref()),
            address_line2: non_blank(self.to_address_line2.as_ref()),
            location: self.to_location.as_ref(),
            company_location_id: self.to_company_location_id,
            abbreviation: non_blank(self.to_abbreviation.as_ref()),
            city: non_blank(self.international_to_city.as_ref()),
            postcode: non_blank(self.international_to_postcode.as_ref()),
            province: non_blank(self.international_to_province.as_ref()),
            country_code: non_blank(self.to_country_code.as_ref()),
        }
    }
}

/// Trims the text. Blank text becomes `None`.
fn non_blank(text: Option<&String>) -> Option<&str> {
    text.map(|text| text.trim()).filter(|text| !text.is_empty())
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Suburb {
    pub(crate) suburb: String,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) postcode: Option<String>,
}

/// An element of `items` of either create operation.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ItemRequest {
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) item_type: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) name: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) sku: Option<String>,
    #[serde(deserialize_with = "lenient::id")]
    pub(crate) quantity: Option<i64>,
    #[serde(deserialize_with = "lenient::decimal")]
    pub(crate) weight: Option<Decimal>,
    #[serde(deserialize_with = "lenient::decimal")]
    pub(crate) length: Option<Decimal>,
    #[serde(deserialize_with = "lenient::decimal")]
    pub(crate) width: Option<Decimal>,
    #[serde(deserialize_with = "lenient::decimal")]
    pub(crate) height: Option<Decimal>,
    #[serde(deserialize_with = "lenient::record")]
    pub(crate) standard_item: Option<StandardItem>,
    #[serde(deserialize_with = "lenient::decimal")]
    pub(crate) pallet_spaces: Option<Decimal>,
    #[serde(deserialize_with = "lenient::id")]
    pub(crate) company_item_id: Option<i64>,
    #[serde(deserialize_with = "lenient::records")]
    pub(crate) consignment_item_dg_items: Option<Vec<DangerousGoodRequest>>,
    #[serde(deserialize_with = "lenient::records")]
    pub(crate) consignment_item_contents: Option<Vec<ContentsRequest>>,
    #[serde(deserialize_with = "lenient::records")]
    pub(crate) consignment_item_references: Option<Vec<ItemReference>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct StandardItem {
    #[serde(deserialize_with = "lenient::decimal")]
    pub(crate) weight: Option<Decimal>,
    #[serde(deserialize_with = "lenient::decimal")]
    pub(crate) length: Option<Decimal>,
    #[serde(deserialize_with = "lenient::decimal")]
    pub(crate) width: Option<Decimal>,
    #[serde(deserialize_with = "lenient::decimal")]
    pub(crate) height: Option<Decimal>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ItemReference {
    pub(crate) carrier_item_reference: String,
}

/// An element of `consignmentItemContents`. Once complete, it is stored as sent.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ContentsRequest {
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) description: Option<String>,
    pub(crate) reference1: Option<String>,
    pub(crate) reference2: Option<String>,
    pub(crate) reference3: Option<String>,
    pub(crate) ci_marks_and_numbers: Option<String>,
    pub(crate) part_number: Option<String>,
    #[serde(deserialize_with = "lenient::id")]
    pub(crate) quantity: Option<i64>,
    #[serde(deserialize_with = "lenient::text")]
    pub(crate) harmonized_code: Option<String>,
    pub(crate) purpose: Option<String>,
    pub(crate) country_of_manufacture_code: Option<String>,
    #[serde(deserialize_with = "lenient::decimal")]
    pub(crate) dollar_value: Option<Decimal>,
}

/// A manifest group to book.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ManifestGroupRequest {
    #[serde(deserialize_with = "lenient::ids")]
    pub(crate) consignment_ids: Vec<i64>,
    #[serde(deserialize_with = "lenient::id")]
    pub(crate) company_id: Option<i64>,
    pub(crate) pickup_date_time: Option<String>,
    pub(crate) pickup_closing_time: Option<String>,
    #[serde(deserialize_with = "lenient::decimal")]
    pub(crate) pallet_spaces: Option<Decimal>,
    pub(crate) pickup_special_instructions: Option<String>,
    pub(crate) pickup_already_booked: bool,
    pub(crate) dgs_declaration: Option<bool>,
}
