//! The proxy between a bench and the practice service: it reports each request before forwarding it, makes
//! pages small, and drops messages on demand. It handles one request at a time, so that a seed always gives
//! the same run.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use hyper::body::Frame;
use tokio::runtime::Runtime;
use tokio::sync::Notify;

/// What becomes of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::track) enum Trick {
    Pass,
    /// It is done, and its answer never comes back.
    LoseAnswer,
    /// Nothing is done: HTTP 429.
    Busy,
    /// The answer ends in its middle.
    Cut,
    /// HTTP 500.
    Fail,
    /// HTTP 200, and an error that does not say why.
    Refuse,
    /// HTTP 403.
    Deny,
    /// It goes on only when the road is opened again.
    Wait,
}

type Guard = Box<dyn FnMut(&str) -> Trick + Send>;

struct Inside {
    behind: String,
    client: reqwest::Client,
    /// Rows in a page, where the bench asks for more.
    page: Mutex<usize>,
    guard: Mutex<Option<Guard>>,
    open: Notify,
}

/// The road; it lasts as long as its runtime.
#[derive(Clone)]
pub(in crate::track) struct Road {
    pub(in crate::track) address: String,
    inside: Arc<Inside>,
}

impl Road {
    pub(in crate::track) fn before(runtime: &Runtime, behind: String) -> Self {
        let inside = Arc::new(Inside {
            behind,
            client: crate::support::practice::client(),
            page: Mutex::new(200),
            guard: Mutex::default(),
            open: Notify::new(),
        });
        let listening = tokio::net::TcpListener::bind("127.0.0.1:0");
        let listener = runtime.block_on(listening).expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("its number"));
        let router = Router::new().fallback(pass).with_state(Arc::clone(&inside));
        runtime.spawn(async move { axum::serve(listener, router).await });
        Self { address, inside }
    }

    /// No page has more rows than this.
    pub(in crate::track) fn page(&self, rows: usize) {
        *self.inside.page.lock().expect("nobody panicked") = rows;
    }

    /// From now on `guard` sees each request, by its path and query, and says what becomes of it.
    pub(in crate::track) fn guard(&self, guard: impl FnMut(&str) -> Trick + Send + 'static) {
        *self.inside.guard.lock().expect("nobody panicked") = Some(Box::new(guard));
    }

    /// Everything passes.
    pub(in crate::track) fn free(&self) {
        *self.inside.guard.lock().expect("nobody panicked") = None;
    }

    /// Lets on what waits.
    pub(in crate::track) fn open(&self) {
        self.inside.open.notify_one();
    }
}

async fn pass(
    State(inside): State<Arc<Inside>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let size = *inside.page.lock().expect("nobody panicked");
    let line = uri.path_and_query().expect("a path").as_str();
    let line = line.replace("retrieveSize=200", &format!("retrieveSize={size}"));
    let trick = {
        let (inside, line) = (Arc::clone(&inside), line.clone());
        let looked = tokio::task::spawn_blocking(move || {
            let mut guard = inside.guard.lock().expect("nobody panicked");
            guard.as_mut().map_or(Trick::Pass, |guard| guard(&line))
        });
        looked.await.expect("the guard stands")
    };
    match trick {
        Trick::Busy => {
            return (StatusCode::TOO_MANY_REQUESTS, [("retry-after", "0")]).into_response();
        }
        Trick::Fail => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Trick::Refuse => {
            let error = r#"{"object":null,"errors":[{"validationType":1,"memberNames":[],"errorMessage":"Try later"}]}"#;
            return ([("content-type", "application/json")], error).into_response();
        }
        Trick::Deny => return StatusCode::FORBIDDEN.into_response(),
        Trick::Wait => inside.open.notified().await,
        Trick::Pass | Trick::LoseAnswer | Trick::Cut => {}
    }
    let url = format!("{}{line}", inside.behind);
    let mut request = inside.client.request(method, url).body(body);
    for (name, value) in &headers {
        if name == "token" || name == "content-type" {
            request = request.header(name, value);
        }
    }
    let Ok(answer) = request.send().await else {
        return StatusCode::BAD_GATEWAY.into_response();
    };
    let status = answer.status();
    let bytes = answer.bytes().await.unwrap_or_default();
    let kind = [("content-type", "application/json")];
    match trick {
        Trick::LoseAnswer => broken(Bytes::new()),
        Trick::Cut => broken(bytes.slice(..bytes.len() / 2)),
        _ => (status, kind, bytes).into_response(),
    }
}

/// So much of an answer, and then the connection breaks.
fn broken(bytes: Bytes) -> Response {
    let parts = [Ok(bytes), Err(std::io::Error::other("cut"))];
    let body = Body::new(Parts(parts.into_iter()));
    ([("content-type", "application/json")], body).into_response()
}

struct Parts(std::array::IntoIter<Result<Bytes, std::io::Error>, 2>);

impl hyper::body::Body for Parts {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, std::io::Error>>> {
        Poll::Ready(self.0.next().map(|part| part.map(Frame::data)))
    }
}
