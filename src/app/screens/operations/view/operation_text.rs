//! Texts for operations and print jobs: kind, state with icon and colour, and why a consignment is locked.

use std::borrow::Cow;

use jiff::Timestamp;

use crate::state::{
    ActionItem, ConsignmentLock, JobState, JobSubject, Operation, OperationKind, OperationState,
    Shared,
};
use engine::{RELEASED, describe_claim};
use shipping::ConsignmentId;
use widgets::badge::Badge;
use widgets::tokens::Tone;
use widgets::{Icon, icons};

/// The label of a state, with its colour and icon.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StateLabel {
    pub(crate) tone: Tone,
    pub(crate) icon: Icon,
    pub(crate) word: &'static str,
}

impl StateLabel {
    /// Returns the label as a badge.
    pub(crate) fn badge(self) -> Badge<'static> {
        Badge::new(self.tone, self.word).icon(self.icon)
    }
}

/// Returns the label for a state that another bench has told, perhaps one of a newer version.
pub(super) fn state_badge(state: &str) -> StateLabel {
    let mut known = OperationState::ALL.iter().copied();
    match known.find(|known| known.as_str() == state) {
        Some(known) => operation_state(known),
        None if state == RELEASED => OTHER_STATE,
        None => StateLabel {
            word: "other",
            ..OTHER_STATE
        },
    }
}

/// Returns the name of a kind of operation that another bench has told.
pub(super) fn kind_name(kind: &str) -> &'static str {
    let mut known = OperationKind::ALL.iter().copied();
    let known = known.find(|known| known.as_str() == kind);
    known.map_or("Other", |kind| kind_text(kind).name)
}

/// The state of an operation of a bench that is off, after a person has released its claims.
const OTHER_STATE: StateLabel = StateLabel {
    tone: Tone::Neutral,
    icon: icons::ICON_LOCK_OPEN,
    word: "released",
};

/// Returns the label for the state of an operation.
pub(crate) const fn operation_state(state: OperationState) -> StateLabel {
    let (tone, icon, word) = match state {
        OperationState::Ready => (Tone::Accent, icons::ICON_SCHEDULE, "waiting to be sent"),
        OperationState::Sending => (Tone::Accent, icons::ICON_SEND, "sending"),
        OperationState::Done => (Tone::Ok, icons::ICON_CHECK, "done"),
        OperationState::Rejected => (Tone::Bad, icons::ICON_BLOCK, "refused"),
        OperationState::Unknown => (Tone::Unknown, icons::ICON_HELP, "confirming"),
        OperationState::Absent => (Tone::Warning, icons::ICON_SEARCH_OFF, "not done"),
        OperationState::Conflict => (Tone::Warning, icons::ICON_WARNING, "needs a decision"),
        OperationState::Ask => (Tone::Unknown, icons::ICON_VISIBILITY, "needs a check"),
        OperationState::Discarded => (Tone::Neutral, icons::ICON_CANCEL, "given up"),
    };
    StateLabel { tone, icon, word }
}

/// Returns the label for the state of a print job.
pub(super) const fn job_state(state: JobState) -> StateLabel {
    let (tone, icon, word) = match state {
        JobState::Spooling => (Tone::Accent, icons::ICON_SEND, "being sent"),
        JobState::Sent => (Tone::Neutral, icons::ICON_PRINT, "sent to printer"),
        JobState::Failed => (Tone::Bad, icons::ICON_BLOCK, "not printed"),
        JobState::Ask => (Tone::Unknown, icons::ICON_VISIBILITY, "needs a check"),
        JobState::Printed => (Tone::Ok, icons::ICON_CHECK, "printed"),
    };
    StateLabel { tone, icon, word }
}

/// Texts of a kind of operation.
struct KindText {
    name: &'static str,
    /// The heading before the title: "Booking with" Northline Express.
    heading: &'static str,
    /// The name of the operation in the sentence that explains a lock: "its booking".
    holder: &'static str,
}

