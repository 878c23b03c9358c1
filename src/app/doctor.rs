//! `packbench doctor`: checks an installation without a window, for whoever sets up or repairs a bench.
//!
//! Each check prints one line, with advice. With `--practice` the main job runs too, through the same
//! commands and queues as the screens, against its own practice service and printer double. The results are
//! left in a folder.

mod main_job;
mod printer_double;

use std::io::{self, BufRead as _, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use secrecy::SecretString;
use secrecy::zeroize::Zeroizing;
use tokio::runtime::Handle;

use crate::config::{DataFolder, Settings, SystemInfo};
use crate::{SecondStart, Service, SingleInstance, list_printers, ping_service};

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

/// Result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CheckStatus {
    Passed,
    Warning,
    Failed,
}

struct Report<W: Write> {
    out: W,
    bad: bool,
}

impl<W: Write> Report<W> {
    fn line(&mut self, verdict: CheckStatus, what: &str, words: &str, advice: &str) {
        let mark = match verdict {
            CheckStatus::Passed => "ok  ",
            CheckStatus::Warning => "look",
            CheckStatus::Failed => "BAD ",
        };
        self.bad |= verdict == CheckStatus::Failed;
        let advice = if advice.is_empty() {
            String::new()
        } else {
            format!(" → {advice}")
        };
        // Ignored: the checks go on even if the reader has closed the pipe.
        let _closed = writeln!(self.out, "{mark} {what:<14} {words}{advice}");
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
        bad: false,
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
            Ok(papers) => {
                let words = format!(
                    "{} created, printed and booked ({})",
                    papers.number, papers.booking
                );
                report.line(
                    CheckStatus::Passed,
                    "main job",
                    &words,
                    &format!("files in {}", out.display()),
                );
            }
            Err(error) => report.line(
                CheckStatus::Failed,
                "main job",
                &error.to_string(),
                error.advice(),
            ),
        }
    }
    if report.bad {
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
        report.line(
            CheckStatus::Passed,
            "display",
            &format!("available; drawn with {renderer}"),
            "",
        );
    } else {
        report.line(
            CheckStatus::Warning,
            "display",
            "none",
            "log in to a desktop, or set DISPLAY, to open the window",
        );
    }
    if !surroundings.file_dialog {
        report.line(
            CheckStatus::Warning,
            "file dialog",
            "none",
            "install zenity; until then, type file paths by hand",
        );
    }
}

fn data_folder(report: &mut Report<impl Write>, places: &DataFolder) {
    let place = places.data().display().to_string();
    match SingleInstance::take(&places.lock()) {
        Ok(_) => report.line(CheckStatus::Passed, "data folder", &place, ""),
        Err(SecondStart::Running { .. }) => {
            report.line(
                CheckStatus::Passed,
                "data folder",
                &format!("{place}, in use by the open Packbench"),
                "",
            );
        }
        Err(error) => {
            report.line(
                CheckStatus::Failed,
                "data folder",
                &error.to_string(),
                "make the folder writable, or choose another with --data",
            );
        }
    }
}

async fn check_service(report: &mut Report<impl Write>, service: Result<Option<Service>, String>) {
    let service = match service {
        Ok(Some(service)) => service,
        Ok(None) => {
            return report.line(
                CheckStatus::Passed,
                "service",
                "practice: no connection is chosen",
                "",
            );
        }
        Err(words) => {
            return report.line(
                CheckStatus::Failed,
                "service",
                &words,
                "check the connection in Settings, or give its token with --token-from-stdin",
            );
        }
    };
    match ping_service(&service).await {
        Ok(Ok(took)) => {
            let words = format!(
                "{} accepts the token, {} ms",
                service.address,
                took.as_millis()
            );
            report.line(CheckStatus::Passed, "service", &words, "");
        }
        Ok(Err(failure)) => {
            let advice = "check the network, the address and the token";
            report.line(CheckStatus::Failed, "service", &failure.to_string(), advice);
        }
        Err(error) => report.line(
            CheckStatus::Failed,
            "service",
            &error.to_string(),
            "correct the connection in the settings",
        ),
    }
}

async fn printers(report: &mut Report<impl Write>, surroundings: &SystemInfo) {
    match list_printers(surroundings).await {
        Ok(queues) if queues.is_empty() => {
            report.line(
                CheckStatus::Warning,
                "printers",
                "the print service has no printers",
                "add a printer, or print to a label printer's address (port 9100)",
            );
        }
        Ok(queues) => {
            for queue in queues {
                let verdict = if queue.state.takes_jobs() {
                    CheckStatus::Passed
                } else {
                    CheckStatus::Warning
                };
                let advice = if verdict == CheckStatus::Passed {
                    ""
                } else {
                    queue.state.advice()
                };
                report.line(
                    verdict,
                    "printer",
                    &format!("{}: {}", queue.name, queue.state.label()),
                    advice,
                );
            }
        }
        Err(error) => report.line(
            CheckStatus::Warning,
            "printers",
            &error.to_string(),
            error.advice(),
        ),
    }
}
