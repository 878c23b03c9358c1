//! The form of a printer: its texts from a profile, and the profile from its texts.

use std::num::NonZeroU8;
use std::ops::RangeInclusive;

use crate::state::{DocumentKind, PrinterField, PrinterForm, PrinterProblem};
use printing::page::Scale;
use printing::profile::{
    Destination, Language, Media, OWN_PAPER_MM, Offset, PrinterProfile, USUAL_EXPIRY,
    USUAL_LEAST_PERCENT,
};

/// Prefix of a queue's name in the destination field.
const QUEUE: &str = "queue ";

/// Narrowest print head that makes sense, in dots: 12 mm at 203 dpi.
const NARROWEST_HEAD: u32 = 100;

/// Largest offset in millimetres. A larger offset is a typing mistake.
const FARTHEST_MM: f64 = 100.0;

/// Longest expiry in minutes, a long working day: a job that waited longer is from yesterday.
const LONGEST_EXPIRY: u16 = 720;

/// Returns the form of a profile. `was` is the profile's name in the settings, if it is saved there; `documents` are those
/// that are printed on the printer.
pub(super) fn form_of(
    profile: &PrinterProfile,
    was: Option<String>,
    documents: Vec<DocumentKind>,
) -> PrinterForm {
    let scale = profile.dots_per_mm.get();
    let mm = |dots: i32| match dots {
        0 => String::new(),
        dots => format_mm(f64::from(dots) / scale),
    };
    PrinterForm {
        was,
        name: profile.name.clone(),
        destination: match &profile.destination {
            Destination::Queue(name) => format!("{QUEUE}{name}"),
            other => other.label(),
        },
        language: profile.language,
        dots_per_mm: scale.to_string(),
        head_dots: { profile.head_width_dots }.map_or_else(String::new, |dots| dots.to_string()),
        media: profile.media,
        own_width: format_mm(profile.own_paper.0),
        own_height: format_mm(profile.own_paper.1),
        rotation: profile.rotation,
        sensing: profile.sensing,
        darkness: profile
            .darkness
            .map_or_else(String::new, |step| step.to_string()),
        speed: profile
            .speed
            .map_or_else(String::new, |step| step.to_string()),
        gap_mm: format_mm(profile.gap_mm),
        offset_x: mm(profile.offset.x_dots),
        offset_y: mm(profile.offset.y_dots),
        fitting: profile.fitting,
        min_scale_percent: profile.least_percent.to_string(),
        copies: profile.copies.to_string(),
        expiry_minutes: profile.expiry_minutes.to_string(),
        documents,
    }
}

/// Formats millimetres, rounded to thousandths, which is precise enough for any print head.
fn format_mm(mm: f64) -> String {
    ((mm * 1000.0).round() / 1000.0).to_string()
}

/// Returns the profile that the form describes. `before` is the profile that is replaced. Its test label stays valid
/// if the new profile prints the same way.
pub(super) fn profile_of(
    form: &PrinterForm,
    before: Option<&PrinterProfile>,
) -> Result<PrinterProfile, PrinterProblem> {
    let name = form.name.trim();
    let at = |field| {
        move |message: &str| PrinterProblem {
            field,
            message: message.to_owned(),
        }
    };
    if name.is_empty() {
        return Err(at(PrinterField::Name)("Enter a name for the printer"));
    }
    let destination =
        destination(&form.destination, form.language).map_err(at(PrinterField::Destination))?;
    let dots_per_mm = number(&form.dots_per_mm)
        .and_then(Scale::dots_per_mm)
        .ok_or("Enter the dots per mm: 8 for 203 dpi, 12 for 300 dpi")
        .map_err(at(PrinterField::Resolution))?;
    let copies = parse_or_default(&form.copies, NonZeroU8::MIN)
        .ok_or("Enter the number of copies: 1 to 255")
        .map_err(at(PrinterField::Copies))?;
    let expiry_minutes = parse_or_default(&form.expiry_minutes, USUAL_EXPIRY)
        .filter(|minutes| minutes.get() <= LONGEST_EXPIRY)
        .ok_or("Enter after how many minutes a waiting job is cancelled: 1 to 720")
        .map_err(at(PrinterField::Expiry))?;
    let gap_mm = parse_or_default(&form.gap_mm, 3.0)
        .filter(|gap| (0.0..=50.0).contains(gap))
        .ok_or("Enter the gap between two labels in mm, for example 3")
        .map_err(at(PrinterField::Gap))?;
    let least_percent = parse_or_default(&form.min_scale_percent, USUAL_LEAST_PERCENT)
        .filter(|percent| (1..=100).contains(percent))
        .ok_or("Enter a percentage of the size: 1 to 100")
        .map_err(at(PrinterField::LeastPercent))?;
    let offset = |text: &str, field| {
        dots(text, dots_per_mm)
            .ok_or("Enter the offset in mm, for example -0.5, or in dots, for example 4 dots")
            .map_err(at(field))
    };
    let mut profile = PrinterProfile {
        name: name.to_owned(),
        destination,
        language: form.language,
        dots_per_mm,
        head_width_dots: head(&form.head_dots).map_err(at(PrinterField::Head))?,
        media: form.media,
        own_paper: own_paper(form)?,
        rotation: form.rotation,
        sensing: form.sensing,
        darkness: step(
            PrinterField::Darkness,
            &form.darkness,
            form.language.darkness(),
        )?,
        speed: step(PrinterField::Speed, &form.speed, form.language.speed())?,
        gap_mm,
        offset: Offset {
            x_dots: offset(&form.offset_x, PrinterField::OffsetX)?,
            y_dots: offset(&form.offset_y, PrinterField::OffsetY)?,
        },
        fitting: form.fitting,
        least_percent,
        copies,
        expiry_minutes,
        ..PrinterProfile::default()
    };
    profile.test = before
        .filter(|before| before.prints_like(&profile))
        .and_then(|before| before.test.clone());
    Ok(profile)
}

