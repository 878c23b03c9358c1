//! Builds the IPP requests, decides where each is sent, and converts the answers to our own records. Attributes of an
//! answer that are missing or have another type become "unknown": servers differ, and an odd answer must not stop us.

use std::io::Cursor;

use hyper::Response;
use hyper::body::Bytes;
use ipp::attribute::IppAttribute;
use ipp::parser::{IppParseError, IppParser};
use ipp::prelude::{
    DelimiterTag, IppAttributeGroup, IppRequestResponse, IppValue, IppVersion, Operation,
    StatusCode, Uri,
};
use ipp::reader::IppReader;
use url::Url;

use super::{JobAction, PrintOptions, ServerAddress, ServiceError};
use crate::queue::{JobInfo, JobState, QueueInfo, QueueState};

/// The user name that we give to driverless printers, and by which we recognise our jobs there. Jobs in a queue of
/// the system have another owner: the user name that the system's print library sends.
pub const IPP_USER_NAME: &str = "packbench";

const QUEUE_ATTRIBUTES: &str = "printer-name printer-state printer-state-message printer-state-reasons \
    printer-is-accepting-jobs printer-make-and-model printer-device-id \
    printer-resolution-default device-uri";

/// The attributes that are requested in addition for a driverless printer.
const PRINTER_ATTRIBUTES: &str = "document-format-supported printer-resolution-supported \
    pwg-raster-document-type-supported";

const JOB_ATTRIBUTES: &str = "job-id job-name job-state job-state-reasons job-state-message \
    job-printer-state-message job-printer-state-reasons time-at-processing time-at-creation \
    job-originating-user-name";

/// The queue or printer that a request is about, and the server that gets the request.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) server: ServerAddress,
    pub(super) path: String,
    /// `None` for all queues at once.
    uri: Option<Uri>,
    direct: bool,
}

impl Target {
    pub(super) fn all_queues(service: &ServerAddress) -> Self {
        Self {
            server: service.clone(),
            path: "/".to_owned(),
            uri: None,
            direct: false,
        }
    }

    /// Finds the target for a queue of `service` by its name, or for a printer by its `ipp://` address;
    /// `None` if the address is not valid.
    pub(super) fn of(place: &str, service: &ServerAddress) -> Option<Self> {
        if !place.starts_with("ipp://") {
            // A queue name may be in any script, but a URI may not, so the name is percent-encoded.
            let mut uri = Url::parse("ipp://localhost/printers").ok()?;
            uri.path_segments_mut().ok()?.push(place);
            return Some(Self {
                uri: Some(uri.as_str().parse().ok()?),
                ..Self::all_queues(service)
            });
        }
        let url = Url::parse(place).ok()?;
        let host = url.host_str()?.trim_matches(['[', ']']).to_owned();
        Some(Self {
            server: ServerAddress::Network {
                host,
                port: url.port().unwrap_or(631),
            },
            path: url.path().to_owned(),
            uri: Some(place.parse().ok()?),
            direct: true,
        })
    }
}

/// Encodes CUPS-Get-Printers, which lists all queues.
pub(super) fn get_printers(target: &Target) -> Result<Vec<u8>, IppParseError> {
    let wanted = keywords(QUEUE_ATTRIBUTES)?;
    request(
        target,
        Operation::CupsGetPrinters,
        [("requested-attributes", wanted)],
    )
}

/// Encodes Get-Printer-Attributes for a printer.
pub(super) fn get_printer(target: &Target) -> Result<Vec<u8>, IppParseError> {
    let wanted = keywords(&format!("{QUEUE_ATTRIBUTES} {PRINTER_ATTRIBUTES}"))?;
    request(
        target,
        Operation::GetPrinterAttributes,
        [("requested-attributes", wanted)],
    )
}

/// Encodes Get-Jobs for all jobs of a queue.
pub(super) fn get_jobs(target: &Target) -> Result<Vec<u8>, IppParseError> {
    request(
        target,
        Operation::GetJobs,
        [
            ("which-jobs", IppValue::new_keyword("all")?),
            ("requested-attributes", keywords(JOB_ATTRIBUTES)?),
        ],
    )
}

/// Encodes Print-Job: the document follows the attributes.
pub(super) fn print_job(
    target: &Target,
    title: &str,
    wanted: &PrintOptions<'_>,
    document: &[u8],
) -> Result<Vec<u8>, IppParseError> {
    let media = wanted.media.map(IppValue::new_keyword).transpose()?;
    let attributes = [
        ("job-name", IppValue::new_name_without_language(title)?),
        (
            "document-format",
            IppValue::new_mime_media_type(wanted.format)?,
        ),
        (COPIES, IppValue::Integer(wanted.copies.into())),
    ];
    let attributes = attributes
        .into_iter()
        .chain(media.map(|media| (MEDIA, media)));
    let mut job = request(target, Operation::PrintJob, attributes)?;
    job.extend_from_slice(document);
    Ok(job)
}

