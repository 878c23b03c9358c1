//! Checks a draft: the result is a request, or every problem.
//!
//! Most rules come from the service's interface. The following rules are the bench's own, where the service
//! has none:
//!
//! | Rule | Why | Blocks |
//! |---|---|---|
//! | Only packaging kinds that services are known to accept | others are refused | yes |
//! | Purposes outside the known list | only the service has the full list | no, it warns |
//! | At most 1,000 pieces in a new consignment | each has a label and a barcode | yes, except in edits |
//! | The despatch time is not past, skipped or ambiguous | the service would use now | yes, if changed |
//! | Phone numbers, e-mail addresses and harmonised codes are well-formed | others are refused | yes |
//! | No line breaks, control characters or overlong texts | labels do not show them | yes |
//! | No ambiguous numbers, and no fractions of a cent | they could mean something else | yes |
//! | The clerk declares dangerous goods, and again after a change | the service only has a flag | yes |
//! | Unlikely amounts, flash points, contents and countries | they may be right | no, it warns |

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;

use super::field::Field;
use super::{Draft, build};
use shipping::{
    Carrier, CompanyId, ConsignmentRequest, PendingConsignmentRequest, RouteRequest, UnLookupEntry,
    UnNumber,
};

/// The information that a check needs besides the draft.
#[derive(Debug, Clone)]
pub struct CheckContext {
    pub now: Timestamp,
    /// The bench's own zone (IANA), for senders whose zone is unknown.
    pub bench_zone: String,
    /// The service's answers about UN numbers. A number that the service does not know has an empty list; a
    /// number that was never looked up has no entry.
    pub un_numbers: Arc<HashMap<UnNumber, Vec<UnLookupEntry>>>,
    /// The company's carriers with their accounts; empty until they are known.
    pub carriers: Arc<Vec<Carrier>>,
    pub company: BenchCompany,
}

/// The company that the bench works for, as far as the service has told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BenchCompany {
    /// `None` until a company is picked.
    pub id: Option<CompanyId>,
    /// The token's own company. A draft without a company belongs to it.
    pub own: Option<CompanyId>,
    /// Whether the service has listed the token's companies. Until then no draft counts as another company's.
    pub is_listed: bool,
}

impl CheckContext {
    /// A context without any answers from the service.
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Prevents sending.
    Error,
    /// Does not prevent sending, but the clerk should check the value.
    Warning,
}

/// A problem at a field, worded for the clerk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub field: Field,
    pub severity: Severity,
    /// The instruction to show.
    pub message: String,
}

impl Problem {
    /// Creates a problem that prevents sending.
    pub fn error(field: Field, words: impl Into<String>) -> Self {
        Self {
            field,
            severity: Severity::Error,
            message: words.into(),
        }
    }

    /// Creates a problem that does not prevent sending.
    pub fn warning(field: Field, words: impl Into<String>) -> Self {
        Self {
            field,
            severity: Severity::Warning,
            message: words.into(),
        }
    }
}

#[derive(Debug, Clone)]
pub struct Check {
    /// All problems, in the order of the screen.
    pub problems: Vec<Problem>,
    request: ConsignmentRequest,
}

impl Check {
    /// Returns whether nothing prevents sending.
    pub fn passes(&self) -> bool {
        self.errors().next().is_none()
    }

    /// Returns the problems that prevent sending.
    pub fn errors(&self) -> impl Iterator<Item = &Problem> {
        self.problems
            .iter()
            .filter(|problem| problem.severity == Severity::Error)
    }

    /// Returns the request, if nothing prevents sending.
    pub fn request(&self) -> Option<&ConsignmentRequest> {
        self.passes().then_some(&self.request)
    }

    /// Returns the request as far as it could be built.
    pub(super) const fn built(&self) -> &ConsignmentRequest {
        &self.request
    }

    /// Returns the request for prices, unless there is an error in a field that affects the price.
    pub fn route_request(&self) -> Option<RouteRequest> {
        let blocked = self.errors().any(|problem| problem.field.affects_price());
        (!blocked).then(|| RouteRequest::for_consignment(&self.request))
    }
}

impl Draft {
    /// Checks the whole draft against every rule of the specification that a form can break.
    pub fn check(&self, context: &CheckContext) -> Check {
        let (request, problems) = build::request(self, context);
        Check { problems, request }
    }

    /// Builds a pending consignment from the draft; every value may be missing.
    ///
    /// # Errors
    /// Returns the typed values that cannot be read; never empty.
    pub fn pending_request(
        &self,
        context: &CheckContext,
    ) -> Result<PendingConsignmentRequest, Vec<Problem>> {
        build::pending(self, context)
    }

    /// Returns the time zone of the despatch time.
    pub fn despatch_zone<'a>(&'a self, context: &'a CheckContext) -> &'a str {
        self.from.time_zone().unwrap_or(&context.bench_zone)
    }
}
