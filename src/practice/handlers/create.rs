//! Creates consignments: applies the rules, chooses one of the company's carriers and services, and stores the
//! result. Also creates, deletes and converts pending consignments: drafts on the service, which a user later
//! converts into consignments.

use serde_json::{Value, json};

use super::routes::no_route;
use super::{Call, carrier_references};
use crate::catalogue::{Carrier, Company, catalogue};
use crate::consignment::{Consignment, Job, Status, StatusEvent};
use crate::rates::{DespatchOption, Quote, QuoteFilter, quotes};
use crate::rules::{self, AUSTRALIA, CARRIER_NOT_AVAILABLE, OperationVariant, Purpose};
use crate::store::NewManifest;
use crate::wire::{
    Answer, ConsignmentRequest, Failure, FormFields, Refusal, Reply, Window, consignment_created,
};

/// Handles `consignments/createConsignment` and `consignments/createConsignmentwithComplexItems`.
pub(crate) fn create(call: &Call<'_>, form: OperationVariant) -> Reply {
    let order: ConsignmentRequest = call.record()?;
    create_consignment(call, &order, form)
}

/// Creates the consignment, which replaces the pending consignments linked to it.
fn create_consignment(
    call: &Call<'_>,
    order: &ConsignmentRequest,
    form: OperationVariant,
) -> Reply {
    let Prepared {
        company,
        job,
        quote,
        trip,
    } = prepare(call, order, form, Purpose::Create)?;
    let (user, carrier) = (call.user, quote.carrier);
    let delegated = order.carrier_consignment_id.as_deref();
    let delegated = delegated.filter(|_| form == OperationVariant::Complex);
    carrier_references::check(carrier, delegated, &job.lines, &|_| false)?;
    check_linked(call, &order.linked_pending_consignment_ids)?;
    let now = call.now();
    let by = order.options.staff_member_name.as_ref();
    let by = by.unwrap_or(&user.name);
    let created = StatusEvent::new(Status::UNMANIFESTED, now, by, user.id);
    let (id, tracking_token) = call.store().next_consignment()?;
    let mut consignment = Consignment {
        id,
        company_id: company.id,
        created: now,
        created_by: by.clone(),
        is_test: user.is_test,
        tracking_token,
        carrier_consignment_id: carrier_references::consignment_id(carrier, id, delegated),
        job,
        despatch: trip.despatch.timestamp(),
        eta: trip.eta.timestamp(),
        updated: None,
        last_line: 0,
        // No create request has these fields. They can be changed by editing the consignment.
        office: FormFields {
            cost_centre_code: Some(company.account_code.clone()),
            handling_notes: Some("Keep dry".to_owned()),
            delivery_window: Some(Window {
                opens_local: Some("08:00:00".to_owned()),
                closes_local: Some("17:00:00".to_owned()),
            }),
        },
        carrier_id: carrier.id,
        service_id: quote.service.id,
        account_id: quote.account.id,
        company_carrier_account_id: quote.account.company_carrier_account_id,
        price: quote.price,
    };
    for line in &mut consignment.job.lines {
        line.stackable = Some(true);
    }
    consignment.number_lines();
    carrier_references::fill(carrier, id, &mut consignment.job.lines);
    let converts = &order.linked_pending_consignment_ids;
    call.store()
        .insert_consignment(&consignment, &created, converts)?;
    if quote.account.auto_manifest {
        book_at_once(call, &consignment, &created, carrier)?;
    }
    let record = call.visible("id", id)?;
    if let Some(token) = &order.options.printer_token {
        super::printing::print_by_rules(call, token, &record)?;
    }
    Ok(consignment_created(&record).into())
}

fn book_at_once(
    call: &Call<'_>,
    consignment: &Consignment,
    created: &StatusEvent,
    carrier: &Carrier,
) -> Result<(), Failure> {
    let booked = StatusEvent {
        status: Status::MANIFESTED,
        ..created.clone()
    };
    call.store().insert_manifest(&NewManifest {
        company_id: consignment.company_id,
        carrier_id: carrier.id,
        consignment_ids: &[consignment.id],
        booked: &booked,
        reference_prefix: Some(&carrier.pickup_prefix),
        document: &json!({ "autoManifest": true }),
    })?;
    Ok(())
}

/// An order that has passed the rules, with the chosen carrier and service.
pub(super) struct Prepared {
    pub(super) company: &'static Company,
    pub(super) job: Job,
    pub(super) quote: Quote,
    /// The earliest despatch option of the quote.
    pub(super) trip: DespatchOption,
}

