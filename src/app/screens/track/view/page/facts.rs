//! The details of a consignment: receiver, sender, carrier, references and times.

use egui::{Label, Ui};

use super::ShownConsignment;
use super::page_widgets::{CopyConfirmation, facts, heading, line, number, toned};
use super::steps::zone_label;
use super::timeline::manifest_text;
use crate::screens::track::view::late::eta_status;
use crate::ui::format::day_and_time;
use shipping::{Consignment, LocalTime, Location, UtcTime};
use widgets::text;
use widgets::tokens::Tone;

pub(super) fn show(ui: &mut Ui, one: &ShownConsignment<'_>, copied: &mut CopyConfirmation) {
    ui.spacing_mut().item_spacing.y = 2.0;
    let (row, whole) = (one.row(), one.full_record);
    let to = whole.map(PartyDetails::receiver).unwrap_or_default();
    to.show(ui, "To", &row.to, &row.to_place);
    let from = whole.map(PartyDetails::sender).unwrap_or_default();
    from.show(ui, "From", &row.from, &row.from_place);
    heading(ui, "Carriage");
    facts(ui, &[("Carrier", &row.carrier), ("Service", &row.service)]);
    number(ui, "Con. no.", &row.carrier_number, copied);
    number(ui, "Reference", &row.reference, copied);
    number(ui, "Second ref.", &row.reference2, copied);
    facts(ui, &[("Manifest", manifest_text(one).unwrap_or_default())]);
    times(ui, one);
    if let Some(whole) = whole {
        let instructions = whole.special_instructions.as_deref();
        facts(
            ui,
            &[("Driver instructions", instructions.unwrap_or_default())],
        );
        if whole.is_test == Some(true) {
            toned(ui, "Test", "No carrier will collect it", Tone::Warning);
        }
    }
}

fn times(ui: &mut Ui, one: &ShownConsignment<'_>) {
    let (row, shared) = (one.row(), one.shared);
    let at = |local: Option<LocalTime>, utc: Option<jiff::Timestamp>, zone: &str| {
        format_time(local, utc.map(UtcTime), zone, &shared.session.zone)
    };
    let despatch = at(row.despatch, row.despatch_at, one.sender_zone());
    facts(ui, &[("Despatch", despatch)]);
    let eta = at(row.eta, row.eta_at, one.to_zone());
    let status = eta_status(row, shared.track.thresholds, shared.now);
    let (tone, eta) = match (eta.as_str(), status) {
        ("", _) => (Tone::Neutral, "None given".to_owned()),
        (_, Some((tone, words))) => (tone, format!("{eta}, {words}")),
        (_, None) => (Tone::Neutral, eta),
    };
    toned(ui, "ETA", &eta, tone);
    facts(ui, &[("Ended", at(None, row.ended, one.to_zone()))]);
}

/// Formats a time in the time zone of a place: `Fri 20 Nov 16:00 AWST`. The zone is added if it differs from
/// the bench's or is unknown.
fn format_time(local: Option<LocalTime>, utc: Option<UtcTime>, zone: &str, bench: &str) -> String {
    match (local, utc, zone) {
        (None, None, _) => String::new(),
        (Some(local), None, _) | (Some(local), Some(_), "") => {
            format!("{} local time", day_and_time(local))
        }
        (None, Some(utc), "") => format!("{} UTC", day_and_time(LocalTime::at(utc.0, "UTC"))),
        (local, Some(utc), zone) => {
            let local = local.unwrap_or_else(|| LocalTime::at(utc.0, zone));
            let words = format!("{} {}", day_and_time(local), zone_label(utc.0, zone, bench));
            words.trim_end().to_owned()
        }
    }
}

/// The details of a party (sender or receiver) that only the service's full record has.
#[derive(Default)]
struct PartyDetails<'a> {
    street: [&'a str; 2],
    country: &'a str,
    contact: &'a str,
    phone: &'a str,
    email: &'a str,
}

fn or_empty(text: Option<&String>) -> &str {
    text.map_or("", String::as_str)
}

impl<'a> PartyDetails<'a> {
    fn receiver(one: &'a Consignment) -> Self {
        let street = [&one.to_address_line1, &one.to_address_line2];
        Self {
            street: street.map(|line| or_empty(line.as_ref())),
            country: or_empty(one.to_country_code.as_ref()),
            contact: or_empty(one.to_contact.as_ref()),
            phone: or_empty(one.to_phone.as_ref()),
            email: or_empty(one.to_email.as_ref()),
        }
    }

    fn sender(one: &'a Consignment) -> Self {
        let street = [&one.from_address_line1, &one.from_address_line2];
        Self {
            street: street.map(|line| or_empty(line.as_ref())),
            country: or_empty(one.from_country_code.as_ref()),
            contact: or_empty(one.from_contact.as_ref()),
            phone: or_empty(one.from_phone.as_ref()),
            email: or_empty(one.from_email.as_ref()),
        }
    }

    fn show(&self, ui: &mut Ui, title: &str, name: &str, place: &Location) {
        heading(ui, title);
        ui.add(Label::new(text::body(name)).wrap().selectable(true));
        let country = match self.country {
            "" => &place.country,
            country => country,
        };
        ui.spacing_mut().item_spacing.y = 0.0;
        for words in self.street {
            line(ui, words);
        }
        line(ui, &place_text(place, country));
        ui.spacing_mut().item_spacing.y = 2.0;
        let contact = [
            ("Contact", self.contact),
            ("Phone", self.phone),
            ("E-mail", self.email),
        ];
        facts(ui, &contact);
    }
}

/// Formats a place: `West Perth WA 6005`, with the country if it is not Australia.
pub(super) fn place_text(place: &Location, country: &str) -> String {
    let home = matches!(
        country.trim().to_ascii_uppercase().as_str(),
        "" | "AU" | "AUS" | "AUSTRALIA"
    );
    let country = if home { "" } else { country };
    let parts = [&place.suburb, &place.state, &place.postcode].map(String::as_str);
    let parts = parts.into_iter().chain([country]);
    let parts: Vec<_> = parts.filter(|part| !part.trim().is_empty()).collect();
    parts.join(" ")
}
