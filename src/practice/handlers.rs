//! Handlers of the operations, and the state that they share.
//!
//! A handler is a plain function that may block; the HTTP layer runs it outside the async threads. All writes
//! go through one store behind one lock, so two calls never interleave.

mod carrier_references;
pub(crate) mod create;
pub(crate) mod edit;
pub(crate) mod find;
mod live_pricing;
pub(crate) mod manifest;
pub(crate) mod pending;
pub(crate) mod practice_controls;
pub(crate) mod printing;
pub(crate) mod proofs;
pub(crate) mod reference_data;
pub(crate) mod routes;
pub(crate) mod statuses;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::catalogue::{Catalogue, Company};
use super::fault_injection::{FaultInjector, Snapshots};
use super::rules::{self, ALREADY_MANIFESTED, OperationVariant, Purpose, RuleContext};
use super::simulation::SimulationSettings;
use super::status::{ConsignmentRecord, Status};
use super::store::{Store, StoreError, User};
use super::tracking_page::{self, Design};
use super::wire::{Answer, Failure, Refusal, consignment_created, whole_number};
use shipping::Clock;

/// State that all handlers share.
pub(crate) struct PracticeService {
    pub(crate) catalogue: Arc<Catalogue>,
    pub(crate) clock: Clock,
    pub(crate) pace: SimulationSettings,
    pub(crate) faults: Arc<FaultInjector>,
    /// Copies of the state from before recent changes, for lookups that must not show them
    /// yet (fault injection).
    pub(crate) past: Snapshots<PracticeService>,
    store: Mutex<Store>,
    change_lock: Mutex<()>,
}

/// One call of an operation: the user, the query and the body.
pub(crate) struct Call {
    pub(crate) user: User,
    /// Parameters in the order of the URL. A name can occur several times.
    pub(crate) query: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// Handler of one operation.
pub(crate) type Handler = fn(&PracticeService, &Call) -> Result<Answer, Failure>;

impl PracticeService {
    pub(crate) fn new(
        catalogue: &Arc<Catalogue>,
        clock: &Clock,
        pace: SimulationSettings,
        store: Store,
        troubles: &Arc<FaultInjector>,
    ) -> Self {
        Self {
            catalogue: Arc::clone(catalogue),
            clock: clock.clone(),
            pace,
            faults: Arc::clone(troubles),
            past: Snapshots::default(),
            store: Mutex::new(store),
            change_lock: Mutex::new(()),
        }
    }

    /// Locks out other changes. The HTTP layer holds the guard while a handler that changes something runs,
    /// from its first read to its last write.
    pub(crate) fn lock_changes(&self) -> MutexGuard<'_, ()> {
        self.change_lock
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the store. A poisoned lock is safe to use: every change is one transaction, so a panic leaves no
    /// half-written change.
    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds the consignment, if it belongs to the user's company or to a company below it.
    fn find(&self, call: &Call, id: i64) -> Result<Option<ConsignmentRecord>, Failure> {
        let found = self.store().consignment(id)?;
        Ok(found.filter(|found| self.is_visible(&call.user, found.consignment.company_id)))
    }

    fn is_visible(&self, user: &User, company_id: i64) -> bool {
        rules::company_and_descendants(&self.catalogue, user.company_id).contains(&company_id)
    }

    /// Returns the consignment if the user may see it, otherwise a refusal of the field.
    fn visible(&self, call: &Call, field: &str, id: i64) -> Result<ConsignmentRecord, Failure> {
        let missing = || Refusal::new(field, format!("Consignment {id} was not found"));
        Ok(self.find(call, id)?.ok_or_else(missing)?)
    }

    /// Returns the consignment if the user may see it and it is unmanifested.
    fn find_unmanifested(&self, call: &Call, id: i64) -> Result<ConsignmentRecord, Failure> {
        let missing = || Refusal::general(format!("Consignment {id} was not found"));
        let tracked = self.find(call, id)?.ok_or_else(missing)?;
        if tracked.status == Status::Unmanifested {
            Ok(tracked)
        } else {
            Err(Refusal::general(ALREADY_MANIFESTED).into())
        }
    }

    /// Returns the company that a query parameter names, or the user's own if it is absent.
    fn company(&self, call: &Call, parameter: &str) -> Result<&Company, Failure> {
        let id = call.whole_number(parameter)?;
        Ok(rules::company(&self.catalogue, &call.user, id)?)
    }

