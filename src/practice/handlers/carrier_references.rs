//! Carrier consignment ids and carrier item references, one reference for each piece.
//!
//! The shipper can supply ("delegate") ids and references, independently of each other, if the carrier
//! accepts them. Otherwise the carrier assigns its own.

use std::collections::HashSet;

use crate::catalogue::Carrier;
use crate::consignment::Line;
use crate::wire::{Failure, Refusals};

/// Refuses a consignment id or item references from the shipper that the carrier does not accept. `is_own`
/// tells whether a carrier itself assigned a reference; such references are always accepted.
pub(super) fn check(
    carrier: &Carrier,
    consignment_id: Option<&str>,
    lines: &[Line],
    is_own: &dyn Fn(&str) -> bool,
) -> Result<(), Failure> {
    let mut refusals = Refusals::default();
    if let Some(id) = consignment_id {
        let field = "carrierConsignmentId";
        if !carrier.accepts_consignment_id {
            let wording = format!("{} does not accept a carrier consignment id", carrier.name);
            refusals.add(field, wording);
        } else if !is_id_format(id) {
            let format = "at most 30 letters, digits and hyphens";
            refusals.add(
                field,
                format!("{id} is not in the carrier's format: {format}"),
            );
        }
    }
    for (index, line) in lines.iter().enumerate() {
        let delegated = line.references.iter().any(|reference| !is_own(reference));
        if delegated && !carrier.accepts_item_references {
            let field = format!("items[{index}].consignmentItemReferences");
            let wording = format!("{} does not accept carrier item references", carrier.name);
            refusals.add(field, wording);
        }
    }
    refusals.into_result(())
}

fn is_id_format(id: &str) -> bool {
    let known = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    id.len() <= 30 && id.bytes().all(known)
}

/// Returns the id from the shipper, or else the carrier's own, which is made from the consignment's id.
pub(super) fn consignment_id(carrier: &Carrier, id: i64, delegated: Option<&str>) -> String {
    let own = || format!("{}{id:08}", carrier.reference_prefix);
    delegated.map_or_else(own, str::to_owned)
}

/// Gives each line one reference per piece: keeps the existing references and adds the carrier's own.
/// References beyond the number of pieces are dropped.
pub(super) fn fill(carrier: &Carrier, id: i64, lines: &mut [Line]) {
    let used = lines.iter().flat_map(|line| &line.references);
    let mut used: HashSet<String> = used.cloned().collect();
    let mut piece = 0;
    for line in lines {
        let pieces = usize::try_from(line.quantity).unwrap_or_default();
        line.references.truncate(pieces);
        while line.references.len() < pieces {
            piece += 1;
            let next = format!("{}{piece:06}", own_prefix(carrier, id));
            if used.insert(next.clone()) {
                line.references.push(next);
            }
        }
    }
}

fn own_prefix(carrier: &Carrier, id: i64) -> String {
    format!("{}{id:06}", carrier.reference_prefix)
}

/// Returns whether the carrier itself assigned this reference.
pub(super) fn is_own(carrier: &Carrier, id: i64, reference: &str) -> bool {
    let is_number = |text: &str| text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_digit());
    reference
        .strip_prefix(&own_prefix(carrier, id))
        .is_some_and(is_number)
}
