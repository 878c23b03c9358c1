//! Calls about companies, consignments, pending consignments (which are drafts stored at the service), manifests and
//! labels. Operations that have only a path and one argument are rows of `calls!`; all other operations are methods.

use std::collections::HashSet;
use std::fmt::Display;
use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::response::{SizeLimit, acknowledgement, into_list, json, written};
use super::transport::{ApiRequest, Query, query_of};
use super::{Client, Failure};
use shipping::{
    AvailablePrinters, Carrier, CarrierId, Company, CompanyId, CompanyIdFormat, CompanyLocation,
    Consignment, ConsignmentId, ConsignmentRequest, EditForm, IdListFormat, ManifestGroup,
    ManifestResult, ObjectOnly, PartialList, PendingConsignment, PendingConsignmentId,
    PendingConsignmentRequest, PrintLabelsRequest, StatusUpdate, UnLookupEntry, UnNumber, UtcTime,
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
    /// The company whose consignments are selected; none means the user's own company.
    pub company: Option<CompanyId>,
    /// True to include the companies below `company`.
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

    /// Returns the query parameters of the filter. The start and the size of the page are added by the caller.
    pub(super) fn query(&self) -> Query {
        let mut query = query_of("fromDateUtc", [UtcTime(self.from)]);
        query.extend(query_of("toDateUtc", self.to.map(UtcTime)));
        query.extend(query_of("companyId", self.company));
        query.extend(query_of("carrierId", self.carrier));
        query.extend(query_of(
            "includeChildCompanies",
            self.children.then_some(true),
        ));
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

/// Defines operations. Each has an argument, a method of [`Client`] that sends the argument to the path, and the
/// member of [`super::Timeouts`] that limits the call.
macro_rules! calls {
    ($($(#[$doc:meta])* $name:ident($argument:ident: $type:ty) -> $result:ty = $method:ident($limit:ident) $path:literal;)+) => {
        impl Client {
            $(
                #[doc = concat!("Calls `", $path, "`.")]
                $(#[$doc])*
                pub async fn $name(&self, $argument: $type) -> Result<$result, Failure> {
                    self.$method($path, $argument, self.limits.$limit).await
                }
            )+
        }
    };
}

calls! {
    carriers(company: CompanyId) -> Vec<Carrier> = of_company(read) "/apiv2/companies/getAvailableCarriersAccountsAndServices";
    consignment(id: ConsignmentId) -> Consignment = by_id(read) "/apiv2/consignments/getConsignment";
    /// Returns the consignment into which a pending consignment was converted.
    consignment_of_pending(id: PendingConsignmentId) -> Consignment
        = by_id(read) "/apiv2/consignments/getConsignmentByPendingConsignmentId";
    /// Reads a hundred ids in each call. Records that can't be read are listed separately.
    consignments_partial(ids: &[ConsignmentId]) -> PartialList<Consignment>
        = by_ids(read) "/apiv2/consignments/returnConsignments";
    /// Reads a hundred ids in each call.
    consignments_of_pending_partial(ids: &[PendingConsignmentId]) -> PartialList<Consignment>
        = by_ids(read) "/apiv2/consignments/returnConsignmentsByPendingConsignmentIds";
    consignments_by_carrier_number(numbers: &[String]) -> Vec<Consignment>
        = by_texts(read) "/apiv2/consignments/returnConsignmentsByCarrierConsignmentId";
    consignments_by_reference1(references: &[String]) -> Vec<Consignment>
        = by_texts(read) "/apiv2/consignments/returnConsignmentsByReference1";
    consignments_by_reference2(references: &[String]) -> Vec<Consignment>
        = by_texts(read) "/apiv2/consignments/returnConsignmentsByReference2";
    edit_form(id: ConsignmentId) -> EditForm = by_id(read) "/apiv2/consignments/getUnmanifestedConsignmentForEdit";
    /// Sends the whole changed form.
    edit(form: &EditForm) -> Consignment = change(write) "/apiv2/consignments/editUnmanifestedConsignment";
    delete(ids: &[ConsignmentId]) -> () = command(write) "/apiv2/consignments/deleteUnmanifestedConsignments";
    /// Status 10 cancels a consignment. The service does not notify the carrier.
    update_statuses(updates: &[StatusUpdate]) -> () = command(write) "/apiv2/consignments/updateConsignmentStatuses";
    delete_pending(ids: &[PendingConsignmentId]) -> ()
        = command(write) "/apiv2/pendingConsignments/deletePendingConsignments";
    /// Returns groups with default pickups. Changes nothing.
    group(ids: &[ConsignmentId]) -> Vec<ManifestGroup> = look_up(read) "/apiv2/manifests/groupConsignmentsForManifest";
    /// Prints on the service's printers.
    send_labels(orders: &[PrintLabelsRequest]) -> () = command(write) "/apiv2/labels/sendLabelsToPrinter";
    /// Returns the printers that can print the labels of these consignments. Not every deployment has this operation.
    printers(ids: &[ConsignmentId]) -> AvailablePrinters = look_up(read) "/apiv2/labels/groupConsignmentsForPrinting";
}

impl Client {
    /// `GET /apiv2/companies/getAll`. Returns the companies at or below `top`, or at or below the user's own
    /// company if `top` is none.
    pub async fn companies(&self, top: Option<CompanyId>) -> Result<Vec<Company>, Failure> {
        let path = "/apiv2/companies/getAll";
        let query = query_of("atOrBelowCompanyId", top);
        let call = ApiRequest::get(path, query, SizeLimit::List, self.limits.read);
        self.transport.read(&call).await
    }

    /// `GET /apiv2/companyLocations`. Returns the saved locations of `company`, or of the user's own company if
    /// `company` is none. Records that can't be read are listed separately.
    pub async fn company_locations(
        &self,
        company: Option<CompanyId>,
    ) -> Result<PartialList<CompanyLocation>, Failure> {
        let path = &self.compatibility.paths.company_locations;
        let query = query_of("companyId", company);
        let call = ApiRequest::get(path, query, SizeLimit::List, self.limits.read);
        self.transport
            .read_as(&call, |raw| into_list(path, &json(raw)?))
            .await
    }

    /// `GET /api/DangerousGoods/GetUnNumberInformation`, the only operation that belongs to the older API.
    /// Returns an entry for each packing group of each number.
    pub async fn un_numbers(&self, numbers: &[UnNumber]) -> Result<Vec<UnLookupEntry>, Failure> {
        let path = &self.compatibility.paths.un_numbers;
        let query = query_of("unNumbers", numbers);
        let call = ApiRequest::get(path, query, SizeLimit::List, self.limits.read);
        self.transport.read(&call).await
    }

    /// `POST /apiv2/consignments/createConsignment`, or `createConsignmentwithComplexItems` if the request is
    /// complex. The request is adapted to the deployment: the spelling of the despatch time, and linked pending
    /// consignments only if the deployment converts them.
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
        let made: Consignment = self.change(path, &body, self.limits.create).await?;
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
        let made: PendingConsignment = self.change(path, request, self.limits.write).await?;
        if made.id.get() > 0 {
            Ok(made)
        } else {
            Err(Failure::Empty)
        }
    }

    /// As [`Self::consignments_partial`], but fails if any record can't be read.
    pub async fn consignments(&self, ids: &[ConsignmentId]) -> Result<Vec<Consignment>, Failure> {
        require_all_readable(self.consignments_partial(ids).await?)
    }

    /// As [`Self::consignments_of_pending_partial`], but fails if any record can't be read.
    pub async fn consignments_of_pending(
        &self,
        ids: &[PendingConsignmentId],
    ) -> Result<Vec<Consignment>, Failure> {
        require_all_readable(self.consignments_of_pending_partial(ids).await?)
    }

    /// `POST /apiv2/manifests/groupAllUnmanifestedConsignmentsForManifest`. The body is the company id as a JSON
    /// string, or as a number if the deployment expects a number. Changes nothing.
    pub async fn group_all(&self, company: CompanyId) -> Result<Vec<ManifestGroup>, Failure> {
        let path = "/apiv2/manifests/groupAllUnmanifestedConsignmentsForManifest";
        let body = match self.compatibility.company {
            CompanyIdFormat::Text => Value::from(company.to_string()),
            CompanyIdFormat::Number => Value::from(company.get()),
        };
        self.look_up(path, &body, self.limits.read).await
    }

    /// `POST /apiv2/manifests/manifest`. Books the groups with their carriers. Never retried, because it
    /// changes data.
    pub async fn manifest(&self, groups: &[ManifestGroup]) -> Result<Vec<ManifestResult>, Failure> {
        let path = "/apiv2/manifests/manifest";
        let call = ApiRequest::post(path, groups, SizeLimit::List, self.limits.write)?;
        let results: Vec<ObjectOnly<_>> = self.transport.write(&call, written).await?;
        Ok(results
            .into_iter()
            .map(|ObjectOnly(result)| result)
            .collect())
    }

    /// Reads a list about a company with `GET path`.
    async fn of_company<T: DeserializeOwned>(
        &self,
        path: &str,
        company: CompanyId,
        limit: Duration,
    ) -> Result<T, Failure> {
        let query = query_of("companyId", [company]);
        let call = ApiRequest::get(path, query, SizeLimit::List, limit);
        self.transport.read(&call).await
    }

    /// Reads one record by its id with `GET path`.
    async fn by_id<T: DeserializeOwned>(
        &self,
        path: &str,
        id: impl Display,
        limit: Duration,
    ) -> Result<T, Failure> {
        let query = query_of("id", [id]);
        let call = ApiRequest::get(path, query, SizeLimit::Single, limit);
        self.transport.read(&call).await
    }

    /// Reads records with `POST path`, a hundred ids in each call.
    async fn by_ids<Id: Serialize>(
        &self,
        path: &str,
        ids: &[Id],
        limit: Duration,
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
            let call = ApiRequest::post(path, &body, SizeLimit::List, limit)?;
            let found = self
                .transport
                .read_as(&call, |raw| into_list(path, &json(raw)?));
            let found: PartialList<Consignment> = found.await?;
            all.rows.extend(found.rows);
            all.unreadable.extend(found.unreadable);
        }
        once_each(&mut all);
        Ok(all)
    }

    /// Reads records with `POST path`, ten texts in each call.
    async fn by_texts(
        &self,
        path: &str,
        texts: &[String],
        limit: Duration,
    ) -> Result<Vec<Consignment>, Failure> {
        let mut all = PartialList::default();
        for texts in texts.chunks(TEXTS_AT_ONCE) {
            let found: Vec<Consignment> = self.look_up(path, texts, limit).await?;
            all.rows.extend(found);
        }
        once_each(&mut all);
        Ok(all.rows)
    }

    /// Reads a list with `POST path`, which changes nothing.
    async fn look_up<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &(impl Serialize + ?Sized),
        limit: Duration,
    ) -> Result<T, Failure> {
        let call = ApiRequest::post(path, body, SizeLimit::List, limit)?;
        self.transport.read(&call).await
    }

    /// Sends `POST path`, which changes data and is therefore never retried. The answer is an object.
    async fn change<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
        limit: Duration,
    ) -> Result<T, Failure> {
        let call = ApiRequest::post(path, body, SizeLimit::Single, limit)?;
        let ObjectOnly(object) = self.transport.write(&call, written).await?;
        Ok(object)
    }

    /// Sends `POST path`, which changes data and is therefore never retried. The answer has no payload.
    async fn command(
        &self,
        path: &str,
        body: &(impl Serialize + ?Sized),
        limit: Duration,
    ) -> Result<(), Failure> {
        let call = ApiRequest::post(path, body, SizeLimit::Single, limit)?;
        self.transport.write(&call, acknowledgement).await
    }
}
