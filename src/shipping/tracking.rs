//! The public tracking page of a consignment: an address of the connection's settings, and the token ("Operation rules", 8).

use serde::{Deserialize, Serialize};

/// Where a deployment's tracking pages are. All are settings: none is known beforehand.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct TrackingBases {
    /// Traditional design.
    pub v1: Option<String>,
    /// Traditional design, short: redirects to the long one.
    pub v1_short: Option<String>,
    /// Modern design.
    pub v2: Option<String>,
    /// Modern design, short: redirects to the long one.
    pub v2_short: Option<String>,
}

/// One of the two designs of the tracking page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TrackingDesign {
    /// V1.
    Traditional,
    /// V2.
    #[default]
    Modern,
}

impl TrackingBases {
    /// The page's address for `trackingPageAccessToken`; nothing where no base is set, or the token could lead elsewhere.
    pub fn page(&self, design: TrackingDesign, token: &str) -> Option<String> {
        let base = match design {
            TrackingDesign::Traditional => &self.v1,
            TrackingDesign::Modern => &self.v2,
        };
        address(base.as_deref()?, token)
    }

    /// The token of a page's address, long or short, as a page's code is scanned; nothing where the address is not one of
    /// these.
    pub fn token<'a>(&self, address: &'a str) -> Option<&'a str> {
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

    /// The short address of the same page, where the deployment has one.
    pub fn short(&self, design: TrackingDesign, token: &str) -> Option<String> {
        let base = match design {
            TrackingDesign::Traditional => &self.v1_short,
            TrackingDesign::Modern => &self.v2_short,
        };
        address(base.as_deref()?, token)
    }
}

/// `track.example/a1` of `https://track.example/a1`: codes are made with either scheme.
fn without_scheme(address: &str) -> &str {
    address.split_once("://").map_or(address, |(_, rest)| rest)
}

/// A token is letters, digits, `-` and `_`: anything else is none.
fn is_token(token: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    !token.is_empty() && token.chars().all(plain)
}

/// The base, one slash, the token.
fn address(base: &str, token: &str) -> Option<String> {
    let usable = !base.trim().is_empty() && is_token(token);
    usable.then(|| format!("{}/{token}", base.trim().trim_end_matches('/')))
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
        assert_eq!(
            bases.page(TrackingDesign::Modern, "a1B2-c3").as_deref(),
            Some("https://track.example/v2/a1B2-c3")
        );
        assert_eq!(bases.page(TrackingDesign::Traditional, "a1"), None);
        assert_eq!(bases.short(TrackingDesign::Modern, "a1"), None);
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
            assert_eq!(bases.token(address), token, "{address}");
        }
        assert_eq!(TrackingBases::default().token("/a1"), None);
        for token in ["", "../admin", "a b", "a?x=1", "MS1/../2"] {
            assert_eq!(bases.page(TrackingDesign::Modern, token), None, "{token}");
        }
    }
}
