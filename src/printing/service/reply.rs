//! Converts the answers of a print service to our own records. Attributes that are missing or have another
//! type become "unknown": servers differ, and an odd answer must not stop us.

use std::io::Cursor;

use hyper::body::Bytes;
use ipp::parser::IppParser;
use ipp::prelude::{DelimiterTag, IppAttributeGroup, IppRequestResponse, IppValue, StatusCode};
use ipp::reader::IppReader;

use super::super::queue::{JobInfo, JobState, QueueInfo, QueueState};
use super::ServiceError;

/// A response with a successful status.
pub(super) type Response = IppRequestResponse;

/// The IPP status for "no such queue", with which CUPS also reports that it has no queues at all.
pub(super) const NOT_FOUND: &str = "not found";

/// The bit of `printer-type` that marks the system's default printer.
const IS_DEFAULT: i32 = 0x0002_0000;

/// Earlier times, before September 2001, are not real: a printer without a clock counts from when it
/// was switched on.
const LONG_AGO: i64 = 1_000_000_000;

/// Reasons that mean that the printer cannot be reached.
const OUT_OF_REACH: [&str; 5] = [
    "connecting-to-device",
    "offline",
    "timed-out",
    "shutdown",
    "cups-missing-filter",
];

/// Messages of CUPS's own backends when they cannot connect. They give no reason in that case.
const CANNOT_CONNECT: [&str; 4] = [
    "may not exist or is unavailable",
    "is not responding",
    "Unable to locate printer",
    "unreachable",
];

/// Reasons that need a person at the printer, and the message for the clerk.
const ATTENTION_MESSAGES: [(&str, &str); 6] = [
    ("media-empty", "It is out of labels"),
    ("media-needed", "It is out of labels"),
    ("media-jam", "Labels are jammed"),
    ("cover-open", "Its cover is open"),
    ("door-open", "Its door is open"),
    ("marker-supply-empty", "Its ribbon or toner is empty"),
];

pub(super) fn parse(bytes: Bytes) -> Result<Response, ServiceError> {
    let parsed = IppParser::new(IppReader::new(Cursor::new(bytes))).parse();
    let response = parsed.map_err(|_detail| ServiceError::Unreadable)?;
    match response.header().status_code() {
        status if status.is_success() => Ok(response),
        StatusCode::ClientErrorNotFound => Err(ServiceError::Refused {
            status: NOT_FOUND.into(),
        }),
        status => Err(ServiceError::Refused {
            status: status.to_string(),
        }),
    }
}

pub(super) fn queues(response: &Response) -> Vec<QueueInfo> {
    response
        .attributes()
        .groups_of(DelimiterTag::PrinterAttributes)
        .filter_map(queue)
        .collect()
}

fn queue(group: &IppAttributeGroup) -> Option<QueueInfo> {
    Some(described(group, text(group, "printer-name")?))
}

/// Reads a printer that was queried at its own address.
pub(super) fn printer(group: &IppAttributeGroup, address: &str) -> QueueInfo {
    QueueInfo {
        device_uri: address.to_owned(),
        raw: false,
        ..described(group, address.to_owned())
    }
}

fn described(group: &IppAttributeGroup, name: String) -> QueueInfo {
    let reasons = texts(group, "printer-state-reasons");
    let said = text(group, "printer-state-message").unwrap_or_default();
    let make_and_model = text(group, "printer-make-and-model").unwrap_or_default();
    QueueInfo {
        name,
        state: state(group, &reasons, &said),
        message: if said.is_empty() {
            attention_message(&reasons).unwrap_or_default().to_owned()
        } else {
            said
        },
        waiting_jobs: number(group, "queued-job-count")
            .and_then(|count| u32::try_from(count).ok())
            .unwrap_or(0),
        device_uri: text(group, "device-uri").unwrap_or_default(),
        raw: make_and_model.to_lowercase().contains("raw"),
        make_and_model,
        device_id: text(group, "printer-device-id").unwrap_or_default(),
        default: number(group, "printer-type").is_some_and(|bits| bits & IS_DEFAULT != 0),
        dots_per_mm: dots_per_mm(group),
        formats: texts(group, "document-format-supported"),
        raster_types: texts(group, "pwg-raster-document-type-supported"),
        media_ready: texts(group, "media-ready"),
        reasons,
    }
}

/// Returns the highest supported resolution, or the default one if no list is given.
fn dots_per_mm(group: &IppAttributeGroup) -> Option<f64> {
    let told = value(group, "printer-resolution-supported")
        .or_else(|| value(group, "printer-resolution-default"))?;
    let dots = |value: &IppValue| match value {
        // Unit 3 is dots per inch, unit 4 dots per centimetre.
        IppValue::Resolution {
            cross_feed,
            units: 3,
            ..
        } => Some(f64::from(*cross_feed) / 25.4),
        IppValue::Resolution {
            cross_feed,
            units: 4,
            ..
        } => Some(f64::from(*cross_feed) / 10.0),
        _ => None,
    };
    // Printers write 8 dots per millimetre as 203 dpi.
    told.into_iter()
        .filter_map(dots)
        .map(|dots| {
            if (dots - dots.round()).abs() < 0.03 {
                dots.round()
            } else {
                (dots * 10.0).round() / 10.0
            }
        })
        .max_by(f64::total_cmp)
}

