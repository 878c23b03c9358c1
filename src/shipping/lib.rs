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
mod compatibility;
mod consignment;
mod consignment_item;
mod customs;
mod dangerous_goods;
mod edit_form;
mod envelope;
mod file_name;
mod goods;
mod ids;
mod label;
mod lenient;
mod live_pricing;
mod manifest;
mod object_only;
mod partial_list;
mod pending;
mod printing;
mod raw_object;
mod request;
mod route;
mod status;
mod time;
mod time_zones;
mod tracking;
mod transit_state;
mod un_lookup;
mod values;

pub use attachment::{Attachment, Document, DocumentError, DocumentKind, match_documents};
pub use carrier::{Carrier, CarrierAccount, CarrierService, NamedRecord};
pub use cell_text::escape_formula;
pub use clock::Clock;
pub use company::{Company, CompanyLocation, Location};
pub use compatibility::{
    BenchKeyField, CompanyIdFormat, Compatibility, DespatchSpelling, IdListFormat,
    OptionalFeatures, Paths,
};
pub use consignment::{Consignment, ConsignmentTotal};
pub use consignment_item::{ConsignmentDgItem, ConsignmentItem, ConsignmentItemContents};
pub use customs::{CountryCode, ItemContents, NotACountry};
pub use dangerous_goods::{ContainerType, DgClass, DgItem, PackingGroup, UnNumber};
pub use edit_form::{EditForm, EditItem};
pub use envelope::{
    DecodeError, Envelope, Page, ServiceError, read_acknowledgement, read_envelope, read_list,
    read_page, read_routes, read_without_envelope,
};
pub use file_name::file_name;
pub use goods::{ItemReference, ItemRequest, ItemType, StandardItem};
pub use ids::{
    AttachmentId, CarrierAccountId, CarrierId, CarrierServiceId, CompanyCarrierAccountId,
    CompanyDgItemId, CompanyId, CompanyItemId, CompanyLocationId, ConsignmentId, ManifestId,
    PendingConsignmentId, PrinterId, ReceiverAccountId,
};
pub use label::{LabelFile, LabelFileError, LabelSize};
pub use live_pricing::{
    LivePricingRequest, LivePricingResponse, Quote, QuoteItem, QuotedItem, Rate, ShippingAddress,
    ShippingOptions, Warehouse,
};
pub use manifest::{ManifestGroup, ManifestResult};
pub use object_only::ObjectOnly;
pub use partial_list::{PartialList, UnreadableRecord};
pub use pending::{PendingConsignment, PendingConsignmentRequest, PendingItemRequest};
pub use printing::{
    AvailablePrinters, LabelType, PrintLabelsRequest, PrinterStatus, ServicePrinter,
};
pub use request::{
    ConsignmentRequest, CustomValue, Despatch, LocationRequest, Question, RouteSelection,
};
pub use route::{DespatchOption, Route, RouteRefusal, RouteRequest, Routes, Surcharge};
pub use status::{Status, StatusChange, StatusId, StatusUpdate};
pub use time::{LocalTime, TimeError, UtcTime};
pub use time_zones::{australian_time_zone, time_zone_of};
pub use tracking::{TrackingBases, TrackingDesign, TrackingPageError};
pub use transit_state::{ExceptionKind, TransitState};
pub use un_lookup::{UnClass, UnLookupEntry};
pub use values::{Celsius, Centimetres, CubicMetres, Dollars, Kilograms, Percent, Quantity};
