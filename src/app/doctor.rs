//! `packbench doctor`: checks an installation without a window, for whoever sets up or repairs a bench.
//!
//! Each check prints one line, with advice. With `--practice` the main job runs too, through the same
//! commands and queues as the screens, against its own practice service and printer double. The results are
//! left in a folder.

mod main_job;

use std::io::{self, BufRead as _, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use secrecy::SecretString;
use secrecy::zeroize::Zeroizing;
use tokio::runtime::Handle;
use tokio::time::Instant;

use crate::config::{DataFolder, Settings, SystemInfo};
use crate::open_service::print_service;
use crate::{SecondStart, Service, SingleInstance, StartError};
use client::{Client, Failure};

pub use main_job::{MainJobError, MainJobSummary};

/// Longer than any token, in bytes.
const LONGEST_TOKEN: usize = 4096;

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
}

/// Prints one line for each check.
struct Report<W: Write> {
    out: W,
    has_failures: bool,
}

impl<W: Write> Report<W> {
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
        // Ignored: the checks go on even if the reader has closed the pipe.
        let _closed = writeln!(self.out, "{mark} {check:<14} {words}{arrow}{advice}");
    }
}

/// Runs all checks and prints a line for each. Returns exit code 1 if any check failed.
pub fn run(
    runtime: &Handle,
    places: &DataFolder,
    surroundings: &SystemInfo,
    orders: &DoctorArgs,
) -> ExitCode {
    let mut report = Report {
        out: io::stdout(),
        has_failures: false,
    };
    window(&mut report, surroundings);
    data_folder(&mut report, places);
    let settings = Settings::read(places).map_err(|error| error.to_string());
    let service = settings.and_then(|settings| {
        let token = orders.token_from_stdin.then(read_token).transpose();
        let token = token.map_err(|error| format!("the token cannot be read: {error}"))?;
        Service::from_settings(runtime, &settings, surroundings.keyring, token)
            .map_err(|error| error.to_string())
    });
    runtime.block_on(async {
        check_service(&mut report, service).await;
        printers(&mut report, surroundings).await;
    });
    if orders.practice {
        let out = &orders.out;
        match main_job::run(runtime, surroundings, out) {
            Ok(MainJobSummary { number, booking }) => {
                let (check, files) = ("main job", out.display());
                let words = format!("{number} created, printed and booked ({booking})");
                report.passed(check, &format!("{words} → files in {files}"));
            }
            Err(error) => report.failed("main job", &error.to_string(), error.advice()),
        }
    }
    if report.has_failures {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// Reads the first line of standard input. The text is only in memory, and is wiped there after use.
fn read_token() -> io::Result<SecretString> {
    // Allocated at full length, because growing would leave a copy in memory that is never wiped.
    let mut line = Zeroizing::new(String::with_capacity(LONGEST_TOKEN));
    io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim_end().into())
}

fn window(report: &mut Report<impl Write>, surroundings: &SystemInfo) {
    let renderer = surroundings.graphics.label();
    if surroundings.display {
        report.passed("display", &format!("available; drawn with {renderer}"));
    } else {
        let advice = "log in to a desktop, or set DISPLAY, to open the window";
        report.warning("display", "none", advice);
    }
    if !surroundings.file_dialog {
        let advice = "install zenity; until then, type file paths by hand";
        report.warning("file dialog", "none", advice);
    }
}

fn data_folder(report: &mut Report<impl Write>, places: &DataFolder) {
    let place = places.data().display().to_string();
    match SingleInstance::take(&places.lock()) {
        Ok(_) => report.passed("data folder", &place),
        Err(SecondStart::Running { .. }) => {
            let words = format!("{place}, in use by the open Packbench");
            report.passed("data folder", &words);
        }
        Err(error) => {
            let advice = "make the folder writable, or choose another with --data";
            report.failed("data folder", &error.to_string(), advice);
        }
    }
}

async fn check_service(report: &mut Report<impl Write>, service: Result<Option<Service>, String>) {
    let service = match service {
        Ok(Some(service)) => service,
        Ok(None) => return report.passed("service", "practice: no connection is chosen"),
        Err(words) => {
            let advice =
                "check the connection in Settings, or give its token with --token-from-stdin";
            return report.failed("service", &words, advice);
        }
    };
    match ping_service(&service).await {
        Ok(Ok(took)) => {
            let (address, took) = (&service.address, took.as_millis());
            report.passed(
                "service",
                &format!("{address} accepts the token, {took} ms"),
            );
        }
        Ok(Err(failure)) => {
            let advice = "check the network, the address and the token";
            report.failed("service", &failure.to_string(), advice);
        }
        Err(error) => {
            let advice = "correct the connection in the settings";
            report.failed("service", &error.to_string(), advice);
        }
    }
}

/// Pings the service with the token, and returns how long the answer took.
async fn ping_service(service: &Service) -> Result<Result<Duration, Failure>, StartError> {
    let client = Client::new(&service.connection()?)?;
    let asked = Instant::now();
    Ok(client.ping().await.map(|_accepted| asked.elapsed()))
}

async fn printers(report: &mut Report<impl Write>, surroundings: &SystemInfo) {
    match print_service(surroundings).queues().await {
        Ok(queues) if queues.is_empty() => {
            let words = "the print service has no printers";
            let advice = "add a printer, or print to a label printer's address (port 9100)";
            report.warning("printers", words, advice);
        }
        Ok(queues) => {
            for queue in queues {
                let words = format!("{}: {}", queue.name, queue.state.label());
                if queue.state.takes_jobs() {
                    report.passed("printer", &words);
                } else {
                    report.warning("printer", &words, queue.state.advice());
                }
            }
        }
        Err(error) => report.warning("printers", &error.to_string(), error.advice()),
    }
}
