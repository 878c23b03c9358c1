//! Edits unmanifested consignments (returns the editable form and accepts the changed form), and deletes them.
//!
//! All rules are applied again and the price is calculated again. A form that comes back unchanged changes
//! only the time of the update. Item references change only if the form sets `setItemReferences`.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::create::prepare;
use super::{Call, carrier_references};
use crate::catalogue::{Carrier, catalogue};
use crate::consignment::{Consignment, ConsignmentRecord, Line};
use crate::rules::{OperationVariant, Purpose};
use crate::wire::{
    Answer, EditRequest, Failure, FormItem, ItemRequest, Refusal, Refusals, Reply, Window,
    consignment_created, editable,
};

pub(crate) fn for_edit(call: &Call<'_>) -> Reply {
    let id = call.required_number("id")?;
    let consignment = call.find_unmanifested(id)?.consignment;
    Ok(editable(&consignment, &version(&consignment)).into())
}

pub(crate) fn edit(call: &Call<'_>) -> Reply {
    let mut edit: EditRequest = call.record()?;
    let missing = || Refusal::new("id", "id is required");
    let id = edit.id.ok_or_else(missing)?;
    let record = call.find_unmanifested(id)?;
    let before = &record.consignment;
    check_version(before, edit.row_version.as_deref())?;
    let forms = edit.items.take().unwrap_or_default();
    let kept = kept_lines(before, &forms)?;
    let sets_references = edit.set_item_references == Some(true);
    let mut items: Vec<ItemRequest> = forms.iter().map(|form| form.item.clone()).collect();
    if !sets_references {
        for item in &mut items {
            item.consignment_item_references = None;
        }
    }
    edit.order.items = Some(items);
    let purpose = Purpose::Edit(before.job.not_before);
    let prepared = prepare(call, &edit.order, OperationVariant::Complex, purpose)?;
    let quote = prepared.quote;
    let mut office = edit.fields.clone();
    let is_open =
        |window: &mut Window| window.opens_local.is_none() || window.closes_local.is_none();
    office.delivery_window.take_if(is_open);
    let mut after = Consignment {
        company_id: prepared.company.id,
        job: prepared.job,
        despatch: prepared.trip.despatch.timestamp(),
        eta: prepared.trip.eta.timestamp(),
        carrier_id: quote.carrier.id,
        service_id: quote.service.id,
        account_id: quote.account.id,
        company_carrier_account_id: quote.account.company_carrier_account_id,
        price: quote.price,
        office,
        updated: Some(call.now()),
        ..before.clone()
    };
    // Lines that stay keep their numbers. They keep their references too if `setItemReferences` is not true.
    let lines = after.job.lines.iter_mut().zip(&kept).zip(&forms);
    for ((line, kept), form) in lines {
        line.stackable = form.is_stackable;
        let Some(kept) = kept else { continue };
        line.number = kept.number;
        if !sets_references {
            line.references.clone_from(&kept.references);
        }
    }
    let carrier = quote.carrier;
    let former = catalogue().carrier(before.carrier_id);
    after.carrier_consignment_id = carrier_number(former, carrier, before, &edit)?;
    let is_own = |reference: &str| {
        former.is_some_and(|former| carrier_references::is_own(former, id, reference))
    };
    let changed = carrier.id != before.carrier_id;
    if changed {
        for line in &mut after.job.lines {
            line.references.retain(|reference| !is_own(reference));
        }
    }
    if changed || sets_references {
        carrier_references::check(carrier, None, &after.job.lines, &is_own)?;
    }
    carrier_references::fill(carrier, id, &mut after.job.lines);
    after.number_lines();
    call.store().replace_consignment(&after)?;
    let record = ConsignmentRecord {
        consignment: after,
        ..record
    };
    Ok(consignment_created(&record).into())
}

/// Returns a hash of the editable form. A different hash means that the consignment has changed since the
/// form was fetched.
fn version(consignment: &Consignment) -> String {
    let mut hasher = DefaultHasher::new();
    editable(consignment, "").to_string().hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn check_version(before: &Consignment, sent: Option<&str>) -> Result<(), Refusal> {
    let message = match sent {
        Some(sent) if sent == version(before) => return Ok(()),
        Some(_) => "Consignment was changed since it was fetched for editing",
        None => "rowVersion is required",
    };
    Err(Refusal::new("rowVersion", message))
}

/// Returns the existing line for each item of the form, or `None` for a new item.
fn kept_lines<'a>(
    before: &'a Consignment,
    forms: &[FormItem],
) -> Result<Vec<Option<&'a Line>>, Failure> {
    let mut refusals = Refusals::default();
    let mut kept: Vec<Option<&Line>> = Vec::with_capacity(forms.len());
    for (index, form) in forms.iter().enumerate() {
        let field = || format!("items[{index}].id");
        let line = form.id.and_then(|id| {
            let mut lines = before.job.lines.iter();
            lines.find(|line| before.item_id(line) == id)
        });
        if let (Some(id), None) = (form.id, line) {
            let message = format!("Item {id} does not belong to this consignment");
            refusals.add(field(), message);
        }
        let mut others = kept.iter().flatten();
        if line.is_some_and(|line| others.any(|other| other.number == line.number)) {
            refusals.add(field(), "The same item is sent twice");
        }
        kept.push(line);
    }
    refusals.into_result(kept)
}

/// Returns the carrier consignment id from the form. If the form has no id, or still has the id that the former
/// carrier assigned, returns the new carrier's own id.
fn carrier_number(
    former: Option<&Carrier>,
    carrier: &Carrier,
    before: &Consignment,
    edit: &EditRequest,
) -> Result<String, Failure> {
    let own = former.map(|former| carrier_references::consignment_id(former, before.id, None));
    let sent = edit.order.carrier_consignment_id.as_deref();
    let delegated = sent.filter(|sent| own.as_deref() != Some(*sent));
    let unchanged = carrier.id == before.carrier_id
        && delegated == Some(before.carrier_consignment_id.as_str());
    if !unchanged {
        carrier_references::check(carrier, delegated, &[], &|_| false)?;
    }
    Ok(carrier_references::consignment_id(
        carrier, before.id, delegated,
    ))
}

pub(crate) fn delete(call: &Call<'_>) -> Reply {
    let ids = call.consignment_ids()?;
    for id in &ids {
        call.find_unmanifested(*id)?;
    }
    call.store().delete_consignments(&ids)?;
    Ok(Answer::Done)
}
