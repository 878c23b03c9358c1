//! Contains the records of the service's interface, exactly as they go over the wire.
//!
//! Writing is strict: exact names and case, enums as numbers, absent fields instead of null. Reading is
//! lenient: ids may be numbers or strings, fields may be missing or null, times may lack a zone, and unknown
//! enum values are kept.

mod attachment;
mod carrier;
mod cell_text;
mod clock;
mod company;
mod consignment;
mod consignment_item;
mod course;
mod customs;
mod dangerous_goods;
mod dialect;
mod edit;
mod envelope;
mod file_name;
mod goods;
mod home_clocks;
mod ids;
mod label;
mod lenient;
mod live_pricing;
mod manifest;
mod partial;
mod pending;
mod printing;
mod raw_object;
mod record;
mod request;
mod route;
mod status;
mod time;
mod tracking;
mod un_number;
mod values;

pub use attachment::{Attachment, Document, DocumentError, DocumentKind, told_apart};
pub use carrier::{Carrier, CarrierAccount, CarrierService, Named};
pub use cell_text::no_formula;
pub use clock::Clock;
pub use company::{Company, CompanyLocation, Location};
pub use consignment::{Consignment, ConsignmentTotal};
pub use consignment_item::{ConsignmentDgItem, ConsignmentItem, ConsignmentItemContents};
pub use course::{Course, Mishap};
pub use customs::{CountryCode, ItemContents, NotACountry};
pub use dangerous_goods::{ContainerType, DgClass, DgItem, PackingGroup, UnNumber};
pub use dialect::{CompanyForm, DespatchSpelling, Dialect, IdLists, KeyPlace, Optional, Paths};
pub use edit::{EditForm, EditItem};
pub use envelope::{
    Envelope, Misfit, Page, ServiceError, read_acknowledgement, read_bare, read_envelope,
    read_list, read_page, read_routes,
};
pub use file_name::file_name;
pub use goods::{ItemReference, ItemRequest, ItemType, StandardItem};
pub use home_clocks::{home_zone, zone_of};
pub use ids::{
    AttachmentId, CarrierAccountId, CarrierId, CarrierServiceId, CompanyCarrierAccountId,
    CompanyDgItemId, CompanyId, CompanyItemId, CompanyLocationId, ConsignmentId, ManifestId,
    PendingConsignmentId, PrinterId, ReceiverAccountId,
};
pub use label::{LabelFile, LabelFileError, LabelSize};
pub use live_pricing::{
    LivePrices, PriceRequest, Quote, QuoteItem, QuotedItem, Rate, ShippingAddress, ShippingOptions,
    Warehouse,
};
pub use manifest::{ManifestGroup, ManifestResult};
pub use partial::{PartialList, Unread};
pub use pending::{PendingConsignment, PendingConsignmentRequest, PendingItemRequest};
pub use printing::{LabelOrder, LabelType, PrinterChoice, PrinterStatus, ServicePrinter};
pub use record::Record;
pub use request::{
    ConsignmentRequest, CustomValue, Despatch, LocationRequest, Question, RouteSelection,
};
pub use route::{DespatchOption, Route, RouteRefusal, RouteRequest, Routes, Surcharge};
pub use status::{Status, StatusChange, StatusId, StatusUpdate};
pub use time::{LocalTime, TimeError, UtcTime};
pub use tracking::{NoTrackingPage, TrackingBases, TrackingDesign};
pub use un_number::{UnClass, UnEntry};
pub use values::{Celsius, Centimetres, CubicMetres, Dollars, Kilograms, Percent, Quantity};
