//! Fills a journal as it would be after a busy season, through the journal's own functions.

use std::path::Path;

use draft::Draft;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use shipping::{CompanyId, Consignment, ConsignmentId};
use storage::{
    CachedList, ConsignmentHistory, JobState, JobSubject, Journal, NewJob, NewOperation,
    OperationKind, OperationState, SyncMark, SyncScope, TrackStore,
};

pub(crate) const CONSIGNMENTS: i64 = 100_000;
pub(crate) const OPERATIONS: usize = 10_000;

/// Of the consignments, so many wait for a manifest: a bench that has not manifested for a week.
pub(crate) const UNMANIFESTED: i64 = 2_000;

const AT_ONCE: usize = 5_000;

pub(crate) fn moment() -> Timestamp {
    "2026-11-20T03:05:00Z".parse().expect("a moment")
}

/// Fills the journal at `path`.
pub(crate) fn fill(path: &Path) {
    let mut journal = Journal::open(path).expect("a journal");
    store(path);
    operations(&mut journal);
    for _ in 0..20 {
        journal.save_draft(&a_draft(), moment()).expect("saved");
    }
}

/// Something typed.
pub(crate) fn a_draft() -> Draft {
    Draft {
        reference1: "SO-48213".to_owned(),
        ..Draft::default()
    }
}

/// The consignments and the companies, beside the journal.
fn store(journal: &Path) {
    let mut store = TrackStore::open(&TrackStore::beside(journal)).expect("a store");
    let ids: Vec<_> = (200_000..200_000 + CONSIGNMENTS).collect();
    for page in ids.chunks(AT_ONCE) {
        let rows = page.iter().map(|id| {
            let waits = *id >= 200_000 + CONSIGNMENTS - UNMANIFESTED;
            let record = row(*id, waits).to_string();
            let one: Consignment = serde_json::from_str(&record).expect("a consignment");
            ConsignmentHistory::of(&one, None)
        });
        store
            .put(&rows.collect::<Vec<_>>(), moment())
            .expect("kept");
    }
    let scope = SyncScope {
        company: Some(CompanyId::new(1)),
        ..SyncScope::default()
    };
    let mark = SyncMark {
        seen_to: moment(),
        at: moment(),
        whole_at: moment(),
    };
    store.set_mark(scope, mark).expect("marked");
    let companies = json!([{"id": 1, "name": "Harbour Supplies", "accountCode": "HS",
        "displayName": "Harbour Supplies", "parentCompanyId": null}]);
    store
        .put_list(CachedList::Companies, &companies.to_string())
        .expect("kept");
}

/// A consignment as the recent list gives it.
fn row(id: i64, waits: bool) -> Value {
    let status = if waits { 2 } else { 7 };
    json!({
        "id": id, "consignmentNumber": format!("MS{id}"), "carrierConsignmentId": format!("SX{id}0001"),
        "companyId": 1, "customerReference": format!("SO-{id}"), "customerReference2": format!("Bench4-{id:08}"),
        "consignmentTrackingStatus": {"id": status, "name": "Unmanifested", "description": "Created, not booked yet"},
        "consignmentTrackingHistories": (0..3).map(|at| json!({
            "consignmentId": id, "createdByName": "Clerk", "statusIsPartial": false,
            "consignmentTrackingStatus": {"id": at + 2, "name": "Manifested", "description": "On its way"},
            "statusDateLocal": "2026-11-20T14:05:00", "statusDateUtc": "2026-11-20T03:05:00",
            "carrierStatus": "OFD", "carrierStatusDescription": "On board for delivery", "createdByUserId": 12,
            "statusInformation": null
        })).collect::<Vec<_>>(),
        "trackingPageAccessToken": format!("{id}-bdc2c1d9a7f04c1e"),
        "consignmentTotal": {"sellPricesCleared": true, "totalSellPrice": 38.4, "totalTaxSellPrice": 3.49,
            "sellFuelLevyPrice": 4.2, "totalSellBeforeTax": 34.91},
        "despatchDateLocal": "2026-11-20T15:30:00", "despatchDateUtc": "2026-11-20T04:30:00",
        "etaLocal": "2026-11-23T17:00:00", "etaUtc": "2026-11-23T06:00:00",
        "carrier": {"id": 3, "name": "Southern Cross", "abbreviation": "SX", "displayName": "Southern Cross"},
        "carrierService": {"id": 31, "name": "Road", "abbreviation": "RD", "displayName": "Road"},
        "fromName": "Harbour Supplies", "fromContact": "Dock office", "fromPhone": "02 5550 0114",
        "fromAddressLine1": "12 Bourke Road",
        "fromLocation": {"id": 9, "postcode": "2015", "state": "NSW", "timeZone": "Australia/Sydney",
            "suburb": "Alexandria", "country": "AU"},
        "toName": "Ballarat Farm & Garden", "toContact": "J. Okafor", "toPhone": "03 5550 0199",
        "toEmail": "stores@bfg.example", "toAddressLine1": "8 Creswick Road",
        "toLocation": {"id": 10, "postcode": "3350", "state": "VIC", "timeZone": "Australia/Melbourne",
            "suburb": "Ballarat Central", "country": "AU"},
        "totalItemCount": 2, "totalWeight": 18, "totalCubic": 24, "totalVolume": 0.096, "heaviestWeight": 9,
        "specialInstructions": "Ring the bell at the side gate", "questionIds": ["13"], "isInternational": false,
        "dgsDeclaration": false, "attachmentCount": 0, "important": false, "isTest": false
    })
}

/// Each with the history of a life, a draft that became of it, and its print job.
fn operations(journal: &mut Journal) {
    let request =
        json!({"toName": "Ballarat Farm & Garden", "items": [{"name": "Hose reels, 20 m", "quantity": 2}]})
            .to_string()
            .repeat(12);
    let begun = moment() - SignedDuration::from_hours(24 * 30);
    let new: Vec<_> = (0..OPERATIONS)
        .map(|at| NewOperation {
            kind: OperationKind::Create,
            key: format!("Bench4-{at:08}"),
            title: format!("SO-{at}"),
            request: request.clone(),
            draft: None,
            consignments: Vec::new(),
        })
        .collect();
    for (at, mut operation) in journal
        .begin(&new, begun)
        .expect("begun")
        .into_iter()
        .enumerate()
    {
        let id = 290_000 + i64::try_from(at).expect("a small number");
        operation.state = OperationState::Sending;
        journal
            .change(&mut operation, OperationState::Ready, begun)
            .expect("sending");
        operation.state = OperationState::Done;
        operation.message = format!("Created MS{id}");
        operation.reference = format!("MS{id}");
        operation.consignments = vec![ConsignmentId::new(id)];
        journal
            .change(&mut operation, OperationState::Sending, begun)
            .expect("done");
        if at % 10 == 0 {
            print_job(journal, id, begun);
        }
    }
}

fn print_job(journal: &mut Journal, id: i64, at: Timestamp) {
    let new = NewJob {
        subject: JobSubject::Label(ConsignmentId::new(id)),
        number: format!("MS{id}"),
        printer: "Zebra bench 4".to_owned(),
        title: format!("MS{id} Bench4"),
        bytes: vec![b'^'; 12_000].into(),
        ..NewJob::default()
    };
    let mut job = journal.begin_job(&new, at).expect("begun");
    job.state = JobState::Sent;
    journal
        .change_job(&mut job, JobState::Spooling, at)
        .expect("sent");
}
