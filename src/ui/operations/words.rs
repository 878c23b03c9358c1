//! How operations and print jobs are spoken of: kind, state with its shape and colour, and what holds a consignment.

use super::super::kit::badge::Badge;
use super::super::kit::tokens::Tone;
use super::super::kit::{Icon, icons};
use crate::shipping::ConsignmentId;
use crate::state::{JobState, Kind, Lock, Matter, Operation, OperationState, PrintJob, Shared};

/// A state in a word, with its colour and shape.
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

    /// As a pill.
    pub(in crate::ui) fn badge(self) -> Badge<'static> {
        Badge::new(self.tone, self.word).icon(self.icon)
    }
}

/// Where an operation stands.
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

/// Where a print job stands.
pub(in crate::ui) const fn job_state(state: JobState) -> Look {
    match state {
        JobState::Spooling => Look::new(Tone::Accent, icons::ICON_SEND, "being sent"),
        JobState::Sent => Look::new(Tone::Neutral, icons::ICON_PRINT, "sent to printer"),
        JobState::Failed => Look::new(Tone::Bad, icons::ICON_BLOCK, "not printed"),
        JobState::Ask => Look::new(Tone::Unknown, icons::ICON_VISIBILITY, "needs a look"),
        JobState::Printed => Look::new(Tone::Ok, icons::ICON_CHECK, "came out"),
    }
}

/// A kind in a word.
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

/// What a matter is called as a heading: "Booking with Northline Express".
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

/// The same of a print job.
pub(super) fn job_heading(job: &PrintJob) -> String {
    if job.is_label() {
        format!("Label of {}", job.number)
    } else {
        job.number.clone()
    }
}

/// Where a matter stands; nothing for one that is gone.
pub(super) fn look(shared: &Shared, matter: Matter) -> Option<Look> {
    match matter {
        Matter::Operation(id) => shared.operation(id).map(|operation| state(operation.state)),
        Matter::Job(id) => shared.job(id).map(|job| job_state(job.state)),
    }
}

/// Why a consignment may not be touched.
pub(in crate::ui) struct Held {
    /// "Booking"
    pub(in crate::ui) what: &'static str,
    /// "not known yet"
    pub(in crate::ui) state: &'static str,
    /// "Held by the booking with Northline Express: not known yet"
    pub(in crate::ui) why: String,
}

/// What holds a consignment; nothing where it is free.
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
