//! Handlers of the operations, and the state that they share.
//!
//! A handler is a plain function that may block; the HTTP layer runs it outside the async threads. Calls that need a
//! permission run one at a time (`lock_changes`), so their changes never interleave.

mod carrier_references;
pub(crate) mod create;
pub(crate) mod edit;
pub(crate) mod find;
pub(crate) mod manifest;
pub(crate) mod practice_controls;
pub(crate) mod printing;
pub(crate) mod reference_data;
pub(crate) mod routes;
pub(crate) mod statuses;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::catalogue::Company;
use super::consignment::{ConsignmentRecord, Status};
use super::fault_injection::{FaultInjector, Snapshots};
use super::rules::{self, ALREADY_MANIFESTED, OperationVariant, Purpose, RuleContext};
use super::store::Store;
use super::wire::{Failure, Refusal, Reply, whole_number};
use shipping::Clock;

/// State that all handlers share.
pub(crate) struct PracticeService {
    pub(crate) clock: Clock,
    /// The seed that decides how deliveries go (`super::Settings::seed`).
    pub(crate) seed: u64,
    pub(crate) faults: Arc<FaultInjector>,
    /// Copies of the state from before recent changes, for lookups that must not show the changes
    /// yet (fault injection).
    pub(crate) past: Snapshots,
    store: Mutex<Store>,
    change_lock: Mutex<()>,
}

impl PracticeService {
    pub(crate) fn new(clock: Clock, seed: u64, store: Store, faults: Arc<FaultInjector>) -> Self {
        Self {
            clock,
            seed,
            faults,
            past: Snapshots::default(),
            store: Mutex::new(store),
            change_lock: Mutex::new(()),
        }
    }

    /// Locks out other changes. The HTTP layer holds the guard while a handler that changes something runs,
    /// from its first read to its last write.
    pub(crate) fn lock_changes(&self) -> MutexGuard<'_, ()> {
        let lock = self.change_lock.lock();
        lock.unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the store. A poisoned lock is safe to use: every change is one transaction, so a panic leaves no
    /// half-written change.
    pub(crate) fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One call of an operation.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    pub(crate) service: &'a PracticeService,
    pub(crate) user: &'a User,
    /// Parameters in the order of the URL. A name can occur several times.
    pub(crate) query: &'a [(String, String)],
    pub(crate) body: &'a [u8],
}

