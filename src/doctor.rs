//! `packbench doctor`: checks an installation without a window, for whoever sets up or repairs a bench.
//!
//! Each check prints one line, with advice. With `--practice` the main job runs too, through the same
//! commands and queues as the screens, against its own practice service and printer double. The results are
//! left in a folder.

mod job;
mod printer;

use std::io::{self, BufRead as _, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use secrecy::SecretString;
use secrecy::zeroize::Zeroizing;
use tokio::runtime::Handle;

use crate::app::{Only, SecondStart, Service, look_at_printers, look_at_service};
use crate::config::{Graphics, Places, Settings, Surroundings};

pub use job::{JobError, Papers};

/// Longer than any token, in bytes.
const LONGEST_TOKEN: usize = 4096;

/// What the doctor is asked.
#[derive(Debug, Clone, clap::Args)]
pub struct Orders {
    /// Do the whole main job against a practice service and a printer double
    #[arg(long)]
    practice: bool,
    /// Read the service's token from standard input, where no keyring holds it
    #[arg(long)]
    token_from_stdin: bool,
    /// Leave the job's papers in this folder
    #[arg(long, default_value = "packbench-doctor")]
    out: PathBuf,
}

/// Result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Good,
    Warning,
    Bad,
}

struct Report<W: Write> {
    out: W,
    bad: bool,
}

impl<W: Write> Report<W> {
    fn line(&mut self, verdict: Verdict, what: &str, words: &str, advice: &str) {
        let mark = match verdict {
            Verdict::Good => "ok  ",
            Verdict::Warning => "look",
            Verdict::Bad => "BAD ",
        };
        self.bad |= verdict == Verdict::Bad;
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
pub fn examine(
    runtime: &Handle,
    places: &Places,
    surroundings: &Surroundings,
    orders: &Orders,
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
        Service::of_settings(runtime, &settings, surroundings.keyring, token)
            .map_err(|error| error.to_string())
    });
    runtime.block_on(async {
        the_service(&mut report, service).await;
        printers(&mut report, surroundings).await;
    });
    if orders.practice {
        let out = &orders.out;
        match job::run(runtime, surroundings, out) {
            Ok(papers) => {
                let words = format!(
                    "{} created, printed and booked ({})",
                    papers.number, papers.booking
                );
                report.line(
                    Verdict::Good,
                    "main job",
                    &words,
                    &format!("papers in {}", out.display()),
                );
            }
            Err(error) => report.line(Verdict::Bad, "main job", &error.to_string(), error.advice()),
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

fn window(report: &mut Report<impl Write>, surroundings: &Surroundings) {
    let renderer = match surroundings.graphics {
        Graphics::Gpu => "wgpu, and glow where it finds no graphics processor",
        Graphics::Software => "glow",
    };
    if surroundings.display {
        report.line(
            Verdict::Good,
            "display",
            &format!("there is one; drawn with {renderer}"),
            "",
        );
    } else {
        report.line(
            Verdict::Warning,
            "display",
            "none",
            "log in to a desktop, or set DISPLAY, to open the window",
        );
    }
    if !surroundings.file_dialog {
        report.line(
            Verdict::Warning,
            "file dialog",
            "none",
            "install zenity; until then paths are typed",
        );
    }
}

fn data_folder(report: &mut Report<impl Write>, places: &Places) {
    let place = places.data().display().to_string();
    match Only::take(&places.lock()) {
        Ok(_) => report.line(Verdict::Good, "data folder", &place, ""),
        Err(SecondStart::Running { .. }) => {
            report.line(
                Verdict::Good,
                "data folder",
                &format!("{place}, in use by the open Packbench"),
                "",
            );
        }
        Err(error) => {
            report.line(
                Verdict::Bad,
                "data folder",
                &error.to_string(),
                "make the folder writable, or name another with --data",
            );
        }
    }
}

async fn the_service(report: &mut Report<impl Write>, service: Result<Option<Service>, String>) {
    let service = match service {
        Ok(Some(service)) => service,
        Ok(None) => {
            return report.line(
                Verdict::Good,
                "service",
                "practice: no connection is chosen",
                "",
            );
        }
        Err(words) => {
            return report.line(
                Verdict::Bad,
                "service",
                &words,
                "look at the connection in Settings, or give its token with --token-from-stdin",
            );
        }
    };
    match look_at_service(&service).await {
        Ok(Ok(took)) => {
            let words = format!(
                "{} accepts the token, {} ms",
                service.address,
                took.as_millis()
            );
            report.line(Verdict::Good, "service", &words, "");
        }
        Ok(Err(failure)) => {
            let advice = "check the network, the address and the token";
            report.line(Verdict::Bad, "service", &failure.to_string(), advice);
        }
        Err(error) => report.line(
            Verdict::Bad,
            "service",
            &error.to_string(),
            "correct the connection in the settings",
        ),
    }
}

async fn printers(report: &mut Report<impl Write>, surroundings: &Surroundings) {
    match look_at_printers(surroundings).await {
        Ok(queues) if queues.is_empty() => {
            report.line(
                Verdict::Warning,
                "printers",
                "the print service has no printers",
                "add one, or print to a port 9100",
            );
        }
        Ok(queues) => {
            for queue in queues {
                let verdict = if queue.state.takes_jobs() {
                    Verdict::Good
                } else {
                    Verdict::Warning
                };
                let advice = if verdict == Verdict::Good {
                    ""
                } else {
                    queue.state.advice()
                };
                report.line(
                    verdict,
                    "printer",
                    &format!("{}: {}", queue.name, queue.state.word()),
                    advice,
                );
            }
        }
        Err(error) => report.line(
            Verdict::Warning,
            "printers",
            &error.to_string(),
            error.advice(),
        ),
    }
}
