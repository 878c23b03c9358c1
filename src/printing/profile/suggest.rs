//! Suggests a profile for a queue and gives the reason: the languages that the device names, otherwise its
//! address and make.
//!
//! A raw queue claims to accept every format, so [`suggest`] does not use the list of formats.

use super::{Destination, Language, Media, PrinterProfile};
use crate::page::Scale;
use crate::queue::QueueInfo;

#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// The profile, which the clerk has to confirm.
    pub profile: PrinterProfile,
    /// True for a printer of labels, false for a printer of pages.
    pub is_label_printer: bool,
    /// One line about the reason for the suggestion.
    pub because: String,
    /// Whether the printer named its languages itself. Only then may the suggestion contradict
    /// the clerk's choice.
    pub sure: bool,
}

/// How Packbench can print on the printers of a make.
enum Make {
    /// The printers need their own driver, which gets the page as an image. The text is the make.
    NeedsDriver(&'static str),
    /// Packbench does not support the printers' language. The text is the make.
    Unsupported(&'static str),
    /// Packbench supports the printers' language. The text completes "this is".
    Speaks(Language, &'static str),
}

/// Makes of label printers. Each text has lower-case parts of their names and addresses, separated by `|`. The first
/// match counts.
const MAKES: [(&str, Make); 11] = [
    ("dymo|labelwriter", Make::NeedsDriver("Dymo")),
    (
        "brother ql|brother td|brother%20ql|ql-|td-4",
        Make::NeedsDriver("Brother"),
    ),
    ("sato", Make::Unsupported("SATO")),
    ("godex|ezpl", Make::Unsupported("Godex")),
    ("intermec|honeywell|datamax", Make::Unsupported("Honeywell")),
    ("citizen cl|citizen%20cl", Make::Unsupported("Citizen")),
    (
        "toshiba tec|toshiba%20tec|tec b-",
        Make::Unsupported("Toshiba TEC"),
    ),
    (
        "epl2|epl1|eltron|lp2844|lp 2844|tlp2844|zebraep",
        Make::Speaks(Language::Epl, "an Eltron printer or an EPL driver"),
    ),
    (
        "zebra|zpl|zdesigner|ztc%20|ztc ",
        Make::Speaks(Language::Zpl, "a Zebra printer"),
    ),
    (
        "tsc |tsc%20|tsc/|tspl|ttp-|tdp-|te200|te210|da210",
        Make::Speaks(Language::Tspl, "a TSC printer"),
    ),
    (
        "xprinter|gprinter|munbyn|rollo|polono|itpp",
        Make::Speaks(Language::Tspl, "a make whose label printers use TSPL"),
    ),
];

pub fn suggest(queue: &QueueInfo) -> Suggestion {
    let label_printer = as_label_printer(queue);
    let is_label_printer = label_printer.is_some();
    let (language, because, sure) = label_printer.unwrap_or_else(|| as_page_printer(queue));
    let scale = resolution(queue);
    let media = if is_label_printer {
        Media::A6
    } else {
        Media::A4
    };
    // The print head of a 4-inch printer is 104 mm wide: 832 dots at 8 dots per millimetre.
    let head = super::round_to_dots(scale.get() * 104.0);
    let profile = PrinterProfile {
        name: queue.name.clone(),
        destination: Destination::Queue(queue.name.clone()),
        language,
        dots_per_mm: scale,
        head_width_dots: (is_label_printer && language.is_raw()).then_some(head),
        media,
        ..PrinterProfile::default()
    };
    Suggestion {
        profile,
        is_label_printer,
        because,
        sure,
    }
}

/// Returns a suggestion if the queue contradicts the profile that prints on it; `None` if the contradiction
/// is not certain.
pub fn contradicting_suggestion(profile: &PrinterProfile, queue: &QueueInfo) -> Option<Suggestion> {
    let suggestion = suggest(queue);
    let spoken = languages_spoken(queue).contains(&profile.language);
    // A printer that speaks several languages accepts each of them, and any driver may print an image
    // or a PDF.
    let other = suggestion.profile.language != profile.language && !spoken;
    (suggestion.sure && other && profile.language.is_raw()).then_some(suggestion)
}

/// Returns a language to use instead of `language`, chosen from the formats that the printer reports. Returns
/// `None` if the printer accepts `language` or reports no formats.
pub fn accepted_alternative(language: Language, formats: &[String]) -> Option<Language> {
    let is_accepted = |language: &Language| {
        formats
            .iter()
            .any(|format| format == language.accepted_format())
    };
    if formats.is_empty() || is_accepted(&language) {
        return None;
    }
    [Language::PageImage, Language::Pdf]
        .into_iter()
        .find(is_accepted)
}

/// Returns the language of a label printer, the reason, and whether the printer named the language itself; `None` for
/// other printers.
fn as_label_printer(queue: &QueueInfo) -> Option<(Language, String, bool)> {
    let list = command_set(&queue.device_id);
    if let Some(best) = languages_spoken(queue).into_iter().find(|one| one.is_raw()) {
        let because = format!("The printer says that it understands {}", list.join(", "));
        return Some((best, because, true));
    }
    let told = [&*queue.make_and_model, &queue.device_uri, &queue.device_id];
    let told = told.join(" ").to_lowercase();
    let has = |words: &str| words.split('|').any(|word| told.contains(word));
    let (language, because) = match MAKES.iter().find(|(words, _)| has(words)) {
        Some((_, Make::NeedsDriver(make))) => (
            Language::PageImage,
            format!("This is a {make} printer: its own driver prints the page as an image"),
        ),
        Some((_, Make::Unsupported(make))) => (
            Language::PageImage,
            format!(
                "This is a {make} printer, whose language Packbench does not speak: use its driver, or set the printer to emulate ZPL"
            ),
        ),
        Some((_, Make::Speaks(language, make))) => (
            *language,
            format!("Judging by the queue's make or address, this is {make}"),
        ),
        None if list.is_empty() && queue.raw && queue.device_uri.starts_with("socket:") => (
            Language::Zpl,
            "A raw queue to a network port is usually a label printer".to_owned(),
        ),
        None => return None,
    };
    Some((language, because, false))
}

/// Returns the language for a queue with a driver, the reason, and whether the printer named its languages itself.
fn as_page_printer(queue: &QueueInfo) -> (Language, String, bool) {
    let list = command_set(&queue.device_id);
    let language = if Language::Pdf.is_printable_by_driver() {
        Language::Pdf
    } else {
        Language::PageImage
    };
    let because = match language {
        _ if !list.is_empty() => format!(
            "The printer says that it understands {}; the queue's driver prints {} for it",
            list.join(", "),
            language.name()
        ),
        Language::Pdf => "The queue draws PDF through its own driver".into(),
        _ => "The queue's own driver prints the page as an image".into(),
    };
    (language, because, !list.is_empty())
}

/// Returns our languages that the device names in its device id, best first.
fn languages_spoken(queue: &QueueInfo) -> Vec<Language> {
    let list = command_set(&queue.device_id);
    let is_spoken = |ours: &Language| list.iter().any(|name| name.starts_with(ours.name()));
    Language::ALL.into_iter().filter(is_spoken).collect()
}

/// Returns the commands after `CMD:` or `COMMAND SET:` in an IEEE 1284 device id, in upper case.
fn command_set(device_id: &str) -> Vec<String> {
    let is_key = |key: &str| ["CMD", "COMMAND SET"].contains(&&*key.trim().to_ascii_uppercase());
    let mut fields = device_id
        .split(';')
        .filter_map(|field| field.split_once(':'));
    let list = fields
        .find(|(key, _)| is_key(key))
        .map_or("", |(_, list)| list);
    let commands = list.split(',').map(|command| command.trim().to_uppercase());
    commands.filter(|command| !command.is_empty()).collect()
}

/// Returns the resolution that the queue states, or else the resolution in its model name, or else 203 dpi.
fn resolution(queue: &QueueInfo) -> Scale {
    if let Some(dots) = queue.dots_per_mm.and_then(Scale::dots_per_mm) {
        return dots;
    }
    let model = queue.make_and_model.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| model.contains(word));
    if says(&["600dpi", "600 dpi", "600-dpi", "24 dots", "24dot"]) {
        Scale::DOTS_24
    } else if says(&["300dpi", "300 dpi", "300-dpi", "12 dots", "12dot"]) {
        Scale::DOTS_12
    } else {
        Scale::DOTS_8
    }
}
