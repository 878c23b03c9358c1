//! The public tracking page of a consignment: a base address from the connection's settings, followed by a
//! token.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::web_address::parse_secure_address;

/// The base addresses of a deployment's tracking pages. All are settings; the program contains no defaults.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct TrackingBases {
    pub v1: Option<String>,
    /// The traditional design's short address, which redirects to the long one.
    pub v1_short: Option<String>,
    pub v2: Option<String>,
    /// The modern design's short address, which redirects to the long one.
    pub v2_short: Option<String>,
}

/// The design of a tracking page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TrackingDesign {
    Traditional,
    #[default]
    Modern,
}

impl TrackingBases {
    /// Returns the token in a page's long or short address, for example from a scanned code; `None` if the
    /// address matches no base.
    pub fn token_from_url<'a>(&self, address: &'a str) -> Option<&'a str> {
        let bases = [&self.v1, &self.v1_short, &self.v2, &self.v2_short];
        let bases = bases.into_iter().flatten();
        let path = without_scheme(address.trim());
        { bases }.find_map(|base| {
            let base = without_scheme(base.trim()).trim_end_matches('/');
            let (head, rest) = path.split_at_checked(base.len())?;
            let token = rest.strip_prefix('/')?;
            let end = token.find(['/', '?', '#']).unwrap_or(token.len());
            let token = &token[..end];
            let is_it = !base.is_empty() && head.eq_ignore_ascii_case(base) && is_token(token);
            is_it.then_some(token)
        })
    }

    /// Returns the design to show by default: the modern design, unless only the traditional design has
    /// an address.
    pub fn default_design(&self) -> TrackingDesign {
        if self.has_page(TrackingDesign::Traditional) && !self.has_page(TrackingDesign::Modern) {
            TrackingDesign::Traditional
        } else {
            TrackingDesign::Modern
        }
    }

    /// Returns whether the deployment has an address for pages of this design.
    pub fn has_page(&self, design: TrackingDesign) -> bool {
        self.base(design).is_some()
    }

    /// Returns the long base of a design, or else the short one, if it is not blank.
    fn base(&self, design: TrackingDesign) -> Option<&str> {
        let bases = match design {
            TrackingDesign::Traditional => [&self.v1, &self.v1_short],
            TrackingDesign::Modern => [&self.v2, &self.v2_short],
        };
        let bases = bases.into_iter().flatten();
        bases.map(|base| base.trim()).find(|base| !base.is_empty())
    }

    /// Returns the page's address for a browser: `https`, or `http` on this machine. The short address is
    /// used if there is no long one.
    pub fn browser_url(
        &self,
        design: TrackingDesign,
        token: &str,
    ) -> Result<String, TrackingPageError> {
        let base = self.base(design).ok_or(TrackingPageError::NotSet)?;
        if !is_token(token) {
            return Err(TrackingPageError::NoToken);
        }
        let address = format!("{}/{token}", base.trim_end_matches('/'));
        if is_safe(&address) {
            Ok(address)
        } else {
            Err(TrackingPageError::NotSafe)
        }
    }
}

/// The reasons why a tracking page cannot be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TrackingPageError {
    /// The connection has no address for the page.
    #[error("No address for tracking pages is set")]
    NotSet,
    /// The service gave the consignment no token, or a token with unsafe characters.
    #[error("The service has no tracking page for this consignment")]
    NoToken,
    /// The address is not `https`, contains a user name, or is not an address, so no browser may open it.
    #[error("The address for tracking pages isn't safe to open. It must start with https://")]
    NotSafe,
}

impl TrackingDesign {
    /// Both designs, the default first.
    pub const ALL: [Self; 2] = [Self::Modern, Self::Traditional];

    /// Returns the name on the button.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Traditional => "Traditional",
            Self::Modern => "Modern",
        }
    }
}

/// Returns whether the address may be opened: encrypted or on this machine, and without user name, password,
/// query or fragment.
fn is_safe(address: &str) -> bool {
    parse_secure_address(address).is_ok_and(|url| url.query().is_none() && url.fragment().is_none())
}

/// Removes the scheme: `https://track.example/a1` becomes `track.example/a1`. Codes are made with
/// either scheme.
fn without_scheme(address: &str) -> &str {
    address.split_once("://").map_or(address, |(_, rest)| rest)
}

/// Returns whether the text consists of letters, digits, `-` and `_`, and is not empty.
fn is_token(token: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    !token.is_empty() && token.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_a_base_and_a_token_and_nothing_that_leads_elsewhere() {
        let bases = TrackingBases {
            v2: Some("https://track.example/v2/".to_owned()),
            ..TrackingBases::default()
        };
        let page = |design, token| bases.browser_url(design, token);
        let modern = Ok("https://track.example/v2/a1B2-c3".to_owned());
        assert_eq!(page(TrackingDesign::Modern, "a1B2-c3"), modern);
        let none = page(TrackingDesign::Traditional, "a1");
        assert_eq!(none, Err(TrackingPageError::NotSet));
        for (address, token) in [
            ("https://track.example/v2/a1B2-c3", Some("a1B2-c3")),
            (
                "HTTP://Track.Example/v2/a1B2-c3/?from=mail",
                Some("a1B2-c3"),
            ),
            ("https://track.example/v2/", None),
            ("https://track.example/v20/a1", None),
            ("https://track.example.evil/v2/a1", None),
            ("https://elsewhere.example/track.example/v2/a1", None),
            ("a1B2-c3", None),
        ] {
            assert_eq!(bases.token_from_url(address), token, "{address}");
        }
        assert_eq!(TrackingBases::default().token_from_url("/a1"), None);
        for token in ["", "../admin", "a b", "a?x=1", "MS1/../2"] {
            let page = page(TrackingDesign::Modern, token);
            assert_eq!(page, Err(TrackingPageError::NoToken), "{token}");
        }
    }

    #[test]
    fn a_browser_is_sent_to_safe_addresses_only() {
        let at = |base: &str| {
            let bases = TrackingBases {
                v2: Some(base.to_owned()),
                ..TrackingBases::default()
            };
            bases.browser_url(TrackingDesign::Modern, "a1B2-c3")
        };
        for base in [
            "https://track.example/v2",
            "http://127.0.0.1:4010/v2/track",
            "http://[::1]/t",
        ] {
            assert_eq!(at(base), Ok(format!("{base}/a1B2-c3")));
        }
        for base in [
            "http://track.example/v2",
            "http://localhost.example/",
            "file:///etc",
            "javascript:alert(1)//",
            "https://name:word@track.example",
            "https://track.example/?next=",
            "track.example",
        ] {
            assert_eq!(at(base), Err(TrackingPageError::NotSafe), "{base}");
        }
        assert_eq!(at("  "), Err(TrackingPageError::NotSet));
    }

    #[test]
    fn the_short_address_and_the_other_design_stand_in() {
        let short = TrackingBases {
            v1_short: Some("https://t.example".to_owned()),
            ..TrackingBases::default()
        };
        let design = short.default_design();
        assert_eq!(design, TrackingDesign::Traditional);
        assert_eq!(
            short.browser_url(design, "a1").as_deref(),
            Ok("https://t.example/a1")
        );
        assert_eq!(
            short.browser_url(design, "../a"),
            Err(TrackingPageError::NoToken)
        );
        let none = TrackingBases::default();
        assert_eq!(
            none.browser_url(none.default_design(), "a1"),
            Err(TrackingPageError::NotSet)
        );
    }
}
