//! Reads for the window, at most four at once. A read that panics returns an error to the window. Short lists, such
//! as companies and saved locations, are stored after a fetch and restored at the next start.

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::{
    EngineContext, EngineError, Failure, Fetch, HistoryEntry, JobHistoryEntry, JobId, LastSeenList,
    OperationId, Outcome, PrintOrder, TaskRunner, VerificationFault,
};
use client::{Client, Health};
use printing::job::{PagePreview, PrepareError};
use printing::profile::{Destination, PrinterProfile};
use printing::queue::QueueInfo;
use printing::renderer::RenderError;
use printing::service::ServiceError;
use printing::verification::VerificationError;
use shipping::{
    Company, CompanyId, CompanyLocation, Consignment, ConsignmentId, LabelSize, RouteRequest,
    Routes, UnreadableRecord,
};
use storage::{CachedList, Journal, JournalError};

const AT_ONCE: usize = 4;

/// A page of a label as it would be printed, and the result of its verification.
#[derive(Debug, Clone)]
pub struct LabelView {
    /// The dots, and the barcodes read from them.
    pub shown: PagePreview,
    /// How the page was changed to fit the printer.
    pub notes: Vec<String>,
    /// The problem that stops the printing, if there is one, and the fault that an override must name.
    pub problem: Option<(VerificationError, VerificationFault)>,
    /// True if the barcodes were compared with numbers of the consignment; false if no number is known.
    pub compared: bool,
}

#[derive(Debug, Clone)]
pub struct LabelPageRequest {
    pub consignment: ConsignmentId,
    pub size: LabelSize,
    /// The page, counted from 0.
    pub page: usize,
    pub printer: PrinterProfile,
    /// True to fetch the file from the service again, even if it is stored.
    pub again: bool,
}

#[derive(Debug)]
pub struct PrinterStates {
    pub queues: Result<Vec<QueueInfo>, ServiceError>,
    /// The printers that are set up by address. The key is the address.
    pub direct: HashMap<String, Result<QueueInfo, ServiceError>>,
}

/// The unreadable records of a list of the service.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UnreadRecords {
    pub records: Arc<[UnreadableRecord]>,
    /// The count of all records in the list, including the unreadable ones.
    pub of: usize,
}

impl UnreadRecords {
    pub(super) fn new(records: Vec<UnreadableRecord>, of: usize) -> Self {
        Self {
            records: records.into(),
            of,
        }
    }
}

/// The unreadable records of every list that is shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UnreadLists {
    pub unmanifested: UnreadRecords,
    pub tracked: UnreadRecords,
    pub locations: UnreadRecords,
    /// The routes of the last request.
    pub routes: UnreadRecords,
}

#[derive(Clone)]
pub struct Reads {
    tasks: TaskRunner,
    bench: EngineContext,
    places: Arc<Semaphore>,
}

impl Reads {
    pub(super) fn new(runtime: Handle, bench: EngineContext) -> Self {
        Self {
            tasks: TaskRunner::new(runtime, Arc::clone(&bench.repaint)),
            bench,
            places: Arc::new(Semaphore::new(AT_ONCE)),
        }
    }

