//! Builds a pending consignment from a draft: values may be missing, but typed values must be readable.

use serde_json::Value;

use super::{Purpose, RequestBuilder};
use crate::problem::{Problem, Severity};
use crate::{CheckContext, ContentsLine, DgLine, Draft, Field, GoodsField, GoodsLine, ItemSource};
use shipping::{ItemRequest, PendingConsignmentRequest, PendingItemRequest};

/// Builds the request, or returns the problems.
pub(crate) fn pending(
    draft: &Draft,
    context: &CheckContext,
) -> Result<PendingConsignmentRequest, Vec<Problem>> {
    let mut build = RequestBuilder::new(draft, context, Purpose::Save);
    let mut request = build.request();
    build.route(&mut request);
    for (index, (item, line)) in request.items.iter_mut().zip(&draft.goods).enumerate() {
        build.resolve_saved_item_id(index, line, item);
        remove_untouched(item, line);
    }
    let mut problems = build.problems;
    problems.retain(|problem| problem.severity == Severity::Error);
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut request = PendingConsignmentRequest::from_consignment(request);
    for custom in &mut request.custom_values {
        // Custom values are text here, but may be any JSON value on create.
        if !custom.value.is_string() {
            custom.value = Value::String(custom.value.to_string());
        }
    }
    for (item, line) in request.items.iter_mut().zip(&draft.goods) {
        name_goods(item, line);
    }
    Ok(request)
}

impl RequestBuilder<'_> {
    /// Adds the id of a saved item that is given by its SKU, because items of a pending consignment are
    /// direct or by id.
    fn resolve_saved_item_id(&mut self, index: usize, line: &GoodsLine, item: &mut ItemRequest) {
        if line.source != ItemSource::Sku || line.sku.trim().is_empty() {
            return;
        }
        item.company_item_id = line.remembered_item().and_then(|saved| saved.id);
        if item.company_item_id.is_none() {
            let words = "Choose this saved item by its id: a pending consignment can't use SKUs";
            self.error(Field::Goods(index, GoodsField::Sku), words);
        }
    }
}

/// Removes dangerous goods and contents that were added but never filled in.
fn remove_untouched(item: &mut ItemRequest, line: &GoodsLine) {
    let mut goods = line.dangerous.iter();
    item.consignment_item_dg_items
        .retain(|_| goods.next().is_none_or(is_typed));
    let (mut contents, blank) = (line.contents.iter(), ContentsLine::default());
    item.consignment_item_contents
        .retain(|_| contents.next().is_none_or(|inside| *inside != blank));
}

fn is_typed(good: &DgLine) -> bool {
    *good != DgLine::default()
}

/// Adds the proper shipping names, which dangerous goods of a pending consignment carry too.
fn name_goods(item: &mut PendingItemRequest, line: &GoodsLine) {
    let goods = item.pending_consignment_item_dg_items.iter_mut();
    for (sent, good) in goods.zip(line.dangerous.iter().filter(|good| is_typed(good))) {
        if sent.company_dg_item_id.is_none() {
            sent.proper_shipping_name = crate::text::non_blank(&good.shipping_name);
        }
    }
}
