//! Ids of the service's records: one type each, so that a carrier's id never lands where a company's belongs.
//!
//! Written as numbers; read from numbers or from numeric strings, as live services send both.

/// Makes a newtype over `i64` that is written as a number and read from a number or a numeric string.
macro_rules! id {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
        #[serde(transparent)]
        pub struct $name(i64);

        impl $name {
            /// The id as the service gave it.
            pub const fn new(id: i64) -> Self {
                Self(id)
            }

            /// The number that goes on the wire.
            pub const fn get(self) -> i64 {
                self.0
            }
        }

        impl From<i64> for $name {
            fn from(id: i64) -> Self {
                Self(id)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                super::lenient::integer(deserializer).map(Self)
            }
        }
    )+};
}

id! {
    /// A consignment's id; its number is this with the prefix MS.
    ConsignmentId,
    /// A company of the shipper; companies have their own carriers and accounts.
    CompanyId,
    /// A saved pickup or delivery place of a company.
    CompanyLocationId,
    /// A carrier: the top-level id of the carrier listing.
    CarrierId,
    /// A service of a carrier: the id under `carrierServices`.
    CarrierServiceId,
    /// An account with a carrier; needed only when several rate cards are linked.
    CarrierAccountId,
    /// A company's link to a carrier's account.
    CompanyCarrierAccountId,
    /// A saved item of a company.
    CompanyItemId,
    /// A stored dangerous good of a company.
    CompanyDgItemId,
    /// A pending consignment: a draft at the service. Its number is this with the prefix PC; it is no consignment's id.
    PendingConsignmentId,
    /// A receiver's account with a carrier, for consignments that the receiver pays.
    ReceiverAccountId,
    /// A proof of delivery, or another file of a consignment.
    AttachmentId,
    /// A printer that the service knows.
    PrinterId,
    /// A booked manifest; 0 means that the service did nothing.
    ManifestId,
}
