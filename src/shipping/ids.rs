//! Ids of the service's records. Each has its own type, so that a carrier's id cannot be used as a company's.
//!
//! Ids are written as numbers, and read from numbers or numeric strings, because live services send both.

/// Defines a newtype over `i64` that is written as a number and read from a number or a numeric string.
macro_rules! id {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
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

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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
