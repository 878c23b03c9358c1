//! The HTTP layer of the practice service: routes each path to its operation, checks the token, and turns the
//! result into a response.
//!
//! HTTP 200 carries both successes and refusals by the rules, as in the real API. The other statuses are 401
//! for a missing or unknown token, 400 for a request that cannot be read, 413 for a request that is too long,
//! 415 for a request that is not JSON, and 500 for an internal error of the service.

mod endpoint;
mod swagger;
mod tracking;

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router};
use serde_json::{Value, json};

use super::AnswerShapes;
use super::fault_injection::inject_fault;
use super::handlers::{Call, PracticeService};
use super::store::User;
use super::wire::{
    Answer, Document, Envelope, Failure, Refusal, to_published_shapes, to_specification_shapes,
};

pub(crate) use endpoint::{ENDPOINTS, Endpoint, Method};
pub(crate) use tracking::{MODERN, MODERN_SHORT, TRADITIONAL, TRADITIONAL_SHORT};

/// The path of `{middleware_url}` below the service's address.
pub(crate) const MIDDLEWARE: &str = "/middleware";

/// The only operation of the middleware, below [`MIDDLEWARE`].
const LIVE_PRICING: &str = "/middleware/live-pricing/{platform}";

/// The list whose rows have the shape of a grid when the service answers in the published shapes.
const GRID: &str = "/apiv2/consignments/getUnmanifested";

const TOKEN_REQUIRED: &str = "A valid token is required";
pub(crate) const FAILED: &str = "The practice service failed";

/// The state that all handlers share.
#[derive(Clone)]
pub(crate) struct AppState {
    pub(crate) service: Arc<PracticeService>,
    pub(crate) users: Arc<[User]>,
    /// The id that live pricing requires in addition to a user's token.
    pub(crate) integration_id: Arc<str>,
    pub(crate) shapes: AnswerShapes,
}

impl AppState {
    /// Returns the user whose token is in the headers.
    fn user(&self, headers: &HeaderMap) -> Option<&User> {
        let token = header(headers, "token");
        self.users.iter().find(|user| user.token == token)
    }
}

/// Returns the text of a header, or nothing if it is absent or not text.
fn header<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    let value = headers.get(name).and_then(|value| value.to_str().ok());
    value.unwrap_or_default()
}

/// Returns the method and path of every operation, without the pages that publish the API definition.
pub(crate) fn endpoints() -> impl Iterator<Item = (&'static str, &'static str)> {
    let own = ENDPOINTS.iter();
    own.map(|served| (served.method.name(), served.path))
        .chain([(Method::Post.name(), LIVE_PRICING)])
        .chain(tracking::PATHS.map(|path| (Method::Get.name(), path)))
}

/// Returns the paths that faults can be set for, and whether the operation at each path changes anything.
pub(crate) fn fault_targets() -> impl Iterator<Item = (&'static str, bool)> {
    let own = ENDPOINTS.iter();
    own.map(|served| (served.path, served.permission.is_some()))
        .chain([(LIVE_PRICING, false)])
        .chain(tracking::PATHS.map(|path| (path, false)))
}

/// Builds the router with all operations and their definition; `base_url` is where the service listens.
pub(crate) fn router(service: AppState, base_url: &str) -> Router {
    let mut router = Router::new();
    for served in ENDPOINTS {
        router = router.route(served.path, method(served));
    }
    tracking::add(router)
        .route(LIVE_PRICING, post(live_pricing))
        .layer(from_fn_with_state(service.clone(), inject_fault))
        // Added after the layer, so that faults never affect the definition.
        .merge(swagger::routes(base_url))
        .fallback(async || not_found())
        .method_not_allowed_fallback(async || {
            let message = "This operation is called with the other HTTP method";
            failed(StatusCode::METHOD_NOT_ALLOWED, message)
        })
        .with_state(service)
}

fn method(served: &'static Endpoint) -> MethodRouter<AppState> {
    let handler = move |State(service): State<AppState>,
                        query: Query<Vec<(String, String)>>,
                        headers: HeaderMap,
                        body: Result<Bytes, BytesRejection>| {
        answer(service, served, query.0, headers, body)
    };
    match served.method {
        Method::Get => get(handler),
        Method::Post => post(handler),
    }
}

