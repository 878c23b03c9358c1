//! Consignments and pending consignments, which are drafts stored at the service: create, edit and delete
//! them, look consignments up by each of their numbers, and list recent changes.

use std::collections::HashSet;
use std::fmt::Display;

use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::response::SizeLimit;
use super::transport::ApiRequest;
use super::{Client, Failure, calls};
use shipping::{
    CarrierId, CompanyId, Consignment, ConsignmentId, ConsignmentRequest, EditForm, IdListFormat,
    ObjectOnly, PartialList, PendingConsignment, PendingConsignmentId, PendingConsignmentRequest,
    StatusUpdate, UtcTime,
};

/// The number of ids in one call of `returnConsignments`.
const IDS_AT_ONCE: usize = 100;

/// The number of carrier numbers or references in one call of the other lookups.
const TEXTS_AT_ONCE: usize = 10;

/// The filter of `getRecentlyCreatedOrUpdatedConsignments`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecentUpdates {
    /// Start of the period, at most 10 days ago.
    pub from: Timestamp,
    /// End of the period; none means now.
    pub to: Option<Timestamp>,
    /// Only this company; none means the user's own.
    pub company: Option<CompanyId>,
    /// Includes the companies below that company.
    pub children: bool,
    pub carrier: Option<CarrierId>,
}

impl RecentUpdates {
    /// Selects all updates since `from` for the user's company.
    pub fn since(from: Timestamp) -> Self {
        Self {
            from,
            to: None,
            company: None,
            children: false,
            carrier: None,
        }
    }

    /// Returns the query, without the part of the list.
    pub(super) fn query(&self) -> Vec<(&'static str, String)> {
        let mut query = vec![("fromDateUtc", UtcTime(self.from).to_string())];
        query.extend(self.to.map(|to| ("toDateUtc", UtcTime(to).to_string())));
        query.extend(self.company.map(|id| ("companyId", id.to_string())));
        query.extend(self.carrier.map(|id| ("carrierId", id.to_string())));
        if self.children {
            query.push(("includeChildCompanies", "true".to_owned()));
        }
        query
    }
}

/// Removes repeated consignments and keeps the first of each.
fn once_each(list: &mut PartialList<Consignment>) {
    let mut seen = HashSet::new();
    list.rows.retain(|one| seen.insert(one.id.get()));
    list.unreadable.retain(|one| seen.insert(one.key()));
}

/// Returns all records of a list, or a failure if any record can't be read.
pub(super) fn require_all_readable(
    list: PartialList<Consignment>,
) -> Result<Vec<Consignment>, Failure> {
    match list.unreadable.first() {
        Some(unread) => Err(Failure::Unreadable(unread.into())),
        None => Ok(list.rows),
    }
}

calls! {
    delete_pending(ids: &[PendingConsignmentId]) -> () = command "/apiv2/pendingConsignments/deletePendingConsignments";
    edit_form(id: ConsignmentId) -> EditForm = by_id "/apiv2/consignments/getUnmanifestedConsignmentForEdit";
    /// Sends the whole changed form.
    edit(form: &EditForm) -> Consignment = send "/apiv2/consignments/editUnmanifestedConsignment";
    delete(ids: &[ConsignmentId]) -> () = command "/apiv2/consignments/deleteUnmanifestedConsignments";
    /// Status 10 cancels a consignment; the carrier is not told.
    update_statuses(updates: &[StatusUpdate]) -> () = command "/apiv2/consignments/updateConsignmentStatuses";
    consignment(id: ConsignmentId) -> Consignment = by_id "/apiv2/consignments/getConsignment";
    /// Returns the consignment into which a pending one was converted.
    consignment_of_pending(id: PendingConsignmentId) -> Consignment
        = by_id "/apiv2/consignments/getConsignmentByPendingConsignmentId";
    /// As [`Client::consignments`], but records that can't be read are listed separately.
    consignments_partial(ids: &[ConsignmentId]) -> PartialList<Consignment>
        = by_ids "/apiv2/consignments/returnConsignments";
    consignments_by_carrier_number(numbers: &[String]) -> Vec<Consignment>
        = by_texts "/apiv2/consignments/returnConsignmentsByCarrierConsignmentId";
    consignments_by_reference1(references: &[String]) -> Vec<Consignment>
        = by_texts "/apiv2/consignments/returnConsignmentsByReference1";
    consignments_by_reference2(references: &[String]) -> Vec<Consignment>
        = by_texts "/apiv2/consignments/returnConsignmentsByReference2";
}

