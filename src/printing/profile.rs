//! A printer as the bench knows it: where it is, which language it speaks, how fine its head is.
//!
//! Profiles are the clerk's choice and are stored with the bench's settings. [`suggest`] proposes one from what the print
//! service tells; nothing ever switches a profile by itself, since a wrong language prints garbage on a whole roll.

use std::num::NonZeroU8;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::page::Scale;
use super::queue::QueueInfo;

/// The port of raw printing, which nearly every label printer listens on.
pub const RAW_PORT: u16 = 9100;

/// One printer of the bench.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PrinterProfile {
    /// What the clerk calls it.
    pub name: String,
    /// Where the bytes go.
    pub destination: Destination,
    /// What the bytes are.
    pub language: Language,
    /// How fine the head is.
    pub dots_per_mm: Scale,
    /// The widest row the head burns; `None` when the printer fits the page itself.
    #[serde(default)]
    pub head_width_dots: Option<u32>,
    /// The paper in it.
    pub media: Media,
    /// How many of each label.
    #[serde(default = "once")]
    pub copies: NonZeroU8,
    /// What is printed here unless the clerk chooses otherwise.
    #[serde(default)]
    pub documents: Vec<DocumentKind>,
}

fn once() -> NonZeroU8 {
    NonZeroU8::MIN
}

/// Where the bytes go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Destination {
    /// A queue of the print service, by its name there.
    Queue(String),
    /// A printer on the network, taking raw bytes.
    Socket {
        host: String,
        #[serde(default = "raw_port")]
        port: u16,
    },
    /// A file, replaced each time; or a folder, where each job makes a new file.
    File(PathBuf),
}

fn raw_port() -> u16 {
    RAW_PORT
}

impl Destination {
    /// `host`, `host:port` or `[v6]:port`; `None` when it is no such thing.
    pub fn socket(text: &str) -> Option<Self> {
        let text = text.trim();
        let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((host, "")) => (host, RAW_PORT),
            Some((host, port)) => (host, port.strip_prefix(':')?.parse().ok()?),
            None => match text.split_once(':') {
                Some((host, port)) => (host, port.parse().ok()?),
                None => (text, RAW_PORT),
            },
        };
        let plain = !host.is_empty()
            && port != 0
            && !host.contains(|c: char| c.is_whitespace() || c == '/');
        plain.then(|| Self::Socket {
            host: host.to_owned(),
            port,
        })
    }

    /// The place in a few words for the screen.
    pub fn words(&self) -> String {
        match self {
            Self::Queue(name) => name.clone(),
            Self::Socket { host, port } => format!("{host}:{port}"),
            Self::File(path) => path.display().to_string(),
        }
    }
}

/// What a printer is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// The document itself; the print service or the printer draws it.
    Pdf,
    /// Our dots in Zebra's language.
    Zpl,
}

impl Language {
    /// Its name on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pdf => "PDF",
            Self::Zpl => "ZPL",
        }
    }

    /// The usual ending of files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Zpl => "zpl",
        }
    }
}

/// Which paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Media {
    /// 105 × 148 mm, the usual label.
    A6,
    /// 210 × 297 mm.
    A4,
}

/// What the bench prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentKind {
    /// A label for each item.
    ItemLabels,
    /// The label of the consignment as a whole.
    ConsignmentLabel,
    /// The manifest that the driver signs.
    Manifest,
    /// Customs, dangerous goods and whatever else goes along.
    Papers,
}

/// A profile to begin with, and why it looks as it does.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// To be confirmed by the clerk.
    pub profile: PrinterProfile,
    /// One line: what it was taken from.
    pub because: String,
}

/// Proposes a profile for a queue. A raw queue claims to take every format, so the language is taken from what the device
/// says it understands, then from its address and its make.
pub fn suggest(queue: &QueueInfo) -> Suggestion {
    let (language, because) = language_of(queue);
    let label = language == Language::Zpl;
    let profile = PrinterProfile {
        name: queue.name.clone(),
        destination: Destination::Queue(queue.name.clone()),
        language,
        dots_per_mm: if fine(queue) {
            Scale::DOTS_12
        } else {
            Scale::DOTS_8
        },
        head_width_dots: label.then_some(if fine(queue) { 1248 } else { 832 }),
        media: if label { Media::A6 } else { Media::A4 },
        copies: NonZeroU8::MIN,
        documents: if label {
            vec![DocumentKind::ItemLabels, DocumentKind::ConsignmentLabel]
        } else {
            vec![DocumentKind::Manifest, DocumentKind::Papers]
        },
    };
    Suggestion { profile, because }
}

fn language_of(queue: &QueueInfo) -> (Language, String) {
    let commands = command_set(&queue.device_id);
    if !commands.is_empty() {
        let zpl = commands.iter().any(|command| command.starts_with("ZPL"));
        let pdf = commands.iter().any(|command| command == "PDF");
        let list = commands.join(", ");
        return match (zpl, pdf) {
            (true, _) => (
                Language::Zpl,
                format!("The printer says that it understands {list}"),
            ),
            (false, _) => (
                Language::Pdf,
                format!("The printer says that it understands {list}; the queue draws PDF for it"),
            ),
        };
    }
    let told = format!("{} {}", queue.make_and_model, queue.device_uri).to_lowercase();
    if ["zebra", "zpl", "zdesigner", "ztc%20", "ztc "]
        .iter()
        .any(|word| told.contains(word))
    {
        return (
            Language::Zpl,
            "The queue's make or address is a Zebra's".into(),
        );
    }
    if queue.raw && queue.device_uri.starts_with("socket:") {
        return (
            Language::Zpl,
            "A raw queue to a network port is mostly a label printer".into(),
        );
    }
    (
        Language::Pdf,
        "The queue draws PDF by its own driver".into(),
    )
}

/// `CMD:` or `COMMAND SET:` of an IEEE 1284 device id, in capitals.
fn command_set(device_id: &str) -> Vec<String> {
    let field = device_id
        .split(';')
        .filter_map(|field| field.split_once(':'))
        .find(|(key, _)| {
            let key = key.trim();
            key.eq_ignore_ascii_case("CMD") || key.eq_ignore_ascii_case("COMMAND SET")
        });
    let list = field.map_or("", |(_, list)| list).to_uppercase();
    list.split(',')
        .map(|command| command.trim().to_owned())
        .filter(|command| !command.is_empty())
        .collect()
}

/// Whether its name says 300 dpi.
fn fine(queue: &QueueInfo) -> bool {
    let told = queue.make_and_model.to_lowercase();
    ["300dpi", "300 dpi", "300-dpi", "12 dots", "12dot"]
        .iter()
        .any(|word| told.contains(word))
}
