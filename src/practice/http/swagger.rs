//! The published definition of the API: the `OpenAPI` document at `/openapi.json`, and at `/swagger` a page that
//! shows it and can call the service with a token.
//!
//! The document is put together from the files in `assets/practice/openapi/`, which are written by hand from the
//! API's documentation and not generated from the code. Tests check every answer of the service against it, so a
//! change to only one of the two is noticed.
//!
//! Neither address needs a token. This service provides everything that the page needs, so the page works
//! without a network, and a content security policy stops the browser from loading anything from elsewhere.

use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::{Map, Value, json};
use swagger_ui_redist::{SwaggerUi, SwaggerUiStaticFile};

use super::{internal_error, not_found};

const DOCUMENT: &str = "/openapi.json";
const PAGE: &str = "/swagger";

/// The page uses inline styles and scripts, and icons as `data:` URLs in the style sheet.
const ONLY_FROM_HERE: &str = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; script-src 'self' 'unsafe-inline'";

/// Returns the routes of the document and the page; `base_url` is where the service listens.
pub(super) fn routes<S: Clone + Send + Sync + 'static>(base_url: &str) -> Router<S> {
    let (base_url, text) = (base_url.to_owned(), Arc::new(OnceLock::new()));
    Router::new()
        .route(DOCUMENT, get(async move || document(&base_url, &text)))
        .route(PAGE, get(async || page()))
        .route(&format!("{PAGE}/"), get(async || page()))
        .route(
            &format!("{PAGE}/{{file}}"),
            get(async |file: Result<Path<String>, PathRejection>| {
                file.map_or_else(|_| not_found(), |Path(file)| asset(&file))
            }),
        )
}

/// Answers with the document, which is built at the first request and then kept.
fn document(base_url: &str, text: &OnceLock<Result<String, String>>) -> Response {
    let read = || definition(base_url).map(|definition| definition.to_string());
    match text.get_or_init(|| read().map_err(|error| error.to_string())) {
        Ok(text) => ([(CONTENT_TYPE, "application/json")], text.clone()).into_response(),
        Err(error) => internal_error(error),
    }
}

fn page() -> Response {
    let mut page = SwaggerUi::new();
    page.title("Packbench practice service");
    for file in SwaggerUiStaticFile::all() {
        page.override_file_path(*file, format!("{PAGE}/{}", file.file_name()));
    }
    page.config()
        .urls([DOCUMENT])
        .use_base_layout()
        .persist_authorization(true)
        .display_request_duration(true)
        .doc_expansion("none")
        .filter(true)
        // The default would send the document to a validator on the web.
        .validator_url("none");
    match page.serve() {
        Ok(html) => content("text/html; charset=utf-8", html),
        Err(error) => internal_error(&error.to_string()),
    }
}

fn asset(name: &str) -> Response {
    let mut files = SwaggerUi::static_files().iter();
    let found = files.find(|(file, _)| file.file_name() == name);
    let Some((_, bytes)) = found else {
        return not_found();
    };
    let kind = match name.rsplit_once('.') {
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        _ => "image/png",
    };
    content(kind, *bytes)
}

fn content(kind: &'static str, body: impl IntoResponse) -> Response {
    let headers: [(HeaderName, &str); 2] = [
        (CONTENT_TYPE, kind),
        (CONTENT_SECURITY_POLICY, ONLY_FROM_HERE),
    ];
    (StatusCode::OK, headers, body).into_response()
}

/// The common parts: the title, the tags, the security schemes, and the answers that all operations share.
const WHOLE: &str = include_str!("../../../assets/practice/openapi/definition.json");

/// Includes files of one folder.
macro_rules! files {
    ($folder:literal: $($name:literal,)+) => {
        [$(include_str!(concat!("../../../assets/practice/openapi/", $folder, "/", $name, ".json"))),+]
    };
}

/// The operations, one file for each area.
const PATHS: [&str; 14] = files! { "paths":
    "companies", "routes", "consignments", "finding", "changing", "pending", "manifests", "labels",
    "attachments", "dangerous-goods", "tracking", "live-pricing", "practice", "troubles",
};

/// The records, one file for each area.
const SCHEMAS: [&str; 13] = files! { "schemas":
    "values", "companies", "goods", "published", "consignments", "consignment-records", "changing",
    "routes", "manifests", "printing", "lookup", "live-pricing", "troubles",
};

/// Builds the document for a service that listens at `base_url`. Only a mistake in our own files makes
/// this fail.
fn definition(base_url: &str) -> Result<Value, serde_json::Error> {
    let mut whole: Value = serde_json::from_str(WHOLE)?;
    whole["servers"] = json!([{ "url": base_url, "description": "This service" }]);
    whole["paths"] = gather(&PATHS)?;
    whole["components"]["schemas"] = gather(&SCHEMAS)?;
    Ok(whole)
}

fn gather(files: &[&str]) -> Result<Value, serde_json::Error> {
    let mut all = Map::new();
    for file in files {
        all.extend(serde_json::from_str::<Map<String, Value>>(file)?);
    }
    Ok(Value::Object(all))
}
