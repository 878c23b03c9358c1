//! Amounts and ids, each with its own type: amounts with their unit, so that kilograms are never used as dollars, and
//! ids by their record, so that a carrier's id cannot be used as a company's.
//!
//! Amounts are decimals, never binary fractions. Ids are written as numbers, and read from numbers or numeric
//! strings, because live services send both.

use std::fmt;

use rust_decimal::Decimal;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// Defines a newtype over [`Decimal`] that is written as a JSON number, digit for digit, and read from a
/// number or text.
macro_rules! amount {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(
            #[serde(serialize_with = "write_decimal", deserialize_with = "read_decimal")] pub Decimal,
        );

        impl $name {
            pub const ZERO: Self = Self(Decimal::ZERO);
        }

        impl From<Decimal> for $name {
            fn from(amount: Decimal) -> Self {
                Self(amount)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )+};
}

amount! {
    /// Weight in kilograms.
    Kilograms,
    /// Length in centimetres.
    Centimetres,
    /// Volume in cubic metres.
    CubicMetres,
    /// Money in the currency of the company's account; customs values are in AUD.
    Dollars,
    /// Temperature in degrees Celsius.
    Celsius,
    Percent,
    /// An amount of a dangerous good in kilograms or litres, or a number of pallet spaces.
    Quantity,
}

fn write_decimal<S: Serializer>(value: &Decimal, serializer: S) -> Result<S::Ok, S::Error> {
    RawValue::from_string(value.normalize().to_string())
        .map_err(serde::ser::Error::custom)?
        .serialize(serializer)
}

fn read_decimal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Decimal, D::Error> {
    // Reads the raw text, so that no digit is lost.
    let raw = <&RawValue>::deserialize(deserializer)?;
    let text = raw.get().trim_matches('"').trim();
    decimal(text).ok_or_else(|| D::Error::custom("not a decimal number"))
}

/// Parses a decimal, with or without an exponent.
pub(super) fn decimal(text: &str) -> Option<Decimal> {
    text.parse()
        .or_else(|_plain| Decimal::from_scientific(text))
        .ok()
}

/// Defines a newtype over `i64` that is written as a number and read from a number or a numeric string.
macro_rules! id {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(#[serde(deserialize_with = "super::lenient::integer")] i64);

        impl $name {
            pub const fn new(id: i64) -> Self {
                Self(id)
            }

            /// Returns the number that goes on the wire.
            pub const fn get(self) -> i64 {
                self.0
            }
        }

        impl From<i64> for $name {
            fn from(id: i64) -> Self {
                Self(id)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )+};
}

id! {
    /// A consignment. The consignment number is this id with the prefix MS.
    ConsignmentId,
    /// A company of the shipper; companies have their own carriers and accounts.
    CompanyId,
    /// A saved pickup or delivery location of a company.
    CompanyLocationId,
    /// A carrier, by the top-level id of the carrier listing.
    CarrierId,
    /// A service of a carrier, by the id under `carrierServices`.
    CarrierServiceId,
    /// An account with a carrier; needed only when several rate cards are linked.
    CarrierAccountId,
    /// A link between a company and a carrier's account.
    CompanyCarrierAccountId,
    /// A saved item of a company.
    CompanyItemId,
    /// A stored dangerous good of a company.
    CompanyDgItemId,
    /// A pending consignment, which is a draft at the service. Its number is this id with the prefix PC.
    /// Pending ids and consignment ids are separate.
    PendingConsignmentId,
    /// A receiver's account with a carrier, for consignments that the receiver pays.
    ReceiverAccountId,
    /// A proof of delivery or another file of a consignment.
    AttachmentId,
    /// A printer that the service knows.
    PrinterId,
    /// A booked manifest. The id 0 means that the service did nothing.
    ManifestId,
}
