//! Finds consignments for a typed or scanned text: in the local store at once, and at the service by every kind of
//! number that its lookups accept. Consignments that the service returns are stored and tracked. A request that fails
//! is shown and does not affect the other requests.

use std::collections::HashSet;
use std::sync::Arc;

use crate::context::EngineContext;
use crate::remote::Fetch;
use crate::{EngineError, Reads};
use client::Failure;
use shipping::{CompanyId, Consignment, ConsignmentId, PendingConsignmentId};
use storage::{ConsignmentRow, JournalError, SearchRequest, TrackReader, ViewedList, parse_filter};

/// The most consignments that a search by words lists.
const MOST_ALIKE: usize = 50;
/// The most rows of the list that contain the text in any field. Only in these rows are the receiver and
/// the numbers compared.
const MOST_LISTED: usize = 1_000;
/// The most last orders to a receiver, and the most consignments with the receiver's name that are read for them.
const MOST_ORDERS: usize = 3;
const MOST_ORDERS_SEARCHED: usize = 50;
/// No consignment number or reference is longer than this, in characters.
const LONGEST: usize = 100;

/// A text to search for, with the numbers that it could be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchTerm {
    /// The text as typed or scanned. If that is the address of a tracking page, this is the token in the address.
    pub text: String,
    /// True if the text is the token of a tracking page, by which the service can't search.
    pub is_token: bool,
}

/// Tracked consignments that match a text.
#[derive(Debug, Clone, Default)]
pub struct LocalMatches {
    /// Consignments with exactly this number or reference.
    pub exact: Vec<Arc<ConsignmentRow>>,
    /// The newest unmanifested consignment whose receiver contains the text, or with a number or reference that
    /// starts with it. Searched only if `exact` is empty.
    pub listed: Option<ConsignmentId>,
    /// The newest consignments that contain every word. Searched only if `exact` is empty.
    pub by_words: Vec<Arc<ConsignmentRow>>,
}

/// Consignments that the service has for a text.
#[derive(Debug, Default)]
pub struct ServiceMatches {
    /// All consignments that the service returned, as they are stored now.
    pub found: Vec<Arc<ConsignmentRow>>,
    /// The requests that failed: the kind of number that was searched for, and the error.
    pub failed: Vec<(&'static str, EngineError)>,
}

impl SearchTerm {
    /// Returns the consignment id that the text could be: from `MS200431`, or from digits alone.
    pub fn id(&self) -> Option<ConsignmentId> {
        let id = after(&self.text, "MS").unwrap_or(&self.text);
        positive(id).map(ConsignmentId::new)
    }

    /// Returns true for a text like `MS200431`, which can't be a carrier's number or a reference.
    pub fn is_own(&self) -> bool {
        after(&self.text, "MS").is_some_and(|id| positive(id).is_some())
    }

    /// Returns the pending consignment id of a text like `PC5121`.
    pub fn pending(&self) -> Option<PendingConsignmentId> {
        after(&self.text, "PC")
            .and_then(positive)
            .map(PendingConsignmentId::new)
    }

    /// Returns false for tracking tokens, addresses, and texts that are longer than any number.
    pub fn can_be_asked(&self) -> bool {
        !self.is_token && self.text.chars().count() <= LONGEST && !self.text.contains("://")
    }
}

/// Returns the text after a prefix, ignoring ASCII case.
fn after<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

fn positive(digits: &str) -> Option<i64> {
    let are_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let id = digits.parse().ok().filter(|_| are_digits)?;
    (id > 0).then_some(id)
}

impl Reads {
    /// Searches the local store: first for an exact number or reference, then for all words. `list` has the
    /// unmanifested consignments, newest first.
    pub fn search_local(
        &self,
        wanted: SearchTerm,
        list: Arc<[ConsignmentId]>,
    ) -> Fetch<LocalMatches> {
        self.local(move |bench| async move {
            bench.track.wait_until_stored().await;
            bench
                .track
                .read(move |reader| {
                    let mut ids = reader.find_by_number(&wanted.text)?;
                    if let Some(id) = wanted.id().filter(|id| !ids.contains(id)) {
                        ids.push(id);
                    }
                    let rows = |rows: Vec<ConsignmentRow>| rows.into_iter().map(Arc::new).collect();
                    let exact = reader.rows(&ids)?;
                    if !exact.is_empty() || wanted.is_token {
                        return Ok(LocalMatches {
                            exact: rows(exact),
                            ..LocalMatches::default()
                        });
                    }
                    let alike = reader.rows(&reader.search(&wanted.text, MOST_ALIKE)?)?;
                    Ok(LocalMatches {
                        listed: find_listed(reader, &wanted.text, &list)?,
                        by_words: rows(alike),
                        ..LocalMatches::default()
                    })
                })
                .await
        })
    }

