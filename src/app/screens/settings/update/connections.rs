//! Converts between typed and saved connections, and turns connection errors into messages at form fields.

use std::path::PathBuf;

use crate::config::{ConnectionSettings, MiddlewareSettings, TokenError, Tokens};
use client::{ConnectionError, ConnectionTestError, Failure};
use draft::{ConnectionDraft, ConnectionField, ConnectionProblem, ServiceKind};
use shipping::{self, Paths};

use crate::service::ServiceError;

/// Returns the form of a saved connection, without secrets.
pub(crate) fn draft_of(saved: &ConnectionSettings) -> ConnectionDraft {
    let middleware = saved.middleware.clone();
    let middleware = middleware.map(|one| (one.address, one.platform));
    let (middleware_address, platform) = middleware.unwrap_or_default();
    let authority = saved.authority.as_ref();
    let authority = authority.map(|path| path.display().to_string());
    let mut draft = ConnectionDraft {
        saved_name: Some(saved.name.clone()),
        name: saved.name.clone(),
        kind: Some(saved.kind),
        address: saved.address.clone(),
        company: saved.company,
        compatibility: saved.dialect.clone(),
        middleware_address,
        platform,
        authority: authority.unwrap_or_default(),
        proxy: saved.proxy.clone().unwrap_or_default(),
        ..ConnectionDraft::default()
    };
    draft.set_tracking(&saved.tracking);
    draft
}

/// Returns a typed connection as the settings store it: trimmed, and without secrets.
pub(crate) fn settings_of(draft: &ConnectionDraft) -> ConnectionSettings {
    let text = |text: &str| text.trim().to_owned();
    let filled = |typed: &str| Some(text(typed)).filter(|text| !text.is_empty());
    let mut dialect = draft.compatibility.clone();
    let paths = &mut dialect.paths;
    let usual = Paths::default();
    for (path, usual) in [
        (&mut paths.routes, usual.routes),
        (&mut paths.complex_routes, usual.complex_routes),
        (&mut paths.company_locations, usual.company_locations),
        (&mut paths.un_numbers, usual.un_numbers),
    ] {
        *path = filled(path).unwrap_or(usual);
    }
    ConnectionSettings {
        name: { draft.saved_name.clone() }.unwrap_or_else(|| text(&draft.name)),
        kind: draft.kind.unwrap_or(ServiceKind::Test),
        address: text(&draft.address),
        company: draft.company,
        service_printer: None,
        senders: Vec::new(),
        dialect,
        tracking: draft.tracking_bases(),
        middleware: filled(&draft.middleware_address).map(|address| MiddlewareSettings {
            address,
            platform: text(&draft.platform),
        }),
        authority: filled(&draft.authority).map(PathBuf::from),
        proxy: filled(&draft.proxy),
    }
}

/// Returns the tokens that are typed in a form.
pub(crate) fn tokens_of(draft: &ConnectionDraft) -> Tokens {
    Tokens {
        service: draft.token.to_secret_string(),
        middleware: draft.middleware_token.to_secret_string(),
        integration: draft.integration.to_secret_string(),
    }
}

/// Says why a connection can't be used, at the field where the clerk can correct it.
pub(crate) fn not_usable(error: &ServiceError) -> ConnectionProblem {
    use ConnectionField as At;
    let (field, words) = match error {
        ServiceError::NoConnection => (At::Name, "This connection no longer exists"),
        ServiceError::Token(TokenError::NoToken) => {
            (At::Token, "Paste the token here: the keyring has none")
        }
        ServiceError::Token(TokenError::NoKeyring) => {
            let words = "Paste the token here: this machine's keyring cannot be used";
            (At::Token, words)
        }
        ServiceError::Authority(_, kind) => {
            let words = format!("The file cannot be read ({kind})");
            return ConnectionProblem::at(At::Authority, words);
        }
        ServiceError::Connection(ConnectionError::Address) => {
            (At::Address, "Enter a web address that starts with https://")
        }
        ServiceError::Connection(ConnectionError::NotHttps) => {
            (At::Address, "It must start with https://")
        }
        ServiceError::Connection(ConnectionError::CredentialsInAddress) => (
            At::Address,
            "Remove the user name and password from the address: settings can't store secrets",
        ),
        ServiceError::Connection(ConnectionError::Token) => (
            At::Token,
            "Some characters can't be part of a token. Paste it again",
        ),
        ServiceError::Connection(ConnectionError::Authority) => (
            At::Authority,
            "The file contains no certificate in PEM format (-----BEGIN CERTIFICATE-----)",
        ),
        ServiceError::Connection(ConnectionError::Proxy) => {
            (At::Proxy, "Enter the proxy as http://host:port")
        }
        ServiceError::Connection(ConnectionError::Platform) => {
            (At::Platform, "Enter the platform: letters, digits, - and _")
        }
    };
    ConnectionProblem::at(field, words)
}

/// Says why a service can't be reached, at the field that the cause points to.
pub(crate) fn not_reached(why: &ConnectionTestError, proxied: bool) -> ConnectionProblem {
    use ConnectionField as At;
    let (field, words) = match why {
        ConnectionTestError::UnknownHost => (
            At::Address,
            "Server not found. Check the spelling, or the network",
        ),
        ConnectionTestError::Untrusted => (
            At::Authority,
            "This computer doesn't trust the service's certificate. If your company has a certificate authority of its \
             own, choose its file here",
        ),
        ConnectionTestError::WrongHost => (
            At::Address,
            "A different server answers there: its certificate is for another server name. Nothing was sent",
        ),
        ConnectionTestError::OutOfDate => (
            At::Address,
            "The service's certificate has expired. Check this computer's clock, or tell the service's administrator",
        ),
        ConnectionTestError::Failed(Failure::Unauthorised) => (
            At::Token,
            "The service does not accept this token (HTTP 401)",
        ),
        ConnectionTestError::Failed(Failure::Refused(errors)) => {
            let words = shipping::ServiceError::joined_messages(errors);
            return ConnectionProblem::at(At::Token, words);
        }
        ConnectionTestError::Failed(Failure::NeverSent) if proxied => (
            At::Proxy,
            "No answer through this proxy. Check the proxy and the address",
        ),
        ConnectionTestError::Failed(other) => {
            return ConnectionProblem::at(At::Address, no_service(other));
        }
    };
    ConnectionProblem::at(field, words)
}

/// Says why there is no usable service at an address.
fn no_service(failure: &Failure) -> String {
    let words = match failure {
        Failure::NeverSent => "No answer from this address. Check the address, and the network",
        Failure::TimedOut => "The service didn't answer in time. Try again",
        Failure::Broken => "The connection was lost. Try again",
        Failure::WebPage => {
            "A web page answered instead of the service. Check the address, or sign in to the network"
        }
        Failure::Status(status @ 300..=399) => {
            return format!(
                "This address redirects elsewhere (HTTP {status}), and the token wasn't sent there. Enter the address \
                 where the service really is"
            );
        }
        Failure::Status(404) => "There is no such service at this address (HTTP 404)",
        Failure::Status(status) => {
            return format!(
                "The service has an internal error (HTTP {status}). Try again in a minute"
            );
        }
        Failure::Busy { .. } => "The service is busy. Try again in a minute",
        Failure::Unreadable(_) | Failure::Empty | Failure::TooLarge(_) => {
            "A different server answers at this address. Check the address"
        }
        other => return format!("The service can't be used: {other}"),
    };
    words.to_owned()
}
