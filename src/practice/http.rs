//! The HTTP layer of the practice service: lists all operations, checks the token, and turns the result of an
//! operation into a response.
//!
//! Both successes and refusals by the rules have HTTP status 200, as in the real API. The other statuses are 401 for
//! a missing or unknown token, 400 for a request that cannot be read, 413 for a request that is too long, 415 for a
//! request that is not JSON, and 500 for an internal error of the service.

mod swagger;

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
use serde_json::json;

use super::AnswerShapes;
use super::fault_injection::inject_fault;
use super::handlers::{
    Call, Handler, Permission, PracticeService, User, create, edit, find, manifest,
    practice_controls, printing, reference_data, routes, statuses,
};
use super::rules::OperationVariant::{Complex, Simple};
use super::store::LookupKey::{CarrierConsignmentId, Reference1, Reference2};
use super::wire::{
    Answer, Envelope, Failure, Refusal, Reply, to_published_shapes, to_specification_shapes,
};
use super::{proof, tracking_page};

/// The path of `{middleware_url}` below the service's address.
pub(crate) const MIDDLEWARE: &str = "/middleware";

/// The list whose rows have the shape of a grid when the service answers in the published shapes.
const GRID: &str = "/apiv2/consignments/getUnmanifested";

const TOKEN_REQUIRED: &str = "A valid token is required";
pub(crate) const FAILED: &str = "The practice service failed";

/// One operation and the path that it is served at.
struct Endpoint {
    /// `GET` or `POST`.
    method: &'static str,
    path: &'static str,
    operation: Handler,
    /// The permission that the user needs; none for operations that only read.
    permission: Option<Permission>,
    envelope: Envelope,
    /// Whether this is a lookup that the lookup-lag fault affects.
    lags: bool,
}

/// Builds the list of operations. An entry has a method, a path, a handler, and any fields that are not the default.
macro_rules! endpoints {
    ($($method:ident $path:literal $operation:expr $(, $member:ident: $value:expr)*;)+) => {
        &[$(Endpoint {
            $($member: $value,)*
            ..Endpoint {
                method: stringify!($method),
                path: $path,
                operation: $operation,
                permission: None,
                envelope: Envelope::Object,
                lags: false,
            }
        }),+]
    };
}

