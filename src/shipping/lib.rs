//! Contains the records of the service's interface, exactly as they go over the wire.
//!
//! Writing is strict: exact names and case, enums as numbers, absent fields instead of null. Reading is
//! lenient: ids may be numbers or strings, fields may be missing or null, times may lack a zone, and unknown
//! enum values are kept.

mod attachment;
mod company;
mod compatibility;
mod consignment;
mod dangerous_goods;
mod edit_form;
mod envelope;
mod goods;
mod lenient;
mod manifest;
mod prices;
mod printing;
mod request;
mod sanitize;
mod status;
mod time;
mod values;
mod web_address;

pub use attachment::{Attachment, Document, DocumentError, DocumentKind, match_documents};
pub use company::{
    Carrier, CarrierAccount, CarrierService, Company, CompanyLocation, Location, NamedRecord,
};
pub use compatibility::{
    BenchKeyField, CompanyIdFormat, Compatibility, DespatchSpelling, IdListFormat,
    OptionalFeatures, Paths,
};
pub use consignment::{Consignment, ConsignmentTotal};
pub use dangerous_goods::{
    ContainerType, DgClass, DgItem, PackingGroup, UnClass, UnLookupEntry, UnNumber,
};
pub use edit_form::{EditForm, EditItem};
pub use envelope::{
    DecodeError, Envelope, ObjectOnly, PartialList, ServiceError, UnreadableRecord,
    read_acknowledgement, read_envelope, read_list, read_routes, read_without_envelope,
};
pub use goods::{
    ConsignmentItem, CountryCode, ItemContents, ItemReference, ItemType, NotACountry, StandardItem,
};
pub use manifest::{ManifestGroup, ManifestResult};
pub use prices::{
    DespatchOption, LivePricingRequest, LivePricingResponse, Quote, QuoteAddress, QuoteItem,
    QuotedItem, Rate, Route, RouteRefusal, Routes, ShippingOptions, Surcharge,
};
pub use printing::{
    AvailablePrinters, LabelFile, LabelFileError, LabelSize, LabelType, PrintLabelsRequest,
    PrinterStatus, ServicePrinter,
};
pub use request::{
    ConsignmentRequest, CustomValue, Despatch, InternationalPlace, LocationRequest, PartyRequest,
    PendingConsignment, PendingConsignmentRequest, Question, RouteRequest, RouteSelection,
};
pub use sanitize::{escape_formula, file_name};
pub use status::{
    Exception, ExceptionSeverity, Status, StatusChange, StatusId, StatusUpdate, TransitState,
};
pub use time::{Clock, LocalTime, TimeError, UtcTime, australian_time_zone, time_zone_of};
pub use values::{
    AttachmentId, CarrierAccountId, CarrierId, CarrierServiceId, Celsius, Centimetres,
    CompanyCarrierAccountId, CompanyDgItemId, CompanyId, CompanyItemId, CompanyLocationId,
    ConsignmentId, CubicMetres, Dollars, Kilograms, ManifestId, PendingConsignmentId, Percent,
    PrinterId, Quantity, ReceiverAccountId,
};
pub use web_address::{
    AddressError, TrackingBases, TrackingDesign, TrackingPageError, is_loopback,
    parse_secure_address, parse_web_address,
};