/// Encodes Cancel-Job or Release-Job. IPP numbers jobs from 1 to the largest `i32`.
pub(super) fn act_on_job(
    target: &Target,
    id: u32,
    action: JobAction,
) -> Result<Vec<u8>, IppParseError> {
    let operation = match action {
        JobAction::Cancel => Operation::CancelJob,
        JobAction::Release => Operation::ReleaseJob,
    };
    let id = IppValue::Integer(i32::try_from(id).unwrap_or(i32::MAX));
    request(target, operation, [("job-id", id)])
}

/// The attributes of a request that belong to the new job and not to the operation.
const COPIES: &str = "copies";
const MEDIA: &str = "media";

fn request(
    target: &Target,
    operation: Operation,
    attributes: impl IntoIterator<Item = (&'static str, IppValue)>,
) -> Result<Vec<u8>, IppParseError> {
    let mut request = IppRequestResponse::new(IppVersion::v1_1(), operation, target.uri.clone())?;
    let user = IppValue::new_name_without_language(IPP_USER_NAME)?;
    let user = target.direct.then_some(("requesting-user-name", user));
    for (name, value) in user.into_iter().chain(attributes) {
        let group = match name {
            COPIES | MEDIA => DelimiterTag::JobAttributes,
            _ => DelimiterTag::OperationAttributes,
        };
        let attribute = IppAttribute::with_name(name, value)?;
        request.attributes_mut().add(group, attribute);
    }
    Ok(request.to_bytes().to_vec())
}

/// Returns a list of keywords, which are separated by spaces in `names`.
fn keywords(names: &str) -> Result<IppValue, IppParseError> {
    let keywords: Result<_, _> = names.split(' ').map(IppValue::new_keyword).collect();
    Ok(IppValue::Array(keywords?))
}

/// The IPP status for "no such queue", with which CUPS also reports that it has no queues at all.
pub(super) const NOT_FOUND: &str = "not found";

/// Times before this, in September 2001, are not real: a printer without a clock counts from when it was switched on.
const LONG_AGO: i64 = 1_000_000_000;

/// State reasons that mean that the printer cannot be reached.
const OUT_OF_REACH: [&str; 5] = [
    "connecting-to-device",
    "offline",
    "timed-out",
    "shutdown",
    "cups-missing-filter",
];

/// Messages of CUPS's own backends when they cannot connect. The backends set no state reason in that case.
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

/// Returns whether the answer to a new job describes a fault after which the printer may still have the job: any HTTP
/// status from 500, or an internal, device or temporary error or a cancelled job (RFC 8011, appendix B).
pub(super) fn is_fault(answer: &Response<Bytes>) -> bool {
    let ipp_status = answer.body().get(2..4);
    answer.status().is_server_error() || matches!(ipp_status, Some([5, 0 | 4 | 5 | 8]))
}

/// Returns the response if both the HTTP status and the IPP status mean success.
pub(super) fn parse(answer: Response<Bytes>) -> Result<IppRequestResponse, ServiceError> {
    let refused = |status: String| Err(ServiceError::Refused { status });
    if !answer.status().is_success() {
        return refused(format!("HTTP {}", answer.status().as_u16()));
    }
    let body = IppReader::new(Cursor::new(answer.into_body()));
    let response = IppParser::new(body).parse()?;
    match response.header().status_code() {
        status if status.is_success() => Ok(response),
        StatusCode::ClientErrorNotFound => refused(NOT_FOUND.to_owned()),
        status => refused(status.to_string()),
    }
}

/// Reads all queues, sorted by name.
pub(super) fn queues(response: &IppRequestResponse) -> Vec<QueueInfo> {
    let groups = response
        .attributes()
        .groups_of(DelimiterTag::PrinterAttributes);
    let queue = |group| Some(described(group, text(group, "printer-name")?));
    let mut queues: Vec<_> = groups.filter_map(queue).collect();
    queues.sort_by(|a, b| a.name.cmp(&b.name));
    queues
}

/// Reads a printer that was queried at its own address.
pub(super) fn printer(response: &IppRequestResponse, address: &str) -> Option<QueueInfo> {
    let group = response
        .attributes()
        .first_of(DelimiterTag::PrinterAttributes)?;
    Some(QueueInfo {
        device_uri: address.to_owned(),
        raw: false,
        ..described(group, address.to_owned())
    })
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
        device_uri: text(group, "device-uri").unwrap_or_default(),
        raw: make_and_model.to_lowercase().contains("raw"),
        make_and_model,
        device_id: text(group, "printer-device-id").unwrap_or_default(),
        dots_per_mm: dots_per_mm(group),
        formats: texts(group, "document-format-supported"),
        raster_types: texts(group, "pwg-raster-document-type-supported"),
    }
}

