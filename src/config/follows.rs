//! Whose consignments a bench follows, and whether it looks at them by itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::shipping::{CarrierId, CompanyId};

/// What the bench was told of following.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FollowSettings {
    /// The service is looked at now and then, without anybody asking for that.
    pub by_itself: bool,
    /// Whose consignments, by the connection's name; the practice service has none.
    pub at: BTreeMap<String, Follows>,
}

impl Default for FollowSettings {
    fn default() -> Self {
        Self {
            by_itself: true,
            at: BTreeMap::new(),
        }
    }
}

/// Whose consignments are followed at one service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Follows {
    /// Whose.
    pub whose: Whose,
    /// Of the companies below, too.
    pub children: bool,
    /// Of one carrier only.
    pub carrier: Option<CarrierId>,
}

impl Default for Follows {
    fn default() -> Self {
        Self {
            whose: Whose::default(),
            children: true,
            carrier: None,
        }
    }
}

/// A company whose consignments are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Whose {
    /// The one that the bench works for, whichever that is.
    #[default]
    Bench,
    /// The token's own.
    Token,
    /// This one.
    Company(CompanyId),
}

impl Follows {
    /// The company, where the bench works for `bench`.
    pub const fn company(&self, bench: Option<CompanyId>) -> Option<CompanyId> {
        match self.whose {
            Whose::Bench => bench,
            Whose::Token => None,
            Whose::Company(company) => Some(company),
        }
    }
}
