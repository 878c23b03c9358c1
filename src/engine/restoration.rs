//! After the journal was restored from a backup, asks the service for the consignments that this bench created since
//! the backup. A consignment with a key of this bench that the journal does not know gets a finished operation. A
//! draft that matches a consignment is not offered as unsent. Open operations have their own reconciliation. The
//! service is asked until it answers, if necessary after a restart. Nothing is changed at the service.

use std::collections::HashSet;
use std::time::Duration;

use jiff::Timestamp;

use super::compared_values::{COMPARED_VALUES, ComparedValue};
use super::{CLOCKS_DIFFER, EngineContext, EngineError, Failure, LISTED_BACK, Outcome, is_own_key};
use client::RecentUpdates;
use draft::{AddressMode, Draft, Party, PickedLocation, parse_place};
use shipping::{
    Company, CompanyLocation, Consignment, ConsignmentId, ConsignmentRequest, LocationRequest,
};
use storage::{
    CachedList, Journal, JournalError, NewOperation, Operation, OperationKind, OperationState,
    PossiblySentDraft, Restoration,
};

/// The wait before an unavailable service is asked again.
const ASK_AGAIN: Duration = Duration::from_secs(10);

const FOUND: &str = "Found at the service after this bench's records were restored";

impl EngineContext {
    /// Fetches the changes since the backup, if the journal was restored from a backup.
    pub(super) async fn catch_up_after_restoration(&self) {
        let restoration = self.journal(|journal| journal.restoration());
        let what = "Couldn't check whether this bench's records were restored";
        let Some(Some(restoration)) = self.or_tell(what, restoration).await else {
            return;
        };
        let since = self.asked_since(restoration);
        let (consignments, unasked) = loop {
            match self.happened_since(since).await {
                Ok(happened) => break happened,
                Err(failure) => {
                    tracing::warn!(%failure, "the service could not be asked what happened since");
                }
            }
            // If the window is closed, the next start continues.
            let waited = self.until_closed(tokio::time::sleep(ASK_AGAIN)).await;
            if waited.is_none() {
                return;
            }
        };
        let what = "Couldn't save what was found at the service";
        let taken_in = self.take_in(consignments);
        if self.or_tell(what, taken_in).await.is_none() {
            return;
        }
        let too_old = restoration.from.is_some_and(|from| from < since);
        if too_old || !unasked.is_empty() {
            self.tell(Outcome::RestorationIncomplete { too_old, unasked })
                .await;
        }
    }

    /// Returns the start of the period to ask the service for. If a wrong clock dated the backup later than
    /// its restoration, the time of the restoration is used.
    fn asked_since(&self, restoration: Restoration) -> Timestamp {
        let furthest = self.now() - LISTED_BACK;
        restoration.from.map_or(furthest, |from| {
            (from.min(restoration.at) - CLOCKS_DIFFER).max(furthest)
        })
    }

    /// Fetches the consignments of all of the token's companies that changed after `since`. Also returns the names of
    /// companies for which the service refused the request. Fails if the service should be asked again later.
    async fn happened_since(
        &self,
        since: Timestamp,
    ) -> Result<(Vec<Consignment>, Vec<String>), Failure> {
        let mut unasked = Vec::new();
        let mut companies = vec![(None, "your own company".to_owned())];
        match self.client.companies(None).await {
            Ok(all) => companies.extend(all.into_iter().map(|one| (Some(one.id), one.name))),
            Err(failure) if is_final(&failure) => unasked.push("all other companies".to_owned()),
            Err(failure) => return Err(failure),
        }
        let (mut seen, mut found) = (HashSet::new(), Vec::new());
        for (company, name) in companies {
            let updates = RecentUpdates {
                company,
                ..RecentUpdates::since(since)
            };
            match self.client.recently_updated(&updates).await {
                Ok(recent) => found.extend(recent.into_iter().filter(|one| seen.insert(one.id))),
                Err(failure) if is_final(&failure) => unasked.push(name),
                Err(failure) => return Err(failure),
            }
        }
        Ok((found, unasked))
    }

    async fn saved_locations(&self) -> Vec<CompanyLocation> {
        let companies: Vec<Company> = self.stored_list(CachedList::Companies).await;
        let companies = companies.into_iter().map(|one| Some(one.id));
        let mut locations = Vec::new();
        for company in companies.chain([None]) {
            locations.extend(self.stored_list(CachedList::Locations(company)).await);
        }
        locations
    }

    async fn take_in(&self, consignments: Vec<Consignment>) -> Result<(), EngineError> {
        let (bench, now) = (self.name.clone(), self.now());
        let locations = self.saved_locations().await;
        let (consignments, operations, doubts, drafts) = self
            .journal(move |journal| {
                let operations = adopt(journal, &bench, &consignments, now)?;
                let known: HashSet<_> = journal
                    .operations(u32::MAX)?
                    .into_iter()
                    .filter(|operation| !operations.iter().any(|new| new.id == operation.id))
                    .flat_map(|operation| operation.consignments)
                    .collect();
                let drafts = journal.drafts()?;
                let doubts = doubts(&drafts, &consignments, &known, &locations);
                journal.finish_restoration(&doubts)?;
                Ok((consignments, operations, doubts, drafts))
            })
            .await?;
        for operation in operations {
            self.tell(Outcome::Operation(Box::new(operation))).await;
        }
        let found: Vec<_> = consignments
            .into_iter()
            .filter(Consignment::is_unmanifested)
            .collect();
        self.tell(Outcome::ConsignmentsRead(found)).await;
        self.tell(Outcome::RestorationCompleted { doubts, drafts })
            .await;
        Ok(())
    }
}

