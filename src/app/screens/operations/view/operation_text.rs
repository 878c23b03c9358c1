//! Texts for operations and print jobs: kind, state with icon and colour, and why a consignment is locked.

use jiff::Timestamp;

use crate::state::{
    ActionItem, ConsignmentLock, JobState, JobSubject, Operation, OperationKind, OperationState,
    Shared,
};
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
    const fn new(tone: Tone, icon: Icon, word: &'static str) -> Self {
        Self { tone, icon, word }
    }

    /// Returns the label as a badge.
    pub(crate) fn badge(self) -> Badge<'static> {
        Badge::new(self.tone, self.word).icon(self.icon)
    }
}

/// Returns the label for the state of an operation.
pub(crate) const fn operation_state(state: OperationState) -> StateLabel {
    match state {
        OperationState::Ready => {
            StateLabel::new(Tone::Accent, icons::ICON_SCHEDULE, "waiting to be sent")
        }
        OperationState::Sending => StateLabel::new(Tone::Accent, icons::ICON_SEND, "sending"),
        OperationState::Done => StateLabel::new(Tone::Ok, icons::ICON_CHECK, "done"),
        OperationState::Rejected => StateLabel::new(Tone::Bad, icons::ICON_BLOCK, "refused"),
        OperationState::Unknown => StateLabel::new(Tone::Unknown, icons::ICON_HELP, "confirming"),
        OperationState::Absent => {
            StateLabel::new(Tone::Warning, icons::ICON_SEARCH_OFF, "not done")
        }
        OperationState::Conflict => {
            StateLabel::new(Tone::Warning, icons::ICON_WARNING, "needs a decision")
        }
        OperationState::Ask => {
            StateLabel::new(Tone::Unknown, icons::ICON_VISIBILITY, "needs a check")
        }
        OperationState::Discarded => StateLabel::new(Tone::Neutral, icons::ICON_CANCEL, "given up"),
    }
}

/// Returns the label for the state of a print job.
pub(crate) const fn job_state(state: JobState) -> StateLabel {
    match state {
        JobState::Spooling => StateLabel::new(Tone::Accent, icons::ICON_SEND, "being sent"),
        JobState::Sent => StateLabel::new(Tone::Neutral, icons::ICON_PRINT, "sent to printer"),
        JobState::Failed => StateLabel::new(Tone::Bad, icons::ICON_BLOCK, "not printed"),
        JobState::Ask => StateLabel::new(Tone::Unknown, icons::ICON_VISIBILITY, "needs a check"),
        JobState::Printed => StateLabel::new(Tone::Ok, icons::ICON_CHECK, "printed"),
    }
}

/// Returns the name of a kind of operation.
pub(crate) const fn kind_name(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Create => "Consignment",
        OperationKind::Edit => "Change",
        OperationKind::Delete => "Deletion",
        OperationKind::Manifest => "Booking",
        OperationKind::Status => "Status",
        OperationKind::PendingCreate => "Pending",
        OperationKind::PendingDelete => "Pending deletion",
        OperationKind::ServicePrint => "Service print",
    }
}

/// Returns the heading of an operation: "Booking with Northline Express".
pub(crate) fn heading(operation: &Operation) -> String {
    let title = operation.title.as_str();
    match operation.kind {
        OperationKind::Create => format!("Consignment {title}"),
        OperationKind::Edit => format!("Edit {title}"),
        OperationKind::Delete | OperationKind::PendingDelete => format!("Delete {title}"),
        OperationKind::Manifest => format!("Booking with {title}"),
        OperationKind::Status => format!("Status of {title}"),
        OperationKind::PendingCreate => format!("Pending consignment {title}"),
        OperationKind::ServicePrint => format!("Service print of {title}"),
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
pub(super) fn summary(shared: &Shared, matter: ActionItem) -> Option<ItemSummary<'_>> {
    Some(match matter {
        ActionItem::Operation(id) => {
            let operation = shared.operations.by_id(id)?;
            let reference = Some(&operation.reference).filter(|reference| !reference.is_empty());
            ItemSummary {
                state: operation_state(operation.state),
                heading: heading(operation),
                kind: kind_name(operation.kind),
                title: &operation.title,
                number: reference.unwrap_or(&operation.key),
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
    /// State of the operation: "confirming".
    pub(crate) state: &'static str,
    /// Explanation: "Locked by the booking with Northline Express: confirming".
    pub(crate) why: String,
}

/// Returns why a consignment is locked; `None` if it is not locked.
pub(crate) fn lock_reason(shared: &Shared, id: ConsignmentId) -> Option<LockReason> {
    let (what, holder, word) = match shared.operations.locked.get(&id)? {
        ConsignmentLock::Requested(asked) => (*asked, holder(*asked, None), "waiting to be sent"),
        ConsignmentLock::Deleting => (
            OperationKind::Delete,
            holder(OperationKind::Delete, None),
            "can still be undone",
        ),
        ConsignmentLock::InUse(operation) => {
            let operation = shared.operations.by_id(*operation)?;
            let holder = holder(operation.kind, Some(&operation.title));
            (
                operation.kind,
                holder,
                operation_state(operation.state).word,
            )
        }
    };
    Some(LockReason {
        what: kind_name(what),
        state: word,
        why: format!("Locked by {holder}: {word}"),
    })
}

fn holder(kind: OperationKind, title: Option<&str>) -> String {
    match (kind, title) {
        (OperationKind::Manifest, Some(carrier)) if !carrier.is_empty() => {
            format!("the booking with {carrier}")
        }
        (OperationKind::Manifest, _) => "its booking".to_owned(),
        (OperationKind::Edit, _) => "its change".to_owned(),
        (OperationKind::Delete | OperationKind::PendingDelete, _) => "its deletion".to_owned(),
        (OperationKind::Status, _) => "its new status".to_owned(),
        (OperationKind::Create | OperationKind::PendingCreate, Some(title)) => {
            format!("the sending of {title}")
        }
        (OperationKind::Create | OperationKind::PendingCreate, None) => "its sending".to_owned(),
        (OperationKind::ServicePrint, _) => "the service's printing".to_owned(),
    }
}
