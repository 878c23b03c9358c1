//! Records of the interface as the practice service reads and writes them. The rules are in `rules`.
//!
//! Written from the specification alone, without the records that the client uses: a misreading on one side
//! then shows as a difference on the wire.

mod consignment_request;
mod consignment_response;
mod dangerous_good;
mod documents;
mod edit;
mod lenient;
mod live_pricing;
mod moment;
mod outcome;
mod pending;
mod published;
mod status;

pub(crate) use consignment_request::{
    ConsignmentRequest, ContentsRequest, CustomValueOrder, ItemRequest, ManifestGroupRequest,
    PartyRequest,
};
pub(crate) use consignment_response::{
    carrier_record, consignment_created, consignment_fetched, consignment_listed, money, number,
    place_record, service_record,
};
pub(crate) use dangerous_good::DangerousGoodRequest;
pub(crate) use documents::{AttachmentsRequest, PrintRequest};
pub(crate) use edit::{EditRequest, FormOnlyFields, editable};
pub(crate) use lenient::whole_number;
pub(crate) use live_pricing::{LivePricingRequest, PricingItem, PricingPlace, QuoteRequest};
pub(crate) use moment::{local_text, read_local, read_utc, utc_text};
pub(crate) use outcome::{Answer, Document, Envelope, Failure, Refusal, Refusals};
pub(crate) use pending::PendingRequest;
pub(crate) use published::{to_published_shapes, to_specification_shapes};
pub(crate) use status::StatusUpdateRequest;
