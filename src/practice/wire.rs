//! Records of the API as the practice service reads and writes them, and times on the wire. The rules are in
//! `rules`.
//!
//! Written from the specification alone, without the records that the client uses: a misreading on one side
//! then shows as a difference on the wire.

mod consignment_response;
mod lenient;
mod outcome;
mod published;
mod requests;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

pub(crate) use consignment_response::{
    carrier_record, consignment_created, consignment_fetched, consignment_listed, editable, money,
    number, place_record, service_record,
};
pub(crate) use lenient::whole_number;
pub(crate) use outcome::{Answer, Document, Envelope, Failure, Refusal, Refusals};
pub(crate) use published::{to_published_shapes, to_specification_shapes};
pub(crate) use requests::{
    AttachmentsRequest, ConsignmentRequest, ContentsRequest, CustomValueOrder,
    DangerousGoodRequest, EditRequest, FormItem, ItemRequest, LivePricingRequest,
    ManifestGroupRequest, PartyRequest, PendingRequest, PricingItem, PricingPlace, PrintRequest,
    QuoteRequest, StatusUpdateRequest,
};

/// How times are written on the wire. They have no offset: the name of the field tells whether a time is UTC or
/// local to a place.
const TIME: &str = "%Y-%m-%dT%H:%M:%S";

/// Formats a UTC time, such as `2026-11-20T04:30:00`.
pub(crate) fn utc_text(moment: Timestamp) -> String {
    moment.strftime(TIME).to_string()
}

/// Formats a local time, such as `2026-11-20T15:30:00`.
pub(crate) fn local_text(moment: &Zoned) -> String {
    moment.strftime(TIME).to_string()
}

/// Reads a UTC time, with or without `Z` or an offset. Returns `None` for text that is not a time.
pub(crate) fn read_utc(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    let zoneless = || TimeZone::UTC.to_timestamp(read_local(text)?).ok();
    text.parse().ok().or_else(zoneless)
}

/// Reads a local time. A `Z` at the end is ignored, because the API writes a `Z` after local times too.
pub(crate) fn read_local(text: &str) -> Option<DateTime> {
    let text = text.trim();
    text.strip_suffix(['Z', 'z']).unwrap_or(text).parse().ok()
}
