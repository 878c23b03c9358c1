//! The public tracking pages, in two designs: the progress of a consignment, for anyone who has the address.
//!
//! Invariant: a page never shows a price, a street, a phone number, or who signed. The template escapes all
//! text, and a page loads nothing from anywhere.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::catalogue::{Catalogue, Place};
use super::status::{ConsignmentRecord, StatusEvent};

/// The two designs of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Design {
    Traditional,
    Modern,
}

impl Design {
    fn style(self) -> &'static str {
        match self {
            Self::Traditional => include_str!("../../assets/practice/tracking-v1.css"),
            Self::Modern => include_str!("../../assets/practice/tracking-v2.css"),
        }
    }
}

const NOTE: &str = "This is the practice service: nothing is really being delivered";

/// Renders the page of one consignment.
pub(crate) fn page(catalogue: &Catalogue, tracked: &ConsignmentRecord, design: Design) -> String {
    let view = View { catalogue, tracked };
    let content = match design {
        Design::Traditional => view.traditional(),
        Design::Modern => view.modern(),
    };
    let title = format!("Consignment {}", tracked.consignment.number());
    frame(design, &title, &content).into_string()
}

/// Renders the page for an address that belongs to no consignment.
pub(crate) fn unknown(design: Design) -> String {
    let content = html! {
        section {
            h1 { "Nothing to track here" }
            p { "We found no consignment for this address. It may be incomplete." }
            p { "You can't track by consignment number here. Use the complete address that you were sent." }
        }
    };
    frame(design, "Nothing to track here", &content).into_string()
}

fn frame(design: Design, title: &str, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex";
                title { (title) }
                style { (PreEscaped(design.style())) }
            }
            body { main { (content) p class="note soft" { (NOTE) } } }
        }
    }
}

struct View<'a> {
    catalogue: &'a Catalogue,
    tracked: &'a ConsignmentRecord,
}

impl View<'_> {
    fn traditional(&self) -> Markup {
        html! {
            h1 { "Consignment " (self.tracked.consignment.number()) }
            table class="facts" {
                tr { th { "Status" } td { (self.tracked.status.name()) } }
                @for (name, value) in self.facts() { tr { th { (name) } td { (value) } } }
            }
            h2 { "Tracking history" }
            table {
                tr { th { "When" } th { "Status" } th { "Carrier" } }
                @for event in &self.tracked.history {
                    tr {
                        td { (self.moment(event)) }
                        td { (event.status.name()) (part(event)) }
                        td { (event.carrier_words.as_deref().unwrap_or_default()) }
                    }
                }
            }
        }
    }

    fn modern(&self) -> Markup {
        let status = self.tracked.status;
        html! {
            section {
                p class="soft" { "Consignment " (self.tracked.consignment.number()) }
                h1 { (status.name()) }
                p { (status.description()) }
            }
            section { dl { @for (name, value) in self.facts() { dt { (name) } dd { (value) } } } }
            section {
                h2 { "What happened" }
                ol {
                    @for event in self.tracked.history.iter().rev() {
                        li {
                            strong { (event.status.name()) } (part(event))
                            @if let Some(words) = &event.carrier_words { p { (words) } }
                            time datetime=(event.at) { (self.moment(event)) }
                        }
                    }
                }
            }
        }
    }

    /// Returns the details of the consignment as names and values, without empty ones.
    fn facts(&self) -> Vec<(&'static str, String)> {
        let consignment = &self.tracked.consignment;
        let job = &consignment.job;
        let carrier = self.catalogue.carrier(consignment.carrier_id);
        let service = carrier.and_then(|carrier| carrier.service(consignment.service_id));
        let carriage = [
            carrier.map(|carrier| carrier.display_name.as_str()),
            service.map(|service| service.display_name.as_str()),
        ];
        let carriage: Vec<&str> = carriage.into_iter().flatten().collect();
        let zone = self.zone(&job.to.place);
        let mut facts = vec![
            ("From", place(&job.from.place)),
            ("To", place(&job.to.place)),
            ("Carrier", carriage.join(", ")),
            (
                "Carrier consignment",
                consignment.carrier_consignment_id.clone(),
            ),
            (
                "Reference",
                job.customer_reference.clone().unwrap_or_default(),
            ),
            ("Pieces", job.pieces().to_string()),
        ];
        match self.tracked.completion() {
            Some(done) => facts.push(("Delivered", written(done.at, zone))),
            None => facts.push(("Expected", written(consignment.eta, zone))),
        }
        facts.retain(|(_, value)| !value.is_empty());
        facts
    }

    /// Formats the time of an event in the time zone of its place.
    fn moment(&self, event: &StatusEvent) -> String {
        let sender = &self.tracked.consignment.job.from.place.time_zone;
        let zone = event.zone.as_ref().unwrap_or(sender);
        written(event.at, self.catalogue.time_zone(zone))
    }

    fn zone(&self, place: &Place) -> TimeZone {
        self.catalogue.time_zone(&place.time_zone)
    }
}

fn part(event: &StatusEvent) -> Markup {
    html! { @if event.partial { " " span class="part" { "Part of the consignment" } } }
}

/// Formats suburb, state and country, without the street.
fn place(place: &Place) -> String {
    let parts = [&place.suburb, &place.state, &place.country];
    let parts: Vec<&str> = parts.into_iter().map(String::as_str).collect();
    let said = parts.into_iter().filter(|part| !part.is_empty());
    said.collect::<Vec<_>>().join(", ")
}

fn written(at: Timestamp, zone: TimeZone) -> String {
    let there = at.to_zoned(zone);
    there.strftime("%A %-d %B %Y, %H:%M").to_string()
}
