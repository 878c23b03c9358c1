//! Creates consignments: applies the rules, chooses one of the company's carriers and services, and stores
//! the result.

use serde_json::{Value, json};

use super::routes::no_route;
use super::{Call, PracticeService, carrier_references};
use crate::catalogue::{Carrier, Company};
use crate::consignment::{Consignment, EditFormFields, Job};
use crate::rates::{DespatchOption, Quote, QuoteFilter, quotes};
use crate::rules::{self, CARRIER_NOT_AVAILABLE, OperationVariant, Purpose};
use crate::status::{ConsignmentRecord, Status, StatusEvent};
use crate::store::{NewConsignment, NewManifest, User};
use crate::wire::{Answer, ConsignmentRequest, Failure, Refusal};

/// Handles `consignments/createConsignment` and `consignments/createConsignmentwithComplexItems`.
pub(crate) fn create(
    desk: &PracticeService,
    call: &Call,
    form: OperationVariant,
) -> Result<Answer, Failure> {
    let order: ConsignmentRequest = call.record()?;
    Ok(desk.created(&create_consignment(desk, &call.user, &order, form)?))
}

/// Creates the consignment, which replaces the pending consignments linked to it.
pub(super) fn create_consignment(
    desk: &PracticeService,
    user: &User,
    order: &ConsignmentRequest,
    form: OperationVariant,
) -> Result<ConsignmentRecord, Failure> {
    let Prepared {
        company,
        job,
        quote,
        trip,
    } = &prepare(desk, user, order, form, Purpose::Create)?;
    let carrier = quote.carrier;
    let delegated = order.carrier_consignment_id.as_deref();
    let delegated = delegated.filter(|_| form == OperationVariant::Complex);
    carrier_references::check(carrier, delegated, &job.lines, &|_| false)?;
    super::pending::check_linked(desk, user, &order.linked_pending_consignment_ids)?;
    let now = desk.clock.now();
    let by = order.staff_member_name.as_ref().unwrap_or(&user.name);
    let created = StatusEvent::new(Status::Unmanifested, now, by, user.id);
    let complete = |id: i64, tracking_token: String| {
        let mut consignment = Consignment {
            id,
            company_id: company.id,
            created: now,
            created_by: created.by.clone(),
            is_test: user.is_test,
            tracking_token,
            carrier_consignment_id: carrier_references::consignment_id(carrier, id, delegated),
            job: job.clone(),
            despatch: trip.despatch.timestamp(),
            eta: trip.eta.timestamp(),
            updated: None,
            last_line: 0,
            office: office(company),
            carrier_id: carrier.id,
            service_id: quote.service.id,
            account_id: quote.account.id,
            company_carrier_account_id: quote.account.company_carrier_account_id,
            price: quote.price.clone(),
        };
        for line in &mut consignment.job.lines {
            line.stackable = Some(true);
        }
        consignment.number_lines();
        carrier_references::fill(carrier, id, &mut consignment.job.lines);
        consignment
    };
    let new = NewConsignment {
        company_id: company.id,
        carrier_id: carrier.id,
        created: created.clone(),
        complete: &complete,
        converts: &order.linked_pending_consignment_ids,
    };
    let mut tracked = desk.store().insert_consignment(&new)?;
    if quote.account.auto_manifest {
        tracked = book_at_once(desk, &tracked, &created, carrier)?;
    }
    if let Some(token) = &order.printer_token {
        desk.print_by_rules(user, token, &tracked)?;
    }
    Ok(tracked)
}

/// Returns default values for the fields that no create request has. They can be changed by
/// editing the consignment.
fn office(company: &Company) -> EditFormFields {
    EditFormFields {
        cost_centre_code: Some(company.account_code.clone()),
        handling_notes: Some("Keep dry".to_owned()),
        delivery_window: Some(("08:00:00".to_owned(), "17:00:00".to_owned())),
    }
}

fn book_at_once(
    desk: &PracticeService,
    made: &ConsignmentRecord,
    created: &StatusEvent,
    carrier: &Carrier,
) -> Result<ConsignmentRecord, Failure> {
    let id = made.consignment.id;
    let booked = StatusEvent {
        status: Status::Manifested,
        ..created.clone()
    };
    let mut store = desk.store();
    store.insert_manifest(&NewManifest {
        company_id: made.consignment.company_id,
        carrier_id: carrier.id,
        consignment_ids: &[id],
        booked: &booked,
        reference_prefix: Some(&carrier.pickup_prefix),
        document: &json!({ "autoManifest": true }),
    })?;
    let booked = store.consignment(id)?;
    booked.ok_or_else(|| Failure::Broken(format!("consignment {id} is gone")))
}

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
    let context = desk.rule_context(company, form, purpose);
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
        let said = order.default_route_selection.as_ref();
        let message = match said.filter(|value| !value.is_null()) {
            None if order.carrier_id.is_some() => return Ok(Self::Cheapest),
            None => "Either defaultRouteSelection or carrierId is required".to_owned(),
            Some(Value::String(name)) if name.eq_ignore_ascii_case("cheapest") || name == "0" => {
                return Ok(Self::Cheapest);
            }
            Some(Value::String(name)) if name.eq_ignore_ascii_case("fastest") || name == "1" => {
                return Ok(Self::Fastest);
            }
            Some(Value::Number(number)) if number.as_i64() == Some(0) => return Ok(Self::Cheapest),
            Some(Value::Number(number)) if number.as_i64() == Some(1) => return Ok(Self::Fastest),
            Some(other) => format!("{other} is neither cheapest nor fastest"),
        };
        Err(Refusal::new("defaultRouteSelection", message))
    }
}

/// Returns the requested carrier, service and rate card, after checking that the company has them.
fn wanted(
    order: &ConsignmentRequest,
    company: &Company,
    desk: &PracticeService,
) -> Result<QuoteFilter, Refusal> {
    let wanted = QuoteFilter {
        carriers: order.carrier_id.into_iter().collect(),
        service: order.carrier_service_id,
        account: order.carrier_account_id,
        company_carrier_account: order.company_carrier_account_id,
    };
    let Some(carrier_id) = order.carrier_id else {
        return Ok(wanted);
    };
    let accounts = company.accounts.iter();
    if accounts
        .clone()
        .all(|account| account.carrier_id != carrier_id)
    {
        return Err(Refusal::new("carrierId", CARRIER_NOT_AVAILABLE));
    }
    let carrier = desk.catalogue.carrier(carrier_id);
    let has = |id: i64| carrier.is_some_and(|carrier| carrier.service(id).is_some());
    if order.carrier_service_id.is_some_and(|id| !has(id)) {
        let message = "Selected carrier service is not available for this company";
        return Err(Refusal::new("carrierServiceId", message));
    }
    let message = match accounts.filter(|account| wanted.takes(account)).count() {
        0 => "Selected carrier account is not available for this company",
        1 => return Ok(wanted),
        _ => "Several rate cards are linked to this company: a carrier account is required",
    };
    Err(Refusal::new("carrierAccountId", message))
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