/// Handler of one operation.
pub(crate) type Handler = fn(&Call<'_>) -> Reply;

impl<'a> Call<'a> {
    fn now(&self) -> Timestamp {
        self.service.clock.now()
    }

    fn store(&self) -> MutexGuard<'a, Store> {
        self.service.store()
    }

    /// Finds the consignment, if it belongs to the user's company or to a company below it.
    fn find(&self, id: i64) -> Result<Option<ConsignmentRecord>, Failure> {
        let found = self.store().consignment(id)?;
        Ok(found.filter(|found| self.is_visible(found.consignment.company_id)))
    }

    fn is_visible(&self, company_id: i64) -> bool {
        rules::company_and_descendants(self.user.company_id).contains(&company_id)
    }

    /// Returns the consignment if the user may see it. The error is a refusal that names `field`.
    pub(crate) fn visible(&self, field: &str, id: i64) -> Result<ConsignmentRecord, Failure> {
        let missing = || Refusal::new(field, format!("Consignment {id} was not found"));
        Ok(self.find(id)?.ok_or_else(missing)?)
    }

    /// Returns all of the consignments. If the user may not see one of them, returns a refusal that names `field`.
    pub(crate) fn all_visible(
        &self,
        field: &str,
        ids: &[i64],
    ) -> Result<Vec<ConsignmentRecord>, Failure> {
        ids.iter().map(|id| self.visible(field, *id)).collect()
    }

    /// Returns the consignment if the user may see it and it is unmanifested.
    fn find_unmanifested(&self, id: i64) -> Result<ConsignmentRecord, Failure> {
        let missing = || Refusal::general(format!("Consignment {id} was not found"));
        let record = self.find(id)?.ok_or_else(missing)?;
        if record.status == Status::UNMANIFESTED {
            Ok(record)
        } else {
            Err(Refusal::general(ALREADY_MANIFESTED).into())
        }
    }

    /// Returns the company that a query parameter names, or the user's own if it is absent.
    fn company(&self, parameter: &str) -> Result<&'static Company, Failure> {
        let id = self.whole_number(parameter)?;
        Ok(rules::company(self.user, id)?)
    }

    fn rule_context(
        &self,
        company: &'static Company,
        form: OperationVariant,
        purpose: Purpose,
    ) -> RuleContext {
        RuleContext {
            company,
            now: self.now(),
            form,
            purpose,
        }
    }

    fn body<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        serde_json::from_slice(self.body)
            .map_err(|error| Failure::Unreadable(format!("The request could not be read: {error}")))
    }

    /// Reads the body as a record. Only a JSON object is accepted: serde would also read an array as the
    /// fields in their order.
    pub(crate) fn record<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        self.body::<Map<String, Value>>()?;
        self.body()
    }

    /// Reads the body as a list of JSON objects.
    fn records<T: DeserializeOwned>(&self) -> Result<Vec<T>, Failure> {
        self.body::<Vec<Map<String, Value>>>()?;
        self.body()
    }

    /// Reads consignment ids from the body, which must not be empty.
    fn consignment_ids(&self) -> Result<Vec<i64>, Failure> {
        let ids = self.ids()?;
        if ids.is_empty() {
            return Err(ids_required().into());
        }
        Ok(ids)
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
    fn query_text(&self, name: &str) -> Result<Option<&'a str>, Failure> {
        if self.query.iter().filter(|(known, _)| known == name).count() > 1 {
            let message = format!("{name} was sent several times");
            return Err(Failure::Unreadable(message));
        }
        Ok(self.query_texts(name).next())
    }

    /// Returns all values of a query parameter that are not blank.
    pub(crate) fn query_texts(&self, name: &str) -> impl Iterator<Item = &'a str> {
        let named = self.query.iter().filter(move |(known, _)| known == name);
        let texts = named.map(|(_, text)| text.trim());
        texts.filter(|text| !text.is_empty())
    }

    pub(crate) fn whole_number(&self, name: &str) -> Result<Option<i64>, Failure> {
        let unreadable =
            |text: &str| Failure::Unreadable(format!("{name} must be a whole number, not {text}"));
        let text = self.query_text(name)?;
        text.map(|text| text.parse().ok().ok_or_else(|| unreadable(text)))
            .transpose()
    }

    fn required_number(&self, name: &str) -> Result<i64, Failure> {
        let missing = || Refusal::new(name, format!("{name} is required"));
        Ok(self.whole_number(name)?.ok_or_else(missing)?)
    }

    /// Reads a boolean query parameter. An absent parameter is false.
    fn query_flag(&self, name: &str) -> Result<bool, Failure> {
        let text = self.query_text(name)?.unwrap_or("0");
        match text.to_ascii_lowercase().as_str() {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ => Err(Failure::Unreadable(format!(
                "{name} must be true or false, not {text}"
            ))),
        }
    }
}

/// Permission to make a change. The text completes "You do not have permission to …". Reading needs no permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Permission(&'static str);

impl Permission {
    pub(crate) const CREATE: Self = Self("create consignments");
    pub(crate) const EDIT: Self = Self("edit consignments");
    pub(crate) const DELETE: Self = Self("delete consignments");
    pub(crate) const MANIFEST: Self = Self("manifest consignments");
    pub(crate) const PENDING: Self = Self("change pending consignments");
    pub(crate) const STATUSES: Self = Self("update consignment statuses");
    /// Cancel manifested consignments: for brokers and enterprise-level users only.
    pub(crate) const CANCEL: Self = Self("cancel consignments");
    pub(crate) const LABELS: Self = Self("send labels to a printer");
}

#[derive(Clone)]
pub(crate) struct User {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) company_id: i64,
    pub(crate) token: String,
    /// `clerk`, `viewer`, or `supervisor` for a broker or enterprise-level user.
    pub(crate) role: String,
    /// Whether the user is in test mode, in which new consignments are test consignments.
    pub(crate) is_test: bool,
}

impl User {
    /// Checks a permission. The error is the refusal that the service answers with.
    pub(crate) fn check(&self, permission: Permission) -> Result<(), Refusal> {
        let is_permitted = match self.role.as_str() {
            "supervisor" => true,
            "clerk" => permission != Permission::CANCEL,
            _ => false,
        };
        if is_permitted {
            return Ok(());
        }
        let message = format!("You do not have permission to {}", permission.0);
        Err(Refusal::general(message))
    }
}

fn ids_required() -> Refusal {
    Refusal::general("ConsignmentIds are required")
}
