//! An IPP printer: accepts documents, reports its state, and treats jobs as the test says.

#![expect(clippy::unwrap_used, reason = "a test may end by panicking")]

use std::io::Cursor;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Router;
use axum::body::Bytes;
use axum::http;
use axum::routing::post;
use ipp::attribute::{IppAttribute, IppAttributeGroup};
use ipp::parser::IppParser;
use ipp::prelude::{DelimiterTag, IppRequestResponse, IppValue, IppVersion, Operation, StatusCode};
use ipp::reader::IppReader;
use tokio::runtime::Runtime;

/// What it is told to be, and what it got.
pub(crate) struct Inside {
    /// 3 idle, 4 processing, 5 stopped.
    pub(crate) state: i32,
    pub(crate) reason: &'static str,
    pub(crate) message: &'static str,
    pub(crate) accepting: bool,
    /// The state that new jobs get: 9 completed, 4 held, 8 aborted.
    pub(crate) job_state: i32,
    /// A job is begun just before it is cancelled.
    pub(crate) begins_when_cancelled: bool,
    /// Cancelling is answered with what is no IPP.
    pub(crate) garbles_cancel: bool,
    /// The HTTP status and the body with which it answers a new job instead of taking it.
    pub(crate) refusal: Option<(u16, &'static [u8])>,
    /// What PWG raster it says that it takes; nothing where it does not say.
    pub(crate) raster_types: &'static [&'static str],
    /// The formats of documents that it takes.
    pub(crate) formats: &'static [&'static str],
    /// The papers that jobs were printed on.
    pub(crate) media: Vec<Option<String>>,
    /// Titles, states and documents, numbered from 1.
    pub(crate) jobs: Vec<(String, i32, Vec<u8>)>,
}

/// Listens on a port of its own on the loopback.
pub(crate) struct IppPrinter {
    port: u16,
    inside: Arc<Mutex<Inside>>,
    _runtime: Runtime,
}

impl IppPrinter {
    pub(crate) fn start() -> Self {
        let inside = Arc::new(Mutex::new(Inside {
            state: 3,
            reason: "none",
            message: "",
            accepting: true,
            job_state: 9,
            begins_when_cancelled: false,
            garbles_cancel: false,
            refusal: None,
            raster_types: &[],
            formats: &["image/pwg-raster", "image/urf"],
            media: Vec::new(),
            jobs: Vec::new(),
        }));
        let runtime = super::runtime::runtime(1);
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0"));
        let listener = listener.unwrap();
        let port = listener.local_addr().unwrap().port();
        let answering = Arc::clone(&inside);
        let app = Router::new().route(
            "/ipp/print",
            post(move |body: Bytes| async move { answer(&mut answering.lock().unwrap(), &body) }),
        );
        runtime.spawn(async move { axum::serve(listener, app).await });
        Self {
            port,
            inside,
            _runtime: runtime,
        }
    }

    pub(crate) fn address(&self) -> String {
        format!("ipp://127.0.0.1:{}/ipp/print", self.port)
    }

    pub(crate) fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap()
    }
}

