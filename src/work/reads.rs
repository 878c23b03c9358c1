//! Reads: at most four at once, each behind a promise that cannot be broken.

use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::Semaphore;

use super::bench::Bench;
use super::label_file::{LabelFile, expected};
use super::remote::Fetch;
use super::save::save_new;
use super::seen::in_order;
use super::unread::{UnreadLists, UnreadRecords};
use super::{Errands, Event, Failure, Fault, JobEvent, JobId, OperationId, WorkError};
use crate::client::{Client, Health};
use crate::journal::List;
use crate::printing::check::{CheckError, Expected};
use crate::printing::job::{self, PrepareError, Shown};
use crate::printing::page::Pages;
use crate::printing::profile::PrinterProfile;
use crate::printing::renderer::RenderError;
use crate::shipping::{
    Company, CompanyId, CompanyLocation, Consignment, ConsignmentId, LabelSize, RouteRequest,
    Routes,
};

/// Reads under way at once.
const AT_ONCE: usize = 4;

/// A page of a label as it would be burnt, and whether it may be.
#[derive(Debug, Clone)]
pub struct LabelView {
    /// The dots, and the codes read from them.
    pub shown: Shown,
    /// What was done to fit the printer.
    pub notes: Vec<String>,
    /// Why it must not be burnt, where it must not, and what a clerk's word would have to be for.
    pub problem: Option<(CheckError, Fault)>,
    /// Whether the codes were compared with numbers of the consignment: none may be known.
    pub compared: bool,
}

/// Which page of which label, for which printer.
#[derive(Debug, Clone)]
pub struct LabelPage {
    /// Whose label.
    pub consignment: ConsignmentId,
    /// The paper.
    pub size: LabelSize,
    /// The page, from 0.
    pub page: usize,
    /// The printer that it is drawn for.
    pub printer: PrinterProfile,
    /// The service is asked for its file again, whatever is stored.
    pub again: bool,
}

/// Makes fetches.
#[derive(Clone)]
pub struct Reads {
    errands: Errands,
    bench: Bench,
    places: Arc<Semaphore>,
}

impl Reads {
    pub(super) fn new(runtime: Handle, bench: Bench) -> Self {
        Self {
            errands: Errands::new(runtime, Arc::clone(&bench.repaint)),
            bench,
            places: Arc::new(Semaphore::new(AT_ONCE)),
        }
    }

    /// A fetch from the service.
    pub fn fetch<T, F>(&self, ask: impl FnOnce(Client) -> F + Send + 'static) -> Fetch<T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Failure>> + Send + 'static,
    {
        self.job(|bench| async move { Ok(ask(bench.client).await?) })
    }

    /// The companies that the token may work for.
    pub fn companies(&self) -> Fetch<Vec<Company>> {
        self.job(|bench| async move {
            let companies = bench.client.companies(None).await?;
            let kept = companies.clone();
            bench.remember(List::Companies, move || in_order(&kept, |one| one.id.get()));
            Ok(companies)
        })
    }

    /// The saved locations of a company, or of the token's own. Those that were last seen are told first.
    pub fn locations(&self, company: Option<CompanyId>) -> Fetch<Vec<CompanyLocation>> {
        self.job(move |bench| async move {
            let last = bench.tell_last_locations(company).await;
            let list = bench.client.company_locations(company).await?;
            let of = list.len();
            let mut locations = list.rows;
            // One that was known and can't be read now is still there.
            let is_unread = |id| list.unread.iter().any(|one| one.id == Some(id));
            locations.extend(last.into_iter().filter(|one| is_unread(one.id.get())));
            bench.unreadable.lists().locations = UnreadRecords::new(list.unread, of);
            for location in &mut locations {
                location.company_id = location.company_id.or(company);
            }
            let kept = locations.clone();
            bench.learn_locations(locations.clone());
            let list = List::Locations(company);
            bench.remember(list, move || in_order(&kept, |one| one.id.get()));
            Ok(locations)
        })
    }

    /// The routes for a request, as `show` makes them.
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

    /// What of the service's lists can't be read.
    pub fn unread(&self) -> UnreadLists {
        self.bench.unreadable.lists().clone()
    }

    /// A page of a label, drawn as it would be burnt and turned into what is shown. A label that fails the check is shown
    /// all the same, with why.
    pub fn label<T: Send + 'static>(
        &self,
        wanted: LabelPage,
        show: impl FnOnce(LabelView) -> T + Send + 'static,
    ) -> Fetch<T> {
        self.job(move |bench| async move { Ok(show(bench.label_view(wanted).await?)) })
    }

