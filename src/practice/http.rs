//! The service's addresses: which path is which operation, who may call, and how an answer or a failure goes out.
//!
//! HTTP 200 carries both success and the rules' refusals, as the interface does; 401 is a missing or unknown token, 400 a
//! request that cannot be read, 500 the service's own failure. It decides nothing else.

use std::collections::HashMap;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router};
use serde_json::{Value, json};

use super::desk::{self, Call, Desk, Operation};
use super::store::User;
use super::wire::{Answer, Failure, Refusal};

/// What every call shares.
#[derive(Clone)]
pub(crate) struct Service {
    pub(crate) desk: Arc<Desk>,
    pub(crate) users: Arc<[User]>,
}

/// The interface's paths, with the spellings that are published beside them.
pub(crate) fn router(service: Service) -> Router {
    Router::new()
        .route("/apiv2/authenticate/ping", posted(desk::ping))
        .route("/apiv2/companies/getAll", fetched(desk::companies))
        .route("/apiv2/companyLocations", fetched(desk::company_locations))
        .route(
            "/apiv2/companyLocations/getAll",
            fetched(desk::company_locations),
        )
        .route(
            "/apiv2/companies/getAvailableCarriersAccountsAndServices",
            fetched(desk::rate_cards),
        )
        .route("/apiv2/routes/returnRoutes", posted(desk::routes))
        .route("/apiv2/routes/returnroutes", posted(desk::routes))
        .route(
            "/apiv2/routes/returnrouteswithcomplexitems",
            posted(desk::routes_complex),
        )
        .route(
            "/apiv2/consignments/createConsignment",
            posted(desk::create),
        )
        .route(
            "/apiv2/consignments/createConsignmentwithComplexItems",
            posted(desk::create_complex),
        )
        .route(
            "/apiv2/consignments/getConsignment",
            fetched(desk::consignment),
        )
        .route(
            "/apiv2/consignments/getRecentlyCreatedOrUpdatedConsignments",
            fetched(desk::recent),
        )
        .route(
            "/apiv2/labels/getItemPdfFileInfo",
            fetched(desk::item_labels),
        )
        .route(
            "/apiv2/manifests/groupConsignmentsForManifest",
            posted(desk::group),
        )
        .route(
            "/apiv2/manifests/groupAllUnmanifestedConsignmentsForManifest",
            posted(desk::group_all),
        )
        .route("/apiv2/manifests/manifest", posted(desk::manifest))
        .fallback(async || {
            failed(
                StatusCode::NOT_FOUND,
                "The practice service has no such operation",
            )
        })
        .method_not_allowed_fallback(async || {
            failed(
                StatusCode::METHOD_NOT_ALLOWED,
                "This operation is called with the other HTTP method",
            )
        })
        .with_state(service)
}

fn posted(operation: Operation) -> MethodRouter<Service> {
    post(
        move |State(service): State<Service>,
              query: Query<HashMap<String, String>>,
              headers: HeaderMap,
              body: Bytes| { answer(service, operation, query.0, headers, body) },
    )
}

fn fetched(operation: Operation) -> MethodRouter<Service> {
    get(
        move |State(service): State<Service>,
              query: Query<HashMap<String, String>>,
              headers: HeaderMap| {
            answer(service, operation, query.0, headers, Bytes::new())
        },
    )
}

async fn answer(
    service: Service,
    operation: Operation,
    query: HashMap<String, String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let token = headers
        .get("token")
        .and_then(|token| token.to_str().ok())
        .unwrap_or_default();
    let Some(user) = service.users.iter().find(|user| user.token == token) else {
        return failed(StatusCode::UNAUTHORIZED, "A valid token is required");
    };
    let call = Call {
        user: user.clone(),
        query,
        body: body.to_vec(),
    };
    let done = tokio::task::spawn_blocking(move || {
        service.desk.carriers_move()?;
        operation(&service.desk, &call)
    })
    .await;
    match done {
        Ok(Ok(answer)) => succeeded(&answer),
        Ok(Err(Failure::Refused(refusals))) => {
            let errors: Vec<Value> = refusals.iter().map(Refusal::to_json).collect();
            Json(json!({ "object": null, "errors": errors })).into_response()
        }
        Ok(Err(Failure::Unreadable(message))) => failed(StatusCode::BAD_REQUEST, &message),
        Ok(Err(Failure::Broken(message))) => {
            tracing::error!(message, "an operation of the practice service failed");
            failed(
                StatusCode::INTERNAL_SERVER_ERROR,
                "The practice service failed",
            )
        }
        Err(panic) => {
            tracing::error!(%panic, "an operation of the practice service panicked");
            failed(
                StatusCode::INTERNAL_SERVER_ERROR,
                "The practice service failed",
            )
        }
    }
}

fn succeeded(answer: &Answer) -> Response {
    Json(answer.to_json()).into_response()
}

fn failed(status: StatusCode, message: &str) -> Response {
    (
        status,
        Json(json!({ "object": null, "errors": [Refusal::whole(message).to_json()] })),
    )
        .into_response()
}
