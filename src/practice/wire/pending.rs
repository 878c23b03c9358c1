//! Request for a pending consignment: a create request whose fields are all optional, with other names for
//! the dangerous goods and contents of items.

use serde::Deserialize;

use super::{ConsignmentRequest, ContentsRequest, DangerousGoodRequest, ItemRequest, lenient};
use crate::wire::consignment_request::StandardItem;

/// Class number in the interface's sample, although its class enum does not list it. Read as no class.
const NO_CLASS: i64 = 1;

/// The request as sent, before any rule is applied.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PendingForm {
    #[serde(deserialize_with = "lenient::records")]
    items: Option<Vec<PendingItem>>,
    send_tracking_email: Option<bool>,
    #[serde(flatten)]
    order: ConsignmentRequest,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PendingItem {
    #[serde(deserialize_with = "lenient::records")]
    pending_consignment_item_dg_items: Option<Vec<DangerousGoodRequest>>,
    #[serde(deserialize_with = "lenient::records")]
    pending_consignment_item_contents: Option<Vec<ContentsRequest>>,
    #[serde(flatten)]
    item: ItemRequest,
}

/// A pending consignment, converted to the field names of the complex create operation.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "PendingForm")]
pub(crate) struct PendingRequest(pub(crate) ConsignmentRequest);

impl From<PendingForm> for PendingRequest {
    fn from(form: PendingForm) -> Self {
        let items = form.items.unwrap_or_default();
        let mut order = form.order;
        order.sending_tracking_email = form.send_tracking_email.or(order.sending_tracking_email);
        // Pending consignments have `despatch…` where create requests have `dispatch…`.
        order.dispatch_date_time_utc = order.despatch_date_time_utc.take();
        order.dispatch_date_time_local = order.despatch_date_time_local.take();
        order.items = Some(items.into_iter().map(ItemRequest::from).collect());
        Self(order)
    }
}

impl From<PendingItem> for ItemRequest {
    fn from(pending: PendingItem) -> Self {
        let item = pending.item;
        let mut goods = pending.pending_consignment_item_dg_items;
        for good in goods.iter_mut().flatten() {
            good.dg_class_type = good.dg_class_type.filter(|class| *class != NO_CLASS);
        }
        let direct = StandardItem {
            weight: item.weight,
            length: item.length,
            width: item.width,
            height: item.height,
        };
        Self {
            standard_item: item.standard_item.or(Some(direct)),
            consignment_item_dg_items: goods.or(item.consignment_item_dg_items),
            consignment_item_contents: pending
                .pending_consignment_item_contents
                .or(item.consignment_item_contents),
            ..item
        }
    }
}
