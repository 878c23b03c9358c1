//! Operations in every state, and the details of the shown one.

use app::state::{
    ActionItem, ConsignmentLock, HistoryEntry, JobHistoryEntry, JobState, NextCheck, Operation,
    OperationId, OperationKind, OperationState, Remote, Shared,
};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use shipping::{Consignment, ConsignmentId};

use super::now;

pub(in super::super) const ABSENT: OperationId = OperationId(14);
pub(in super::super) const CONFLICT: OperationId = OperationId(13);
pub(in super::super) const GUESS: OperationId = OperationId(12);
pub(in super::super) const ASK: OperationId = OperationId(11);
pub(in super::super) const UNKNOWN: OperationId = OperationId(2);
pub(in super::super) const EDIT: OperationId = OperationId(8);

fn ago(seconds: i64) -> Timestamp {
    now() - SignedDuration::from_secs(seconds)
}

type Told = (
    OperationId,
    OperationKind,
    OperationState,
    &'static str,
    &'static str,
);

const TOLD: [Told; 10] = [
    (
        ABSENT,
        OperationKind::Create,
        OperationState::Absent,
        "SO-48219",
        "Not found, so it did not go through. Send it again, or give up",
    ),
    (
        CONFLICT,
        OperationKind::Create,
        OperationState::Conflict,
        "SO-48213",
        "Created more than once: MS200431, MS200432",
    ),
    (
        GUESS,
        OperationKind::Create,
        OperationState::Conflict,
        "SO-48190",
        "MS200423 has the same references. Is it this one?",
    ),
    (
        ASK,
        OperationKind::PendingCreate,
        OperationState::Ask,
        "Kings Park Nursery",
        "We don't know: the answer did not come. Check in the service's list of pending consignments whether it was saved",
    ),
    (
        OperationId(10),
        OperationKind::Delete,
        OperationState::Sending,
        "MS200424",
        "",
    ),
    (
        OperationId(9),
        OperationKind::Status,
        OperationState::Ready,
        "MS200102: Cancelled",
        "",
    ),
    (
        EDIT,
        OperationKind::Edit,
        OperationState::Rejected,
        "MS200425",
        "Changed by somebody else meanwhile: toName, items. Open it again",
    ),
    (
        OperationId(7),
        OperationKind::Create,
        OperationState::Done,
        "SO-48207",
        "Created MS200429",
    ),
    (
        OperationId(6),
        OperationKind::ServicePrint,
        OperationState::Done,
        "MS200430",
        "The service accepted the labels for printing",
    ),
    (
        OperationId(5),
        OperationKind::Create,
        OperationState::Discarded,
        "Gawler Hardware and Rural Supplies of the Barossa",
        "Given up by hand",
    ),
];

fn operation((id, kind, state, title, words): Told) -> Operation {
    let (reference, ids): (&str, &[i64]) = match id.0 {
        13 => ("", &[200_431, 200_432]),
        12 => ("", &[200_423]),
        10 => ("", &[200_424]),
        9 => ("", &[200_102]),
        8 => ("", &[200_425]),
        7 => ("MS200429", &[200_429]),
        _ => ("", &[]),
    };
    let carries = matches!(kind, OperationKind::Create | OperationKind::PendingCreate);
    let made = ago(140 * (15 - id.0));
    Operation {
        denied: Vec::new(),
        id,
        kind,
        state,
        key: if carries {
            format!("Bench4-7K{}Q2M9", id.0)
        } else {
            String::new()
        },
        title: title.to_owned(),
        request: String::new().into(),
        draft: None,
        consignments: ids.iter().copied().map(ConsignmentId::new).collect(),
        attempt: u32::from(state != OperationState::Ready),
        checks: match state {
            OperationState::Absent => 5,
            OperationState::Conflict => 1,
            _ => 0,
        },
        message: words.to_owned(),
        reference: reference.to_owned(),
        packing: None,
        made,
        changed: made,
    }
}

/// Operations of every kind and state, with the unknown booking looked for again in a moment.
pub(super) fn put_into(shared: &mut Shared) {
    for told in TOLD.into_iter().rev() {
        let operation = operation(told);
        if operation.state.is_open() {
            let lock = ConsignmentLock::InUse(operation.id);
            let ids = operation.consignments.iter().map(|id| (*id, lock));
            shared.operations.locked.extend(ids);
        }
        shared.operations.list.insert(0, operation);
    }
    let look = NextCheck {
        at: now() + SignedDuration::from_secs(18),
        total: 5,
    };
    shared.operations.next_checks.insert(UNKNOWN, look);
    shared.sort_action_items();
    show(shared, ActionItem::Operation(CONFLICT));
}

