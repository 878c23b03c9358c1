//! Middleware that injects a fault into a call: decides whether and when the operation runs, and how the
//! connection ends.
//!
//! The request is read completely first. Except for [`Fault::DelayBefore`], an operation that is to run does
//! so even if the client disconnects.

use std::time::Duration;

use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::fault::{Fault, FaultTiming};
use super::faulty_answers::{corrupted, in_its_place};
use super::{ConnectionHandle, interrupted};
use crate::http::AppState;
use crate::wire::Envelope;

/// Limit for reading a request: more than any operation accepts, so that the operations refuse
/// long requests themselves.
const MOST_BYTES: usize = 4 << 20;

/// Runs before every operation. Passes the call on unchanged if no fault is due.
pub(crate) async fn inject_fault(
    State(service): State<AppState>,
    ConnectInfo(line): ConnectInfo<ConnectionHandle>,
    path: MatchedPath,
    request: Request,
    next: Next,
) -> Response {
    // An earlier answer on this connection may have ended before the offset of its cut.
    line.cancel_end();
    let Some(fault) = service.service.faults.next_fault(path.as_str()) else {
        return next.run(request).await;
    };
    let Some(request) = received(request).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    tracing::debug!(
        path = path.as_str(),
        ?fault,
        "injecting a fault into a call"
    );
    let call = FaultyCall {
        service,
        line,
        request,
        next,
    };
    call.inject(fault).await
}

async fn received(request: Request) -> Option<Request> {
    let (parts, body) = request.into_parts();
    let bytes = to_bytes(body, MOST_BYTES).await.ok()?;
    Some(Request::from_parts(parts, Body::from(bytes)))
}

/// A call whose operation has not run yet.
struct FaultyCall {
    service: AppState,
    line: ConnectionHandle,
    request: Request,
    next: Next,
}

impl FaultyCall {
    async fn inject(self, fault: Fault) -> Response {
        let (service, line) = (self.service.clone(), self.line.clone());
        let troubles = &service.service.faults;
        if let Some((status, when)) = fault.status_in_its_place() {
            if when == FaultTiming::After {
                self.run_detached(None).await;
            }
            return in_its_place(&fault, status, service.service.clock.now());
        }
        match fault {
            Fault::FailBefore { reset } => dropped(&line, reset),
            Fault::FailAfter { reset } => {
                self.run_detached(None).await;
                dropped(&line, reset)
            }
            Fault::DelayBefore { ms } => {
                if troubles.pause(Duration::from_millis(ms)).await {
                    self.next.run(self.request).await
                } else {
                    dropped(&line, false)
                }
            }
            Fault::DelayAfter { ms } => {
                let answer = self.run_detached(None).await;
                troubles.pause(Duration::from_millis(ms)).await;
                answer
            }
            Fault::CommitLate { ms } => self.run_detached(Some(Duration::from_millis(ms))).await,
            Fault::Cut { at, reset } => {
                let answer = self.run_detached(None).await;
                line.end_after(at, reset);
                answer
            }
            fault => corrupted(&fault, self.run_detached(None).await).await,
        }
    }

    /// Runs the operation, after an optional delay, in a task that continues even if the client disconnects.
    async fn run_detached(self, after: Option<Duration>) -> Response {
        let Self {
            service,
            line,
            request,
            next,
        } = self;
        let happens = tokio::spawn(async move {
            if let Some(time) = after
                && !service.service.faults.pause(time).await
            {
                return dropped(&line, false);
            }
            next.run(request).await
        });
        happens.await.unwrap_or_else(|_panicked| {
            let envelope = Envelope::Object.refusal(&[interrupted()]);
            (StatusCode::INTERNAL_SERVER_ERROR, Json(envelope)).into_response()
        })
    }
}

/// Ends the connection before any byte of the answer is sent.
fn dropped(line: &ConnectionHandle, reset: bool) -> Response {
    line.end_after(0, reset);
    StatusCode::SERVICE_UNAVAILABLE.into_response()
}
