//! The first call to a service that is being set up: it tells apart why nothing answers, which the others need not.

use std::time::{Duration, Instant};

use thiserror::Error;

use super::answer::{self, Cap};
use super::ask::Ask;
use super::{Client, Failure};

/// Why a service that is being set up does not answer as it should.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unreachable {
    /// No machine has this name.
    #[error("no machine has this name")]
    UnknownHost,
    /// Its certificate comes from nobody that this computer trusts.
    #[error("its certificate is not trusted")]
    Untrusted,
    /// Its certificate is another machine's.
    #[error("its certificate is for another name")]
    OtherName,
    /// Its certificate has run out, or does not hold yet.
    #[error("its certificate is out of date")]
    OutOfDate,
    /// Anything that any call may end with.
    #[error(transparent)]
    Failed(#[from] Failure),
}

impl Client {
    /// `POST /apiv2/authenticate/ping`, once: how long it took, where the token is accepted.
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

    /// Why no answer came at all.
    async fn why(&self, error: &reqwest::Error) -> Unreachable {
        if let Some(refused) = certificate_refused(error) {
            return refused;
        }
        let failure = answer::lost(error);
        // Behind a proxy it is the proxy that knows the names.
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

/// What TLS has against the machine's certificate, where that is why.
fn certificate_refused(error: &reqwest::Error) -> Option<Unreachable> {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        // An I/O error holds another, and leaves it out of the chain.
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