    /// Every step of an operation, the first one first.
    pub fn history(&self, id: OperationId) -> Fetch<Vec<Event>> {
        self.job(
            move |bench| async move { bench.writer.run(move |journal| journal.history(id)).await },
        )
    }

    /// Every step of a print job's life, from the journal; the first one first.
    pub fn job_history(&self, id: JobId) -> Fetch<Vec<JobEvent>> {
        self.job(move |bench| async move {
            bench
                .writer
                .run(move |journal| journal.job_history(id))
                .await
        })
    }

    /// These consignments, as far as the service has them.
    pub fn those_there(&self, ids: Vec<ConsignmentId>) -> Fetch<Vec<Consignment>> {
        self.job(move |bench| async move { Ok(bench.those_there(&ids).await?) })
    }

    /// How the service is.
    pub fn health(&self) -> Health {
        self.bench.client.health()
    }

    /// The next calls go out, even where calls rest because the service is away.
    pub fn reconnect(&self) {
        self.bench.client.reconnect();
    }

    pub(super) const fn bench(&self) -> &Bench {
        &self.bench
    }

    pub(super) const fn runtime(&self) -> &Handle {
        self.errands.runtime()
    }

    /// A read of the bench's own store: it waits for no call to the service.
    pub(super) fn local<T, F>(&self, job: impl FnOnce(Bench) -> F + Send + 'static) -> Fetch<T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, WorkError>> + Send + 'static,
    {
        let bench = self.bench.clone();
        self.errands.run(|| job(bench))
    }

    pub(super) fn job<T, F>(&self, job: impl FnOnce(Bench) -> F + Send + 'static) -> Fetch<T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, WorkError>> + Send + 'static,
    {
        let (bench, places) = (self.bench.clone(), Arc::clone(&self.places));
        self.errands.run(|| async move {
            let _place = places.acquire_owned().await;
            job(bench).await
        })
    }
}

/// Writes a PDF to the typed path, where nothing else is, else where the clerk says; answers where.
pub(super) async fn save(
    title: &str,
    name: String,
    typed: Option<PathBuf>,
    pdf: Vec<u8>,
) -> Result<Option<PathBuf>, WorkError> {
    let path = match typed {
        Some(path) => {
            save_new(&path, &pdf).await?;
            return Ok(Some(path));
        }
        None => ask_for_path(title, name).await,
    };
    let Some(path) = path else { return Ok(None) };
    // The dialog asked whether a file that is there is to be replaced.
    tokio::fs::write(&path, pdf)
        .await
        .map_err(|error| WorkError::Save(error.kind()))?;
    Ok(Some(path))
}

async fn ask_for_path(title: &str, name: String) -> Option<PathBuf> {
    let dialog = rfd::AsyncFileDialog::new()
        .set_title(title)
        .set_file_name(name)
        .add_filter("PDF", &["pdf"]);
    Some(dialog.save_file().await?.path().to_owned())
}

impl Bench {
    async fn label_view(&self, wanted: LabelPage) -> Result<LabelView, WorkError> {
        if wanted.again {
            self.writer
                .run(move |journal| journal.forget_label(wanted.consignment))
                .await?;
        }
        let LabelFile { label, .. } = self.label_file(wanted.consignment, wanted.size).await?;
        let expected = expected(label.expected, label.numbers);
        let compared = expected != Expected::AnyCode;
        let (pdf, printer) = (label.pdf.into(), &wanted.printer);
        // The whole document, as for printing: whether a page is right is seen with the others only.
        let mut prepared =
            job::prepare_nevertheless(&self.renderer, pdf, Pages::All, printer, &expected).await?;
        let page_count = prepared.previews.len();
        if wanted.page >= page_count {
            let page = wanted.page + 1;
            let error = RenderError::NoSuchPage { page, page_count };
            return Err(PrepareError::from(error).into());
        }
        let fault = |problem: &CheckError| Fault {
            sha256: label.sha256,
            kind: problem.word().to_owned(),
        };
        Ok(LabelView {
            shown: prepared.previews.swap_remove(wanted.page),
            notes: prepared.notes,
            problem: prepared.problem.map(|problem| {
                let fault = fault(&problem);
                (problem, fault)
            }),
            compared,
        })
    }
}