    /// Returns a fetch that calls the service.
    pub fn fetch<T, F>(&self, ask: impl FnOnce(Client) -> F + Send + 'static) -> Fetch<T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Failure>> + Send + 'static,
    {
        self.job(|bench| async move { Ok(ask(bench.client).await?) })
    }

    pub fn companies(&self) -> Fetch<Vec<Company>> {
        self.job(|bench| async move {
            let companies = bench.client.companies(None).await?;
            bench.remember(CachedList::Companies, &companies);
            Ok(companies)
        })
    }

    /// Fetches the saved locations of a company, or of the token's own company. First sends the window the locations
    /// from the last fetch.
    pub fn locations(&self, company: Option<CompanyId>) -> Fetch<Vec<CompanyLocation>> {
        self.job(move |bench| async move {
            let last = bench.tell_last_locations(company).await;
            let list = bench.client.company_locations(company).await?;
            let of = list.len();
            let mut locations = list.rows;
            // A location that was known and is unreadable now still exists.
            let is_unread = |id| list.unreadable.iter().any(|one| one.id == Some(id));
            locations.extend(last.into_iter().filter(|one| is_unread(one.id.get())));
            bench.unread_lists().locations = UnreadRecords::new(list.unreadable, of);
            for location in &mut locations {
                location.company_id = location.company_id.or(company);
            }
            bench.remember_locations(locations.clone());
            bench.remember(CachedList::Locations(company), &locations);
            Ok(locations)
        })
    }

    /// Fetches the routes for a request and converts them with `show`.
    pub fn routes<T: Send + 'static>(
        &self,
        request: RouteRequest,
        show: impl FnOnce(Routes) -> T + Send + 'static,
    ) -> Fetch<T> {
        self.job(move |bench| async move {
            let mut routes = bench.client.routes(&request).await?;
            let unread = std::mem::take(&mut routes.unread);
            let of = routes.routes.len() + routes.results.len() + unread.len();
            bench.unread_lists().routes = UnreadRecords::new(unread, of);
            Ok(show(routes))
        })
    }

    pub fn unread(&self) -> UnreadLists {
        self.bench.unread_lists().clone()
    }

    /// Draws a page of a label as it would be printed, and converts it with `show`. A label that fails its
    /// verification is shown too, with the reason.
    pub fn label<T: Send + 'static>(
        &self,
        wanted: LabelPageRequest,
        show: impl FnOnce(LabelView) -> T + Send + 'static,
    ) -> Fetch<T> {
        self.job(move |bench| async move { Ok(show(bench.label_view(wanted).await?)) })
    }

    /// Fetches the computer's queues and the printers of these profiles, and converts both with `show`. Fails only if
    /// the print service fails and no printer has its own address.
    pub fn printers<T: Send + 'static>(
        &self,
        profiles: Vec<PrinterProfile>,
        show: impl FnOnce(PrinterStates) -> T + Send + 'static,
    ) -> Fetch<T> {
        self.job(move |bench| async move {
            let mut asking = JoinSet::new();
            for profile in profiles {
                if let Destination::Ipp(address) = profile.destination {
                    let service = bench.print_service.clone();
                    asking.spawn(async move {
                        let printer = service.printer(&address).await;
                        (address, printer)
                    });
                }
            }
            let queues = bench.print_service.queues().await;
            let mut direct = HashMap::new();
            while let Some(answered) = asking.join_next().await {
                let (address, printer) = answered.map_err(|_panicked| EngineError::Internal)?;
                direct.insert(address, printer);
            }
            match queues {
                Err(error) if direct.is_empty() => Err(error.into()),
                queues => Ok(show(PrinterStates { queues, direct })),
            }
        })
    }

    /// Reads all steps of an operation, oldest first.
    pub fn history(&self, id: OperationId) -> Fetch<Vec<HistoryEntry>> {
        self.journal(move |journal| journal.history(id))
    }

    /// Reads all steps of a print job from the journal, oldest first.
    pub fn job_history(&self, id: JobId) -> Fetch<Vec<JobHistoryEntry>> {
        self.journal(move |journal| journal.job_history(id))
    }

    pub fn existing_consignments(&self, ids: Vec<ConsignmentId>) -> Fetch<Vec<Consignment>> {
        self.job(move |bench| async move { Ok(bench.existing_consignments(&ids).await?) })
    }

    pub fn health(&self) -> Health {
        self.bench.client.health()
    }

    /// Allows the next calls, even if calls are paused because the service is unavailable.
    pub fn reconnect(&self) {
        self.bench.client.reconnect();
    }

    /// Prepares a label of a batch that begins later. If that fails, the batch finds the reason again.
    pub fn prepare_ahead(&self, order: PrintOrder) {
        let bench = self.bench.clone();
        self.tasks
            .spawn(async move { drop(bench.until_closed(bench.prepare(&order)).await) });
    }

    pub(super) const fn bench(&self) -> &EngineContext {
        &self.bench
    }

    /// Returns a fetch of data in the journal.
    pub(super) fn journal<T: Send + 'static>(
        &self,
        read: impl FnOnce(&mut Journal) -> Result<T, JournalError> + Send + 'static,
    ) -> Fetch<T> {
        self.local(move |bench| async move { bench.journal(read).await })
    }

    /// Returns a fetch that reads only data of the bench: it does not wait for calls to the service.
    pub(super) fn local<T, F>(
        &self,
        job: impl FnOnce(EngineContext) -> F + Send + 'static,
    ) -> Fetch<T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, EngineError>> + Send + 'static,
    {
        let bench = self.bench.clone();
        self.tasks.run(|| job(bench))
    }

    pub(super) fn job<T, F>(
        &self,
        job: impl FnOnce(EngineContext) -> F + Send + 'static,
    ) -> Fetch<T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, EngineError>> + Send + 'static,
    {
        let places = Arc::clone(&self.places);
        self.local(|bench| async move {
            let _place = places.acquire_owned().await;
            job(bench).await
        })
    }
}

