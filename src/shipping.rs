//! The records of the interface, exact on the wire.
//!
//! What always holds: strict in what is written (names, case, enum numbers; absent instead of null), lenient in what
//! is read (ids as numbers or strings, missing and null fields, times without a zone, unknown enum values kept).
//! What it must not know: anything else of ours: no transport, no store, no window.

mod carrier;
mod clock;
mod company;
mod consignment;
mod dangerous_goods;
mod envelope;
mod goods;
mod ids;
mod label;
mod lenient;
mod manifest;
mod request;
mod route;
mod status;
mod time;
mod values;

pub use carrier::{Carrier, CarrierAccount, CarrierService, Named};
pub use clock::Clock;
pub use company::{Company, CompanyLocation, Location};
pub use consignment::{Consignment, ConsignmentItem, ConsignmentTotal};
pub use dangerous_goods::{ContainerType, DgClass, DgItem, PackingGroup, UnNumber};
pub use envelope::{Envelope, Misfit, ServiceError, read_envelope};
pub use goods::{ItemReference, ItemRequest, ItemType, StandardItem};
pub use ids::{
    CarrierAccountId, CarrierId, CarrierServiceId, CompanyCarrierAccountId, CompanyId,
    CompanyLocationId, ConsignmentId, ManifestId,
};
pub use label::{LabelFile, LabelFileError, LabelSize};
pub use manifest::{ManifestGroup, ManifestResult};
pub use request::{ConsignmentRequest, CustomValue, LocationRequest, Question, RouteSelection};
pub use route::{DespatchOption, Route, RouteRefusal, RouteRequest, Routes};
pub use status::{Status, StatusChange, StatusId};
pub use time::{LocalTime, TimeError, UtcTime};
pub use values::{Celsius, Centimetres, CubicMetres, Dollars, Kilograms, Quantity};
