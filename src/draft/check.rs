//! The check before sending: a request, or every problem.
//!
//! Most rules are the interface's. These are the bench's own, where it is silent:
//!
//! | Rule | Why | Blocks |
//! |---|---|---|
//! | Packaging kinds are those that services are known to list | others are refused | yes |
//! | Purposes outside the known ones | the full list is the service's | no, it warns |
//! | At most 1,000 pieces in a new consignment | each has a label and a barcode | yes; not in a change |
//! | A despatch time that has passed, is skipped or comes twice | the service would make it now | yes; not as it came |
//! | Phone numbers, e-mail addresses and harmonised codes have a shape | carriers and customs refuse others | yes |
//! | No line breaks or control characters, and no text longer than its field | labels do not show them | yes |
//! | Numbers that could be read in two ways, cents with more than two digits | they could mean something else | yes |
//! | The clerk declares the dangerous goods, again where they change | the interface wants a flag only | yes |
//! | Amounts, flash points, contents and countries that are unlikely | they may be right | no, it warns |

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;

use super::problem::{Problem, Severity};
use super::{Draft, build};
use crate::shipping::{
    Carrier, CompanyId, ConsignmentRequest, PendingConsignmentRequest, RouteRequest, UnEntry,
    UnNumber,
};

/// What a check needs to know besides the draft.
#[derive(Debug, Clone)]
pub struct CheckContext {
    /// Now.
    pub now: Timestamp,
    /// The bench's own zone (IANA), for senders whose zone is not known.
    pub bench_zone: String,
    /// What the service said of UN numbers; one that it does not know has no entry in its list. What it was not asked about
    /// is not in the map.
    pub un_numbers: Arc<HashMap<UnNumber, Vec<UnEntry>>>,
    /// The carriers of the company with their accounts; empty while that is not known.
    pub carriers: Arc<Vec<Carrier>>,
    /// The company that the bench works for.
    pub company: BenchCompany,
}

/// The company that the bench works for, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BenchCompany {
    /// The company; nothing while it still has to be picked.
    pub id: Option<CompanyId>,
    /// The token's own company: a draft that names no company belongs to it.
    pub own: Option<CompanyId>,
    /// True once the service has listed the token's companies; until then no draft is taken for another company's.
    pub is_listed: bool,
}

impl CheckContext {
    /// Where nothing was asked of the service yet.
    pub fn at(now: Timestamp, bench_zone: impl Into<String>) -> Self {
        Self {
            now,
            bench_zone: bench_zone.into(),
            un_numbers: Arc::default(),
            carriers: Arc::default(),
            company: BenchCompany::default(),
        }
    }
}

/// The outcome of a check.
#[derive(Debug, Clone)]
pub struct Check {
    /// Everything found, in the order of the screen.
    pub problems: Vec<Problem>,
    request: ConsignmentRequest,
}

impl Check {
    /// True where nothing blocks sending.
    pub fn passes(&self) -> bool {
        self.errors().next().is_none()
    }

    /// What blocks sending.
    pub fn errors(&self) -> impl Iterator<Item = &Problem> {
        self.problems
            .iter()
            .filter(|problem| problem.severity == Severity::Error)
    }

    /// The request, where nothing blocks it.
    pub fn request(&self) -> Option<&ConsignmentRequest> {
        self.passes().then_some(&self.request)
    }

    /// The request as far as it could be built.
    pub(super) const fn built(&self) -> &ConsignmentRequest {
        &self.request
    }

    /// The question for prices, where nothing that a price depends on is wrong.
    pub fn route_request(&self) -> Option<RouteRequest> {
        let blocked = self
            .errors()
            .any(|problem| problem.field.matters_for_price());
        (!blocked).then(|| RouteRequest::for_consignment(&self.request))
    }
}

impl Draft {
    /// Checks the whole draft against every rule of the specification that a form can break.
    pub fn check(&self, context: &CheckContext) -> Check {
        let (request, problems) = build::request(self, context);
        Check { problems, request }
    }

    /// The draft as a pending consignment: everything may be missing.
    ///
    /// # Errors
    /// What is typed and can't be read; never empty.
    pub fn pending_request(
        &self,
        context: &CheckContext,
    ) -> Result<PendingConsignmentRequest, Vec<Problem>> {
        build::pending(self, context)
    }

    /// The zone that the despatch time is in.
    pub fn despatch_zone<'a>(&'a self, context: &'a CheckContext) -> &'a str {
        self.from.time_zone().unwrap_or(&context.bench_zone)
    }
}
