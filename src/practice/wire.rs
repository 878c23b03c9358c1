//! Records of the interface as the practice service reads and writes them. The rules are in `rules`.
//!
//! Written from the specification alone, without the records that the client uses: a misreading on one side
//! then shows as a difference on the wire.

mod answer;
mod edit;
mod good;
mod lenient;
mod live_pricing;
mod moment;
mod order;
mod paper;
mod pending;
mod published;
mod refusal;
mod status;

pub(crate) use answer::{
    carrier_record, consignment_created, consignment_fetched, consignment_listed, money, number,
    place_record, service_record,
};
pub(crate) use edit::{Edit, Mark, editable};
pub(crate) use good::GoodOrder;
pub(crate) use lenient::whole_number;
pub(crate) use live_pricing::{PricedItem, PricedSide, PricingOrder, QuoteOrder};
pub(crate) use moment::{local_text, read_local, read_utc, utc_text};
pub(crate) use order::{Contents, CustomValueOrder, GroupOrder, ItemOrder, Order, SideOrder};
pub(crate) use paper::{AttachmentsOrder, PrintOrder};
pub(crate) use pending::PendingOrder;
pub(crate) use published::{plain, published};
pub(crate) use refusal::{Answer, Document, Envelope, Failure, Refusal, Refusals};
pub(crate) use status::StatusOrder;
