//! Creating a consignment: the rules, then a carrier and service, then the store.

use serde_json::{Value, json};

use super::routes::no_prices;
use super::{Call, Desk};
use crate::practice::catalogue::{Carrier, Company};
use crate::practice::consignment::{Consignment, Job};
use crate::practice::rates::{Quote, Wanted, quotes};
use crate::practice::rules::{self, Context, Form, Purpose};
use crate::practice::status::{Event, Status, Tracked};
use crate::practice::store::{NewConsignment, NewManifest};
use crate::practice::wire::{Answer, Failure, Order, Refusal, consignment_created};

/// `consignments/createConsignment`.
pub(crate) fn create(desk: &Desk, call: &Call) -> Result<Answer, Failure> {
    answer(desk, call, Form::Simple)
}

/// `consignments/createConsignmentwithComplexItems`.
pub(crate) fn create_complex(desk: &Desk, call: &Call) -> Result<Answer, Failure> {
    answer(desk, call, Form::Complex)
}

fn answer(desk: &Desk, call: &Call, form: Form) -> Result<Answer, Failure> {
    let order: Order = call.body()?;
    let company = rules::company(&desk.catalogue, &call.user, order.company_id)?;
    let now = desk.clock.now();
    let context = Context {
        catalogue: &desk.catalogue,
        company,
        now,
        form,
        purpose: Purpose::Create,
    };
    let selection = Selection::of(&order)?;
    let wanted = wanted(&order, company, desk)?;
    let job = rules::job(&context, &order)?;
    let quote = choose(desk, company, &job, &wanted, selection)?;
    let by = order
        .staff_member_name
        .clone()
        .unwrap_or_else(|| call.user.name.clone());
    let created = Event::plain(Status::Unmanifested, now, by, call.user.id);
    let delegated = order
        .carrier_consignment_id
        .as_deref()
        .filter(|_| form == Form::Complex);
    let trip = quote
        .trips
        .first()
        .ok_or_else(|| Refusal::whole("No prices were found"))?;
    let complete = |id: i64, tracking_token: String| Consignment {
        id,
        company_id: company.id,
        created: now,
        created_by: created.by.clone(),
        is_test: call.user.is_test,
        tracking_token,
        carrier_id: quote.carrier.id,
        service_id: quote.service.id,
        account_id: quote.account.id,
        company_carrier_account_id: quote.account.company_carrier_account_id,
        carrier_consignment_id: consignment_id(quote.carrier, id, delegated),
        job: with_references(quote.carrier, id, &job),
        price: quote.price.clone(),
        despatch: trip.despatch.timestamp(),
        eta: trip.eta.timestamp(),
    };
    let new = NewConsignment {
        company_id: company.id,
        carrier_id: quote.carrier.id,
        created: created.clone(),
        complete: &complete,
    };
    let mut tracked = desk.store().insert_consignment(&new)?;
    if quote.account.auto_manifest {
        tracked = book_at_once(desk, &tracked, &created, quote.carrier)?;
    }
    Ok(Answer::Object(consignment_created(
        &desk.catalogue,
        &tracked,
    )))
}

/// How a carrier and service are chosen among those that are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Selection {
    Cheapest,
    Fastest,
}

impl Selection {
    /// The order carries either this or at least a carrier.
    fn of(order: &Order) -> Result<Self, Refusal> {
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

/// The carrier, service and rate card asked for, where the company has them.
fn wanted(order: &Order, company: &Company, desk: &Desk) -> Result<Wanted, Refusal> {
    let linked = |id: i64| {
        company
            .accounts
            .iter()
            .filter(move |account| account.carrier_id == id)
    };
    let Some(carrier_id) = order.carrier_id else {
        return Ok(Wanted {
            service: order.carrier_service_id,
            ..narrowed(order)
        });
    };
    if linked(carrier_id).next().is_none() {
        return Err(Refusal::new(
            "carrierId",
            "Selected carrier is not available for this company",
        ));
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
    let wanted = Wanted {
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

fn narrowed(order: &Order) -> Wanted {
    Wanted {
        account: order.carrier_account_id,
        company_carrier_account: order.company_carrier_account_id,
        ..Wanted::default()
    }
}

fn choose<'a>(
    desk: &'a Desk,
    company: &'a Company,
    job: &Job,
    wanted: &Wanted,
    selection: Selection,
) -> Result<Quote<'a>, Failure> {
    let (quotes, declines) = quotes(&desk.catalogue, company, job, wanted);
    let chosen = match selection {
        Selection::Cheapest => quotes.into_iter().min_by_key(Quote::by_price),
        Selection::Fastest => quotes.into_iter().min_by_key(Quote::by_speed),
    };
    // A carrier was named, and it is the dangerous goods that it does not take.
    let named = !wanted.carriers.is_empty();
    chosen.ok_or_else(|| match declines.first() {
        Some(decline) if named && decline.reason.ends_with("dangerous goods") => Refusal::whole(
            "Route is not Dangerous Goods route yet Dangerous Goods have been declared",
        )
        .into(),
        _ => Failure::Refused(no_prices(&declines)),
    })
}

/// The shipper's own id where the carrier takes one; otherwise the carrier's next.
fn consignment_id(carrier: &Carrier, id: i64, delegated: Option<&str>) -> String {
    let own = delegated.filter(|_| carrier.accepts_consignment_id);
    own.map_or_else(
        || format!("{}{id:08}", carrier.reference_prefix),
        str::to_owned,
    )
}

/// One barcode for each piece: what was delegated, where the carrier takes it, or the carrier's own.
fn with_references(carrier: &Carrier, id: i64, job: &Job) -> Job {
    let mut job = job.clone();
    let mut piece = 0;
    for line in &mut job.lines {
        if !carrier.accepts_item_references {
            line.references.clear();
        }
        let own = |piece: i64| format!("{}{id:06}{piece:06}", carrier.reference_prefix);
        if line.references.is_empty() {
            line.references = (piece + 1..=piece + line.quantity).map(own).collect();
        }
        piece += line.quantity;
    }
    job
}

fn book_at_once(
    desk: &Desk,
    made: &Tracked,
    created: &Event,
    carrier: &Carrier,
) -> Result<Tracked, Failure> {
    let id = made.consignment.id;
    let booked = Event {
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
    store
        .consignment(id)?
        .ok_or_else(|| Failure::Broken(format!("consignment {id} is gone")))
}