/// All operations. The router reads the list, and so do the tests that check the published definition against it.
///
/// Some operations are served under a second path, because live services publish a spelling that differs from
/// the specification's. The second path follows the first.
const ENDPOINTS: &[Endpoint] = endpoints! {
    POST "/apiv2/authenticate/ping" |_| Ok(json!(true).into());
    GET "/apiv2/companies/getAll" reference_data::companies;
    GET "/apiv2/companyLocations" reference_data::company_locations;
    GET "/apiv2/companyLocations/getAll" reference_data::company_locations;
    GET "/apiv2/companies/getAvailableCarriersAccountsAndServices" reference_data::rate_cards;
    POST "/apiv2/routes/returnRoutes" |call| routes::routes(call, Simple);
    POST "/apiv2/routes/returnroutes" |call| routes::routes(call, Simple);
    POST "/apiv2/routes/returnrouteswithcomplexitems" |call| routes::routes(call, Complex);
    POST "/apiv2/consignments/createConsignment" |call| create::create(call, Simple),
        permission: Some(Permission::CREATE);
    POST "/apiv2/consignments/createConsignmentwithComplexItems" |call| create::create(call, Complex),
        permission: Some(Permission::CREATE);
    GET "/apiv2/consignments/getConsignment" find::consignment, lags: true;
    GET "/apiv2/consignments/getConsignmentByPendingConsignmentId" find::by_pending_id, lags: true;
    POST "/apiv2/consignments/returnConsignments" find::by_ids, lags: true;
    POST "/apiv2/consignments/returnConsignmentsByCarrierConsignmentId"
        |call| find::by(call, CarrierConsignmentId), lags: true;
    GET "/apiv2/consignments/returnConsignmentsByCarrierConsignmentId" find::by_carrier_id_fetched, lags: true;
    POST "/apiv2/consignments/returnConsignmentsByReference1" |call| find::by(call, Reference1), lags: true;
    POST "/apiv2/consignments/returnConsignmentsByReference2" |call| find::by(call, Reference2), lags: true;
    POST "/apiv2/consignments/returnConsignmentsByPendingConsignmentIds" find::by_pending_ids, lags: true;
    GET "/apiv2/consignments/getRecentlyCreatedOrUpdatedConsignments" find::recent, lags: true;
    POST "/apiv2/consignments/getAttachments" proof::attachments;
    GET "/apiv2/attachments/getAttachmentsByConsignmentIds" proof::documents;
    GET "/apiv2/consignments/getUnmanifested" find::unmanifested, lags: true;
    GET "/apiv2/consignments/getUnmanifestedConsignmentForEdit" edit::for_edit, lags: true;
    POST "/apiv2/consignments/editUnmanifestedConsignment" edit::edit, permission: Some(Permission::EDIT);
    POST "/apiv2/consignments/deleteUnmanifestedConsignments" edit::delete,
        permission: Some(Permission::DELETE), envelope: Envelope::Success;
    POST "/apiv2/consignments/updateConsignmentStatuses" statuses::update_statuses,
        permission: Some(Permission::STATUSES), envelope: Envelope::Success;
    POST "/apiv2/pendingConsignments/createPendingConsignment" create::create_pending,
        permission: Some(Permission::PENDING);
    POST "/apiv2/pendingConsignments/deletePendingConsignments" create::delete_pending,
        permission: Some(Permission::PENDING), envelope: Envelope::Success;
    GET "/apiv2/labels/getItemPdfFileInfo" printing::item_labels;
    POST "/apiv2/labels/sendLabelsToPrinter" printing::send_labels,
        permission: Some(Permission::LABELS), envelope: Envelope::Success;
    POST "/apiv2/labels/groupConsignmentsForPrinting" printing::group_for_printing;
    POST "/apiv2/manifests/groupConsignmentsForManifest" manifest::group_for_manifest;
    POST "/apiv2/manifests/groupAllUnmanifestedConsignmentsForManifest" manifest::group_all_for_manifest;
    POST "/apiv2/manifests/manifest" manifest::manifest, permission: Some(Permission::MANIFEST);
    GET "/api/DangerousGoods/GetUnNumberInformation" reference_data::un_numbers, envelope: Envelope::Session;
    // Stands for a user who completes the draft in the service's own web interface. Only the practice service has the
    // paths that begin with `/practice/`.
    POST "/practice/convertPendingConsignment" create::convert_pending, permission: Some(Permission::CREATE);
    // The print jobs that the service's printers would have printed.
    GET "/practice/printJobs" printing::print_jobs;
    // Fault injection.
    GET "/practice/troubles" practice_controls::faults;
    POST "/practice/setTrouble" practice_controls::set_fault;
    POST "/practice/clearTroubles" practice_controls::clear_faults, envelope: Envelope::Success;
    // The speed of the simulated carriers.
    POST "/practice/setCarrierSpeed" practice_controls::set_carrier_speed, envelope: Envelope::Success;
    POST "/practice/deliverAll" practice_controls::deliver_all, envelope: Envelope::Success;
    // The only operation of the middleware.
    POST "/middleware/live-pricing/{platform}" routes::live_prices, envelope: Envelope::Middleware;
};

/// The state that all handlers share.
#[derive(Clone)]
pub(crate) struct AppState {
    pub(crate) service: Arc<PracticeService>,
    /// The clerk, the viewer, the supervisor and the tester.
    pub(crate) users: Arc<[User; 4]>,
    /// The id that live pricing requires in addition to a user's token.
    pub(crate) integration_id: Arc<str>,
    pub(crate) shapes: AnswerShapes,
}

/// Returns the text of a header, or an empty text if the header is absent or not text.
fn header<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    let value = headers.get(name).and_then(|value| value.to_str().ok());
    value.unwrap_or_default()
}

/// Returns the method and path of every operation, without the pages that publish the API definition.
pub(crate) fn endpoints() -> impl Iterator<Item = (&'static str, &'static str)> {
    let own = ENDPOINTS.iter().map(|served| (served.method, served.path));
    own.chain(tracking_page::PATHS.map(|path| ("GET", path)))
}

/// Returns the paths that faults can be set for, and whether the operation at each path changes anything.
pub(crate) fn fault_targets() -> impl Iterator<Item = (&'static str, bool)> {
    let own = ENDPOINTS.iter();
    own.map(|served| (served.path, served.permission.is_some()))
        .chain(tracking_page::PATHS.map(|path| (path, false)))
}