/// Returns the size of paper of its own size. For other paper, wrong numbers don't matter.
fn own_paper(form: &PrinterForm) -> Result<(f64, f64), PrinterProblem> {
    let usual = PrinterProfile::default().own_paper;
    let side = |field, text: &str, usual| {
        let side = parse_or_default(text, usual).filter(|side| OWN_PAPER_MM.contains(side));
        match side {
            Some(side) => Ok(side),
            None if form.media != Media::Own => Ok(usual),
            None => Err(PrinterProblem {
                field,
                message: "Enter 10 to 1000 mm".to_owned(),
            }),
        }
    };
    Ok((
        side(PrinterField::OwnWidth, &form.own_width, usual.0)?,
        side(PrinterField::OwnHeight, &form.own_height, usual.1)?,
    ))
}

/// Returns a setting of the printer in the steps of its language. A language without a command for it has no such setting.
fn step(
    field: PrinterField,
    typed: &str,
    range: Option<RangeInclusive<u8>>,
) -> Result<Option<u8>, PrinterProblem> {
    let typed = typed.trim();
    let Some(range) = range.filter(|_| !typed.is_empty()) else {
        return Ok(None);
    };
    let step = typed.parse().ok().filter(|step| range.contains(step));
    step.map(Some).ok_or_else(|| {
        let (first, last) = (range.start(), range.end());
        let message = format!("Enter {first} to {last}, or leave it empty");
        PrinterProblem { field, message }
    })
}

fn destination(typed: &str, language: Language) -> Result<Destination, &'static str> {
    let place = typed.trim();
    let destination = if let Some(queue) = place.strip_prefix(QUEUE) {
        Destination::Queue(queue.trim().to_owned())
    } else if place.starts_with('/') || place.get(1..3) == Some(":\\") {
        Destination::file(place).map_err(|_unknown| {
            "Use {number} and {piece} only in the file name, and no other braces, such as /labels/{number}-{piece}.zpl"
        })?
    } else if place.starts_with("ipps:") {
        return Err(
            "This printer needs an encrypted connection. Add it to this computer's print service and enter its queue",
        );
    } else if place.starts_with("ipp:") {
        Destination::ipp(place)
            .ok_or("Enter the printer's address, for example ipp://HOST/ipp/print")?
    } else {
        Destination::socket(place).ok_or(
            "Enter HOST:9100, the word queue and a name, ipp://HOST/ipp/print, or the full path of a file",
        )?
    };
    if matches!(destination, Destination::Socket { .. }) && language == Language::PageImage {
        return Err(
            "Page image works only with a queue that has a driver, or with a printer at an ipp:// address",
        );
    }
    if matches!(destination, Destination::Queue(_)) && !language.is_printable_by_driver() {
        return Err("A Windows queue can't print this language. Choose page image");
    }
    Ok(destination)
}

fn head(typed: &str) -> Result<Option<u32>, &'static str> {
    let typed = typed.trim();
    if typed.is_empty() {
        return Ok(None);
    }
    let dots: u32 = typed.parse().map_err(
        |_not_a_number| "Enter the print head's width in dots, for example 832, or leave it empty",
    )?;
    Ok(Some(dots).filter(|dots| *dots >= NARROWEST_HEAD))
}

/// Parses a field. Returns `usual` if the field is empty, and `None` if it is invalid.
fn parse_or_default<T: std::str::FromStr>(text: &str, usual: T) -> Option<T> {
    match text.trim() {
        "" => Some(usual),
        text => text.replace(',', ".").parse().ok(),
    }
}

fn number(text: &str) -> Option<f64> {
    let number: f64 = text.trim().replace(',', ".").parse().ok()?;
    number.is_finite().then_some(number)
}

/// Parses an offset: `0.5` and `-1,2` are millimetres, `4 dots` are dots, and an empty field is 0.
#[expect(
    clippy::cast_possible_truncation,
    reason = "rounded, and compared with its limits"
)]
fn dots(text: &str, scale: Scale) -> Option<i32> {
    let text = text.trim();
    if text.is_empty() {
        return Some(0);
    }
    let typed_dots = text
        .strip_suffix("dots")
        .or_else(|| text.strip_suffix("dot"));
    let mm = match typed_dots {
        Some(dots) => number(dots)? / scale.get(),
        None => number(text.strip_suffix("mm").unwrap_or(text))?,
    };
    (mm.abs() <= FARTHEST_MM).then(|| (mm * scale.get()).round() as i32)
}