const fn kind_text(kind: OperationKind) -> KindText {
    let (name, heading, holder) = match kind {
        OperationKind::Create => ("Consignment", "Consignment", "its sending"),
        OperationKind::Edit => ("Change", "Edit", "its change"),
        OperationKind::Delete => ("Deletion", "Delete", "its deletion"),
        OperationKind::Manifest => ("Booking", "Booking with", "its booking"),
        OperationKind::Status => ("Status", "Status of", "its new status"),
        OperationKind::PendingCreate => ("Pending", "Pending consignment", "its sending"),
        OperationKind::PendingDelete => ("Pending deletion", "Delete", "its deletion"),
        OperationKind::ServicePrint => {
            let holder = "the service's printing";
            ("Service print", "Service print of", holder)
        }
    };
    KindText {
        name,
        heading,
        holder,
    }
}

/// The texts of an action item on Operations.
pub(super) struct ItemSummary<'a> {
    pub(super) state: StateLabel,
    /// Heading beside the list: "Booking with Northline Express", "Label of MS200001".
    pub(super) heading: String,
    pub(super) kind: &'static str,
    /// Title of the operation, or the printer of the job.
    pub(super) title: &'a str,
    pub(super) number: &'a str,
    pub(super) message: &'a str,
    pub(super) since: Timestamp,
}

/// Returns the summary of an action item; `None` if it no longer exists.
pub(super) fn summary(shared: &Shared, item: ActionItem) -> Option<ItemSummary<'_>> {
    Some(match item {
        ActionItem::Operation(id) => {
            let operation = shared.operations.by_id(id)?;
            let text = kind_text(operation.kind);
            let number = match operation.reference.as_str() {
                "" => &operation.key,
                reference => reference,
            };
            ItemSummary {
                state: operation_state(operation.state),
                heading: format!("{} {}", text.heading, operation.title),
                kind: text.name,
                title: &operation.title,
                number,
                message: &operation.message,
                since: operation.made,
            }
        }
        ActionItem::Job(id) => {
            let job = shared.labels.job(id)?;
            ItemSummary {
                state: job_state(job.state),
                heading: match job.subject {
                    JobSubject::Label(_) => format!("Label of {}", job.number),
                    JobSubject::TestLabel | JobSubject::Document => job.number.clone(),
                },
                kind: "Label",
                title: &job.printer,
                number: &job.number,
                message: &job.message,
                since: job.made,
            }
        }
    })
}

/// Why a consignment is locked.
pub(crate) struct LockReason {
    /// Kind of the operation: "Booking".
    pub(crate) what: &'static str,
    /// State of the operation: "confirming", or the bench that has it: "on Bench 3".
    pub(crate) state: Cow<'static, str>,
    /// Explanation: "Locked by the booking with Northline Express: confirming".
    pub(crate) why: String,
}

/// Returns why a consignment is locked; `None` if it is not locked.
pub(crate) fn lock_reason(shared: &Shared, id: ConsignmentId) -> Option<LockReason> {
    let by_kind = |kind| kind_text(kind).holder.to_owned();
    let (kind, holder, state) = match *shared.operations.locked.get(&id)? {
        ConsignmentLock::Requested(kind) => (kind, by_kind(kind), "waiting to be sent"),
        ConsignmentLock::Deleting => {
            let kind = OperationKind::Delete;
            (kind, by_kind(kind), "can still be undone")
        }
        ConsignmentLock::InUse(operation) => {
            let operation = shared.operations.by_id(operation)?;
            let state = operation_state(operation.state).word;
            (operation.kind, holder(operation), state)
        }
        ConsignmentLock::OnOtherBench => return claimed(shared, id),
    };
    Some(LockReason {
        what: kind_text(kind).name,
        state: state.into(),
        why: format!("Locked by {holder}: {state}"),
    })
}

/// Returns which bench has claimed a consignment.
fn claimed(shared: &Shared, id: ConsignmentId) -> Option<LockReason> {
    let claim = shared.workgroup.as_ref()?.claim_of(id)?;
    let kinds = OperationKind::ALL.iter();
    // A newer version may have other kinds.
    let kind = kinds
        .copied()
        .find(|kind| kind.as_str() == claim.operation.kind);
    Some(LockReason {
        what: kind.map_or("In use", |kind| kind_text(kind).name),
        state: format!("on {}", claim.bench_name).into(),
        why: describe_claim(claim),
    })
}

fn holder(operation: &Operation) -> String {
    let title = &operation.title;
    match operation.kind {
        OperationKind::Manifest if !title.is_empty() => format!("the booking with {title}"),
        OperationKind::Create | OperationKind::PendingCreate => format!("the sending of {title}"),
        kind => kind_text(kind).holder.to_owned(),
    }
}
