//! Groups, bookings and the operations behind them.

use app::state::{
    Booking, ConsignmentLock, Operation, OperationId, OperationKind, OperationState, Remote, Shared,
};
use shipping::{CompanyId, ConsignmentId, ManifestGroup};

use super::{local, now};

fn group(
    carrier: &str,
    ids: &[i64],
    pickup: &str,
    closing: &str,
    dangerous: bool,
) -> ManifestGroup {
    ManifestGroup {
        consignment_ids: ids.iter().copied().map(ConsignmentId::new).collect(),
        company_id: Some(CompanyId::new(1)),
        pickup_date_time: local(pickup),
        pickup_closing_time: local(closing),
        pallet_spaces: Some(2),
        pickup_special_instructions: None,
        pickup_already_booked: false,
        carrier_name: Some(carrier.to_owned()),
        dgs_declaration: dangerous.then_some(true),
        other: serde_json::Map::new(),
    }
}

fn operation(
    id: i64,
    state: OperationState,
    title: &str,
    reference: &str,
    words: &str,
) -> Operation {
    Operation {
        denied: Vec::new(),
        id: OperationId(id),
        kind: OperationKind::Manifest,
        state,
        key: "PB4-0007".to_owned(),
        title: title.to_owned(),
        request: String::new().into(),
        draft: None,
        consignments: vec![ConsignmentId::new(200_428)],
        attempt: 1,
        checks: 2,
        message: words.to_owned(),
        reference: reference.to_owned(),
        packing: None,
        made: now(),
        changed: now(),
    }
}

fn booking(id: i64, carrier: &str, ids: &[i64]) -> Booking {
    Booking {
        operation: OperationId(id),
        group: group(
            carrier,
            ids,
            "2026-11-20T15:45:00",
            "2026-11-20T17:00:00",
            false,
        ),
    }
}

/// Two groups to adjust, one booking that is done and one that nobody knows of.
pub(super) fn put_into(shared: &mut Shared) {
    shared.dispatch.groups = Remote::ready(vec![
        group(
            "Southern Cross",
            &[200_431, 200_427, 200_423],
            "2026-11-20T16:00:00",
            "2026-11-20T17:00:00",
            true,
        ),
        group(
            "Bluegum",
            &[200_430],
            "2026-11-20T13:30:00",
            "2026-11-20T16:30:00",
            false,
        ),
    ]);
    shared.dispatch.bookings = vec![
        booking(2, "Kookaburra Air", &[200_428, 200_429]),
        booking(1, "Tasman Freight", &[200_420]),
    ];
    shared.operations.list = vec![
        operation(
            2,
            OperationState::Unknown,
            "Kookaburra Air",
            "",
            "The reply was lost. Checking 2 of 5",
        ),
        operation(1, OperationState::Done, "Tasman Freight", "TF-883120", ""),
    ];
    let lock = ConsignmentLock::InUse(OperationId(2));
    shared
        .operations
        .locked
        .insert(ConsignmentId::new(200_428), lock);
}
