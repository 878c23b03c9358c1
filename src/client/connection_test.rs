//! The ping, which checks the token, and the test of a new connection. If the test fails, it reports the cause in
//! more detail than other calls do.

use std::time::{Duration, Instant};

use thiserror::Error;

use super::response::{self, SizeLimit};
use super::transport::ApiRequest;
use super::{Client, Failure};

pub(super) const PING: &str = "/apiv2/authenticate/ping";

/// The reason why the test of a new connection failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ConnectionTestError {
    #[error("server not found")]
    UnknownHost,
    /// No authority that this computer trusts has issued the certificate.
    #[error("its certificate is not trusted")]
    Untrusted,
    /// The certificate was issued for another host.
    #[error("its certificate is for another server name")]
    WrongHost,
    /// The certificate has expired or is not valid yet.
    #[error("its certificate is out of date")]
    OutOfDate,
    /// A failure that any call can have.
    #[error(transparent)]
    Failed(#[from] Failure),
}

impl Client {
    /// `POST /apiv2/authenticate/ping`. Returns true if the token is accepted.
    pub async fn ping(&self) -> Result<bool, Failure> {
        let call = ApiRequest::post_nothing(PING, SizeLimit::Single, self.limits.read);
        self.transport.read(&call).await
    }

    /// `POST /apiv2/authenticate/ping`, sent once. Returns how long the call took if the token is accepted.
    pub async fn test_connection(&self) -> Result<Duration, ConnectionTestError> {
        let call = ApiRequest::post_nothing(PING, SizeLimit::Single, self.limits.read);
        let asked = Instant::now();
        match self.transport.read_once(&call).await {
            Ok(came) => {
                let accepted: bool = response::read_payload(came?)?;
                if accepted {
                    Ok(asked.elapsed())
                } else {
                    Err(Failure::Unauthorised.into())
                }
            }
            Err(error) => Err(self.diagnose(&error).await),
        }
    }

    /// Finds out why no answer came at all.
    async fn diagnose(&self, error: &reqwest::Error) -> ConnectionTestError {
        if let Some(refused) = certificate_refused(error) {
            return refused;
        }
        let failure = response::failure_of_send(error);
        if failure == Failure::NeverSent
            && let Some(host) = self.transport.resolved_host()
            && tokio::net::lookup_host(host).await.is_err()
        {
            return ConnectionTestError::UnknownHost;
        }
        failure.into()
    }
}

/// Returns why TLS rejected the certificate, if that is the cause of the error.
fn certificate_refused(error: &reqwest::Error) -> Option<ConnectionTestError> {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        // An I/O error can contain another error that its `source` method does not return.
        let held = error
            .downcast_ref::<std::io::Error>()
            .and_then(std::io::Error::get_ref);
        let tls = error
            .downcast_ref::<rustls::Error>()
            .or_else(|| held?.downcast_ref::<rustls::Error>());
        if let Some(tls) = tls {
            return certificate_error_of(tls);
        }
        cause = match held {
            Some(held) => Some(held),
            None => error.source(),
        };
    }
    None
}

fn certificate_error_of(tls: &rustls::Error) -> Option<ConnectionTestError> {
    use rustls::CertificateError as Why;
    let rustls::Error::InvalidCertificate(why) = tls else {
        return None;
    };
    Some(match why {
        Why::NotValidForName | Why::NotValidForNameContext { .. } => ConnectionTestError::WrongHost,
        Why::Expired
        | Why::ExpiredContext { .. }
        | Why::NotValidYet
        | Why::NotValidYetContext { .. } => ConnectionTestError::OutOfDate,
        _ => ConnectionTestError::Untrusted,
    })
}
