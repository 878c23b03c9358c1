//! Texts for operations and print jobs: kind, state with icon and colour, and why a consignment is locked.

use super::super::kit::badge::Badge;
use super::super::kit::tokens::Tone;
use super::super::kit::{Icon, icons};
use crate::shipping::ConsignmentId;
use crate::state::{
    JobState, JobSubject, Kind, Lock, Matter, Operation, OperationState, PrintJob, Shared,
};

/// The label of a state, with its colour and icon.
#[derive(Debug, Clone, Copy)]
pub(in crate::ui) struct Look {
    pub(in crate::ui) tone: Tone,
    pub(in crate::ui) icon: Icon,
    pub(in crate::ui) word: &'static str,
}

impl Look {
    const fn new(tone: Tone, icon: Icon, word: &'static str) -> Self {
        Self { tone, icon, word }
    }

    /// Returns the label as a badge.
    pub(in crate::ui) fn badge(self) -> Badge<'static> {
        Badge::new(self.tone, self.word).icon(self.icon)
    }
}

/// Returns the label for the state of an operation.
pub(in crate::ui) const fn state(state: OperationState) -> Look {
    match state {
        OperationState::Ready => {
            Look::new(Tone::Accent, icons::ICON_SCHEDULE, "waiting to be sent")
        }
        OperationState::Sending => Look::new(Tone::Accent, icons::ICON_SEND, "on its way"),
        OperationState::Done => Look::new(Tone::Ok, icons::ICON_CHECK, "done"),
        OperationState::Rejected => Look::new(Tone::Bad, icons::ICON_BLOCK, "refused"),
        OperationState::Unknown => Look::new(Tone::Unknown, icons::ICON_HELP, "not known yet"),
        OperationState::Absent => {
            Look::new(Tone::Warning, icons::ICON_SEARCH_OFF, "did not happen")
        }
        OperationState::Conflict => Look::new(Tone::Warning, icons::ICON_WARNING, "to decide"),
        OperationState::Ask => Look::new(Tone::Unknown, icons::ICON_VISIBILITY, "needs a look"),
        OperationState::Discarded => Look::new(Tone::Neutral, icons::ICON_CANCEL, "given up"),
    }
}

/// Returns the label for the state of a print job.
pub(in crate::ui) const fn job_state(state: JobState) -> Look {
    match state {
        JobState::Spooling => Look::new(Tone::Accent, icons::ICON_SEND, "being sent"),
        JobState::Sent => Look::new(Tone::Neutral, icons::ICON_PRINT, "sent to printer"),
        JobState::Failed => Look::new(Tone::Bad, icons::ICON_BLOCK, "not printed"),
        JobState::Ask => Look::new(Tone::Unknown, icons::ICON_VISIBILITY, "needs a look"),
        JobState::Printed => Look::new(Tone::Ok, icons::ICON_CHECK, "came out"),
    }
}

/// Returns the name of a kind of operation.
pub(in crate::ui) const fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Create => "Consignment",
        Kind::Edit => "Change",
        Kind::Delete => "Deletion",
        Kind::Manifest => "Booking",
        Kind::Status => "Status",
        Kind::PendingCreate => "Pending",
        Kind::PendingDelete => "Pending deletion",
        Kind::ServicePrint => "Service print",
    }
}

/// Returns the heading of an operation: "Booking with Northline Express".
pub(in crate::ui) fn heading(operation: &Operation) -> String {
    let title = operation.title.as_str();
    match operation.kind {
        Kind::Create => format!("Consignment {title}"),
        Kind::Edit => format!("Change of {title}"),
        Kind::Delete | Kind::PendingDelete => format!("Deletion of {title}"),
        Kind::Manifest => format!("Booking with {title}"),
        Kind::Status => format!("Status of {title}"),
        Kind::PendingCreate => format!("Pending consignment {title}"),
        Kind::ServicePrint => format!("Labels of {title} at the service"),
    }
}

/// Returns the heading of a print job: "Label of MS200001".
pub(super) fn job_heading(job: &PrintJob) -> String {
    match job.subject {
        JobSubject::Label(_) => format!("Label of {}", job.number),
        JobSubject::TestLabel | JobSubject::Document => job.number.clone(),
    }
}

/// Returns the label for the state of an action item; `None` if it no longer exists.
pub(super) fn look(shared: &Shared, matter: Matter) -> Option<Look> {
    match matter {
        Matter::Operation(id) => shared.operation(id).map(|operation| state(operation.state)),
        Matter::Job(id) => shared.job(id).map(|job| job_state(job.state)),
    }
}

/// Why a consignment is locked.
pub(in crate::ui) struct Held {
    /// Kind of the operation: "Booking".
    pub(in crate::ui) what: &'static str,
    /// State of the operation: "not known yet".
    pub(in crate::ui) state: &'static str,
    /// Explanation: "Held by the booking with Northline Express: not known yet".
    pub(in crate::ui) why: String,
}

/// Returns why a consignment is locked; `None` if it is not locked.
pub(in crate::ui) fn lock(shared: &Shared, id: ConsignmentId) -> Option<Held> {
    let (what, holder, word) = match shared.locked.get(&id)? {
        Lock::Asked(asked) => (*asked, holder(*asked, None), "waiting to be sent"),
        Lock::Deleting => (
            Kind::Delete,
            holder(Kind::Delete, None),
            "can still be undone",
        ),
        Lock::Held(operation) => {
            let operation = shared.operation(*operation)?;
            let holder = holder(operation.kind, Some(&operation.title));
            (operation.kind, holder, state(operation.state).word)
        }
    };
    Some(Held {
        what: kind(what),
        state: word,
        why: format!("Held by {holder}: {word}"),
    })
}

fn holder(kind: Kind, title: Option<&str>) -> String {
    match (kind, title) {
        (Kind::Manifest, Some(carrier)) if !carrier.is_empty() => {
            format!("the booking with {carrier}")
        }
        (Kind::Manifest, _) => "its booking".to_owned(),
        (Kind::Edit, _) => "its change".to_owned(),
        (Kind::Delete | Kind::PendingDelete, _) => "its deletion".to_owned(),
        (Kind::Status, _) => "its new status".to_owned(),
        (Kind::Create | Kind::PendingCreate, Some(title)) => format!("the sending of {title}"),
        (Kind::Create | Kind::PendingCreate, None) => "its sending".to_owned(),
        (Kind::ServicePrint, _) => "the service's printing".to_owned(),
    }
}
