//! The details of a consignment: receiver, sender, carrier, references and times.

use egui::Ui;

use super::eta::eta_status;
use super::page_widgets::{CopyConfirmation, fact, heading, line, number, toned};
use super::shown_consignment::ShownConsignment;
use super::steps::zone_label;
use super::timeline::manifest_text;
use crate::ui::format::day_and_time;
use shipping::{Consignment, LocalTime, Location, UtcTime};
use widgets::text;
use widgets::tokens::Tone;

pub(super) fn show(ui: &mut Ui, one: &ShownConsignment<'_>, copied: &mut CopyConfirmation) {
    ui.spacing_mut().item_spacing.y = 2.0;
    let row = one.row();
    let end = |ui: &mut Ui, title: &str, of: &PartyDetails| {
        heading(ui, title);
        of.show(ui);
    };
    let empty = PartyDetails::default();
    let (to, from) = one.full_record.map_or((empty.clone(), empty), |whole| {
        (PartyDetails::receiver(whole), PartyDetails::sender(whole))
    });
    end(ui, "To", &to.at(&row.to, &row.to_place));
    end(ui, "From", &from.at(&row.from, &row.from_place));
    heading(ui, "Carriage");
    fact(ui, "Carrier", &row.carrier);
    fact(ui, "Service", &row.service);
    number(ui, "Carrier's no.", &row.carrier_number, copied);
    number(ui, "Reference", &row.reference, copied);
    number(ui, "Second ref.", &row.reference2, copied);
    fact(ui, "Manifest", &manifest_text(one).unwrap_or_default());
    times(ui, one);
    if let Some(whole) = one.full_record {
        let instructions = whole.special_instructions.as_deref();
        fact(ui, "Driver instructions", instructions.unwrap_or_default());
        if whole.is_test == Some(true) {
            toned(ui, "Test", "No carrier will collect it", Tone::Warning);
        }
    }
}

fn times(ui: &mut Ui, one: &ShownConsignment<'_>) {
    let (row, shared) = (one.row(), one.shared);
    let at = |local: Option<LocalTime>, utc: Option<jiff::Timestamp>, zone: &str| {
        format_time(local, utc.map(UtcTime), zone, &shared.zone)
    };
    let despatch = at(row.despatch, row.despatch_at, one.sender_zone());
    fact(ui, "Despatch", &despatch);
    let eta = at(row.eta, row.eta_at, one.to_zone());
    match (
        eta.as_str(),
        eta_status(row, shared.track.thresholds, shared.now),
    ) {
        ("", _) => fact(ui, "ETA", "None given"),
        (_, Some((tone, words))) => toned(ui, "ETA", &format!("{eta}, {words}"), tone),
        (_, None) => fact(ui, "ETA", &eta),
    }
    if let Some(ended) = row.ended {
        let words = at(None, Some(ended), one.to_zone());
        fact(ui, "Ended", &words);
    }
}

/// Formats a time in the time zone of a place: `Fri 20 Nov 16:00 AWST`. The zone is added if it differs from
/// the bench's or is unknown.
pub(super) fn format_time(
    local: Option<LocalTime>,
    utc: Option<UtcTime>,
    zone: &str,
    bench: &str,
) -> String {
    match (local, utc, zone) {
        (None, None, _) => String::new(),
        (Some(local), None, _) | (Some(local), Some(_), "") => {
            format!("{} local time", day_and_time(local))
        }
        (None, Some(utc), "") => format!("{} UTC", day_and_time(LocalTime::at(utc.0, "UTC"))),
        (local, Some(utc), zone) => {
            let local = local.unwrap_or_else(|| LocalTime::at(utc.0, zone));
            let name = zone_label(utc.0, zone, bench);
            format!("{} {name}", day_and_time(local))
                .trim_end()
                .to_owned()
        }
    }
}

/// A party (sender or receiver). Unknown texts are empty.
#[derive(Clone, Default)]
struct PartyDetails {
    name: String,
    street: [String; 2],
    place: String,
    contact: String,
    phone: String,
    email: String,
}

impl PartyDetails {
    fn receiver(one: &Consignment) -> Self {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        Self {
            street: [text(&one.to_address_line1), text(&one.to_address_line2)],
            place: text(&one.to_country_code),
            contact: text(&one.to_contact),
            phone: text(&one.to_phone),
            email: text(&one.to_email),
            ..Self::default()
        }
    }

    fn sender(one: &Consignment) -> Self {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        Self {
            street: [text(&one.from_address_line1), text(&one.from_address_line2)],
            place: text(&one.from_country_code),
            contact: text(&one.from_contact),
            phone: text(&one.from_phone),
            email: text(&one.from_email),
            ..Self::default()
        }
    }

    fn at(self, name: &str, place: &Location) -> Self {
        let country = if self.place.is_empty() {
            place.country.as_str()
        } else {
            self.place.as_str()
        };
        Self {
            name: name.to_owned(),
            place: place_text(place, country),
            ..self
        }
    }

    fn show(&self, ui: &mut Ui) {
        ui.add(
            egui::Label::new(text::body(self.name.as_str()))
                .wrap()
                .selectable(true),
        );
        ui.spacing_mut().item_spacing.y = 0.0;
        for words in self.street.iter().chain([&self.place]) {
            line(ui, words);
        }
        ui.spacing_mut().item_spacing.y = 2.0;
        fact(ui, "Contact", &self.contact);
        fact(ui, "Phone", &self.phone);
        fact(ui, "E-mail", &self.email);
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