fn event(state: OperationState, words: &str, seconds: i64) -> HistoryEntry {
    HistoryEntry {
        state,
        words: words.to_owned(),
        at: ago(seconds),
    }
}

/// What happened to each.
fn history(id: OperationId) -> Vec<HistoryEntry> {
    use OperationState::{Absent, Ask, Conflict, Ready, Rejected, Sending, Unknown};
    let mut events = vec![event(Ready, "", 214), event(Sending, "", 213)];
    let lost = "We don't know yet: the answer did not come in time. Please don't enter it again";
    let checked = |done: i64| {
        let words = format!(
            "We don't know yet. Checked {done} of 5: not found so far. Please don't enter it again"
        );
        event(
            Unknown,
            &words,
            153 - [2, 10, 30, 60][usize::try_from(done - 1).expect("small")],
        )
    };
    match id {
        ABSENT => {
            events.push(event(Unknown, lost, 153));
            events.extend((1..5).map(checked));
            events.push(event(
                Absent,
                "Not found, so it did not go through. Send it again, or give up",
                33,
            ));
        }
        CONFLICT => {
            events.push(event(Unknown, lost, 153));
            events.push(checked(1));
            let words = "Created more than once: MS200431, MS200432";
            events.push(event(Conflict, words, 143));
        }
        GUESS => {
            events.push(event(Unknown, lost, 153));
            let words = "MS200423 has the same references. Is it this one?";
            events.push(event(Conflict, words, 151));
        }
        ASK => events.push(event(Ask, TOLD[3].4, 153)),
        EDIT => {
            events.truncate(1);
            events.push(event(Rejected, TOLD[6].4, 212));
        }
        _ => {
            events.push(event(
                Unknown,
                "We don't know yet: the connection broke. Don't book it any other way",
                153,
            ));
            events.push(checked(1));
            events.push(checked(2));
        }
    }
    events
}

fn found(id: i64, pieces: i64, weight: &str, status: (i64, &str)) -> Consignment {
    let value = json!({
        "id": id, "consignmentNumber": format!("MS{id}"), "status": {"id": status.0, "name": status.1},
        "customerReference": "SO-48213", "toName": "Ballarat Farm & Garden",
        "toLocation": {"suburb": "Ballarat Central", "state": "VIC", "postcode": "3350"},
        "totalItemCount": pieces, "totalWeight": weight,
    });
    serde_json::from_str(&value.to_string()).expect("a consignment")
}

/// Shows an action item beside the list.
pub(in super::super) fn show(shared: &mut Shared, matter: ActionItem) {
    shared.operations.action_item.of = Some(matter);
    shared.operations.action_item.found.clear();
    let id = match matter {
        ActionItem::Operation(id) => id,
        ActionItem::Job(_) => {
            let step = |state, words: &str, seconds| JobHistoryEntry {
                state,
                words: words.to_owned(),
                at: ago(seconds),
            };
            shared.operations.action_item.job_history = Remote::ready(vec![
                step(JobState::Spooling, "", 95),
                step(
                    JobState::Ask,
                    "The connection to the printer broke. Check whether the label came out",
                    93,
                ),
            ]);
            return;
        }
    };
    shared.operations.action_item.history = Remote::ready(history(id));
    shared.operations.action_item.found = match id {
        CONFLICT => Remote::ready(vec![
            found(200_431, 4, "71.5", (3, "Manifested")),
            found(200_432, 4, "71.5", (2, "Unmanifested")),
        ]),
        GUESS => {
            let sent = json!({
                "toName": "Ballarat Farm & Garden", "customerReference": "SO-48213",
                "toLocation": {"suburb": "Ballarat Central", "postcode": "3350"},
                "items": [{"itemType": "Carton", "name": "Hose reels", "quantity": 3}],
            });
            let mut all = shared.operations.list.iter_mut();
            let operation = all.find(|one| one.id == id).expect("one of them");
            operation.request = sent.to_string().into();
            Remote::ready(vec![found(200_423, 4, "71.5", (2, "Unmanifested"))])
        }
        _ => Remote::default(),
    };
}