impl EngineContext {
    async fn label_view(&self, wanted: LabelPageRequest) -> Result<LabelView, EngineError> {
        if wanted.again {
            self.journal(move |journal| journal.forget_label(wanted.consignment))
                .await?;
        }
        let drawn = self.drawn_label(wanted.consignment, wanted.size, &wanted.printer);
        let drawn = drawn.await?;
        let mut pages = drawn.prepared.previews;
        let page_count = pages.len();
        if wanted.page >= page_count {
            let page = wanted.page + 1;
            let error = RenderError::NoSuchPage { page, page_count };
            return Err(PrepareError::from(error).into());
        }
        Ok(LabelView {
            shown: pages.swap_remove(wanted.page),
            notes: drawn.prepared.notes,
            problem: drawn.problem,
            compared: drawn.compared,
        })
    }

    fn remember<T: Serialize>(&self, list: CachedList, rows: &[T]) {
        let Ok(body) = serde_json::to_string(rows) else {
            return;
        };
        let track = self.track.clone();
        tokio::spawn(async move {
            let kept = track.write(move |store| store.put_list(list, &body)).await;
            if let Err(error) = kept {
                tracing::warn!(%error, "a list could not be stored for the next start");
            }
        });
    }

    /// Sends the window the companies from the last fetch. Other lists are sent when they are requested.
    pub(super) async fn restore_lists(&self) {
        let companies = self.until_closed(self.stored_list::<Company>(CachedList::Companies));
        let companies = companies.await.unwrap_or_default();
        if !companies.is_empty() {
            let seen = Box::new(LastSeenList::Companies(companies));
            self.tell(Outcome::LastSeen(seen)).await;
        }
    }

    /// Sends the window the saved locations of a company from the last fetch, and returns them.
    async fn tell_last_locations(&self, company: Option<CompanyId>) -> Vec<CompanyLocation> {
        let list: Vec<CompanyLocation> = self.stored_list(CachedList::Locations(company)).await;
        if !list.is_empty() {
            let seen = LastSeenList::Locations {
                company,
                list: list.clone(),
            };
            self.tell(Outcome::LastSeen(Box::new(seen))).await;
        }
        list
    }

    /// Returns the stored list from the last fetch; empty if the list was never fetched. Records that this version
    /// can't read are left out.
    pub(super) async fn stored_list<T: DeserializeOwned>(&self, list: CachedList) -> Vec<T> {
        let body = match self.track.read(move |reader| reader.list(list)).await {
            Ok(body) => body.unwrap_or_default(),
            Err(error) => {
                tracing::warn!(%error, "a list last seen could not be read");
                return Vec::new();
            }
        };
        let records: Vec<&RawValue> = serde_json::from_str(&body).unwrap_or_default();
        let records = records.into_iter();
        records
            .filter_map(|record| serde_json::from_str(record.get()).ok())
            .collect()
    }
}
