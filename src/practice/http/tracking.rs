//! The addresses of the public tracking pages. They need no user token; the consignment's token is part of
//! the address.

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, LOCATION};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;

use super::{AppState, internal_error};
use crate::tracking_page::{self, Design};

/// Long and short paths of the two designs.
pub(crate) const TRADITIONAL: &str = "/v1/track";
pub(crate) const TRADITIONAL_SHORT: &str = "/t1";
pub(crate) const MODERN: &str = "/v2/track";
pub(crate) const MODERN_SHORT: &str = "/t2";

/// Long and short route of the traditional design, then of the modern one.
pub(super) const PATHS: [&str; 4] = [
    "/v1/track/{token}",
    "/t1/{token}",
    "/v2/track/{token}",
    "/t2/{token}",
];

/// The content security policy: the page may use its own style and nothing else.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// Adds the pages, and the short addresses that redirect to them.
pub(super) fn add(router: Router<AppState>) -> Router<AppState> {
    let mut router = router;
    let [first, first_short, second, second_short] = PATHS;
    for (path, short_path, long, design) in [
        (first, first_short, TRADITIONAL, Design::Traditional),
        (second, second_short, MODERN, Design::Modern),
    ] {
        let page =
            move |State(service): State<AppState>, token: TokenInPath| show(service, token, design);
        let lead = async move |token: TokenInPath| redirect_to_long_address(long, token, design);
        router = router.route(path, get(page)).route(short_path, get(lead));
    }
    router
}

/// The token in the address, or an error if that is not valid UTF-8.
type TokenInPath = Result<Path<String>, PathRejection>;

async fn show(service: AppState, token: TokenInPath, design: Design) -> Response {
    let Ok(Path(token)) = token else {
        return shown(StatusCode::NOT_FOUND, tracking_page::unknown(design));
    };
    let found =
        tokio::task::spawn_blocking(move || service.service.tracked_page(&token, design)).await;
    match found {
        Ok(Ok(Some(page))) => shown(StatusCode::OK, page),
        Ok(Ok(None)) => shown(StatusCode::NOT_FOUND, tracking_page::unknown(design)),
        Ok(Err(error)) => internal_error(&error.to_string()),
        Err(panic) => internal_error(&panic.to_string()),
    }
}

/// Redirects to the long address. Answers 404 to text that cannot be a token.
fn redirect_to_long_address(long: &str, token: TokenInPath, design: Design) -> Response {
    match token {
        Ok(Path(token)) if token.bytes().all(|letter| letter.is_ascii_alphanumeric()) => {
            (StatusCode::FOUND, [(LOCATION, format!("{long}/{token}"))]).into_response()
        }
        _ => shown(StatusCode::NOT_FOUND, tracking_page::unknown(design)),
    }
}

fn shown(status: StatusCode, page: String) -> Response {
    let headers = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (CACHE_CONTROL, "no-store"),
    ];
    (status, headers, Html(page)).into_response()
}
