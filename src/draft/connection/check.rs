//! Checks a typed connection before anything is sent, and reports every problem at its field.

use std::net::IpAddr;

use url::{Host, Url};

use super::{ConnectionDraft, ConnectionField, Secret, ServicePath, TrackingBase, non_blank};

/// The longest name in characters; the name becomes part of a file name.
const LONGEST_NAME: usize = 40;

/// A problem at a field, worded for the person who sets up the bench.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectionProblem {
    pub field: ConnectionField,
    /// The instruction to show.
    pub message: String,
}

impl ConnectionProblem {
    pub fn at(field: ConnectionField, words: impl Into<String>) -> Self {
        let words = words.into();
        Self {
            field,
            message: words,
        }
    }
}

/// Facts about saved connections that a check needs besides what is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ConnectionContext<'a> {
    /// The names of the other connections.
    pub names: &'a [&'a str],
    /// Whether a token is stored.
    pub token: bool,
    /// Whether a middleware token is stored.
    pub middleware_token: bool,
    /// Whether an integration id is stored.
    pub integration: bool,
}

type Problems = Vec<ConnectionProblem>;

impl ConnectionDraft {
    /// Returns every problem, in the order of the form.
    pub fn check(&self, known: ConnectionContext<'_>) -> Problems {
        let mut problems = Problems::new();
        let mut say = |field, words: Option<&str>| {
            problems.extend(words.map(|words| ConnectionProblem::at(field, words)));
        };
        say(ConnectionField::Name, self.name_problem(known.names));
        let kind = self.kind.is_none().then_some("Choose TEST or LIVE");
        say(ConnectionField::Kind, kind);
        let address = non_blank(&self.address)
            .map_or(Some("Type the service's address: https://…"), |address| {
                address_problem(&address)
            });
        say(ConnectionField::Address, address);
        let secret = |secret: &Secret, known: bool, missing| {
            if secret.is_blank() {
                (!known).then_some(missing)
            } else {
                (!secret.can_be_sent())
                    .then_some("Some characters can't be part of a token. Paste it again")
            }
        };
        say(
            ConnectionField::Token,
            secret(&self.token, known.token, "Paste the token here"),
        );
        let proxy = non_blank(&self.proxy).and_then(|proxy| proxy_problem(&proxy));
        say(ConnectionField::Proxy, proxy);
        for base in TrackingBase::ALL {
            let words = non_blank(&self.tracking[base as usize])
                .and_then(|address| address_problem(&address));
            say(ConnectionField::Tracking(base), words);
        }
        if let Some(address) = non_blank(&self.middleware_address) {
            say(
                ConnectionField::MiddlewareAddress,
                address_problem(&address),
            );
            say(ConnectionField::Platform, self.platform_problem());
            let missing = "Paste the middleware's token here";
            say(
                ConnectionField::MiddlewareToken,
                secret(&self.middleware_token, known.middleware_token, missing),
            );
            let missing = "Paste the integration id here";
            say(
                ConnectionField::Integration,
                secret(&self.integration, known.integration, missing),
            );
        }
        for path in ServicePath::ALL {
            say(
                ConnectionField::Path(path),
                path_problem(self.path(path).trim()),
            );
        }
        problems
    }

    fn name_problem(&self, others: &[&str]) -> Option<&'static str> {
        if self.saved_name.is_some() {
            return None;
        }
        let name = self.name.trim();
        let plain = journal_file_stem(name);
        if name.is_empty() {
            Some("Give the connection a name")
        } else if name.chars().count() > LONGEST_NAME {
            Some("Use at most 40 characters")
        } else if plain == "practice" {
            Some("This name is reserved for the practice service")
        } else if others.iter().any(|other| journal_file_stem(other) == plain) {
            Some("Another connection has this name")
        } else {
            None
        }
    }

    fn platform_problem(&self) -> Option<&'static str> {
        let platform = self.platform.trim();
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let fits = !platform.is_empty() && platform.chars().all(plain);
        (!fits).then_some("Type the platform: letters, digits, - and _")
    }
}

