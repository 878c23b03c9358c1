//! Applies the rules to an order and chooses a carrier and service from those that the company has.

use serde_json::Value;

use super::PracticeService;
use super::routes::no_route;
use crate::catalogue::Company;
use crate::consignment::Job;
use crate::rates::{DespatchOption, Quote, QuoteFilter, quotes};
use crate::rules::{self, CARRIER_NOT_AVAILABLE, OperationVariant, Purpose, RuleContext};
use crate::store::User;
use crate::wire::{ConsignmentRequest, Failure, Refusal};

/// An order that has passed the rules, with the chosen carrier and service.
pub(super) struct Prepared<'a> {
    pub(super) company: &'a Company,
    pub(super) job: Job,
    pub(super) quote: Quote<'a>,
    /// The earliest despatch option of the quote.
    pub(super) trip: DespatchOption,
}

/// Applies every rule, then chooses the carrier and service.
pub(super) fn prepare<'a>(
    desk: &'a PracticeService,
    user: &User,
    order: &ConsignmentRequest,
    form: OperationVariant,
    purpose: Purpose,
) -> Result<Prepared<'a>, Failure> {
    let company = rules::company(&desk.catalogue, user, order.company_id)?;
    let context = RuleContext {
        catalogue: &desk.catalogue,
        company,
        now: desk.clock.now(),
        form,
        purpose,
    };
    let selection = RouteSelection::of(order)?;
    let wanted = wanted(order, company, desk)?;
    let job = rules::check_order(&context, order)?;
    let mut quote = choose(desk, company, &job, &wanted, selection)?;
    if quote.despatch_options.is_empty() {
        return Err(Refusal::general("No prices were found").into());
    }
    let trip = quote.despatch_options.remove(0);
    Ok(Prepared {
        company,
        job,
        quote,
        trip,
    })
}

/// How to choose among the possible carriers and services.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RouteSelection {
    Cheapest,
    Fastest,
}

impl RouteSelection {
    /// Reads the order's selection. An order without one must name a carrier; the cheapest service
    /// is then used.
    pub(super) fn of(order: &ConsignmentRequest) -> Result<Self, Refusal> {
        let field = "defaultRouteSelection";
        match order
            .default_route_selection
            .as_ref()
            .filter(|value| !value.is_null())
        {
            None if order.carrier_id.is_some() => Ok(Self::Cheapest),
            None => Err(Refusal::new(
                field,
                "Either defaultRouteSelection or carrierId is required",
            )),
            Some(Value::String(name)) if name.eq_ignore_ascii_case("cheapest") || name == "0" => {
                Ok(Self::Cheapest)
            }
            Some(Value::String(name)) if name.eq_ignore_ascii_case("fastest") || name == "1" => {
                Ok(Self::Fastest)
            }
            Some(Value::Number(number)) if number.as_i64() == Some(0) => Ok(Self::Cheapest),
            Some(Value::Number(number)) if number.as_i64() == Some(1) => Ok(Self::Fastest),
            Some(other) => Err(Refusal::new(
                field,
                format!("{other} is neither cheapest nor fastest"),
            )),
        }
    }
}

/// Returns the requested carrier, service and rate card, after checking that the company has them.
fn wanted(
    order: &ConsignmentRequest,
    company: &Company,
    desk: &PracticeService,
) -> Result<QuoteFilter, Refusal> {
    let linked = |id: i64| {
        company
            .accounts
            .iter()
            .filter(move |account| account.carrier_id == id)
    };
    let Some(carrier_id) = order.carrier_id else {
        return Ok(QuoteFilter {
            service: order.carrier_service_id,
            ..narrowed(order)
        });
    };
    if linked(carrier_id).next().is_none() {
        return Err(Refusal::new("carrierId", CARRIER_NOT_AVAILABLE));
    }
    let carrier = desk.catalogue.carrier(carrier_id);
    let has = |id: i64| {
        carrier.is_some_and(|carrier| carrier.services.iter().any(|service| service.id == id))
    };
    if order.carrier_service_id.is_some_and(|id| !has(id)) {
        return Err(Refusal::new(
            "carrierServiceId",
            "Selected carrier service is not available for this company",
        ));
    }
    let wanted = QuoteFilter {
        carriers: vec![carrier_id],
        service: order.carrier_service_id,
        ..narrowed(order)
    };
    let matching = linked(carrier_id).filter(|account| {
        wanted.account.is_none_or(|id| id == account.id)
            && wanted
                .company_carrier_account
                .is_none_or(|id| id == account.company_carrier_account_id)
    });
    match matching.count() {
        0 => Err(Refusal::new(
            "carrierAccountId",
            "Selected carrier account is not available for this company",
        )),
        1 => Ok(wanted),
        _ => Err(Refusal::new(
            "carrierAccountId",
            "Several rate cards are linked to this company: a carrier account is required",
        )),
    }
}

fn narrowed(order: &ConsignmentRequest) -> QuoteFilter {
    QuoteFilter {
        account: order.carrier_account_id,
        company_carrier_account: order.company_carrier_account_id,
        ..QuoteFilter::default()
    }
}

fn choose<'a>(
    desk: &'a PracticeService,
    company: &'a Company,
    job: &Job,
    wanted: &QuoteFilter,
    selection: RouteSelection,
) -> Result<Quote<'a>, Failure> {
    let (quotes, declines) = quotes(&desk.catalogue, company, job, wanted);
    let chosen = match selection {
        RouteSelection::Cheapest => quotes.into_iter().min_by_key(Quote::by_price),
        RouteSelection::Fastest => quotes.into_iter().min_by_key(Quote::by_speed),
    };
    chosen.ok_or_else(|| Failure::Refused(no_route(&declines, wanted)))
}