fn answer(inside: &mut Inside, body: &Bytes) -> (http::StatusCode, Vec<u8>) {
    let request = IppParser::new(IppReader::new(Cursor::new(body.clone())));
    let (request, document) = {
        let parsed = request.parse().unwrap();
        let header = parsed.to_bytes().len();
        (parsed, body.slice(header..).to_vec())
    };
    let operation = request.header().operation_or_status;
    let mut groups = Vec::new();
    let mut status = StatusCode::SuccessfulOk;
    if operation == Operation::GetPrinterAttributes as i16 {
        groups.push(printer(inside));
    } else if let Some((status, body)) = inside.refusal
        && operation == Operation::PrintJob as i16
    {
        let status = http::StatusCode::from_u16(status).unwrap();
        return (status, body.to_vec());
    } else if operation == Operation::PrintJob as i16 {
        let title = operation_text(&request, "job-name");
        let attributes = request.attributes();
        let of_job = attributes.first_of(DelimiterTag::JobAttributes);
        let media = of_job.and_then(|group| group.get("media"));
        inside
            .media
            .push(media.map(|media| media.value().to_string()));
        inside.jobs.push((title, inside.job_state, document));
        groups.push(job(inside, inside.jobs.len()));
    } else if operation == Operation::GetJobs as i16 {
        groups.extend((1..=inside.jobs.len()).map(|id| job(inside, id)));
    } else if operation == Operation::CancelJob as i16 && inside.garbles_cancel {
        return (http::StatusCode::OK, b"no IPP".to_vec());
    } else {
        let wanted = match operation {
            cancel if cancel == Operation::CancelJob as i16 => 7,
            _ => 9,
        };
        let attributes = request.attributes();
        let group = attributes.first_of(DelimiterTag::OperationAttributes);
        let id = match group.unwrap().get("job-id").unwrap().value() {
            IppValue::Integer(id) => usize::try_from(*id).unwrap(),
            _ => 0,
        };
        match inside
            .jobs
            .get_mut(id - 1)
            .filter(|(_, state, _)| *state < 7)
        {
            Some((_, state, _)) => *state = wanted,
            None => status = StatusCode::ClientErrorNotPossible,
        }
    }
    let mut response =
        IppRequestResponse::new_response(IppVersion::v1_1(), status, request.header().request_id)
            .unwrap();
    response.attributes_mut().groups_mut().extend(groups);
    (http::StatusCode::OK, response.to_bytes().to_vec())
}

fn operation_text(request: &IppRequestResponse, name: &str) -> String {
    let attributes = request.attributes();
    let group = attributes.first_of(DelimiterTag::OperationAttributes);
    group.unwrap().get(name).unwrap().value().to_string()
}

fn group(tag: DelimiterTag, values: Vec<(&str, IppValue)>) -> IppAttributeGroup {
    let mut group = IppAttributeGroup::new(tag);
    for (name, value) in values {
        let attribute = IppAttribute::with_name(name, value).unwrap();
        group.attributes_mut().push(attribute);
    }
    group
}

fn keyword(word: &str) -> IppValue {
    IppValue::new_keyword(word).unwrap()
}

fn printer(inside: &Inside) -> IppAttributeGroup {
    let format = |name| IppValue::new_mime_media_type(name).unwrap();
    let raster: Vec<_> = inside.raster_types.iter().copied().map(keyword).collect();
    let raster = (!raster.is_empty()).then_some((
        "pwg-raster-document-type-supported",
        IppValue::Array(raster),
    ));
    let mut told = vec![
        ("printer-state", IppValue::Enum(inside.state)),
        ("printer-state-reasons", keyword(inside.reason)),
        (
            "printer-state-message",
            IppValue::new_text_without_language(inside.message).unwrap(),
        ),
        (
            "printer-is-accepting-jobs",
            IppValue::Boolean(inside.accepting),
        ),
        (
            "printer-resolution-supported",
            IppValue::Resolution {
                cross_feed: 203,
                feed: 203,
                units: 3,
            },
        ),
        (
            "document-format-supported",
            IppValue::Array(inside.formats.iter().copied().map(format).collect()),
        ),
        ("media-ready", keyword("iso_a6_105x148mm")),
    ];
    told.extend(raster);
    group(DelimiterTag::PrinterAttributes, told)
}

fn job(inside: &Inside, id: usize) -> IppAttributeGroup {
    let (title, state, _) = &inside.jobs[id - 1];
    group(
        DelimiterTag::JobAttributes,
        vec![
            ("job-id", IppValue::Integer(i32::try_from(id).unwrap())),
            ("job-state", IppValue::Enum(*state)),
            (
                "job-name",
                IppValue::new_name_without_language(title.as_str()).unwrap(),
            ),
            (
                "time-at-processing",
                if *state == 7 && inside.begins_when_cancelled {
                    IppValue::Integer(1_000)
                } else {
                    IppValue::NoValue
                },
            ),
        ],
    )
}
