//! Builds the IPP requests and decides where each is sent.

use ipp::prelude::{
    DelimiterTag, IppAttribute, IppRequestResponse, IppValue, IppVersion, Operation, Uri,
};

use super::{PrintOptions, ServerAddress};

/// The user name that we give to driverless printers, and by which we recognise our jobs there. Jobs in a
/// queue belong to the user that the system's library prints as.
pub const IPP_USER_NAME: &str = "packbench";

/// The attributes requested for a queue.
const QUEUE_ATTRIBUTES: &str = "printer-name printer-state printer-state-message printer-state-reasons \
    printer-is-accepting-jobs printer-make-and-model printer-device-id printer-type \
    printer-resolution-default queued-job-count device-uri";

/// The attributes also requested for a driverless printer.
const PRINTER_ATTRIBUTES: &str = "document-format-supported printer-resolution-supported media-ready \
    pwg-raster-document-type-supported";

/// The attributes requested for a job.
const JOB_ATTRIBUTES: &str = "job-id job-name job-state job-state-reasons job-state-message \
    job-printer-state-message job-printer-state-reasons time-at-processing time-at-creation \
    job-originating-user-name";

const OPERATION: DelimiterTag = DelimiterTag::OperationAttributes;

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
            let uri = format!("ipp://localhost/printers/{}", percent_encoded(place));
            return Some(Self {
                uri: Some(uri.parse().ok()?),
                ..Self::all_queues(service)
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
            uri: Some(place.parse().ok()?),
            direct: true,
        })
    }
}

/// Encodes CUPS-Get-Printers, which lists all queues.
pub(super) fn get_printers(target: &Target) -> Option<Vec<u8>> {
    query(begun(Operation::CupsGetPrinters, target)?, QUEUE_ATTRIBUTES)
}

/// Encodes Get-Printer-Attributes for a printer.
pub(super) fn get_printer(target: &Target) -> Option<Vec<u8>> {
    let wanted = format!("{QUEUE_ATTRIBUTES} {PRINTER_ATTRIBUTES}");
    query(begun(Operation::GetPrinterAttributes, target)?, &wanted)
}

/// Encodes Get-Jobs for all jobs of a queue.
pub(super) fn get_jobs(target: &Target) -> Option<Vec<u8>> {
    let mut request = begun(Operation::GetJobs, target)?;
    let which = IppValue::new_keyword("all").ok()?;
    add(&mut request, OPERATION, "which-jobs", which)?;
    query(request, JOB_ATTRIBUTES)
}

/// Encodes Print-Job: the document follows the attributes.
pub(super) fn print_job(
    target: &Target,
    title: &str,
    wanted: &PrintOptions<'_>,
    document: &[u8],
) -> Option<Vec<u8>> {
    let mut request = begun(Operation::PrintJob, target)?;
    let title = IppValue::new_name_without_language(title).ok()?;
    add(&mut request, OPERATION, "job-name", title)?;
    let format = IppValue::new_mime_media_type(wanted.format).ok()?;
    add(&mut request, OPERATION, "document-format", format)?;
    let copies = IppValue::Integer(wanted.copies.into());
    add(&mut request, DelimiterTag::JobAttributes, "copies", copies)?;
    if let Some(media) = wanted.media {
        let media = IppValue::new_keyword(media).ok()?;
        add(&mut request, DelimiterTag::JobAttributes, "media", media)?;
    }
    let mut bytes = request.to_bytes().to_vec();
    bytes.extend_from_slice(document);
    Some(bytes)
}

/// Encodes Cancel-Job or Release-Job.
pub(super) fn about_job(operation: Operation, target: &Target, id: u32) -> Option<Vec<u8>> {
    let mut request = begun(operation, target)?;
    let id = IppValue::Integer(i32::try_from(id).ok()?);
    add(&mut request, OPERATION, "job-id", id)?;
    Some(request.to_bytes().to_vec())
}

/// Encodes a request for these attributes, whose names are separated by spaces.
fn query(mut request: IppRequestResponse, wanted: &str) -> Option<Vec<u8>> {
    let wanted = wanted
        .split(' ')
        .map(|name| IppValue::new_keyword(name).ok());
    let wanted = IppValue::Array(wanted.collect::<Option<_>>()?);
    add(&mut request, OPERATION, "requested-attributes", wanted)?;
    Some(request.to_bytes().to_vec())
}

fn begun(operation: Operation, target: &Target) -> Option<IppRequestResponse> {
    let uri = target.uri.clone();
    let mut request = IppRequestResponse::new(IppVersion::v1_1(), operation, uri).ok()?;
    if target.direct {
        let user = IppValue::new_name_without_language(IPP_USER_NAME).ok()?;
        add(&mut request, OPERATION, "requesting-user-name", user)?;
    }
    Some(request)
}

fn add(
    request: &mut IppRequestResponse,
    group: DelimiterTag,
    name: &str,
    value: IppValue,
) -> Option<()> {
    let attribute = IppAttribute::with_name(name, value).ok()?;
    request.attributes_mut().add(group, attribute);
    Some(())
}

/// Percent-encodes a queue name: names may be in any script, but a URI may not.
fn percent_encoded(name: &str) -> String {
    let encoded = name.bytes().map(|byte| match byte {
        b'-' | b'.' | b'_' | b'~' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    });
    encoded.collect()
}
