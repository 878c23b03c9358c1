//! The integration middleware for live prices. Like a separate service, it has its own headers and its own
//! error format.

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};

use super::{AppState, json_bytes};
use crate::store::User;
use crate::wire::{Failure, Refusal};

/// The path of `{middleware_url}` below the service's address.
pub(crate) const MIDDLEWARE: &str = "/middleware";

/// The only operation of the middleware, below [`MIDDLEWARE`].
pub(super) const PATH: &str = "/middleware/live-pricing/{platform}";

/// Adds live pricing for any platform.
pub(super) fn add(router: Router<AppState>) -> Router<AppState> {
    router.route(PATH, post(live_pricing))
}

async fn live_pricing(
    State(service): State<AppState>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let user = match caller(&service, &headers) {
        Ok(user) => user.clone(),
        Err(message) => return failed(StatusCode::UNAUTHORIZED, message),
    };
    let body = match json_bytes(&headers, body) {
        Ok(body) => body,
        Err((status, message)) => return failed(status, message),
    };
    let desk = service.service;
    let done = tokio::task::spawn_blocking(move || desk.live_prices(&user, &body)).await;
    match done {
        Ok(Ok(prices)) => Json(prices).into_response(),
        Ok(Err(Failure::Refused(refusals))) => {
            let messages: Vec<&str> = refusals.iter().map(Refusal::message).collect();
            failed(StatusCode::OK, &messages.join("; "))
        }
        Ok(Err(Failure::Unreadable(message))) => failed(StatusCode::BAD_REQUEST, &message),
        Ok(Err(Failure::Broken(message))) => internal_error(&message),
        Err(panic) => internal_error(&panic.to_string()),
    }
}

/// Returns the user with this token, if the integration id is valid too.
fn caller<'a>(service: &'a AppState, headers: &HeaderMap) -> Result<&'a User, &'static str> {
    let said = |name: &str| {
        let value = headers.get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default()
    };
    let mut users = service.users.iter();
    let user = users.find(|user| user.token == said("token"));
    let user = user.ok_or("A valid token is required")?;
    if said("integration_id") == &*service.integration_id {
        Ok(user)
    } else {
        Err("A valid integration_id is required")
    }
}

fn internal_error(message: &str) -> Response {
    tracing::error!(message, "live pricing of the practice service failed");
    failed(
        StatusCode::INTERNAL_SERVER_ERROR,
        "The practice service failed",
    )
}

fn failed(status: StatusCode, message: &str) -> Response {
    let body: Value = json!({ "error": message });
    (status, Json(body)).into_response()
}
