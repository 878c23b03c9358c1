//! Reads for the window: at most four at once. A read that panics returns an error and never breaks its
//! promise.

use std::future::Future;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::Semaphore;

use super::context::EngineContext;
use super::remote::Fetch;
use super::unread::{UnreadLists, UnreadRecords};
use super::{
    EngineError, Failure, HistoryEntry, JobHistoryEntry, JobId, OperationId, TaskRunner,
    VerificationFault,
};
use client::{Client, Health};
use printing::job::{PagePreview, PrepareError};
use printing::profile::PrinterProfile;
use printing::renderer::RenderError;
use printing::verification::VerificationError;
use shipping::{
    Company, CompanyId, CompanyLocation, Consignment, ConsignmentId, LabelSize, RouteRequest,
    Routes,
};
use storage::CachedList;

const AT_ONCE: usize = 4;

/// A page of a label as it would be printed, and the result of its verification.
#[derive(Debug, Clone)]
pub struct LabelView {
    /// The dots, and the barcodes read from them.
    pub shown: PagePreview,
    /// How the page was changed to fit the printer.
    pub notes: Vec<String>,
    /// The problem that stops the printing, if any, and the fault that an override would have to name.
    pub problem: Option<(VerificationError, VerificationFault)>,
    /// True if the barcodes were compared with numbers of the consignment; none may be known.
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

    /// Fetches the saved locations of a company, or of the token's own. Sends the locations that were last
    /// seen first.
    pub fn locations(&self, company: Option<CompanyId>) -> Fetch<Vec<CompanyLocation>> {
        self.job(move |bench| async move {
            let last = bench.tell_last_locations(company).await;
            let list = bench.client.company_locations(company).await?;
            let of = list.len();
            let mut locations = list.rows;
            // A location that was known and is unreadable now still exists.
            let is_unread = |id| list.unreadable.iter().any(|one| one.id == Some(id));
            locations.extend(last.into_iter().filter(|one| is_unread(one.id.get())));
            bench.unreadable.lists().locations = UnreadRecords::new(list.unreadable, of);
            for location in &mut locations {
                location.company_id = location.company_id.or(company);
            }
            bench.remember_locations(locations.clone());
            bench.remember(CachedList::Locations(company), &locations);
            Ok(locations)
        })
    }

    /// Fetches the routes for a request, converted by `show`.
    pub fn routes<T: Send + 'static>(
        &self,
        request: RouteRequest,
        show: impl FnOnce(Routes) -> T + Send + 'static,
    ) -> Fetch<T> {
        self.job(move |bench| async move {
            let mut routes = bench.client.routes(&request).await?;
            let unread = std::mem::take(&mut routes.unread);
            let of = routes.routes.len() + routes.results.len() + unread.len();
            bench.unreadable.lists().routes = UnreadRecords::new(unread, of);
            Ok(show(routes))
        })
    }

    pub fn unread(&self) -> UnreadLists {
        self.bench.unreadable.lists().clone()
    }

    /// Draws a page of a label as it would be printed, converted by `show`. A label that fails its
    /// verification is shown too, with the reason.
    pub fn label<T: Send + 'static>(
        &self,
        wanted: LabelPageRequest,
        show: impl FnOnce(LabelView) -> T + Send + 'static,
    ) -> Fetch<T> {
        self.job(move |bench| async move { Ok(show(bench.label_view(wanted).await?)) })
    }

    /// Reads all steps of an operation, oldest first.
    pub fn history(&self, id: OperationId) -> Fetch<Vec<HistoryEntry>> {
        self.job(
            move |bench| async move { bench.writer.run(move |journal| journal.history(id)).await },
        )
    }

    /// Reads all steps of a print job from the journal, oldest first.
    pub fn job_history(&self, id: JobId) -> Fetch<Vec<JobHistoryEntry>> {
        self.job(move |bench| async move {
            bench
                .writer
                .run(move |journal| journal.job_history(id))
                .await
        })
    }

    /// Fetches the consignments in `ids` that the service still has.
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

    pub(super) const fn bench(&self) -> &EngineContext {
        &self.bench
    }

    /// Returns a fetch that reads only the journal: it does not wait for calls to the service.
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
        let (bench, places) = (self.bench.clone(), Arc::clone(&self.places));
        self.tasks.run(|| async move {
            let _place = places.acquire_owned().await;
            job(bench).await
        })
    }
}

impl EngineContext {
    async fn label_view(&self, wanted: LabelPageRequest) -> Result<LabelView, EngineError> {
        if wanted.again {
            self.writer
                .run(move |journal| journal.forget_label(wanted.consignment))
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
}
