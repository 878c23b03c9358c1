//! Edits unmanifested consignments: hands out the editable form and accepts the form with its changes.
//!
//! All rules are applied again and the price is calculated again. A form that comes back unchanged changes
//! only the time of the update. Item references change only if the form sets `setItemReferences`.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::group::find_unmanifested;
use super::prepare::{Prepared, prepare};
use super::{Call, PracticeService, carrier_references};
use crate::catalogue::Carrier;
use crate::consignment::{Consignment, Line};
use crate::rules::{ALREADY_MANIFESTED, OperationVariant, Purpose};
use crate::wire::{
    Answer, EditRequest, Failure, FormOnlyFields, Refusal, Refusals, consignment_created, editable,
};

/// Handles `consignments/getUnmanifestedConsignmentForEdit`.
pub(crate) fn for_edit(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let id = call
        .whole_number("id")?
        .ok_or_else(|| Refusal::new("id", "id is required"))?;
    let consignment = find_unmanifested(desk, call, id)?.consignment;
    let version = version(desk, &consignment);
    Ok(Answer::Object(editable(
        &desk.catalogue,
        &consignment,
        &version,
    )))
}

/// Handles `consignments/editUnmanifestedConsignment`.
pub(crate) fn edit(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let mut edit: EditRequest = call.record()?;
    let id = edit
        .id
        .ok_or_else(|| Refusal::new("id", "id is required"))?;
    let before = find_unmanifested(desk, call, id)?.consignment;
    check_version(desk, &before, edit.row_version.as_deref())?;
    let kept = kept_lines(&before, &edit.marks)?;
    if !edit.set_item_references {
        for item in edit.order.items.iter_mut().flatten() {
            item.consignment_item_references = None;
        }
    }
    let purpose = Purpose::Edit(before.job.not_before);
    let prepared = prepare(
        desk,
        &call.user,
        &edit.order,
        OperationVariant::Complex,
        purpose,
    )?;
    let mut after = replaced(&before, &edit, &prepared, &kept);
    let carrier = prepared.quote.carrier;
    let former = desk.catalogue.carrier(before.carrier_id);
    after.carrier_consignment_id = carrier_number(former, carrier, &before, &edit)?;
    let is_own = |reference: &str| {
        former.is_some_and(|former| carrier_references::is_own(former, id, reference))
    };
    let changed = carrier.id != before.carrier_id;
    if changed {
        for line in &mut after.job.lines {
            line.references.retain(|reference| !is_own(reference));
        }
    }
    if changed || edit.set_item_references {
        carrier_references::check(carrier, None, &after.job.lines, &is_own)?;
    }
    carrier_references::fill(carrier, id, &mut after.job.lines);
    after.number_lines();
    after.updated = Some(desk.clock.now());
    let stored = desk.store().replace_consignment(&after)?;
    let tracked = stored.ok_or_else(|| Refusal::general(ALREADY_MANIFESTED))?;
    Ok(Answer::Object(consignment_created(
        &desk.catalogue,
        &tracked,
    )))
}

/// Returns a hash of the editable form. A different hash means that the consignment has changed since the
/// form was fetched.
fn version(desk: &PracticeService, consignment: &Consignment) -> String {
    let form = editable(&desk.catalogue, consignment, "").to_string();
    let mut version = String::with_capacity(16);
    for byte in Sha256::digest(form.as_bytes()).iter().take(8) {
        // Writing to a string cannot fail.
        let _ = write!(version, "{byte:02x}");
    }
    version
}

fn check_version(
    desk: &PracticeService,
    before: &Consignment,
    sent: Option<&str>,
) -> Result<(), Refusal> {
    let wording = match sent {
        Some(sent) if sent == version(desk, before) => return Ok(()),
        Some(_) => "Consignment was changed since it was fetched for editing",
        None => "rowVersion is required",
    };
    Err(Refusal::new("rowVersion", wording))
}

/// Returns the existing line for each item of the form, or `None` for a new item.
fn kept_lines<'a>(
    before: &'a Consignment,
    marks: &[FormOnlyFields],
) -> Result<Vec<Option<&'a Line>>, Failure> {
    let mut refusals = Refusals::default();
    let mut kept: Vec<Option<&Line>> = Vec::with_capacity(marks.len());
    for (index, mark) in marks.iter().enumerate() {
        let field = || format!("items[{index}].id");
        let line = mark.id.and_then(|id| {
            let mut lines = before.job.lines.iter();
            lines.find(|line| before.item_id(line) == id)
        });
        if let (Some(id), None) = (mark.id, line) {
            refusals.add(
                field(),
                format!("Item {id} does not belong to this consignment"),
            );
        }
        let twice = |line: &Line| {
            kept.iter()
                .flatten()
                .any(|other| other.number == line.number)
        };
        if line.is_some_and(twice) {
            refusals.add(field(), "The same item is sent twice");
        }
        kept.push(line);
    }
    if refusals.is_empty() {
        Ok(kept)
    } else {
        Err(refusals.into_failure())
    }
}

/// Returns the consignment with the form's values. Lines that stay keep their numbers and, unless
/// `setItemReferences` is true, their references.
fn replaced(
    before: &Consignment,
    edit: &EditRequest,
    prepared: &Prepared<'_>,
    kept: &[Option<&Line>],
) -> Consignment {
    let quote = &prepared.quote;
    let mut after = Consignment {
        company_id: prepared.company.id,
        carrier_id: quote.carrier.id,
        service_id: quote.service.id,
        account_id: quote.account.id,
        company_carrier_account_id: quote.account.company_carrier_account_id,
        job: prepared.job.clone(),
        price: quote.price.clone(),
        despatch: prepared.trip.despatch.timestamp(),
        eta: prepared.trip.eta.timestamp(),
        office: edit.office.clone(),
        ..before.clone()
    };
    let lines = after.job.lines.iter_mut().zip(kept).zip(&edit.marks);
    for ((line, kept), mark) in lines {
        line.stackable = mark.stackable;
        let Some(kept) = kept else { continue };
        line.number = kept.number;
        if !edit.set_item_references {
            line.references.clone_from(&kept.references);
        }
    }
    after
}

/// Returns the carrier consignment id: the one in the form, or the carrier's own if the form has none or
/// still has the former carrier's own.
fn carrier_number(
    former: Option<&Carrier>,
    carrier: &Carrier,
    before: &Consignment,
    edit: &EditRequest,
) -> Result<String, Failure> {
    let id = before.id;
    let was_own = |sent: &str| {
        former.is_some_and(|former| carrier_references::consignment_id(former, id, None) == sent)
    };
    let sent = edit.order.carrier_consignment_id.as_deref();
    let delegated = sent.filter(|sent| !was_own(sent));
    let unchanged = carrier.id == before.carrier_id
        && delegated == Some(before.carrier_consignment_id.as_str());
    if !unchanged {
        carrier_references::check(carrier, delegated, &[], &|_| false)?;
    }
    Ok(carrier_references::consignment_id(carrier, id, delegated))
}
