//! The main job, with the commands of the screens: fill in a draft, compare routes, send, preview and print
//! the label, group for a manifest, book.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use image::{GrayImage, Luma};
use thiserror::Error;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpListener;
use tokio::runtime::Handle;

use crate::config::{DataFolder, DataFolderError, Settings, SystemInfo};
use crate::state::{
    ConsignCommand, DispatchCommand, JobState, JobSubject, LabelsCommand, Operation,
    OperationState, Preview, PrinterForm, RouteView,
};
use crate::{Core, CoreOptions, Service, StartError, open_core};
use draft::{AddressMode, PickupContext, PickupDraft, Routing};
use practice::{self, PracticeError};
use shipping::{Clock, Consignment};

/// Time limit of a step.
const STEP: Duration = Duration::from_secs(30);

/// The numbers that the main job ends with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MainJobSummary {
    /// Number of the consignment.
    pub number: String,
    /// The carrier's reference for the booking.
    pub booking: String,
}

/// Why the main job failed.
#[derive(Debug, Error)]
pub enum MainJobError {
    /// The data folder of the job cannot be used.
    #[error(transparent)]
    Places(#[from] DataFolderError),
    /// The practice service of the job did not start.
    #[error("the practice service did not start: {0}")]
    Practice(#[from] PracticeError),
    /// The program could not be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A file could not be written, or the printer double got no port.
    #[error("the files could not be written ({0})")]
    Io(#[from] std::io::Error),
    /// The image of the preview could not be written.
    #[error("the preview could not be written")]
    Picture(#[from] image::ImageError),
    /// A step exceeded the time limit.
    #[error("{step} took longer than 30 s{words}")]
    TooSlow {
        /// Description of the step.
        step: &'static str,
        /// Headlines of the notices that were shown meanwhile.
        words: String,
    },
    /// A step had an unexpected result.
    #[error("{step}: {words}")]
    Wrong {
        /// Description of the step.
        step: &'static str,
        /// Description of the result.
        words: String,
    },
}

impl MainJobError {
    /// Returns what the user can do about the error.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Places(_) | Self::Io(_) | Self::Picture(_) => {
                "choose a writable folder with --out"
            }
            Self::Practice(_) | Self::Start(_) => "install Packbench again",
            Self::TooSlow { .. } | Self::Wrong { .. } => {
                "run it again with RUST_LOG=debug and keep the output"
            }
        }
    }
}

/// Runs the main job and leaves `consignment.json`, `label.pdf`, `preview.png`, `printer.zpl` and
/// `manifest.json` in `out`.
pub(super) fn run(
    runtime: &Handle,
    surroundings: &SystemInfo,
    out: &Path,
) -> Result<MainJobSummary, MainJobError> {
    // Each run has its own data folder, so that files of an earlier run have no effect.
    let own = out.join(format!("bench-{}", std::process::id()));
    let places = DataFolder::open(Some(own.clone()))?;
    let result = in_folder(runtime, surroundings, &places, out);
    if let Err(error) = fs::remove_dir_all(&own) {
        tracing::warn!(kind = ?error.kind(), "the job's own folder stays");
    }
    result
}

fn in_folder(
    runtime: &Handle,
    surroundings: &SystemInfo,
    places: &DataFolder,
    out: &Path,
) -> Result<MainJobSummary, MainJobError> {
    let practice = runtime.block_on(practice::start(practice::Settings::at(places.practice())))?;
    let printer = runtime.block_on(PrinterDouble::start())?;
    let service = Service::practice(practice.base_url(), practice.token());
    let settings = Settings {
        bench: "Doctor".to_owned(),
        ..Settings::default()
    };
    let (repaint, wanted) = sync_channel(1);
    let repaint = Arc::new(move || {
        // A full channel is fine: a repaint is already requested.
        let _wanted_already = repaint.try_send(());
    });
    let bench = CoreOptions {
        runtime,
        places,
        settings: &settings,
        system_info: surroundings,
        service: &service,
    };
    let mut clerk = JobRunner {
        core: open_core(bench, Clock::system(), repaint)?,
        wanted,
        started: Instant::now(),
    };
    let papers = clerk.work(&printer, out);
    clerk.core.close(runtime);
    runtime.block_on(practice.stop());
    papers
}

struct JobRunner {
    core: Core,
    wanted: Receiver<()>,
    started: Instant,
}

impl JobRunner {
    fn work(
        &mut self,
        printer: &PrinterDouble,
        out: &Path,
    ) -> Result<MainJobSummary, MainJobError> {
        let consignment = self.consign()?;
        write_json(&out.join("consignment.json"), &consignment)?;
        let label = fs::canonicalize(out)?.join("label.pdf");
        let preview = self.see_label(&consignment, printer, &label)?;
        picture(&preview).save(out.join("preview.png"))?;
        self.print(&consignment, printer)?;
        fs::write(out.join("printer.zpl"), printer.bytes())?;
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
        self.wait_for("fetching the saved locations", |core| {
            core.shared.catalogue.locations.value().map(|_| ())
        })?;
        let mut locations = self
            .core
            .shared
            .catalogue
            .locations
            .value()
            .into_iter()
            .flatten();
        let sender = locations.find(|location| location.is_pickup()).cloned();
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
            core.shared
                .consign
                .routes
                .value()?
                .iter()
                .find_map(|view| match view {
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
        printer: &PrinterDouble,
        pdf: &Path,
    ) -> Result<Preview, MainJobError> {
        self.core.push(
            LabelsCommand::SavePrinter(Box::new(PrinterForm {
                name: "Doctor's printer".to_owned(),
                destination: printer.address().to_string(),
                dots_per_mm: "8".to_owned(),
                ..PrinterForm::default()
            }))
            .into(),
        );
        let id = consignment.id;
        self.core.push(LabelsCommand::Select(id).into());
        let preview = self.wait_for("drawing the label", move |core| {
            core.shared
                .labels
                .preview
                .value()
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
        self.core
            .push(LabelsCommand::SavePdfAt(id, pdf.display().to_string()).into());
        let kept: PathBuf = pdf.to_owned();
        self.wait_for("saving the label", move |_| kept.is_file().then_some(()))?;
        Ok(preview)
    }

    fn print(
        &mut self,
        consignment: &Consignment,
        printer: &PrinterDouble,
    ) -> Result<(), MainJobError> {
        let id = consignment.id;
        self.core.push(LabelsCommand::Print(vec![id]).into());
        let job = self.wait_for("printing the label", move |core| {
            let job = core
                .shared
                .labels
                .jobs
                .iter()
                .find(|job| job.is_label_of(id))?;
            (job.state != JobState::Spooling).then(|| job.clone())
        })?;
        if job.state != JobState::Sent {
            return Err(wrong("printing the label", &job.message));
        }
        self.wait_for("receiving the printer's bytes", |_| {
            printer.bytes().ends_with(b"^XZ\n").then_some(())
        })
    }

    fn book(&mut self, consignment: &Consignment) -> Result<Operation, MainJobError> {
        let id = consignment.id;
        self.core.push(DispatchCommand::Group(vec![id]).into());
        let group = self.wait_for("grouping for manifest", move |core| {
            core.shared
                .dispatch
                .groups
                .value()?
                .iter()
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
                let words: Vec<_> = self
                    .core
                    .shared
                    .notices
                    .shown
                    .iter()
                    .map(|(_, notice)| format!(": {}", notice.headline))
                    .collect();
                return Err(MainJobError::TooSlow {
                    step,
                    words: words.concat(),
                });
            }
            // Outcomes wake this thread. Files that arrive don't, so the wait is short.
            let wait = after.unwrap_or(STEP).min(Duration::from_millis(50));
            let _woken = self.wanted.recv_timeout(wait);
        }
    }
}

fn wrong(step: &'static str, words: &str) -> MainJobError {
    MainJobError::Wrong {
        step,
        words: words.to_owned(),
    }
}

fn write_json(path: &Path, value: &impl serde::Serialize) -> Result<(), MainJobError> {
    let bytes = serde_json::to_vec_pretty(value).map_err(std::io::Error::other)?;
    Ok(fs::write(path, bytes)?)
}

/// Converts the preview to an image with one pixel for each dot.
fn picture(preview: &Preview) -> GrayImage {
    let stride = preview.width.div_ceil(8) as usize;
    GrayImage::from_fn(preview.width, preview.height, |x, y| {
        let byte = preview.dots.get(y as usize * stride + x as usize / 8);
        let is_white = byte.is_none_or(|byte| byte & (0x80 >> (x % 8)) == 0);
        Luma([if is_white { 255 } else { 0 }])
    })
}

/// A local server that accepts jobs like port 9100 of a label printer.
struct PrinterDouble {
    address: SocketAddr,
    received: Arc<Mutex<Vec<u8>>>,
}

impl PrinterDouble {
    /// Starts listening on the current Tokio runtime.
    async fn start() -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let received = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&received);
        tokio::spawn(async move {
            while let Ok((mut job, _)) = listener.accept().await {
                let mut bytes = Vec::new();
                if job.read_to_end(&mut bytes).await.is_ok() {
                    kept.lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .append(&mut bytes);
                }
            }
        });
        Ok(Self { address, received })
    }

    const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns everything received so far.
    fn bytes(&self) -> Vec<u8> {
        self.received
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}