/// Applies every rule, then chooses the carrier and service.
pub(super) fn prepare(
    call: &Call<'_>,
    order: &ConsignmentRequest,
    form: OperationVariant,
    purpose: Purpose,
) -> Result<Prepared, Failure> {
    let company = rules::company(call.user, order.company_id)?;
    let context = call.rule_context(company, form, purpose);
    let selection = RouteSelection::of(order)?;
    let wanted = wanted(order, company)?;
    let job = rules::check_order(&context, order)?;
    let (quotes, declines) = quotes(company, &job, &wanted);
    let quotes = quotes.into_iter();
    let chosen = match selection {
        RouteSelection::Cheapest => quotes.min_by_key(Quote::by_price),
        RouteSelection::Fastest => quotes.min_by_key(Quote::by_speed),
    };
    let mut quote = chosen.ok_or_else(|| Failure::Refused(no_route(&declines, &wanted)))?;
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
enum RouteSelection {
    Cheapest,
    Fastest,
}

impl RouteSelection {
    /// Reads the order's selection. An order without a selection must name a carrier, and the cheapest
    /// service is used.
    fn of(order: &ConsignmentRequest) -> Result<Self, Refusal> {
        let said = order.default_route_selection.as_ref();
        let said = said.filter(|value| !value.is_null());
        let text = said.map(|value| match value {
            Value::String(name) => name.to_ascii_lowercase(),
            other => other.to_string(),
        });
        let message = match (text.as_deref(), said) {
            (None, _) if order.carrier_id.is_some() => return Ok(Self::Cheapest),
            (Some("cheapest" | "0"), _) => return Ok(Self::Cheapest),
            (Some("fastest" | "1"), _) => return Ok(Self::Fastest),
            (_, Some(other)) => format!("{other} is neither cheapest nor fastest"),
            _ => "Either defaultRouteSelection or carrierId is required".to_owned(),
        };
        Err(Refusal::new("defaultRouteSelection", message))
    }
}

/// Returns the requested carrier, service and rate card, after checking that the company has them.
fn wanted(order: &ConsignmentRequest, company: &Company) -> Result<QuoteFilter, Refusal> {
    let wanted = QuoteFilter {
        carriers: order.carrier_id.into_iter().collect(),
        service: order.carrier_service_id,
        account: order.carrier_account_id,
        company_carrier_account: order.company_carrier_account_id,
    };
    let Some(carrier_id) = order.carrier_id else {
        return Ok(wanted);
    };
    if !company.is_linked_to(carrier_id) {
        return Err(Refusal::new("carrierId", CARRIER_NOT_AVAILABLE));
    }
    let carrier = catalogue().carrier(carrier_id);
    let has = |id: i64| carrier.is_some_and(|carrier| carrier.service(id).is_some());
    if order.carrier_service_id.is_some_and(|id| !has(id)) {
        let message = "Selected carrier service is not available for this company";
        return Err(Refusal::new("carrierServiceId", message));
    }
    let accounts = company.accounts.iter();
    let message = match accounts.filter(|account| wanted.takes(account)).count() {
        0 => "Selected carrier account is not available for this company",
        1 => return Ok(wanted),
        _ => "Several rate cards are linked to this company: a carrier account is required",
    };
    Err(Refusal::new("carrierAccountId", message))
}

pub(crate) fn create_pending(call: &Call<'_>) -> Reply {
    // The document is stored exactly as it was sent, after it has been read and has passed the rules.
    let document = Value::Object(call.body()?);
    let order = ConsignmentRequest::of_pending(document.clone());
    let order = order
        .map_err(|error| Failure::Unreadable(format!("The request could not be read: {error}")))?;
    let company = rules::company(call.user, order.company_id)?;
    let context = call.rule_context(company, OperationVariant::Complex, Purpose::Create);
    rules::check_pending(&context, &order)?;
    let selection = order.default_route_selection.as_ref();
    if selection.is_some_and(|said| !said.is_null()) {
        RouteSelection::of(&order)?;
    }
    let mut store = call.store();
    let id = store.insert_pending(company.id, call.user.id, context.now, &document)?;
    Ok(json!({ "id": id, "consignmentNumber": format!("PC{id}") }).into())
}

pub(crate) fn delete_pending(call: &Call<'_>) -> Reply {
    let ids = call.ids()?;
    if ids.is_empty() {
        return Err(Refusal::general("Pending consignment ids are required").into());
    }
    check_linked(call, &ids)?;
    call.store().delete_pending(&ids)?;
    Ok(Answer::Done)
}

/// Handles `practice/convertPendingConsignment`, which exists in the practice service only. Does what a user does in
/// the web interface of a real service to complete the draft.
pub(crate) fn convert_pending(call: &Call<'_>) -> Reply {
    let id = call.required_number("id")?;
    check_linked(call, &[id])?;
    let found = call.store().pending(id)?;
    let (company_id, document) = found.ok_or_else(|| gone(id))?;
    let document = serde_json::from_str(&document).map_err(Failure::broken)?;
    let order = ConsignmentRequest::of_pending(document).map_err(Failure::broken)?;
    let order = completed(company_id, order, id);
    create_consignment(call, &order, OperationVariant::Complex)
}

/// Fills in the values that the web interface of a real service adds automatically: the company, the dangerous goods
/// declaration, the international flag and three-letter country codes.
fn completed(company_id: i64, mut order: ConsignmentRequest, id: i64) -> ConsignmentRequest {
    for party in [&mut order.from, &mut order.to] {
        let Some(code) = &mut party.country_code else {
            continue;
        };
        if let Some(country) = catalogue().country_by_code_or_name(code) {
            code.clone_from(&country.code);
        }
        if code != AUSTRALIA {
            order.is_international.get_or_insert(true);
        }
    }
    let items = order.items.iter().flatten();
    let goods = items.map(|item| &item.consignment_item_dg_items);
    let holds = goods.flatten().flatten().next().is_some();
    order.dgs_declaration.get_or_insert(holds);
    order.company_id = Some(company_id);
    order.linked_pending_consignment_ids = vec![id];
    order
}

/// Checks that all pending consignments exist and that the user may see them.
fn check_linked(call: &Call<'_>, ids: &[i64]) -> Result<(), Failure> {
    for id in ids {
        let found = call.store().pending(*id)?;
        if !found.is_some_and(|(company_id, _)| call.is_visible(company_id)) {
            return Err(gone(*id).into());
        }
    }
    Ok(())
}

fn gone(id: i64) -> Refusal {
    Refusal::general(format!("Pending consignment {id} was not found"))
}