/// Builds the router with all operations and their definition; `base_url` is where the service listens.
pub(crate) fn router(state: AppState, base_url: &str) -> Router {
    let mut router = tracking_page::routes();
    for served in ENDPOINTS {
        router = router.route(served.path, method_router(served));
    }
    router
        .layer(from_fn_with_state(state.clone(), inject_fault))
        // These routes are added after the layer, so that faults never affect the definition.
        .merge(swagger::routes(base_url))
        .fallback(async || not_found())
        .method_not_allowed_fallback(async || {
            let message = "This operation is called with the other HTTP method";
            failed(Envelope::Object, StatusCode::METHOD_NOT_ALLOWED, message)
        })
        .with_state(state)
}

fn method_router(served: &'static Endpoint) -> MethodRouter<AppState> {
    let handler = move |State(state): State<AppState>,
                        query: Query<Vec<(String, String)>>,
                        headers: HeaderMap,
                        body: Result<Bytes, BytesRejection>| {
        answer(state, served, query.0, headers, body)
    };
    match served.method {
        "GET" => get(handler),
        _ => post(handler),
    }
}

async fn answer(
    state: AppState,
    served: &'static Endpoint,
    query: Vec<(String, String)>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let (envelope, shapes) = (served.envelope, state.shapes);
    let failed = |status, message: &str| failed(envelope, status, message);
    let token = header(&headers, "token");
    let user = state.users.iter().find(|user| user.token == token);
    let Some(user) = user.cloned() else {
        return failed(StatusCode::UNAUTHORIZED, TOKEN_REQUIRED);
    };
    let integration_id = header(&headers, "integration_id");
    if envelope == Envelope::Middleware && integration_id != &*state.integration_id {
        let message = "A valid integration_id is required";
        return failed(StatusCode::UNAUTHORIZED, message);
    }
    let body = match served.method {
        "GET" => Ok(Bytes::new()),
        _ => json_bytes(&headers, body),
    };
    let body = match body {
        Ok(body) => body,
        Err((status, message)) => return failed(status, message),
    };
    let body = match serde_json::from_slice(&body) {
        Ok(mut request) if shapes == AnswerShapes::Published => {
            to_specification_shapes(&mut request);
            request.to_string().into()
        }
        _ => body,
    };
    let ran = tokio::task::spawn_blocking(move || {
        let call = Call {
            service: &state.service,
            user: &user,
            query: &query,
            body: &body,
        };
        run(served, &call)
    });
    match ran
        .await
        .unwrap_or_else(|panic| Err(Failure::broken(panic)))
    {
        Ok(Answer::Document {
            file_name,
            content_type,
            content,
        }) => {
            // File names consist of letters, digits, dashes and dots, so they need no escaping.
            let disposition = format!("attachment; filename=\"{file_name}\"");
            let headers = [
                (CONTENT_TYPE, content_type.to_owned()),
                (CONTENT_DISPOSITION, disposition),
            ];
            (headers, content).into_response()
        }
        Ok(answer) => {
            let mut body = envelope.answer(answer);
            if shapes == AnswerShapes::Published {
                body = to_published_shapes(body, served.path == GRID);
            }
            Json(body).into_response()
        }
        Err(Failure::Refused(refusals)) => Json(envelope.refusal(&refusals)).into_response(),
        Err(Failure::Unreadable(message)) => failed(StatusCode::BAD_REQUEST, &message),
        Err(Failure::Broken(message)) => internal_error(envelope, &message),
    }
}

fn run(served: &Endpoint, call: &Call<'_>) -> Reply {
    let service = call.service;
    if let Some(permission) = served.permission {
        call.user.check(permission)?;
    }
    service.advance_carriers()?;
    if served.lags
        && let Some(past) = service.past.seen()
    {
        let service = &past;
        return (served.operation)(&Call { service, ..*call });
    }
    // Operations that may change something run one at a time, so that the state cannot change between their
    // first read and their last write.
    let _turn = served.permission.map(|_| service.lock_changes());
    if served.permission.is_some() {
        service.keep_snapshot(served.path)?;
    }
    (served.operation)(call)
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
    failed(Envelope::Object, StatusCode::NOT_FOUND, message)
}

/// Answers with an internal error of the service; the details go to the log.
pub(crate) fn internal_error(envelope: Envelope, message: &str) -> Response {
    tracing::error!(message, "an operation of the practice service failed");
    failed(envelope, StatusCode::INTERNAL_SERVER_ERROR, FAILED)
}

/// Answers with an envelope that holds only this message.
pub(crate) fn failed(envelope: Envelope, status: StatusCode, message: &str) -> Response {
    let envelope = match envelope {
        Envelope::Middleware => Envelope::Middleware,
        _ => Envelope::Object,
    };
    let body = envelope.refusal(&[Refusal::general(message)]);
    (status, Json(body)).into_response()
}
