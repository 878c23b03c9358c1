//! The system's print library (crate `printers`), called in a process of its own.
//!
//! It blocks without limit when the print service hangs, and a thread that blocks cannot be ended; a process can. So each
//! call is a child of our own executable with [`SUBCOMMAND`], one question in, one answer out, killed when it takes too
//! long. Which service the library talks to is `CUPS_SERVER` in the child's environment.

use std::io;
use std::path::Path;
use std::process::{ExitCode, Stdio};
use std::time::Duration;

#[cfg(not(windows))]
use printers::common::base::job::PrinterJobOptions;
use printers::common::base::printer::{Printer, PrinterState};
#[cfg(not(windows))]
use printers::common::converters::Converter;
use serde::{Deserialize, Serialize};
use tokio::process::Command;

use super::frame;
use super::queue::{JobInfo, QueueInfo, QueueState};
use super::service::{PrintService, ServiceError};
#[cfg(windows)]
use super::windows;

/// The hidden argument that makes our executable a print helper.
pub const SUBCOMMAND: &str = "print-helper";

/// What the helper is asked.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Question {
    List,
    /// The jobs of a queue that have this title.
    Find {
        queue: String,
        title: String,
    },
    Print {
        queue: String,
        path: String,
        title: String,
        options: Vec<(String, String)>,
    },
}

/// What it answers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    Queues(Vec<QueueInfo>),
    /// Their numbers.
    Jobs(Vec<u64>),
    /// The queue has the job.
    Taken {
        job: u64,
    },
    /// The library knows no such queue.
    NoSuchQueue,
    /// The library would not; it says no more than that.
    Refused,
}

/// How a job fared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Submitted {
    Taken(u64),
    NoSuchQueue,
    Refused,
    /// The helper ended or hung after it had been asked: the queue may have the job.
    Unknown,
}

impl PrintService {
    /// The queues as the system's own library lists them: the only way on Windows, a cross-check elsewhere. A missing
    /// service looks like one without printers here, which is why [`PrintService::queues`] asks for itself.
    pub async fn queues_of_the_system(&self) -> Result<Vec<QueueInfo>, ServiceError> {
        match self.helped(&Question::List, self.limits.ask).await? {
            Some(Answer::Queues(queues)) => Ok(queues),
            Some(_) => Err(ServiceError::Unreadable),
            None => Err(ServiceError::Hung {
                seconds: self.limits.ask.as_secs(),
            }),
        }
    }

    /// The newest job of that title, done or not: how a job is adopted whose answer was lost. Asked through the library,
    /// since a service tells titles to their owner only, and the library knows whom it prints as.
    pub async fn find_job(
        &self,
        queue: &str,
        title: &str,
    ) -> Result<Option<JobInfo>, ServiceError> {
        // The library cannot tell "no service" from "no job"; this can.
        let known = self.jobs(queue).await?;
        let question = Question::Find {
            queue: queue.into(),
            title: plain(title),
        };
        let found = match self.helped(&question, self.limits.ask).await? {
            Some(Answer::Jobs(found)) => found,
            Some(_) => return Err(ServiceError::Unreadable),
            None => {
                return Err(ServiceError::Hung {
                    seconds: self.limits.ask.as_secs(),
                });
            }
        };
        let newest = known
            .into_iter()
            .rev()
            .find(|job| found.contains(&u64::from(job.id)));
        Ok(newest.map(|job| JobInfo {
            title: title.to_owned(),
            ..job
        }))
    }

    /// Gives a file to a queue.
    pub(super) async fn submit(
        &self,
        queue: &str,
        path: &Path,
        title: &str,
        options: Vec<(String, String)>,
    ) -> Result<Submitted, ServiceError> {
        let path = path.display().to_string();
        let question = Question::Print {
            queue: queue.into(),
            path,
            title: plain(title),
            options,
        };
        Ok(match self.helped(&question, self.limits.submit).await? {
            Some(Answer::Taken { job }) => Submitted::Taken(job),
            Some(Answer::NoSuchQueue) => Submitted::NoSuchQueue,
            Some(Answer::Refused) => Submitted::Refused,
            Some(Answer::Queues(_) | Answer::Jobs(_)) | None => Submitted::Unknown,
        })
    }

    /// Asks a fresh helper; `None` when it did not answer in time, or not at all.
    async fn helped(
        &self,
        question: &Question,
        limit: Duration,
    ) -> Result<Option<Answer>, ServiceError> {
        let mut command = Command::new(&self.program);
        command
            .arg(SUBCOMMAND)
            .env("CUPS_SERVER", self.server.for_cups());
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true);
        let mut child = command.spawn().map_err(|error| ServiceError::NoHelper {
            kind: error.kind().to_string(),
        })?;
        let (Some(mut stdin), Some(mut stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(ServiceError::NoHelper {
                kind: "no pipes".into(),
            });
        };
        let exchange = async {
            frame::send(&mut stdin, question, &[]).await?;
            frame::receive::<Answer>(&mut stdout).await
        };
        let answer = tokio::time::timeout(limit, exchange).await;
        // Answered or not, it has nothing left to do.
        drop(child.kill().await);
        Ok(answer.ok().and_then(Result::ok).map(|(answer, _)| answer))
    }
}

