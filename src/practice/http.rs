//! The service's addresses: which path is which operation, who may call, and how an answer or a failure goes out.
//!
//! HTTP 200 carries both success and the rules' refusals, as the interface does; 401 is a missing or unknown token, 400 a
//! request that cannot be read, 413 one that is too long, 415 one that is not JSON, 500 the service's own failure. It
//! decides nothing else.

mod published;
mod table;

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router};
use serde_json::Value;

use super::desk::{Call, Desk};
use super::store::User;
use super::wire::{Answer, Envelope, Failure, Refusal};

pub(crate) use table::{Method, OPERATIONS, Served};

/// What every call shares.
#[derive(Clone)]
pub(crate) struct Service {
    pub(crate) desk: Arc<Desk>,
    pub(crate) users: Arc<[User]>,
}

/// All operations, each at its path, and their definition; `base_url` is where the service listens.
pub(crate) fn router(service: Service, base_url: &str) -> Router {
    let mut router = published::routes(base_url);
    for served in OPERATIONS {
        router = router.route(served.path, method(served));
    }
    router
        .fallback(async || unknown())
        .method_not_allowed_fallback(async || {
            failed(
                StatusCode::METHOD_NOT_ALLOWED,
                "This operation is called with the other HTTP method",
            )
        })
        .with_state(service)
}

fn method(served: &'static Served) -> MethodRouter<Service> {
    let handler = move |State(service): State<Service>,
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
    service: Service,
    served: &'static Served,
    query: Vec<(String, String)>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let token = headers
        .get("token")
        .and_then(|token| token.to_str().ok())
        .unwrap_or_default();
    let Some(user) = service.users.iter().find(|user| user.token == token) else {
        return failed(StatusCode::UNAUTHORIZED, "A valid token is required");
    };
    let body = match body {
        Ok(_) if !is_json(&headers) => {
            return failed(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "The request must be JSON: application/json",
            );
        }
        Ok(body) => body.to_vec(),
        Err(rejection) => return failed(rejection.status(), "The request could not be received"),
    };
    let call = Call {
        user: user.clone(),
        query,
        body,
    };
    match tokio::task::spawn_blocking(move || run(served, &service.desk, &call)).await {
        Ok(Ok(answer)) => Json(served.envelope.answer(&answer)).into_response(),
        Ok(Err(Failure::Refused(refusals))) => {
            Json(served.envelope.refusal(&refusals)).into_response()
        }
        Ok(Err(Failure::Unreadable(message))) => failed(StatusCode::BAD_REQUEST, &message),
        Ok(Err(Failure::Broken(message))) => {
            tracing::error!(message, "an operation of the practice service failed");
            broken()
        }
        Err(panic) => {
            tracing::error!(%panic, "an operation of the practice service panicked");
            broken()
        }
    }
}

fn run(served: &Served, desk: &Desk, call: &Call) -> Result<Answer, Failure> {
    if let Some(permission) = served.permission {
        call.user.check(permission)?;
    }
    desk.carriers_move()?;
    (served.operation)(desk, call)
}

/// Whether the body is JSON, or is not said to be anything.
fn is_json(headers: &HeaderMap) -> bool {
    let Some(said) = headers.get(CONTENT_TYPE) else {
        return true;
    };
    let said = said.to_str().unwrap_or_default();
    let kind = said.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}

fn unknown() -> Response {
    failed(
        StatusCode::NOT_FOUND,
        "The practice service has no such operation",
    )
}

fn broken() -> Response {
    failed(
        StatusCode::INTERNAL_SERVER_ERROR,
        "The practice service failed",
    )
}

fn failed(status: StatusCode, message: &str) -> Response {
    let body: Value = Envelope::Object.refusal(&[Refusal::whole(message)]);
    (status, Json(body)).into_response()
}
