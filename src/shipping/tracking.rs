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

    /// The short address of the same page, where the deployment has one.
    pub fn short(&self, design: TrackingDesign, token: &str) -> Option<String> {
        let base = match design {
            TrackingDesign::Traditional => &self.v1_short,
            TrackingDesign::Modern => &self.v2_short,
        };
        address(base.as_deref()?, token)
    }
}

/// The base, one slash, the token. A token is letters, digits, `-` and `_`: anything else is none.
fn address(base: &str, token: &str) -> Option<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let usable = !base.trim().is_empty() && !token.is_empty() && token.chars().all(plain);
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
        for token in ["", "../admin", "a b", "a?x=1", "MS1/../2"] {
            assert_eq!(bases.page(TrackingDesign::Modern, token), None, "{token}");
        }
    }
}
