//! A local proxy server that forwards every call and records requests and answers.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, HOST, TRANSFER_ENCODING};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use reqwest::redirect::Policy;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// What one call may bring, either way.
const MOST_BYTES: usize = 64 * 1024 * 1024;

/// These are of one connection and not of the call.
const OF_A_CONNECTION: [HeaderName; 4] = [HOST, CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING];

/// One call, both ways.
#[derive(Debug, Clone)]
pub(crate) struct Exchange {
    pub(crate) method: String,
    pub(crate) path: String,
    /// Decoded.
    pub(crate) query: Vec<(String, String)>,
    pub(crate) headers: HeaderMap,
    pub(crate) sent: Vec<u8>,
    pub(crate) status: u16,
    pub(crate) answer_headers: HeaderMap,
    pub(crate) answer: Vec<u8>,
}

impl Exchange {
    /// What the answer says it is.
    pub(crate) fn content_type(&self) -> &str {
        let kind = self.answer_headers.get(CONTENT_TYPE);
        kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default()
    }
}

/// Stands before a service.
pub(crate) struct Wiretap {
    base_url: String,
    behind: Arc<Behind>,
    server: JoinHandle<()>,
}

struct Behind {
    base_url: String,
    client: reqwest::Client,
    exchanges: Mutex<VecDeque<Exchange>>,
}

impl Wiretap {
    /// Before the service at `base_url`.
    pub(crate) async fn before(base_url: &str) -> Self {
        let base_url = base_url.trim_end_matches('/').to_owned();
        let client = client(&base_url);
        let behind = Arc::new(Behind {
            base_url,
            client,
            exchanges: Mutex::default(),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("its number");
        let router = Router::new()
            .fallback(pass_on)
            .with_state(Arc::clone(&behind));
        let server = tokio::spawn(async move {
            axum::serve(listener, router).await.expect("it serves");
        });
        Self {
            base_url: format!("http://{address}"),
            behind,
            server,
        }
    }

    /// Where it listens.
    pub(crate) fn base_url(&self) -> &str {
        &self.base_url
    }

    /// The oldest call that nobody has looked at.
    pub(crate) fn next(&self) -> Option<Exchange> {
        self.exchanges().pop_front()
    }

    /// The same, and it stays.
    pub(crate) fn peek(&self) -> Option<Exchange> {
        self.exchanges().front().cloned()
    }

    /// How many calls nobody has looked at.
    pub(crate) fn waiting(&self) -> usize {
        self.exchanges().len()
    }

    fn exchanges(&self) -> std::sync::MutexGuard<'_, VecDeque<Exchange>> {
        let exchanges = &self.behind.exchanges;
        exchanges.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Wiretap {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// A client that follows nothing, and goes straight to what is on this machine.
pub(crate) fn client(base_url: &str) -> reqwest::Client {
    // A second installation is refused, and the first is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = reqwest::Client::builder().redirect(Policy::none());
    let near = base_url.starts_with("http://");
    let builder = if near { builder.no_proxy() } else { builder };
    builder.build().expect("a client")
}

async fn pass_on(State(behind): State<Arc<Behind>>, request: Request) -> Response {
    match carry(&behind, request).await {
        Ok(response) => response,
        Err(words) => (StatusCode::BAD_GATEWAY, words).into_response(),
    }
}

async fn carry(behind: &Behind, request: Request) -> Result<Response, String> {
    let (parts, body) = request.into_parts();
    let sent = axum::body::to_bytes(body, MOST_BYTES).await;
    let sent = sent.map_err(|error| error.to_string())?.to_vec();
    let address = parts
        .uri
        .path_and_query()
        .map_or("/", |address| address.as_str());
    let url = format!("{}{address}", behind.base_url);
    let parsed = reqwest::Url::parse(&url).map_err(|error| error.to_string())?;
    let mut request = behind
        .client
        .request(parts.method.clone(), parsed.clone())
        .headers(without_connection(&parts.headers));
    if !sent.is_empty() {
        request = request.body(sent.clone());
    }
    let reply = request.send().await;
    let reply = reply.map_err(|error| error.without_url().to_string())?;
    let (status, headers) = (reply.status(), without_connection(reply.headers()));
    let answer = reply
        .bytes()
        .await
        .map_err(|error| error.without_url().to_string())?;
    let exchange = Exchange {
        method: parts.method.to_string(),
        path: parts.uri.path().to_owned(),
        query: parsed.query_pairs().into_owned().collect(),
        headers: parts.headers,
        sent,
        status: status.as_u16(),
        answer_headers: headers.clone(),
        answer: answer.to_vec(),
    };
    let exchanges = &behind.exchanges;
    exchanges
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push_back(exchange);
    Ok((status, headers, Body::from(answer)).into_response())
}

fn without_connection(headers: &HeaderMap) -> HeaderMap {
    let mut kept = headers.clone();
    for name in OF_A_CONNECTION {
        kept.remove(name);
    }
    kept
}