    fn rule_context<'a>(
        &'a self,
        company: &'a Company,
        form: OperationVariant,
        purpose: Purpose,
    ) -> RuleContext<'a> {
        RuleContext {
            catalogue: &self.catalogue,
            company,
            now: self.clock.now(),
            form,
            purpose,
        }
    }

    /// Returns the answer of the operations that create or change a consignment.
    fn created(&self, tracked: &ConsignmentRecord) -> Answer {
        Answer::Object(consignment_created(&self.catalogue, tracked))
    }

    /// Returns the public tracking page of the consignment with this tracking token, or `None` if there is
    /// no such consignment. No user token is needed.
    pub(crate) fn tracked_page(
        &self,
        token: &str,
        design: Design,
    ) -> Result<Option<String>, StoreError> {
        self.advance_carriers()?;
        let found = self.store().consignment_by_token(token)?;
        Ok(found.map(|tracked| tracking_page::page(&self.catalogue, &tracked, design)))
    }
}

impl Call {
    fn body<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        serde_json::from_slice(&self.body)
            .map_err(|error| Failure::Unreadable(format!("The request could not be read: {error}")))
    }

    /// Reads the body as a record. Only a JSON object is accepted: serde would also read an array as the
    /// fields in their order.
    fn record<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        self.body::<Map<String, Value>>()?;
        self.body()
    }

    /// Reads the body as a list of JSON objects.
    fn records<T: DeserializeOwned>(&self) -> Result<Vec<T>, Failure> {
        self.body::<Vec<Map<String, Value>>>()?;
        self.body()
    }

    /// Reads the body as a list of consignment ids, which must not be empty.
    fn consignment_ids(&self) -> Result<impl Iterator<Item = Result<i64, Failure>>, Failure> {
        let ids: Vec<Value> = self.body()?;
        if ids.is_empty() {
            return Err(ids_required().into());
        }
        Ok(ids.into_iter().map(|id| {
            let unreadable = || Failure::Unreadable(format!("{id} is not a consignment id"));
            whole_number(&id).ok_or_else(unreadable)
        }))
    }

    /// Reads ids from the body: a JSON array, or an object with the array in `ids`.
    fn ids(&self) -> Result<Vec<i64>, Failure> {
        let unreadable = |what: &str| Failure::Unreadable(format!("{what} is not a list of ids"));
        let body: Value = self.body()?;
        let list = body.get("ids").unwrap_or(&body);
        let values = list.as_array().ok_or_else(|| unreadable("The request"))?;
        let read =
            |value: &Value| whole_number(value).ok_or_else(|| unreadable(&value.to_string()));
        values.iter().map(read).collect()
    }

    /// Returns a query parameter, or `None` if it is blank. A parameter that is sent several times is
    /// refused, because it is not clear which value counts.
    fn query_text(&self, name: &str) -> Result<Option<&str>, Failure> {
        if self.query.iter().filter(|(known, _)| known == name).count() > 1 {
            return Err(Failure::Unreadable(format!(
                "{name} was sent several times"
            )));
        }
        Ok(self.query_texts(name).next())
    }

    /// Returns all values of a query parameter that are not blank.
    fn query_texts(&self, name: &str) -> impl Iterator<Item = &str> {
        let named = self.query.iter().filter(move |(known, _)| known == name);
        named
            .map(|(_, text)| text.trim())
            .filter(|text| !text.is_empty())
    }

    fn whole_number(&self, name: &str) -> Result<Option<i64>, Failure> {
        let unreadable =
            |text: &str| Failure::Unreadable(format!("{name} must be a whole number, not {text}"));
        self.query_text(name)?
            .map(|text| text.parse().ok().ok_or_else(|| unreadable(text)))
            .transpose()
    }

    fn required_number(&self, name: &str) -> Result<i64, Failure> {
        let missing = || Refusal::new(name, format!("{name} is required"));
        Ok(self.whole_number(name)?.ok_or_else(missing)?)
    }

    /// Reads a boolean query parameter. An absent parameter is false.
    fn query_flag(&self, name: &str) -> Result<bool, Failure> {
        match self.query_text(name)? {
            None => Ok(false),
            Some(text) if text.eq_ignore_ascii_case("true") || text == "1" => Ok(true),
            Some(text) if text.eq_ignore_ascii_case("false") || text == "0" => Ok(false),
            Some(text) => Err(Failure::Unreadable(format!(
                "{name} must be true or false, not {text}"
            ))),
        }
    }
}

fn ids_required() -> Refusal {
    Refusal::general("ConsignmentIds are required")
}
