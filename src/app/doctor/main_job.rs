//! The main job, with the commands of the screens: fill in a draft, compare routes, send, preview and print
//! the label, group for a manifest, book.

use std::fs;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

use image::{GrayImage, Luma};
use thiserror::Error;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::sync::watch;

use crate::config::{BenchSettings, DataFolder, DataFolderError, Settings, SystemInfo};
use crate::state::{
    ConsignCommand, DispatchCommand, JobState, JobSubject, LabelsCommand, Operation,
    OperationState, Preview, PrinterForm, RouteView, SaveCommand, SaveRequest,
};
use crate::{Core, ProgramOptions, Service, StartError, open_core};
use draft::{AddressMode, PickupContext, PickupDraft, Routing};
use practice::{self, PracticeError};
use shipping::{CompanyLocation, Consignment};

const STEP: Duration = Duration::from_secs(30);

/// The numbers that the main job ends with.
pub(super) struct MainJobSummary {
    pub(super) number: String,
    /// The carrier's reference for the booking.
    pub(super) booking: String,
}

#[derive(Debug, Error)]
pub(super) enum MainJobError {
    #[error(transparent)]
    Places(#[from] DataFolderError),
    #[error("the practice service did not start: {0}")]
    Practice(#[from] PracticeError),
    #[error(transparent)]
    Start(#[from] StartError),
    /// A file could not be written, or the simulated printer got no port.
    #[error("couldn't write the files ({0})")]
    Io(#[from] io::Error),
    #[error("the preview could not be written")]
    Picture(#[from] image::ImageError),
    /// A step exceeded the time limit. Contains the headlines of the notices that were shown meanwhile.
    #[error("{0} took longer than 30 s{1}")]
    TooSlow(&'static str, String),
    /// A step had an unexpected result.
    #[error("{0}: {1}")]
    Wrong(&'static str, String),
}

impl MainJobError {
    pub(super) fn advice(&self) -> &'static str {
        match self {
            Self::Places(_) | Self::Io(_) | Self::Picture(_) => {
                "choose a writable folder with --out"
            }
            Self::Practice(_) | Self::Start(_) => "install Packbench again",
            Self::TooSlow(..) | Self::Wrong(..) => {
                "run it again with RUST_LOG=debug and keep the output"
            }
        }
    }
}

/// Runs the main job and writes `consignment.json`, `label.pdf`, `preview.png`, `printer.zpl` and
/// `manifest.json` in `out`.
pub(super) fn run(
    runtime: &Handle,
    system_info: &SystemInfo,
    out: &Path,
) -> Result<MainJobSummary, MainJobError> {
    // Each run has its own data folder, so that files of an earlier run have no effect.
    let own = out.join(format!("bench-{}", std::process::id()));
    let places = DataFolder::open(Some(own.clone()))?;
    let result = in_folder(runtime, system_info, &places, out);
    if let Err(error) = remove_folder(&own) {
        tracing::warn!(kind = ?error.kind(), "the job's own folder stays");
    }
    result
}

/// Removes a folder with everything in it. Windows does not remove open files, and background work may close the last
/// of them a moment later.
fn remove_folder(folder: &Path) -> io::Result<()> {
    const LIMIT: Duration = Duration::from_secs(2);
    let begun = Instant::now();
    loop {
        match fs::remove_dir_all(folder) {
            Err(_) if begun.elapsed() < LIMIT => std::thread::sleep(Duration::from_millis(20)),
            done => return done,
        }
    }
}

fn in_folder(
    runtime: &Handle,
    system_info: &SystemInfo,
    places: &DataFolder,
    out: &Path,
) -> Result<MainJobSummary, MainJobError> {
    let practice = runtime.block_on(practice::start(practice::Settings::at(places.practice())))?;
    let (printer, received) = runtime.block_on(start_printer_double())?;
    let (repaint, wanted) = sync_channel(1);
    let settings = Settings {
        bench: BenchSettings {
            name: "Doctor".to_owned(),
            ..BenchSettings::default()
        },
        ..Settings::default()
    };
    let (places, system_info) = (places.clone(), system_info.clone());
    let options = ProgramOptions {
        repaint: Arc::new(move || {
            // A full channel is fine: a repaint is already requested.
            let _wanted_already = repaint.try_send(());
        }),
        ..ProgramOptions::new(runtime.clone(), places, settings, system_info)
    };
    let service = Service::practice(practice.base_url(), practice.token());
    let mut clerk = JobRunner {
        core: open_core(&options, &service)?,
        wanted,
        started: Instant::now(),
        printer,
        received,
    };
    let papers = clerk.work(out);
    clerk.core.close(runtime);
    runtime.block_on(practice.stop());
    papers
}

/// Starts a local server that accepts jobs like port 9100 of a label printer. Returns its address, and a receiver of
/// all bytes that arrive there.
async fn start_printer_double() -> io::Result<(SocketAddr, watch::Receiver<Vec<u8>>)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    let (sender, received) = watch::channel(Vec::new());
    tokio::spawn(async move {
        while let Ok((mut job, _)) = listener.accept().await {
            let mut bytes = Vec::new();
            if job.read_to_end(&mut bytes).await.is_ok() {
                sender.send_modify(|all| all.append(&mut bytes));
            }
        }
    });
    Ok((address, received))
}

struct JobRunner {
    core: Core,
    wanted: Receiver<()>,
    started: Instant,
    printer: SocketAddr,
    /// The bytes that the simulated printer has received.
    received: watch::Receiver<Vec<u8>>,
}

impl JobRunner {
    fn work(&mut self, out: &Path) -> Result<MainJobSummary, MainJobError> {
        let consignment = self.consign()?;
        write_json(&out.join("consignment.json"), &consignment)?;
        let label = fs::canonicalize(out)?.join("label.pdf");
        let preview = self.see_label(&consignment, &label)?;
        picture(&preview).save(out.join("preview.png"))?;
        self.print(&consignment)?;
        fs::write(out.join("printer.zpl"), &*self.received.borrow())?;
        let booking = self.book(&consignment)?;
        write_json(
            &out.join("manifest.json"),
            &serde_json::json!({
                "carrier": booking.title, "carrierReference": booking.reference, "state": booking.message,
                "consignmentIds": booking.consignments,
            }),
        )?;
        Ok(MainJobSummary {
            number: consignment.consignment_number,
            booking: booking.reference,
        })
    }

    fn consign(&mut self) -> Result<Consignment, MainJobError> {
        let locations = self.wait_for("fetching the saved locations", |core| {
            core.shared.catalogue.locations.value().cloned()
        })?;
        let sender = { locations.into_iter() }.find(CompanyLocation::is_pickup);
        let no_sender = || wrong("choosing the sender", "there is no saved pickup location");
        let sender = sender.ok_or_else(no_sender)?;
        let draft = &mut self.core.editing.draft;
        draft.from.set_location(&sender);
        draft.to.mode = AddressMode::Full;
        let to = &mut draft.to;
        for (field, text) in [
            (&mut to.name, "Ballarat Farm & Garden"),
            (&mut to.contact, "J. Okafor"),
            (&mut to.phone, "03 5550 0199"),
            (&mut to.email, "stores@bfg.example"),
            (&mut to.line1, "8 Creswick Road"),
            (&mut to.place, "Ballarat Central VIC 3350"),
        ] {
            text.clone_into(field);
        }
        "SO-48213".clone_into(&mut draft.reference1);
        let line = &mut draft.goods[0];
        for (field, text) in [
            (&mut line.name, "Hose reels, 20 m"),
            (&mut line.quantity, "2"),
            (&mut line.weight, "9"),
            (&mut line.length, "40"),
            (&mut line.width, "40"),
            (&mut line.height, "30"),
        ] {
            text.clone_into(field);
        }
        self.core.push(ConsignCommand::FindRoutes.into());
        let route = self.wait_for("comparing routes", |core| {
            let mut routes = core.shared.consign.routes.value()?.iter();
            routes.find_map(|view| match view {
                RouteView::Offer {
                    route,
                    cheapest: true,
                    ..
                } => Some(route.clone()),
                _ => None,
            })
        })?;
        self.core.editing.draft.routing = Routing::Chosen(route);
        self.core.push(ConsignCommand::Send.into());
        self.wait_for("sending the consignment", |core| {
            core.shared.consign.last_created.clone()
        })
    }

    fn see_label(
        &mut self,
        consignment: &Consignment,
        pdf: &Path,
    ) -> Result<Preview, MainJobError> {
        let printer = PrinterForm {
            name: "Doctor's printer".to_owned(),
            destination: self.printer.to_string(),
            dots_per_mm: "8".to_owned(),
            ..PrinterForm::default()
        };
        self.core
            .push(LabelsCommand::SavePrinter(Box::new(printer)).into());
        let id = consignment.id;
        self.core.push(LabelsCommand::Select(id).into());
        let preview = self.wait_for("drawing the label", move |core| {
            let preview = core.shared.labels.preview.value();
            preview
                .filter(|preview| preview.subject == JobSubject::Label(id))
                .cloned()
        })?;
        if !preview.checked {
            return Err(wrong(
                "verifying the label's barcodes",
                &preview.notes.join(". "),
            ));
        }
        // Delete the file of an earlier run, because saving does not replace an existing file.
        drop(fs::remove_file(pdf));
        let (label, path) = (SaveRequest::Labels(vec![id]), pdf.display().to_string());
        self.core.push(SaveCommand::Save(label, Some(path)).into());
        self.wait_for("saving the label", |_| pdf.is_file().then_some(()))?;
        Ok(preview)
    }

    fn print(&mut self, consignment: &Consignment) -> Result<(), MainJobError> {
        let id = consignment.id;
        self.core.push(LabelsCommand::Print(vec![id]).into());
        let job = self.wait_for("printing the label", move |core| {
            let mut jobs = core.shared.labels.jobs.iter();
            let job = jobs.find(|job| job.is_label_of(id))?;
            (job.state != JobState::Spooling).then(|| job.clone())
        })?;
        if job.state != JobState::Sent {
            return Err(wrong("printing the label", &job.message));
        }
        let received = self.received.clone();
        self.wait_for("receiving the printer's bytes", |_| {
            received.borrow().ends_with(b"^XZ\n").then_some(())
        })
    }

    fn book(&mut self, consignment: &Consignment) -> Result<Operation, MainJobError> {
        let id = consignment.id;
        self.core.push(DispatchCommand::Group(vec![id]).into());
        let group = self.wait_for("grouping for manifest", move |core| {
            let mut groups = core.shared.dispatch.groups.value()?.iter();
            groups
                .find(|group| group.consignment_ids.contains(&id))
                .cloned()
        })?;
        let zone = self.core.shared.pickup_zone(&group).to_owned();
        let group = PickupDraft::from(group)
            .review(&PickupContext::at(self.core.shared.now, &zone))
            .group
            .map_err(|problems| {
                let words: Vec<_> = problems.into_iter().map(|(_, words)| words).collect();
                wrong("adjusting the pickup", &words.join(". "))
            })?;
        self.core.push(DispatchCommand::Book(vec![group]).into());
        let booking = self.wait_for("booking the manifest", move |core| {
            let booking = core.shared.dispatch.bookings.first()?;
            let operation = core.shared.operations.by_id(booking.operation)?;
            (!operation.state.is_open()).then(|| operation.clone())
        })?;
        if booking.state == OperationState::Done {
            Ok(booking)
        } else {
            Err(wrong("booking the manifest", &booking.message))
        }
    }

    /// Runs turns of the program until `done` returns a value or the step exceeds its time limit.
    fn wait_for<T>(
        &mut self,
        step: &'static str,
        done: impl Fn(&Core) -> Option<T>,
    ) -> Result<T, MainJobError> {
        let begun = Instant::now();
        loop {
            let after = self.core.turn(self.started.elapsed());
            if let Some(result) = done(&self.core) {
                return Ok(result);
            }
            if begun.elapsed() > STEP {
                let notices = self.core.shared.notices.shown.iter();
                let words = notices.map(|(_, notice)| format!(": {}", notice.headline));
                return Err(MainJobError::TooSlow(step, words.collect()));
            }
            // Outcomes wake this thread, but saved files and received print data don't, so the wait is short.
            let wait = after.unwrap_or(STEP).min(Duration::from_millis(50));
            let _woken = self.wanted.recv_timeout(wait);
        }
    }
}

fn wrong(step: &'static str, words: &str) -> MainJobError {
    MainJobError::Wrong(step, words.to_owned())
}

fn write_json(path: &Path, value: &impl serde::Serialize) -> Result<(), MainJobError> {
    let bytes = serde_json::to_vec_pretty(value).map_err(io::Error::other)?;
    Ok(fs::write(path, bytes)?)
}

/// Converts the preview to an image with one pixel for each dot.
fn picture(preview: &Preview) -> GrayImage {
    let bitmap = &preview.bitmap;
    GrayImage::from_fn(bitmap.width(), bitmap.height(), |x, y| {
        Luma([if bitmap.get(x, y) { 0 } else { 255 }])
    })
}