/// Returns true if a repetition would fail too: the service refused, or its answer is unreadable.
fn is_final(failure: &Failure) -> bool {
    let may_pass = failure.is_out_of_reach()
        || matches!(
            failure,
            Failure::Unauthorised
                | Failure::WebPage
                | Failure::Internal
                | Failure::Busy { .. }
                | Failure::Status(408 | 429 | 500..)
        );
    !may_pass
}

/// Saves a finished operation for each consignment that this bench created and that the journal does not know.
fn adopt(
    journal: &mut Journal,
    bench: &str,
    consignments: &[Consignment],
    now: Timestamp,
) -> Result<Vec<Operation>, JournalError> {
    let mut made: Vec<_> = consignments
        .iter()
        .filter_map(|one| {
            let mut references = [&one.customer_reference2, &one.customer_reference].into_iter();
            let key =
                references.find_map(|key| key.clone().filter(|key| is_own_key(bench, key)))?;
            Some((one, key))
        })
        .collect();
    // Sort by id, the order of creation.
    made.sort_by_key(|(one, _)| one.id);
    let mut unknown = Vec::new();
    for (one, key) in made {
        if !journal.is_key_known(&key)? {
            unknown.push((one, key));
        }
    }
    let mut operations = Vec::new();
    for (one, key) in unknown {
        let new = NewOperation {
            kind: OperationKind::Create,
            key,
            title: one.customer_reference.clone().unwrap_or_default(),
            // The request is lost: store its known values for later checks.
            request: serde_json::json!({
                "customerReference": one.customer_reference,
                "customerReference2": one.customer_reference2,
                "items": [],
            })
            .to_string(),
            draft: None,
            consignments: vec![one.id],
        };
        for mut operation in journal.begin(&[new], now)? {
            operation.state = OperationState::Done;
            FOUND.clone_into(&mut operation.message);
            operation.reference.clone_from(&one.consignment_number);
            journal.change(&mut operation, OperationState::Ready, now)?;
            operations.push(operation);
        }
    }
    Ok(operations)
}

/// Finds drafts with a matching consignment at the service that no known operation created.
fn doubts(
    drafts: &[Draft],
    consignments: &[Consignment],
    known: &HashSet<ConsignmentId>,
    locations: &[CompanyLocation],
) -> Vec<PossiblySentDraft> {
    let unclaimed: Vec<_> = consignments
        .iter()
        .filter(|one| !known.contains(&one.id))
        .collect();
    drafts
        .iter()
        .filter_map(|draft| {
            let twins: Vec<_> = unclaimed
                .iter()
                .filter(|one| is_alike(draft, one, locations))
                .map(|one| one.consignment_number.as_str())
                .collect();
            (!twins.is_empty()).then(|| PossiblySentDraft {
                draft: draft.id.clone(),
                message: format!("May have been sent already: {}", twins.join(", ")),
            })
        })
        .collect()
}

/// Returns true if a draft matches a consignment in every compared value that counts after a restoration.
fn is_alike(draft: &Draft, one: &Consignment, locations: &[CompanyLocation]) -> bool {
    let Some(typed) = as_sent(draft, locations) else {
        // The saved location is unknown: compare at least the pieces.
        return i64::from(draft.totals().pieces) == one.pieces();
    };
    let counts = |value: &&ComparedValue| value.of_sent(&typed).is_some();
    let mut compared = COMPARED_VALUES.iter().filter(counts).peekable();
    compared.peek().is_some() && compared.all(|value| value.is_same(&typed, one) == Some(true))
}

/// Returns the values of a draft by which its consignment is recognised: the reference, or without one the receiver as
/// the service would have stored it. All other values are left out, because the draft in the backup may be older than
/// the draft that was sent. `None` if the receiver is a saved location that is unknown.
fn as_sent(draft: &Draft, locations: &[CompanyLocation]) -> Option<ConsignmentRequest> {
    let mut sent = ConsignmentRequest::default();
    if !draft.reference1.trim().is_empty() {
        sent.customer_reference = Some(draft.reference1.clone());
    } else if draft.is_blank() {
        // An empty draft matches no consignment.
    } else {
        let (name, suburb) = receiver(&draft.to, locations)?;
        if !name.trim().is_empty() {
            sent.to.name = Some(name);
            sent.to.location = Some(LocationRequest {
                suburb,
                ..LocationRequest::default()
            });
        }
    }
    Some(sent)
}

/// Returns name and suburb of a receiver as the service stores them; `None` for a saved location that the
/// bench does not know.
fn receiver(to: &Party, locations: &[CompanyLocation]) -> Option<(String, String)> {
    if to.mode == AddressMode::Full {
        let suburb = if to.is_abroad() {
            to.city.trim().to_owned()
        } else {
            suburb_of(&to.place)
        };
        return Some((to.title().to_owned(), suburb));
    }
    let short = to.abbreviation.trim();
    let known = locations.iter().find(|known| match &to.saved {
        Some(saved) => known.id == saved.id,
        None => !short.is_empty() && known.abbreviation.eq_ignore_ascii_case(short),
    });
    let saved = known
        .map(PickedLocation::from)
        .or_else(|| to.saved.clone())?;
    (!saved.place.is_empty()).then(|| (saved.name.clone(), suburb_of(&saved.place)))
}

/// Returns the suburb of "Alexandria NSW 2015"; empty if it can't be parsed.
fn suburb_of(place: &str) -> String {
    let place = parse_place(place).map(|place| place.suburb);
    place.unwrap_or_default()
}
