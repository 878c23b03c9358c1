//! `packbench doctor`: checks an installation without a window, for people who set up or repair a bench.
//!
//! Each check prints one line, with advice. With `--practice` the main job runs too, through the same commands and
//! queues as the screens, against its own practice service and a simulated printer. The results are saved in a
//! folder.

mod main_job;

use std::error::Error;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tokio::runtime::Handle;
use tokio::task::{JoinError, spawn_blocking};
use tokio::time::Instant;

use crate::config::{ChosenService, DataFolder, Settings, SystemInfo, Tokens};
use crate::program::print_service;
use crate::provision::read_secret;
use crate::service::ServiceError;
use crate::{SecondStart, Service, SingleInstance, SupportBundle};
use client::Client;
use main_job::MainJobSummary;
use printing::queue::QueueInfo;

/// Arguments of `packbench doctor`
#[derive(Debug, Clone, clap::Args)]
pub struct DoctorArgs {
    /// Also run a complete job, from typing to manifest, with a practice service and a simulated printer
    #[arg(long)]
    practice: bool,
    /// Read the service's token from standard input, if no keyring has it
    #[arg(long)]
    token_from_stdin: bool,
    /// Save the files of the complete job in this folder
    #[arg(long, default_value = "packbench-doctor")]
    out: PathBuf,
    /// Also save a ZIP file for support, without tokens and without data of senders and receivers
    #[arg(long, value_name = "FILE")]
    bundle: Option<PathBuf>,
}

/// Collects one line for each check.
#[derive(Default)]
struct Report {
    /// Where each line is printed, too; `None` in the window.
    out: Option<io::Stdout>,
    /// All lines so far.
    lines: String,
    has_failures: bool,
}

impl Report {
    /// Runs every check, and returns the queues of the print service.
    async fn check(
        &mut self,
        places: &DataFolder,
        system_info: &SystemInfo,
        service: Result<Option<Service>, Box<dyn Error + Send + Sync>>,
    ) -> Vec<QueueInfo> {
        window(self, system_info);
        data_folder(self, places);
        check_service(self, service).await;
        printers(self, system_info).await
    }

    fn passed(&mut self, check: &str, words: &str) {
        self.line("ok  ", check, words, "");
    }

    fn warning(&mut self, check: &str, words: &str, advice: &str) {
        self.line("look", check, words, advice);
    }

    fn failed(&mut self, check: &str, words: &str, advice: &str) {
        self.has_failures = true;
        self.line("BAD ", check, words, advice);
    }

    fn line(&mut self, mark: &str, check: &str, words: &str, advice: &str) {
        let arrow = if advice.is_empty() { "" } else { " → " };
        let line = format!("{mark} {check:<14} {words}{arrow}{advice}\n");
        if let Some(out) = &mut self.out {
            // Ignored: the checks go on even if the reader has closed the pipe.
            let _closed = out.write_all(line.as_bytes());
        }
        self.lines.push_str(&line);
    }
}