    /// Returns the newest consignments of a company to the receiver of exactly this name, newest first.
    pub fn last_orders(
        &self,
        receiver: String,
        company: Option<CompanyId>,
    ) -> Fetch<Vec<Arc<ConsignmentRow>>> {
        self.local(move |bench| async move {
            // What was just created is among them.
            bench.track.wait_until_stored().await;
            bench
                .track
                .read(move |reader| {
                    let wanted = receiver.trim().to_lowercase();
                    let filter = format!("to:\"{}\"", wanted.replace('"', " "));
                    let mut rows = reader.rows(&reader.search(&filter, MOST_ORDERS_SEARCHED)?)?;
                    rows.retain(|row| {
                        let is_ours = row.company.is_none() || row.company == company;
                        is_ours && row.to.trim().to_lowercase() == wanted
                    });
                    rows.sort_by_key(|row| std::cmp::Reverse(row.id));
                    rows.truncate(MOST_ORDERS);
                    Ok(rows.into_iter().map(Arc::new).collect())
                })
                .await
        })
    }

    /// Searches at the service: first by consignment id or pending id, then by the carrier's number and both
    /// references. The second search is skipped if an id such as `MS200431` was found.
    pub fn search_service(&self, wanted: SearchTerm) -> Fetch<ServiceMatches> {
        self.job(move |bench| async move { bench.search_service(&wanted).await })
    }
}

/// Returns the newest consignment of the list whose receiver contains the text, or with a number or reference that
/// starts with it, ignoring case.
fn find_listed(
    reader: &TrackReader,
    text: &str,
    list: &[ConsignmentId],
) -> Result<Option<ConsignmentId>, JournalError> {
    let is_wanted = |id: ConsignmentId| list.binary_search_by(|one| id.cmp(one)).is_ok();
    let found = reader.find(&SearchRequest {
        words: &parse_filter(&format!("\"{text}\""), ViewedList::Track),
        most: MOST_LISTED,
        is_wanted: &is_wanted,
        is_cancelled: &|| false,
    })?;
    let wanted = text.to_lowercase();
    let is_it = |row: &ConsignmentRow| {
        let mut numbers = row.numbers();
        row.to.to_lowercase().contains(&wanted)
            || numbers.any(|number| number.to_lowercase().starts_with(&wanted))
    };
    let rows = reader.rows(&found.ids)?;
    Ok(rows.into_iter().find(is_it).map(|row| row.id))
}

impl EngineContext {
    async fn search_service(&self, wanted: &SearchTerm) -> Result<ServiceMatches, EngineError> {
        if !wanted.can_be_asked() {
            return Ok(ServiceMatches::default());
        }
        let mut answers = Vec::new();
        if let Some(id) = wanted.id() {
            let answer = self.client.consignment(id).await;
            answers.push(("Its number", one_or_none(answer)));
        }
        if let Some(id) = wanted.pending() {
            let answer = self.client.consignment_of_pending(id).await;
            answers.push(("The pending number", one_or_none(answer)));
        }
        // A text like `MS200431` that was found cannot be any other number, so the other searches are skipped. Digits
        // alone may also be a carrier's number or a reference.
        let is_own = wanted.is_own() || wanted.pending().is_some();
        let is_found =
            |answer: &Result<Vec<_>, _>| answer.as_ref().is_ok_and(|all| !all.is_empty());
        if !is_own || !answers.iter().any(|(_, answer)| is_found(answer)) {
            let text = std::slice::from_ref(&wanted.text);
            let (carrier, first, second) = tokio::join!(
                self.client.consignments_by_carrier_number(text),
                self.client.consignments_by_reference1(text),
                self.client.consignments_by_reference2(text),
            );
            answers.extend([
                ("The carrier consignment number", carrier),
                ("The reference", first),
                ("The second reference", second),
            ]);
        }
        let (mut found, mut failed) = (Vec::new(), Vec::new());
        for (number, answer) in answers {
            match answer {
                Ok(some) => found.extend(some),
                Err(failure) => failed.push((number, failure.into())),
            }
        }
        // Several numbers may lead to one consignment. Its first answer counts, because that is the most complete one.
        let mut seen = HashSet::new();
        found.retain(|one: &Consignment| seen.insert(one.id));
        let mut ids: Vec<_> = seen.into_iter().collect();
        ids.sort_unstable();
        ids.reverse();
        if !ids.is_empty() {
            self.record(&found).await?;
        }
        let rows = self.track.read(move |reader| reader.rows(&ids)).await?;
        Ok(ServiceMatches {
            found: rows.into_iter().map(Arc::new).collect(),
            failed,
        })
    }
}

/// Turns the answer for one consignment into a list. If the consignment does not exist, some services refuse the
/// request and others send an empty answer; both become an empty list.
fn one_or_none(answer: Result<Consignment, Failure>) -> Result<Vec<Consignment>, Failure> {
    match answer {
        Ok(one) => Ok(vec![one]),
        Err(Failure::Refused(_) | Failure::Status(404) | Failure::Empty) => Ok(Vec::new()),
        Err(failure) => Err(failure),
    }
}
