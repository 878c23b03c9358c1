//! The published definition of the API: the `OpenAPI` document at `/openapi.json`, and at `/swagger` a page that
//! shows it and can call the service with a token.
//!
//! The document is put together from the files in `assets/practice/openapi/`, which are written by hand from the
//! API's documentation and not generated from the code. Tests check every answer of the service against it, so a
//! change to only one of the two is noticed.
//!
//! Neither address needs a token. This service provides everything that the page needs, so the page works
//! without a network, and a content security policy stops the browser from loading anything from elsewhere.

use axum::Router;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderName, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::{Map, Value, json};
use swagger_ui_redist::{SwaggerUi, SwaggerUiStaticFile};

use super::{Envelope, internal_error, not_found};

const DOCUMENT: &str = "/openapi.json";
const PAGE: &str = "/swagger";

/// The content security policy. The page has inline styles and scripts, and icons as `data:` URLs.
const ONLY_FROM_HERE: &str = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; script-src 'self' 'unsafe-inline'";

/// Returns the routes of the document and the page; `base_url` is where the service listens.
pub(super) fn routes<S: Clone + Send + Sync + 'static>(base_url: &str) -> Router<S> {
    let base_url = base_url.to_owned();
    Router::new()
        .route(DOCUMENT, get(async move || document(&base_url)))
        .route(PAGE, get(async || page()))
        .route(&format!("{PAGE}/"), get(async || page()))
        .route(
            &format!("{PAGE}/{{file}}"),
            get(async |uri: Uri| asset(uri.path())),
        )
}

fn document(base_url: &str) -> Response {
    match definition(base_url) {
        Ok(document) => content("application/json", document.to_string()),
        Err(error) => internal_error(Envelope::Object, &error.to_string()),
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
        Err(error) => internal_error(Envelope::Object, &error.to_string()),
    }
}

fn asset(path: &str) -> Response {
    let mut files = SwaggerUi::static_files().iter();
    let found = files.find(|(file, _)| path.strip_prefix("/swagger/") == Some(file.file_name()));
    let Some((file, bytes)) = found else {
        return not_found();
    };
    let kind = match file.file_name().rsplit_once('.') {
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
    (headers, body).into_response()
}

/// The common parts: the title, the tags, the security schemes, and the answers that all operations share.
const WHOLE: &str = include_str!("../../../assets/practice/openapi/definition.json");

/// Includes files of one folder, and joins their members.
macro_rules! gather {
    ($folder:literal: $($name:literal,)+) => {{
        let mut all = Map::new();
        $(
            let text = include_str!(concat!("../../../assets/practice/openapi/", $folder, "/", $name, ".json"));
            all.extend(serde_json::from_str::<Map<String, Value>>(text)?);
        )+
        Value::Object(all)
    }};
}

/// Builds the document for a service that listens at `base_url`. Only a mistake in our own files makes
/// this fail.
fn definition(base_url: &str) -> Result<Value, serde_json::Error> {
    let mut whole: Value = serde_json::from_str(WHOLE)?;
    whole["servers"] = json!([{ "url": base_url, "description": "This service" }]);
    // The operations, one file for each area.
    whole["paths"] = gather! { "paths":
        "companies", "routes", "consignments", "finding", "changing", "pending", "manifests", "labels",
        "attachments", "dangerous-goods", "tracking", "live-pricing", "practice", "troubles",
    };
    // The records, one file for each area.
    whole["components"]["schemas"] = gather! { "schemas":
        "values", "companies", "goods", "published", "consignments", "consignment-records", "changing",
        "routes", "manifests", "printing", "lookup", "live-pricing", "troubles",
    };
    Ok(whole)
}