async fn answer(
    service: AppState,
    served: &'static Endpoint,
    query: Vec<(String, String)>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let Some(user) = service.user(&headers) else {
        return failed(StatusCode::UNAUTHORIZED, TOKEN_REQUIRED);
    };
    let body = match served.method {
        Method::Get => Ok(Bytes::new()),
        Method::Post => json_bytes(&headers, body),
    };
    let body = match body {
        Ok(body) => body,
        Err((status, message)) => return failed(status, message),
    };
    let shapes = service.shapes;
    let call = Call {
        user: user.clone(),
        query,
        body: match serde_json::from_slice(&body) {
            Ok(mut request) if shapes == AnswerShapes::Published => {
                to_specification_shapes(&mut request);
                request.to_string().into_bytes()
            }
            _ => body.to_vec(),
        },
    };
    let catalogue = Arc::clone(&service.service.catalogue);
    match tokio::task::spawn_blocking(move || run(served, &service.service, &call)).await {
        Ok(Ok(Answer::Document(document))) => document_response(document),
        Ok(Ok(answer)) => {
            let mut body = served.envelope.answer(answer);
            if shapes == AnswerShapes::Published {
                body = to_published_shapes(&catalogue, body, served.path == GRID);
            }
            Json(body).into_response()
        }
        Ok(Err(Failure::Refused(refusals))) => {
            Json(served.envelope.refusal(&refusals)).into_response()
        }
        Ok(Err(Failure::Unreadable(message))) => failed(StatusCode::BAD_REQUEST, &message),
        Ok(Err(Failure::Broken(message))) => internal_error(&message),
        Err(panic) => internal_error(&panic.to_string()),
    }
}

async fn live_pricing(
    State(service): State<AppState>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let (status, message) = match prices(service, &headers, body).await {
        Ok(Ok(prices)) => return Json(prices).into_response(),
        Ok(Err(Failure::Refused(refusals))) => {
            let messages: Vec<&str> = refusals.iter().map(Refusal::message).collect();
            (StatusCode::OK, messages.join("; "))
        }
        Ok(Err(Failure::Unreadable(message))) => (StatusCode::BAD_REQUEST, message),
        Ok(Err(Failure::Broken(message))) => {
            tracing::error!(message, "live pricing of the practice service failed");
            (StatusCode::INTERNAL_SERVER_ERROR, FAILED.to_owned())
        }
        Err((status, message)) => (status, message.to_owned()),
    };
    (status, Json(json!({ "error": message }))).into_response()
}

async fn prices(
    service: AppState,
    headers: &HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Result<Value, Failure>, (StatusCode, &'static str)> {
    let user = caller(&service, headers).map_err(|message| (StatusCode::UNAUTHORIZED, message))?;
    let (user, body) = (user.clone(), json_bytes(headers, body)?);
    let done = tokio::task::spawn_blocking(move || service.service.live_prices(&user, &body)).await;
    Ok(done.unwrap_or_else(|panic| Err(Failure::Broken(panic.to_string()))))
}

/// Returns the user with this token, if the integration id is valid too.
fn caller<'a>(service: &'a AppState, headers: &HeaderMap) -> Result<&'a User, &'static str> {
    let user = service.user(headers).ok_or(TOKEN_REQUIRED)?;
    if header(headers, "integration_id") == &*service.integration_id {
        Ok(user)
    } else {
        Err("A valid integration_id is required")
    }
}

/// Answers with an internal error of the service; the details go to the log.
fn internal_error(message: &str) -> Response {
    tracing::error!(message, "an operation of the practice service failed");
    failed(StatusCode::INTERNAL_SERVER_ERROR, FAILED)
}

fn run(served: &Endpoint, desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    if let Some(permission) = served.permission {
        call.user.check(permission)?;
    }
    desk.advance_carriers()?;
    if served.can_lag
        && let Some(past) = desk.past.seen()
    {
        return (served.operation)(&past, call);
    }
    // Operations that may change something run one at a time, so that the state cannot change between their
    // first read and their last write.
    let _turn = served.permission.map(|_| desk.lock_changes());
    if served.permission.is_some() {
        desk.keep_snapshot(served.path)?;
    }
    (served.operation)(desk, call)
}

/// Returns the body if it is empty, is JSON or has no content type; otherwise the status and text of
/// the refusal.
fn json_bytes(
    headers: &HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Bytes, (StatusCode, &'static str)> {
    let said = headers.get(CONTENT_TYPE);
    let said = said.map(|said| said.to_str().unwrap_or_default());
    let kind = said.and_then(|said| said.split(';').next());
    let is_empty = body.as_ref().is_ok_and(Bytes::is_empty);
    let is_other = |kind: &str| !kind.trim().eq_ignore_ascii_case("application/json");
    if !is_empty && kind.is_some_and(is_other) {
        let message = "The request must be JSON: application/json";
        return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    body.map_err(|rejection| (rejection.status(), "The request could not be received"))
}

fn not_found() -> Response {
    let message = "The practice service has no such operation";
    failed(StatusCode::NOT_FOUND, message)
}

fn document_response(document: Document) -> Response {
    // File names consist of letters, digits, dashes and dots, so they need no escaping.
    let disposition = format!("attachment; filename=\"{}\"", document.file_name);
    let headers = [
        (CONTENT_TYPE, document.content_type.to_owned()),
        (CONTENT_DISPOSITION, disposition),
    ];
    (headers, document.content).into_response()
}

/// Answers with an envelope that holds nothing but this message.
pub(crate) fn failed(status: StatusCode, message: &str) -> Response {
    let body: Value = Envelope::Object.refusal(&[Refusal::general(message)]);
    (status, Json(body)).into_response()
}
