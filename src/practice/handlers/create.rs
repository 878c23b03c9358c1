//! Creates consignments: applies the rules, chooses a carrier and service, and stores the result.

use serde_json::json;

use super::prepare::{Prepared, prepare};
use super::{Call, PracticeService, carrier_references};
use crate::catalogue::{Carrier, Company};
use crate::consignment::{Consignment, EditFormFields};
use crate::rules::{OperationVariant, Purpose};
use crate::status::{ConsignmentRecord, Status, StatusEvent};
use crate::store::{NewConsignment, NewManifest, User};
use crate::wire::{Answer, ConsignmentRequest, Failure, consignment_created};

/// Handles `consignments/createConsignment`.
pub(crate) fn create(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    answer(desk, call, OperationVariant::Simple)
}

/// Handles `consignments/createConsignmentwithComplexItems`.
pub(crate) fn create_complex(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    answer(desk, call, OperationVariant::Complex)
}

fn answer(desk: &PracticeService, call: &Call, form: OperationVariant) -> Result<Answer, Failure> {
    let order: ConsignmentRequest = call.record()?;
    let tracked = create_consignment(desk, &call.user, &order, form)?;
    Ok(Answer::Object(consignment_created(
        &desk.catalogue,
        &tracked,
    )))
}

/// Creates the consignment, which replaces the pending consignments linked to it.
pub(super) fn create_consignment(
    desk: &PracticeService,
    user: &User,
    order: &ConsignmentRequest,
    form: OperationVariant,
) -> Result<ConsignmentRecord, Failure> {
    let prepared = prepare(desk, user, order, form, Purpose::Create)?;
    let Prepared {
        company,
        job,
        quote,
        trip,
    } = &prepared;
    let delegated = order.carrier_consignment_id.as_deref();
    let delegated = delegated.filter(|_| form == OperationVariant::Complex);
    carrier_references::check(quote.carrier, delegated, &job.lines, &|_| false)?;
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
            carrier_id: quote.carrier.id,
            service_id: quote.service.id,
            account_id: quote.account.id,
            company_carrier_account_id: quote.account.company_carrier_account_id,
            carrier_consignment_id: carrier_references::consignment_id(
                quote.carrier,
                id,
                delegated,
            ),
            job: job.clone(),
            price: quote.price.clone(),
            despatch: trip.despatch.timestamp(),
            eta: trip.eta.timestamp(),
            updated: None,
            last_line: 0,
            office: office(company),
        };
        for line in &mut consignment.job.lines {
            line.stackable = Some(true);
        }
        consignment.number_lines();
        carrier_references::fill(quote.carrier, id, &mut consignment.job.lines);
        consignment
    };
    let new = NewConsignment {
        company_id: company.id,
        carrier_id: quote.carrier.id,
        created: created.clone(),
        complete: &complete,
        converts: &order.linked_pending_consignment_ids,
    };
    let mut tracked = desk.store().insert_consignment(&new)?;
    if quote.account.auto_manifest {
        tracked = book_at_once(desk, &tracked, &created, quote.carrier)?;
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
    store
        .consignment(id)?
        .ok_or_else(|| Failure::Broken(format!("consignment {id} is gone")))
}
