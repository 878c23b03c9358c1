//! Makes the rows of the printers card from the configured printers and the answers of the print service and
//! the printers.

use super::form::form;
use crate::state::{PrinterHint, PrinterState, PrinterView};
use engine::PrinterStates;
use printing::profile::{
    Destination, DocumentKind, PrinterProfile, Suggestion, accepted_alternative,
    contradicting_suggestion, suggest,
};
use printing::queue::{QueueInfo, QueueState};
use shipping::LocalTime;

/// `seen` has the answers of the print service and the printers; `None` before they arrive.
pub(super) fn printer_rows(
    profiles: &[PrinterProfile],
    chosen: Option<&str>,
    seen: Option<&PrinterStates>,
    zone: &str,
) -> Vec<PrinterView> {
    let mut rows: Vec<_> = profiles
        .iter()
        .map(|profile| set_up(profile, chosen, seen, zone))
        .collect();
    let known = |queue: &QueueInfo| {
        let prints_on = |profile: &PrinterProfile| {
            profile.destination.query_target() == Some(queue.name.as_str())
        };
        profiles.iter().any(prints_on)
    };
    let queues = seen.and_then(|seen| seen.queues.as_ref().ok());
    let found = queues.into_iter().flatten().filter(|queue| !known(queue));
    rows.extend(found.map(|queue| {
        let suggestion = suggest(queue);
        PrinterView {
            name: queue.name.clone(),
            description: suggestion.because,
            state: state(queue.state),
            message: message(queue),
            chosen: false,
            set_up: false,
            form: form(&suggestion.profile, None),
            hint: None,
            proved: String::new(),
        }
    }));
    rows
}

fn set_up(
    profile: &PrinterProfile,
    chosen: Option<&str>,
    seen: Option<&PrinterStates>,
    zone: &str,
) -> PrinterView {
    let (state, message, hint) = match seen {
        None => (PrinterState::Unknown, String::new(), None),
        Some(seen) => answer(profile, seen),
    };
    PrinterView {
        name: profile.name.clone(),
        description: profile_summary(profile),
        state,
        message,
        chosen: chosen == Some(profile.name.as_str()),
        set_up: true,
        form: form(profile, Some(profile.name.clone())),
        hint,
        proved: proved(profile, zone),
    }
}

fn answer(
    profile: &PrinterProfile,
    seen: &PrinterStates,
) -> (PrinterState, String, Option<PrinterHint>) {
    match &profile.destination {
        Destination::Queue(name) => match &seen.queues {
            Ok(queues) => match queues.iter().find(|queue| queue.name == *name) {
                Some(queue) => (state(queue.state), message(queue), hint(profile, queue)),
                None => (
                    PrinterState::Missing,
                    "the queue doesn't exist on this computer".to_owned(),
                    None,
                ),
            },
            Err(error) => (PrinterState::Unknown, error.to_string(), None),
        },
        Destination::Ipp(address) => match seen.direct.get(address) {
            Some(Ok(printer)) => (
                state(printer.state),
                message(printer),
                ipp_language_hint(profile, printer),
            ),
            Some(Err(_)) | None => (
                PrinterState::OutOfReach,
                "the printer doesn't answer at its address".to_owned(),
                None,
            ),
        },
        Destination::Socket { .. } | Destination::File(_) => {
            (PrinterState::Unknown, String::new(), None)
        }
    }
}

/// Suggests the language that the queue reports, if it differs from the profile's. The profile is never
/// changed automatically.
fn hint(profile: &PrinterProfile, queue: &QueueInfo) -> Option<PrinterHint> {
    let Suggestion {
        profile: other,
        because,
        ..
    } = contradicting_suggestion(profile, queue)?;
    let changed = PrinterProfile {
        language: other.language,
        ..profile.clone()
    };
    Some(PrinterHint {
        message: format!("{because}, but it is set to {}", profile.language.name()),
        form: form(&changed, Some(profile.name.clone())),
    })
}

/// Suggests a language that the printer accepts, if it does not accept the profile's. An IPP printer lists
/// exactly the formats that it accepts.
fn ipp_language_hint(profile: &PrinterProfile, printer: &QueueInfo) -> Option<PrinterHint> {
    let other = accepted_alternative(profile.language, &printer.formats)?;
    let changed = PrinterProfile {
        language: other,
        ..profile.clone()
    };
    Some(PrinterHint {
        message: format!(
            "This printer accepts {}, but it is set to {}",
            other.name(),
            profile.language.name()
        ),
        form: form(&changed, Some(profile.name.clone())),
    })
}

/// Describes a profile, for example "ZPL · 203 dpi · 832 dots · item labels · 10.1.1.9:9100".
fn profile_summary(profile: &PrinterProfile) -> String {
    let dots_per_inch = profile.dots_per_mm.get() * 25.4;
    let mut words = format!("{} · {dots_per_inch:.0} dpi", profile.language.name());
    if let Some(dots) = profile.head_width_dots {
        words = format!("{words} · {dots} dots");
    }
    let kinds: Vec<_> = profile
        .documents
        .iter()
        .filter(|kind| DocumentKind::OFFERED.contains(kind))
        .map(|kind| match kind {
            DocumentKind::ItemLabels => "item labels",
            other => other.name_in_sentence(),
        })
        .collect();
    if !kinds.is_empty() {
        words = format!("{words} · {}", kinds.join(", "));
    }
    format!("{words} · {}", profile.destination.label())
}

/// Returns when the test label was scanned, for example "proved on 20 Nov", in the bench's time zone.
fn proved(profile: &PrinterProfile, zone: &str) -> String {
    let proved = profile.test.as_ref().and_then(|test| test.proved);
    let Some(at) = proved else {
        return String::new();
    };
    let day = LocalTime::at(at, zone).0;
    format!("test label scanned on {}", day.strftime("%-d %b"))
}

fn message(queue: &QueueInfo) -> String {
    if !queue.message.is_empty() {
        queue.message.clone()
    } else if queue.state == QueueState::Ready {
        String::new()
    } else {
        queue.state.advice().to_owned()
    }
}

const fn state(state: QueueState) -> PrinterState {
    match state {
        QueueState::Ready => PrinterState::Ready,
        QueueState::Printing => PrinterState::Printing,
        QueueState::Rejecting => PrinterState::Rejecting,
        QueueState::Stopped => PrinterState::Stopped,
        QueueState::OutOfReach => PrinterState::OutOfReach,
        QueueState::NeedsAttention => PrinterState::NeedsAttention,
        QueueState::Unknown => PrinterState::Unknown,
    }
}
