//! The public tracking pages, in two designs. They show the progress of a consignment to anyone who has the address.
//! They need no user token, because the consignment's token is part of the address.
//!
//! Invariant: a page never shows a price, a street, a phone number, or who signed. The template escapes all text, and
//! a page loads no other files.

use axum::Router;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, LOCATION};
use axum::http::{StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::catalogue::{Place, time_zone};
use super::consignment::{ConsignmentRecord, StatusEvent};
use super::http::{AppState, internal_error};
use super::store::StoreError;
use super::wire::Envelope;

/// Long and short base addresses of the two designs.
pub(crate) const TRADITIONAL: &str = "/v1/track";
pub(crate) const TRADITIONAL_SHORT: &str = "/t1";
pub(crate) const MODERN: &str = "/v2/track";
pub(crate) const MODERN_SHORT: &str = "/t2";

/// Long and short route of the traditional design, then of the modern design.
pub(crate) const PATHS: [&str; 4] = [
    "/v1/track/{token}",
    "/t1/{token}",
    "/v2/track/{token}",
    "/t2/{token}",
];

/// The content security policy: the page may use only its own inline style.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// The style sheets of the two designs, which show the same content.
const TRADITIONAL_STYLE: &str = include_str!("../../assets/practice/tracking-v1.css");
const MODERN_STYLE: &str = include_str!("../../assets/practice/tracking-v2.css");

/// Returns the routes of the pages, and of the short addresses that redirect to them.
pub(crate) fn routes() -> Router<AppState> {
    let [first, first_short, second, second_short] = PATHS;
    let mut router = Router::new();
    for (path, short_path, base, style) in [
        (first, first_short, TRADITIONAL, TRADITIONAL_STYLE),
        (second, second_short, MODERN, MODERN_STYLE),
    ] {
        let page = async move |State(state): State<AppState>, uri: Uri| {
            show(state, last_part(&uri).to_owned(), style).await
        };
        let redirect = async move |uri: Uri| redirect_to_long_address(base, last_part(&uri), style);
        router = router
            .route(path, get(page))
            .route(short_path, get(redirect));
    }
    router
}

/// Returns the token in the address. Escaped text stays escaped, so it never matches a token.
fn last_part(uri: &Uri) -> &str {
    uri.path().rsplit('/').next().unwrap_or_default()
}

async fn show(state: AppState, token: String, style: &'static str) -> Response {
    let rendered = tokio::task::spawn_blocking(move || {
        state.service.advance_carriers()?;
        let found = state.service.store().consignment_by_token(&token)?;
        Ok::<_, StoreError>(found.map(|record| page(&record, style)))
    });
    match rendered.await {
        Ok(Ok(Some(page))) => response(StatusCode::OK, page),
        Ok(Ok(None)) => response(StatusCode::NOT_FOUND, unknown(style)),
        Ok(Err(error)) => internal_error(Envelope::Object, &error.to_string()),
        Err(panic) => internal_error(Envelope::Object, &panic.to_string()),
    }
}

/// Redirects to the long address. Answers 404 to text that cannot be a token.
fn redirect_to_long_address(base: &str, token: &str, style: &'static str) -> Response {
    if token.bytes().all(|letter| letter.is_ascii_alphanumeric()) {
        (StatusCode::FOUND, [(LOCATION, format!("{base}/{token}"))]).into_response()
    } else {
        response(StatusCode::NOT_FOUND, unknown(style))
    }
}

fn response(status: StatusCode, page: Markup) -> Response {
    let headers = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (CACHE_CONTROL, "no-store"),
    ];
    (status, headers, Html(page.into_string())).into_response()
}

const NOTE: &str = "This is the practice service: nothing is really being delivered";

/// Renders the page of one consignment.
fn page(record: &ConsignmentRecord, style: &'static str) -> Markup {
    let title = format!("Consignment {}", record.consignment.number());
    frame(style, &title, &progress(record))
}

/// Renders the page for an address that belongs to no consignment.
fn unknown(style: &'static str) -> Markup {
    let content = html! {
        section {
            h1 { "Nothing to track here" }
            p { "We found no consignment for this address. It may be incomplete." }
            p { "You can't track by consignment number here. Use the complete address that you were sent." }
        }
    };
    frame(style, "Nothing to track here", &content)
}

fn frame(style: &'static str, title: &str, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex";
                title { (title) }
                style { (PreEscaped(style)) }
            }
            body { main { (content) p class="note soft" { (NOTE) } } }
        }
    }
}

fn progress(record: &ConsignmentRecord) -> Markup {
    let status = record.status.info();
    html! {
        section {
            p class="soft" { "Consignment " (record.consignment.number()) }
            h1 { (status.name) }
            p { (status.description) }
        }
        section { dl { @for (name, value) in facts(record) { dt { (name) } dd { (value) } } } }
        section {
            h2 { "What happened" }
            ol {
                @for event in record.history.iter().rev() {
                    li {
                        strong { (event.status.info().name) } (part(event))
                        @if let Some(words) = &event.carrier_words { p { (words) } }
                        time datetime=(event.at) { (written(event.at, record.zone_of(event))) }
                    }
                }
            }
        }
    }
}

/// Returns the details of the consignment as names and values, without empty ones.
fn facts(record: &ConsignmentRecord) -> Vec<(&'static str, String)> {
    let consignment = &record.consignment;
    let job = &consignment.job;
    let carriage = [
        consignment
            .carrier()
            .map(|carrier| carrier.display_name.as_str()),
        consignment
            .service()
            .map(|service| service.display_name.as_str()),
    ];
    let carriage: Vec<&str> = carriage.into_iter().flatten().collect();
    let arrival = match record.completion() {
        Some(done) => ("Delivered", done.at),
        None => ("Expected", consignment.eta),
    };
    let zone = time_zone(&job.to.place.time_zone);
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
        (arrival.0, written(arrival.1, zone)),
    ];
    facts.retain(|(_, value)| !value.is_empty());
    facts
}

fn part(event: &StatusEvent) -> Markup {
    html! { @if event.partial { " " span class="part" { "Part of the consignment" } } }
}

/// Formats suburb, state and country, without the street.
fn place(place: &Place) -> String {
    let mut parts = vec![place.suburb.as_str(), &place.state, &place.country];
    parts.retain(|part| !part.is_empty());
    parts.join(", ")
}

fn written(at: Timestamp, zone: TimeZone) -> String {
    at.to_zoned(zone)
        .strftime("%A %-d %B %Y, %H:%M")
        .to_string()
}