/// Runs all checks and prints a line for each. Returns exit code 1 if any check failed.
pub fn run(
    runtime: &Handle,
    places: &DataFolder,
    system_info: &SystemInfo,
    args: &DoctorArgs,
) -> ExitCode {
    let mut report = Report {
        out: Some(io::stdout()),
        ..Report::default()
    };
    let queues = runtime.block_on(async {
        let service = chosen_service(places, system_info, args).await;
        report.check(places, system_info, service).await
    });
    if args.practice {
        match main_job::run(runtime, system_info, &args.out) {
            Ok(MainJobSummary { number, booking }) => {
                let words = format!("{number} created, printed and booked ({booking})");
                let files = args.out.display();
                report.passed("main job", &format!("{words} → files in {files}"));
            }
            Err(error) => report.failed("main job", &error.to_string(), error.advice()),
        }
    }
    if let Some(file) = &args.bundle {
        let bundle = SupportBundle::collect(places, system_info, &report.lines, &queues);
        save_bundle(&mut report, &bundle, file);
    }
    if report.has_failures {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// Runs the checks for the window, and collects what support needs. `service` is the service that is open, or `None` for
/// the practice service.
pub(crate) async fn collect_bundle(
    places: DataFolder,
    system_info: SystemInfo,
    service: Option<Service>,
) -> Result<SupportBundle, JoinError> {
    let mut report = Report::default();
    let queues = report.check(&places, &system_info, Ok(service)).await;
    let collect = move || SupportBundle::collect(&places, &system_info, &report.lines, &queues);
    spawn_blocking(collect).await
}

/// Saves the bundle, and prints what is in it.
fn save_bundle(report: &mut Report, bundle: &SupportBundle, file: &Path) {
    let place = file.display();
    match bundle.write(file) {
        Ok(()) => {
            let names = bundle.files.iter().map(|file| file.name.as_str());
            let names = names.collect::<Vec<_>>().join(", ");
            let advice = "look at it before you send it";
            report.line("ok  ", "bundle", &format!("{place}: {names}"), advice);
        }
        Err(error) => {
            let words = format!("{place} can't be written ({error})");
            report.failed(
                "bundle",
                &words,
                "name a new file in a folder that you may write to",
            );
        }
    }
}

/// Returns the service of the chosen connection, with the token from standard input or else from the keyring. Returns
/// `None` if no connection is chosen.
async fn chosen_service(
    places: &DataFolder,
    system_info: &SystemInfo,
    args: &DoctorArgs,
) -> Result<Option<Service>, Box<dyn Error + Send + Sync>> {
    let settings = Settings::read(places)?;
    if !matches!(settings.chosen, Some(ChosenService::Connection(_))) {
        return Ok(None);
    }
    let token = args.token_from_stdin.then(read_secret).transpose();
    let token = token.map_err(|error| format!("the token cannot be read: {error}"))?;
    let given = Tokens {
        service: token.flatten(),
        ..Tokens::default()
    };
    let connection = settings.connection().ok_or(ServiceError::NoConnection)?;
    let made = Service::from_connection(connection, given, system_info.keyring).await;
    Ok(Some(made?.0))
}

fn window(report: &mut Report, system_info: &SystemInfo) {
    let renderer = system_info.graphics.label();
    if system_info.display {
        report.passed("display", &format!("available; drawn with {renderer}"));
    } else {
        let advice = "log in to a desktop, or set DISPLAY, to open the window";
        report.warning("display", "none", advice);
    }
    if !system_info.file_dialog {
        let advice = "install zenity; until then, type file paths by hand";
        report.warning("file dialog", "none", advice);
    }
}

fn data_folder(report: &mut Report, places: &DataFolder) {
    let place = places.data().display().to_string();
    match SingleInstance::check(&places.lock()) {
        Ok(()) => report.passed("data folder", &place),
        Err(SecondStart::Running) => {
            let words = format!("{place}, in use by the open Packbench");
            report.passed("data folder", &words);
        }
        Err(error) => {
            let advice = "make the folder writable, or choose another with --data";
            report.failed("data folder", &error.to_string(), advice);
        }
    }
}

async fn check_service(
    report: &mut Report,
    service: Result<Option<Service>, Box<dyn Error + Send + Sync>>,
) {
    let service = match service {
        Ok(Some(service)) => service,
        Ok(None) => return report.passed("service", "practice: no connection is chosen"),
        Err(error) => {
            let advice =
                "check the connection in Settings, or give its token with --token-from-stdin";
            return report.failed("service", &error.to_string(), advice);
        }
    };
    let client = { service.connection() }.and_then(|connection| Client::new(&connection));
    let client = match client {
        Ok(client) => client,
        Err(error) => {
            let advice = "correct the connection in the settings";
            return report.failed("service", &error.to_string(), advice);
        }
    };
    let asked = Instant::now();
    match client.ping().await {
        Ok(_) => {
            let took = asked.elapsed().as_millis();
            let words = format!("{} accepts the token, {took} ms", service.address);
            report.passed("service", &words);
        }
        Err(failure) => {
            let advice = "check the network, the address and the token";
            report.failed("service", &failure.to_string(), advice);
        }
    }
}

/// Checks the printers, and returns the queues of the print service.
async fn printers(report: &mut Report, system_info: &SystemInfo) -> Vec<QueueInfo> {
    match print_service(system_info).queues().await {
        Ok(queues) if queues.is_empty() => {
            let words = "the print service has no printers";
            let advice = "add a printer, or print to a label printer's address (port 9100)";
            report.warning("printers", words, advice);
            queues
        }
        Ok(queues) => {
            for queue in &queues {
                let words = format!("{}: {}", queue.name, queue.state.label());
                if queue.state.takes_jobs() {
                    report.passed("printer", &words);
                } else {
                    report.warning("printer", &words, queue.state.advice());
                }
            }
            queues
        }
        Err(error) => {
            report.warning("printers", &error.to_string(), error.advice());
            Vec::new()
        }
    }
}