fn state(group: &IppAttributeGroup, reasons: &[String], said: &str) -> QueueState {
    let out_of_reach = reasons
        .iter()
        .any(|told| OUT_OF_REACH.iter().any(|reason| told.starts_with(reason)))
        || CANNOT_CONNECT.iter().any(|words| said.contains(words));
    match number(group, "printer-state") {
        _ if flag(group, "printer-is-accepting-jobs") == Some(false) => QueueState::Rejecting,
        Some(5) => QueueState::Stopped,
        _ if out_of_reach => QueueState::OutOfReach,
        _ if attention_message(reasons).is_some() => QueueState::NeedsAttention,
        Some(4) => QueueState::Printing,
        Some(3) => QueueState::Ready,
        _ => QueueState::Unknown,
    }
}

fn attention_message(reasons: &[String]) -> Option<&'static str> {
    let needed = |(reason, _): &&(&str, _)| reasons.iter().any(|told| told.starts_with(*reason));
    ATTENTION_MESSAGES
        .iter()
        .find(needed)
        .map(|(_, words)| *words)
}

pub(super) fn jobs(response: &Response) -> Vec<JobInfo> {
    let mut jobs: Vec<_> = response
        .attributes()
        .groups_of(DelimiterTag::JobAttributes)
        .filter_map(job)
        .collect();
    jobs.sort_by_key(|job| job.id);
    jobs
}

fn job(group: &IppAttributeGroup) -> Option<JobInfo> {
    let state = match number(group, "job-state") {
        Some(3) => JobState::Waiting,
        Some(4) => JobState::Held,
        Some(5) => JobState::Printing,
        Some(6) => JobState::Stopped,
        Some(7) => JobState::Cancelled,
        Some(8) => JobState::Aborted,
        Some(9) => JobState::HandedOver,
        _ => JobState::Unknown,
    };
    // The jobs of a stopped queue are still "pending"; only their reasons show that the queue is stopped.
    let stopped = ["job-state-reasons", "job-printer-state-reasons"]
        .iter()
        .flat_map(|reasons| texts(group, reasons))
        .any(|reason| reason.starts_with("printer-stopped") || reason == "paused");
    let state = match state {
        JobState::Waiting if stopped => JobState::Stopped,
        state => state,
    };
    let said = |name| text(group, name).filter(|said| !said.is_empty());
    Some(JobInfo {
        id: number(group, "job-id").and_then(|id| u32::try_from(id).ok())?,
        title: text(group, "job-name").unwrap_or_default(),
        state,
        message: said("job-printer-state-message")
            .or_else(|| said("job-state-message"))
            .unwrap_or_default(),
        // A missing attribute does not mean that printing never started; only an explicit "no value" does.
        has_started: !matches!(value(group, "time-at-processing"), Some(IppValue::NoValue)),
        created_at: number(group, "time-at-creation")
            .map(i64::from)
            .filter(|at| *at > LONG_AGO),
        owner: text(group, "job-originating-user-name").unwrap_or_default(),
    })
}

fn value<'a>(group: &'a IppAttributeGroup, name: &str) -> Option<&'a IppValue> {
    group.get(name).map(ipp::attribute::IppAttribute::value)
}

fn number(group: &IppAttributeGroup, name: &str) -> Option<i32> {
    match value(group, name)? {
        IppValue::Integer(number) | IppValue::Enum(number) => Some(*number),
        _ => None,
    }
}

fn flag(group: &IppAttributeGroup, name: &str) -> Option<bool> {
    match value(group, name)? {
        IppValue::Boolean(flag) => Some(*flag),
        _ => None,
    }
}

fn text(group: &IppAttributeGroup, name: &str) -> Option<String> {
    to_text(value(group, name)?)
}

fn texts(group: &IppAttributeGroup, name: &str) -> Vec<String> {
    value(group, name)
        .map(|list| list.into_iter().filter_map(to_text).collect())
        .unwrap_or_default()
}

/// Returns a text value of any kind, without control characters, since it is shown on one line.
fn to_text(value: &IppValue) -> Option<String> {
    let text = match value {
        IppValue::TextWithLanguage { text, .. } => text.to_string(),
        IppValue::NameWithLanguage { name, .. } => name.to_string(),
        IppValue::TextWithoutLanguage(_)
        | IppValue::NameWithoutLanguage(_)
        | IppValue::Keyword(_)
        | IppValue::Uri(_)
        | IppValue::MimeMediaType(_) => value.to_string(),
        _ => return None,
    };
    Some(text.chars().filter(|c| !c.is_control()).take(500).collect())
}
