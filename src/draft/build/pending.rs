//! A draft as a pending consignment: everything may be missing, and what is typed must be readable ("Pending consignment
//! create request").

use serde_json::Value;

use super::{Build, Purpose};
use crate::draft::problem::{Problem, Severity};
use crate::draft::{CheckContext, Draft, GoodsLine};
use crate::shipping::{PendingConsignmentRequest, PendingItemRequest};

/// The request, or what can't be read.
pub(in crate::draft) fn pending(
    draft: &Draft,
    context: &CheckContext,
) -> Result<PendingConsignmentRequest, Vec<Problem>> {
    let mut build = Build::new(draft, context, Purpose::Keep);
    let mut request = build.request();
    build.route(&mut request);
    let mut problems = build.problems;
    problems.retain(|problem| problem.severity == Severity::Error);
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut request = PendingConsignmentRequest::from_consignment(request);
    for custom in &mut request.custom_values {
        // Text here, unlike on create.
        if !custom.value.is_string() {
            custom.value = Value::String(custom.value.to_string());
        }
    }
    for (item, line) in request.items.iter_mut().zip(&draft.goods) {
        name_goods(item, line);
    }
    Ok(request)
}

/// A pending consignment's dangerous goods carry their proper shipping name, too.
fn name_goods(item: &mut PendingItemRequest, line: &GoodsLine) {
    let goods = item.pending_consignment_item_dg_items.iter_mut();
    for (sent, good) in goods.zip(&line.dangerous) {
        if sent.company_dg_item_id.is_none() {
            sent.proper_shipping_name = crate::draft::text::given(&good.shipping_name);
        }
    }
}