/// Returns the name as it appears in its journal's file name. Names that give equal results count as equal.
pub fn journal_file_stem(name: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    name.trim().chars().map(plain).collect()
}

/// Checks an address that a token will be sent to: https, or http on this machine.
fn address_problem(address: &str) -> Option<&'static str> {
    let Ok(url) = Url::parse(address) else {
        return Some("Enter a web address that starts with https://");
    };
    if !url.has_host() || !matches!(url.scheme(), "https" | "http") {
        return Some("Enter a web address that starts with https://");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Some(
            "Remove the user name and password from the address: only the token is needed",
        );
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Some("Remove ? or # and everything after it");
    }
    let plain_elsewhere = url.scheme() == "http" && !is_loopback(&url);
    plain_elsewhere.then_some("Use https://, so that nobody can read the token on the way")
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => IpAddr::V4(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::V6(address).is_loopback(),
        None => false,
    }
}

fn proxy_problem(proxy: &str) -> Option<&'static str> {
    let Some(url) = Url::parse(proxy).ok().filter(Url::has_host) else {
        return Some("Type the proxy as http://host:port");
    };
    if !matches!(url.scheme(), "http" | "https") {
        return Some("Type the proxy as http://host:port");
    }
    let secret = !url.username().is_empty() || url.password().is_some();
    secret.then_some("Remove the user name and password: settings can't store secrets")
}

fn path_problem(path: &str) -> Option<&'static str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.');
    // An empty path means the specification's.
    let fits =
        path.is_empty() || (path.len() > 1 && path.starts_with('/') && path.chars().all(plain));
    (!fits).then_some("A path starts with / and has letters, digits, / - _ and .")
}

#[cfg(test)]
mod tests {
    use super::super::ServiceKind;
    use super::ConnectionField::{Address, Kind, Name, Token};
    use super::*;

    fn typed() -> ConnectionDraft {
        let mut draft = ConnectionDraft {
            name: "Depot".to_owned(),
            kind: Some(ServiceKind::Test),
            address: "https://ship.example".to_owned(),
            ..ConnectionDraft::default()
        };
        draft.token.text_mut().push_str("7f3a");
        draft
    }

    #[test]
    fn a_whole_connection_has_no_problems_and_an_empty_one_has_each_at_its_field() {
        assert_eq!(typed().check(ConnectionContext::default()), []);
        let empty = ConnectionDraft::default().check(ConnectionContext::default());
        let fields: Vec<_> = empty.iter().map(|problem| problem.field).collect();
        assert_eq!(fields, [Name, Kind, Address, Token]);
    }

    #[test]
    fn an_address_is_https_or_on_this_machine() {
        for good in [
            "https://ship.example/base",
            "http://127.0.0.1:8080",
            "http://localhost",
            "http://[::1]:1",
        ] {
            assert_eq!(address_problem(good), None, "{good}");
        }
        for bad in [
            "ship.example",
            "http://ship.example",
            "http://10.0.0.1",
            "ftp://ship.example",
            "https://",
            "https://user:secret@ship.example",
            "https://ship.example/?token=1",
        ] {
            assert!(address_problem(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn names_that_would_share_a_journal_are_one_name() {
        let draft = ConnectionDraft {
            name: "Depot 1".to_owned(),
            ..typed()
        };
        let names = ["depot-1"];
        let known = ConnectionContext {
            names: &names,
            ..ConnectionContext::default()
        };
        assert_eq!(draft.check(known)[0].field, Name);
        let own = ConnectionDraft {
            name: "Practice".to_owned(),
            ..typed()
        };
        assert_eq!(own.check(ConnectionContext::default())[0].field, Name);
    }

    #[test]
    fn a_stored_token_need_not_be_typed_again_and_a_middleware_needs_all_of_its_own() {
        let mut draft = typed();
        draft.token = Secret::default();
        let known = ConnectionContext {
            token: true,
            ..ConnectionContext::default()
        };
        assert_eq!(draft.check(known), []);
        draft.middleware_address = "https://prices.example".to_owned();
        assert_eq!(draft.check(known).len(), 3);
    }
}