impl Client {
    /// `POST /apiv2/consignments/createConsignment`, or `createConsignmentwithComplexItems` if the request
    /// needs that. The request is adapted to the deployment: the spelling of the despatch time, and linked
    /// pending consignments only if the deployment converts them.
    pub async fn create(&self, request: &ConsignmentRequest) -> Result<Consignment, Failure> {
        let path = if request.is_complex() {
            "/apiv2/consignments/createConsignmentwithComplexItems"
        } else {
            "/apiv2/consignments/createConsignment"
        };
        let mut body = request
            .clone()
            .with_despatch_spelling(self.compatibility.despatch);
        if !self.compatibility.optional.linked_pending {
            body.linked_pending_consignment_ids.clear();
        }
        let made: Consignment = self.send(path, &body).await?;
        // A successful answer names the new consignment, so an answer without an id is no proof of success.
        if made.id.get() > 0 {
            Ok(made)
        } else {
            Err(Failure::Empty)
        }
    }

    /// `POST /apiv2/pendingConsignments/createPendingConsignment`.
    pub async fn create_pending(
        &self,
        request: &PendingConsignmentRequest,
    ) -> Result<PendingConsignment, Failure> {
        let path = "/apiv2/pendingConsignments/createPendingConsignment";
        let made: PendingConsignment = self.send(path, request).await?;
        if made.id.get() > 0 {
            Ok(made)
        } else {
            Err(Failure::Empty)
        }
    }

    /// `POST /apiv2/consignments/returnConsignments`, a hundred ids in each call. Fails if any record can't
    /// be read.
    pub async fn consignments(&self, ids: &[ConsignmentId]) -> Result<Vec<Consignment>, Failure> {
        require_all_readable(self.consignments_partial(ids).await?)
    }

    /// `POST /apiv2/consignments/returnConsignmentsByPendingConsignmentIds`, a hundred ids in each call.
    pub async fn consignments_of_pending(
        &self,
        ids: &[PendingConsignmentId],
    ) -> Result<Vec<Consignment>, Failure> {
        let path = "/apiv2/consignments/returnConsignmentsByPendingConsignmentIds";
        require_all_readable(self.by_ids(path, ids).await?)
    }

    /// Sends `POST path`, which changes data and is therefore never retried. The answer is an object.
    async fn send<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, Failure> {
        let ask = ApiRequest::post(path, body, SizeLimit::Single);
        let ObjectOnly(object) = self.transport.write(ask).await?;
        Ok(object)
    }

    /// Reads one record by its id with `GET path`.
    async fn by_id<T: DeserializeOwned>(&self, path: &str, id: impl Display) -> Result<T, Failure> {
        let query = vec![("id", id.to_string())];
        self.get(path, query, SizeLimit::Single).await
    }

    /// Reads records with `POST path`, a hundred ids in each call.
    async fn by_ids<Id: Serialize>(
        &self,
        path: &str,
        ids: &[Id],
    ) -> Result<PartialList<Consignment>, Failure> {
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Ids<'a, Id> {
            Object { ids: &'a [Id] },
            Bare(&'a [Id]),
        }
        let mut all = PartialList::default();
        for ids in ids.chunks(IDS_AT_ONCE) {
            let body = match self.compatibility.ids {
                IdListFormat::Object => Ids::Object { ids },
                IdListFormat::Bare => Ids::Bare(ids),
            };
            let ask = ApiRequest::post(path, &body, SizeLimit::List);
            let found: PartialList<Consignment> = self.transport.read_list(ask, || ()).await?;
            all.rows.extend(found.rows);
            all.unreadable.extend(found.unreadable);
        }
        once_each(&mut all);
        Ok(all)
    }

    /// Reads records with `POST path`, ten texts in each call.
    async fn by_texts(&self, path: &str, texts: &[String]) -> Result<Vec<Consignment>, Failure> {
        let mut all = PartialList::default();
        for texts in texts.chunks(TEXTS_AT_ONCE) {
            let found: Vec<Consignment> = self.post_for_list(path, texts).await?;
            all.rows.extend(found);
        }
        once_each(&mut all);
        Ok(all.rows)
    }
}
