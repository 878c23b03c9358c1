//! Builds the two HTTP clients, again after the machine slept, because all idle connections are dead then.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderValue};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret as _, SecretString};

use super::connection::NetworkOptions;
use super::{Connection, ConnectionError};
use shipping::is_loopback;

/// One client for reads, which keeps idle connections, and one for writes, which never does. If the
/// service closes an idle connection just as a write is sent on it, nobody can tell whether the write was
/// carried out.
#[derive(Debug)]
pub(super) struct HttpClients {
    recipe: ClientSettings,
    clients: Mutex<ClientPair>,
}

#[derive(Debug, Clone)]
pub(super) struct ClientPair {
    pub(super) reads: reqwest::Client,
    pub(super) writes: reqwest::Client,
}

#[derive(Debug)]
struct ClientSettings {
    headers: HeaderMap,
    base_url: Url,
    network: NetworkOptions,
    connect: Duration,
}

impl HttpClients {
    /// Creates clients for `base_url` with the network options of `connection`. The `secrets` are sent as
    /// headers of every request.
    pub(super) fn new(
        base_url: &Url,
        secrets: &[(&'static str, &SecretString)],
        connection: &Connection,
    ) -> Result<Self, ConnectionError> {
        let mut headers = HeaderMap::new();
        for (name, secret) in secrets {
            // The header's own copy is also wiped, when the last client that holds it is dropped.
            let copy = Zeroizing::new(secret.expose_secret().as_bytes().to_vec());
            if !copy.is_ascii() {
                return Err(ConnectionError::Token);
            }
            let mut value = HeaderValue::from_maybe_shared(Bytes::from_owner(copy))
                .map_err(|_invalid| ConnectionError::Token)?;
            value.set_sensitive(true);
            headers.insert(*name, value);
        }
        let recipe = ClientSettings {
            headers,
            base_url: base_url.clone(),
            network: connection.network.clone(),
            connect: connection.timeouts.connect,
        };
        Ok(Self {
            clients: Mutex::new(recipe.make()?),
            recipe,
        })
    }

    pub(super) fn clients(&self) -> ClientPair {
        let clients = self.clients.lock();
        clients.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Builds both clients again. Running calls keep the previous clients.
    pub(super) fn renew(&self) {
        match self.recipe.make() {
            Ok(made) => *self.clients.lock().unwrap_or_else(PoisonError::into_inner) = made,
            // Building them succeeded before, and the old clients are better than none.
            Err(error) => tracing::warn!(%error, "the HTTP clients could not be made anew"),
        }
    }
}

impl ClientSettings {
    fn make(&self) -> Result<ClientPair, ConnectionError> {
        let built = |builder: reqwest::ClientBuilder| {
            let client = builder.build();
            client.map_err(|_unbuildable| ConnectionError::Address)
        };
        let writes = self.builder().http1_only().pool_max_idle_per_host(0);
        Ok(ClientPair {
            reads: built(self.builder())?,
            writes: built(writes)?,
        })
    }

    fn builder(&self) -> reqwest::ClientBuilder {
        // A second installation is refused and changes nothing.
        let _already = rustls::crypto::ring::default_provider().install_default();
        let mut builder = reqwest::Client::builder()
            .default_headers(self.headers.clone())
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .connect_timeout(self.connect);
        if is_loopback(&self.base_url) {
            builder = builder.no_proxy();
        } else if let Some(proxy) = &self.network.proxy {
            builder = builder.proxy(proxy.clone());
        }
        if self.base_url.scheme() == "http" {
            // Plain HTTP never uses TLS, because redirects are not followed. Loading the system's hundred or
            // so root certificates would only delay the window.
            builder.tls_certs_only([])
        } else {
            builder.tls_certs_merge(self.network.authorities.clone())
        }
    }
}
