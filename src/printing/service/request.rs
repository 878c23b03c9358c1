//! Builds the IPP requests and decides where each is sent.

use ipp::prelude::{
    DelimiterTag, IppAttribute, IppRequestResponse, IppValue, IppVersion, Operation, Uri,
};

use super::ServerAddress;

/// The user name that we give to driverless printers, and by which we recognise our jobs there. Jobs in a
/// queue belong to the user that the system's library prints as.
pub const IPP_USER_NAME: &str = "packbench";

/// The attributes requested for a queue.
const QUEUE_ATTRIBUTES: [&str; 11] = [
    "printer-name",
    "printer-state",
    "printer-state-message",
    "printer-state-reasons",
    "printer-is-accepting-jobs",
    "printer-make-and-model",
    "printer-device-id",
    "printer-type",
    "printer-resolution-default",
    "queued-job-count",
    "device-uri",
];

/// The attributes also requested for a driverless printer.
const PRINTER_ATTRIBUTES: [&str; 4] = [
    "document-format-supported",
    "printer-resolution-supported",
    "media-ready",
    "pwg-raster-document-type-supported",
];

/// The attributes requested for a job.
const JOB_ATTRIBUTES: [&str; 10] = [
    "job-id",
    "job-name",
    "job-state",
    "job-state-reasons",
    "job-state-message",
    "job-printer-state-message",
    "job-printer-state-reasons",
    "time-at-processing",
    "time-at-creation",
    "job-originating-user-name",
];

/// The attributes of a new job.
pub(in super::super) struct PrintOptions<'a> {
    /// The MIME type of the document.
    pub(in super::super) format: &'a str,
    pub(in super::super) copies: u8,
    /// The IPP name of the paper, if known.
    pub(in super::super) media: Option<&'a str>,
}

/// The queue or printer that a request is about, and the server that gets the request.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) server: ServerAddress,
    pub(super) path: String,
    uri: Uri,
    direct: bool,
}

impl Target {
    /// Finds the target for a queue of `service` by its name, or for a printer by its `ipp://` address;
    /// `None` if the address is not valid.
    pub(super) fn of(place: &str, service: &ServerAddress) -> Option<Self> {
        if !place.starts_with("ipp://") {
            let uri = format!("ipp://localhost/printers/{}", percent_encoded(place));
            return Some(Self {
                server: service.clone(),
                path: "/".to_owned(),
                uri: uri.parse().ok()?,
                direct: false,
            });
        }
        let url = url::Url::parse(place).ok()?;
        let host = url.host_str()?.trim_matches(['[', ']']).to_owned();
        Some(Self {
            server: ServerAddress::Network {
                host,
                port: url.port().unwrap_or(631),
            },
            path: url.path().to_owned(),
            uri: place.parse().ok()?,
            direct: true,
        })
    }
}

/// Encodes CUPS-Get-Printers, which lists all queues.
pub(super) fn get_printers() -> Vec<u8> {
    encode(
        Operation::CupsGetPrinters,
        None,
        Vec::new(),
        &QUEUE_ATTRIBUTES,
    )
    .unwrap_or_default()
}

/// Encodes Get-Printer-Attributes for a printer.
pub(super) fn get_printer(target: &Target) -> Option<Vec<u8>> {
    let wanted = [&QUEUE_ATTRIBUTES[..], &PRINTER_ATTRIBUTES].concat();
    encode(
        Operation::GetPrinterAttributes,
        Some(target),
        Vec::new(),
        &wanted,
    )
}

/// Encodes Get-Jobs for all jobs of a queue.
pub(super) fn get_jobs(target: &Target) -> Option<Vec<u8>> {
    let which = IppValue::new_keyword("all").ok()?;
    encode(
        Operation::GetJobs,
        Some(target),
        vec![named("which-jobs", which)?],
        &JOB_ATTRIBUTES,
    )
}

/// Encodes Print-Job: the document follows the attributes.
pub(super) fn print_job(
    target: &Target,
    title: &str,
    wanted: &PrintOptions<'_>,
    document: &[u8],
) -> Option<Vec<u8>> {
    let mut request = begun(Operation::PrintJob, Some(target))?;
    let title = IppValue::new_name_without_language(title).ok()?;
    add(&mut request, "job-name", title)?;
    add(
        &mut request,
        "document-format",
        IppValue::new_mime_media_type(wanted.format).ok()?,
    )?;
    let copies = named("copies", IppValue::Integer(wanted.copies.into()))?;
    let attributes = request.attributes_mut();
    attributes.add(DelimiterTag::JobAttributes, copies);
    if let Some(media) = wanted.media {
        let media = named("media", IppValue::new_keyword(media).ok()?)?;
        attributes.add(DelimiterTag::JobAttributes, media);
    }
    let mut bytes = request.to_bytes().to_vec();
    bytes.extend_from_slice(document);
    Some(bytes)
}

/// Encodes Cancel-Job or Release-Job.
pub(super) fn about_job(operation: Operation, target: &Target, id: u32) -> Option<Vec<u8>> {
    let mut request = begun(operation, Some(target))?;
    let id = IppValue::Integer(i32::try_from(id).ok()?);
    add(&mut request, "job-id", id)?;
    Some(request.to_bytes().to_vec())
}

fn encode(
    operation: Operation,
    target: Option<&Target>,
    more: Vec<IppAttribute>,
    wanted: &[&str],
) -> Option<Vec<u8>> {
    let mut request = begun(operation, target)?;
    let wanted = wanted
        .iter()
        .filter_map(|name| IppValue::new_keyword(*name).ok())
        .collect();
    let wanted = named("requested-attributes", IppValue::Array(wanted))?;
    for attribute in more.into_iter().chain([wanted]) {
        request
            .attributes_mut()
            .add(DelimiterTag::OperationAttributes, attribute);
    }
    Some(request.to_bytes().to_vec())
}

fn begun(operation: Operation, target: Option<&Target>) -> Option<IppRequestResponse> {
    let uri = target.map(|target| target.uri.clone());
    let mut request = IppRequestResponse::new(IppVersion::v1_1(), operation, uri).ok()?;
    if target.is_some_and(|target| target.direct) {
        let who = IppValue::new_name_without_language(IPP_USER_NAME).ok()?;
        add(&mut request, "requesting-user-name", who)?;
    }
    Some(request)
}

fn add(request: &mut IppRequestResponse, name: &str, value: IppValue) -> Option<()> {
    let attribute = named(name, value)?;
    request
        .attributes_mut()
        .add(DelimiterTag::OperationAttributes, attribute);
    Some(())
}

fn named(name: &str, value: IppValue) -> Option<IppAttribute> {
    IppAttribute::with_name(name, value).ok()
}

/// Percent-encodes a queue name: names may be in any script, but a URI may not.
fn percent_encoded(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    name.bytes()
        .map(|byte| {
            if plain(byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}