/// Returns the highest supported resolution, or the default one if no list is given.
fn dots_per_mm(group: &IppAttributeGroup) -> Option<f64> {
    let told = value(group, "printer-resolution-supported")
        .or_else(|| value(group, "printer-resolution-default"))?;
    let dots = |value: &IppValue| {
        let IppValue::Resolution {
            cross_feed, units, ..
        } = value
        else {
            return None;
        };
        // Unit 3 is dots per inch, unit 4 dots per centimetre.
        let per_unit = f64::from(*cross_feed);
        match units {
            3 => Some(per_unit / 25.4),
            4 => Some(per_unit / 10.0),
            _ => None,
        }
    };
    // Printers write 8 dots per millimetre as 203 dpi.
    let rounded = |dots: f64| match dots.round() {
        whole if (dots - whole).abs() < 0.03 => whole,
        _ => (dots * 10.0).round() / 10.0,
    };
    let all = told.into_iter().filter_map(dots).map(rounded);
    all.max_by(f64::total_cmp)
}

fn state(group: &IppAttributeGroup, reasons: &[String], said: &str) -> QueueState {
    let is_out = |told: &String| OUT_OF_REACH.iter().any(|reason| told.starts_with(reason));
    let out_of_reach =
        reasons.iter().any(is_out) || CANNOT_CONNECT.iter().any(|words| said.contains(words));
    let accepts_jobs =
        value(group, "printer-is-accepting-jobs").and_then(|value| value.as_boolean().copied());
    match number(group, "printer-state") {
        _ if accepts_jobs == Some(false) => QueueState::Rejecting,
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
    let needed = ATTENTION_MESSAGES.iter().find(needed);
    needed.map(|(_, words)| *words)
}

/// Reads all jobs, sorted by number.
pub(super) fn jobs(response: &IppRequestResponse) -> Vec<JobInfo> {
    let groups = response.attributes().groups_of(DelimiterTag::JobAttributes);
    let mut jobs: Vec<_> = groups.filter_map(job).collect();
    jobs.sort_by_key(|job| job.id);
    jobs
}

fn job(group: &IppAttributeGroup) -> Option<JobInfo> {
    // The jobs of a stopped queue are still "pending"; only their reasons show that the queue is stopped.
    let stopped = ["job-state-reasons", "job-printer-state-reasons"]
        .iter()
        .flat_map(|reasons| texts(group, reasons))
        .any(|reason| reason.starts_with("printer-stopped") || reason == "paused");
    let state = match number(group, "job-state") {
        Some(3) if stopped => JobState::Stopped,
        Some(3) => JobState::Waiting,
        Some(4) => JobState::Held,
        Some(5) => JobState::Printing,
        Some(6) => JobState::Stopped,
        Some(7) => JobState::Cancelled,
        Some(8) => JobState::Aborted,
        Some(9) => JobState::HandedOver,
        _ => JobState::Unknown,
    };
    let said = |name| text(group, name).filter(|said| !said.is_empty());
    Some(JobInfo {
        id: number(group, "job-id").and_then(|id| u32::try_from(id).ok())?,
        title: text(group, "job-name").unwrap_or_default(),
        state,
        message: said("job-printer-state-message")
            .or_else(|| said("job-state-message"))
            .unwrap_or_default(),
        // Printing never started if the value is an explicit "no value". A missing attribute proves nothing.
        has_started: !matches!(value(group, "time-at-processing"), Some(IppValue::NoValue)),
        created_at: number(group, "time-at-creation")
            .map(i64::from)
            .filter(|at| *at > LONG_AGO),
        owner: text(group, "job-originating-user-name").unwrap_or_default(),
    })
}

fn value<'a>(group: &'a IppAttributeGroup, name: &str) -> Option<&'a IppValue> {
    group.get(name).map(IppAttribute::value)
}

fn number(group: &IppAttributeGroup, name: &str) -> Option<i32> {
    let value = value(group, name)?;
    value.as_integer().or(value.as_enum()).copied()
}

fn text(group: &IppAttributeGroup, name: &str) -> Option<String> {
    to_text(value(group, name)?)
}

fn texts(group: &IppAttributeGroup, name: &str) -> Vec<String> {
    let values = value(group, name).into_iter().flatten();
    values.filter_map(to_text).collect()
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