/// Answers one question on standard input, then waits for it to close. `main` calls this for [`SUBCOMMAND`].
pub fn serve_print_helper() -> ExitCode {
    let mut stdin = io::stdin().lock();
    let question = match frame::read::<Question>(&mut stdin) {
        Ok(Some((question, _))) => question,
        Ok(None) => return ExitCode::SUCCESS,
        Err(_) => return ExitCode::FAILURE,
    };
    // The library may never return. Should the bench die meanwhile, its pipe closes, and so does this process.
    let asking = std::thread::Builder::new()
        .name("ask".into())
        .spawn(move || {
            // Nobody is left to be told about a failure.
            drop(frame::write(
                &mut io::stdout().lock(),
                &answer(question),
                &[],
            ));
        });
    if asking.is_err() {
        return ExitCode::FAILURE;
    }
    drop(io::copy(&mut stdin, &mut io::sink()));
    ExitCode::SUCCESS
}

fn answer(question: Question) -> Answer {
    match question {
        Question::List => Answer::Queues(printers::get_printers().iter().map(info).collect()),
        Question::Find { queue, title } => find(&queue, &title),
        Question::Print {
            queue,
            path,
            title,
            options,
        } => print(&queue, &path, &title, &options),
    }
}

/// A title as every print service takes it: one line, not too long.
fn plain(title: &str) -> String {
    title
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(120)
        .collect()
}

/// The library has a kind of data for a document's format there, which the system refuses, and asks for no success.
#[cfg(windows)]
fn print(queue: &str, path: &str, title: &str, options: &[(String, String)]) -> Answer {
    use std::fs;

    if !printers::get_printers()
        .iter()
        .any(|printer| printer.system_name == queue)
    {
        return Answer::NoSuchQueue;
    }
    let option = |key: &str| options.iter().find(|(known, _)| known == key);
    let copies = option("copies").and_then(|(_, copies)| copies.parse().ok());
    let Ok(bytes) = fs::read(path) else {
        return Answer::Refused;
    };
    match windows::print(queue, title, &bytes, copies.unwrap_or(1)) {
        Ok(job) => Answer::Taken { job: job.into() },
        Err(_) => Answer::Refused,
    }
}

#[cfg(not(windows))]
fn print(queue: &str, path: &str, title: &str, options: &[(String, String)]) -> Answer {
    // By its system name: the visible one need not be unique.
    let Some(printer) = printers::get_printers()
        .into_iter()
        .find(|printer| printer.system_name == queue)
    else {
        return Answer::NoSuchQueue;
    };
    let properties: Vec<(&str, &str)> = options
        .iter()
        .map(|(key, value)| (key.as_str(), value.as_str()))
        .collect();
    let options = PrinterJobOptions {
        name: Some(title),
        raw_properties: &properties,
        converter: Converter::None,
    };
    match printer.print_file(path, options) {
        Ok(job) => Answer::Taken { job },
        Err(_) => Answer::Refused,
    }
}

fn find(queue: &str, title: &str) -> Answer {
    let printer = printers::get_printers()
        .into_iter()
        .find(|printer| printer.system_name == queue);
    let jobs = printer
        .map(|printer| printer.get_job_history())
        .unwrap_or_default();
    Answer::Jobs(
        jobs.iter()
            .filter(|job| job.name == title)
            .map(|job| job.id)
            .collect(),
    )
}

fn info(printer: &Printer) -> QueueInfo {
    QueueInfo {
        name: printer.system_name.clone(),
        state: match printer.state {
            PrinterState::READY => QueueState::Ready,
            PrinterState::OFFLINE => QueueState::OutOfReach,
            PrinterState::PAUSED => QueueState::Stopped,
            PrinterState::PRINTING => QueueState::Printing,
            PrinterState::UNKNOWN => QueueState::Unknown,
        },
        message: String::new(),
        waiting_jobs: 0,
        device_uri: printer.uri.clone(),
        make_and_model: printer.driver_name.clone(),
        device_id: String::new(),
        raw: printer.driver_name.to_lowercase().contains("raw"),
        default: is_default(printer),
    }
}

#[cfg(not(windows))]
fn is_default(printer: &Printer) -> bool {
    printer.is_default
}

/// The library compares the first letter of the names only.
#[cfg(windows)]
fn is_default(printer: &Printer) -> bool {
    windows::default_printer().is_some_and(|name| name == printer.system_name)
}
