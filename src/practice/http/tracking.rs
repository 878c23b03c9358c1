//! Where the public tracking pages are: no token of a user, only that of the consignment, in the address.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, LOCATION};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;

use super::{Service, broken};
use crate::practice::tracking_page::{self, Design};

/// Long and short addresses of the two designs, below the service's own address.
pub(crate) const TRADITIONAL: &str = "/v1/track";
pub(crate) const TRADITIONAL_SHORT: &str = "/t1";
pub(crate) const MODERN: &str = "/v2/track";
pub(crate) const MODERN_SHORT: &str = "/t2";

/// Nothing but the page's own style may be used by it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// Adds the pages, and the short addresses that lead to them.
pub(super) fn add(router: Router<Service>) -> Router<Service> {
    let mut router = router;
    for (long, short, design) in [
        (TRADITIONAL, TRADITIONAL_SHORT, Design::Traditional),
        (MODERN, MODERN_SHORT, Design::Modern),
    ] {
        let page = move |State(service): State<Service>, Path(token): Path<String>| {
            show(service, token, design)
        };
        let lead = async move |Path(token): Path<String>| lead(long, &token, design);
        router = router
            .route(&format!("{long}/{{token}}"), get(page))
            .route(&format!("{short}/{{token}}"), get(lead));
    }
    router
}

async fn show(service: Service, token: String, design: Design) -> Response {
    let found =
        tokio::task::spawn_blocking(move || service.desk.tracked_page(&token, design)).await;
    match found {
        Ok(Ok(Some(page))) => shown(StatusCode::OK, page),
        Ok(Ok(None)) => shown(StatusCode::NOT_FOUND, tracking_page::unknown(design)),
        Ok(Err(error)) => broken(&error.to_string()),
        Err(panic) => broken(&panic.to_string()),
    }
}

/// To the long address. What cannot be a token leads nowhere.
fn lead(long: &str, token: &str, design: Design) -> Response {
    if token.bytes().all(|letter| letter.is_ascii_alphanumeric()) {
        (StatusCode::FOUND, [(LOCATION, format!("{long}/{token}"))]).into_response()
    } else {
        shown(StatusCode::NOT_FOUND, tracking_page::unknown(design))
    }
}

fn shown(status: StatusCode, page: String) -> Response {
    let headers = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (CACHE_CONTROL, "no-store"),
    ];
    (status, headers, Html(page)).into_response()
}
