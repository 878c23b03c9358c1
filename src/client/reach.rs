//! Tests a connection that is being set up, and explains in more detail than other calls why it does
//! not work.

use std::time::{Duration, Instant};

use thiserror::Error;

use super::answer::{self, Cap};
use super::ask::Ask;
use super::{Client, Failure};

/// The reason why the test of a new connection failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unreachable {
    #[error("no machine has this name")]
    UnknownHost,
    /// No authority that this computer trusts has issued the certificate.
    #[error("its certificate is not trusted")]
    Untrusted,
    /// The certificate was issued for another host.
    #[error("its certificate is for another name")]
    OtherName,
    /// The certificate has expired or is not valid yet.
    #[error("its certificate is out of date")]
    OutOfDate,
    /// A failure that any call can have.
    #[error(transparent)]
    Failed(#[from] Failure),
}

impl Client {
    /// `POST /apiv2/authenticate/ping`, sent once. Returns how long the call took if the token is accepted.
    pub async fn reach(&self) -> Result<Duration, Unreachable> {
        let ask = Ask::post_nothing(super::authenticate::PING, Cap::Single);
        let asked = Instant::now();
        match self.transport.once(&ask).await {
            Ok(came) => {
                let accepted: bool = answer::read_answer(came?)?;
                if accepted {
                    Ok(asked.elapsed())
                } else {
                    Err(Failure::Unauthorised.into())
                }
            }
            Err(error) => Err(self.why(&error).await),
        }
    }

    /// Finds out why no answer came at all.
    async fn why(&self, error: &reqwest::Error) -> Unreachable {
        if let Some(refused) = certificate_refused(error) {
            return refused;
        }
        let failure = answer::lost(error);
        // With a proxy, only the proxy resolves the host name.
        if failure == Failure::NeverSent && !self.transport.is_proxied() {
            let named = self.transport.host_and_port();
            if let Some((host, port)) = named
                && tokio::net::lookup_host((host.as_str(), port))
                    .await
                    .is_err()
            {
                return Unreachable::UnknownHost;
            }
        }
        failure.into()
    }
}

/// Returns why TLS rejected the certificate, if that is the cause of the error.
fn certificate_refused(error: &reqwest::Error) -> Option<Unreachable> {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        // An I/O error contains another error, but leaves it out of the chain of sources.
        let held = error
            .downcast_ref::<std::io::Error>()
            .and_then(std::io::Error::get_ref);
        let tls = error
            .downcast_ref::<rustls::Error>()
            .or_else(|| held?.downcast_ref::<rustls::Error>());
        if let Some(tls) = tls {
            return verdict(tls);
        }
        cause = match held {
            Some(held) => Some(held),
            None => error.source(),
        };
    }
    None
}

fn verdict(tls: &rustls::Error) -> Option<Unreachable> {
    use rustls::CertificateError as Why;
    let rustls::Error::InvalidCertificate(why) = tls else {
        return None;
    };
    Some(match why {
        Why::NotValidForName | Why::NotValidForNameContext { .. } => Unreachable::OtherName,
        Why::Expired
        | Why::ExpiredContext { .. }
        | Why::NotValidYet
        | Why::NotValidYetContext { .. } => Unreachable::OutOfDate,
        _ => Unreachable::Untrusted,
    })
}
