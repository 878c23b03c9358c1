//! Calls the system's print library (crate `printers`) in a separate process.
//!
//! The library blocks without limit when the print service hangs. A blocked thread cannot be ended, but a
//! process can. So each call runs our own executable with [`SUBCOMMAND`]: the child gets one question, gives
//! one answer and is killed if it takes too long. The variable `CUPS_SERVER` in the child's environment tells
//! the library which print service to use.

use std::io;
use std::path::Path;
use std::process::{ExitCode, Stdio};
use std::sync::mpsc::Receiver;
use std::time::Duration;

#[cfg(not(windows))]
use printers::common::base::job::PrinterJobOptions;
use printers::common::base::job::PrinterJobState;
use printers::common::base::printer::{Printer, PrinterState};
#[cfg(not(windows))]
use printers::common::converters::Converter;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::process::Command;

use super::frame;
use super::queue::{JobInfo, JobState, QueueInfo, QueueState};
use super::service::{JobAction, PrintService, ServiceError};
#[cfg(windows)]
use super::windows;

/// The hidden command-line argument that turns our executable into a print helper.
pub const SUBCOMMAND: &str = "print-helper";

/// A question to the helper. The comment of each variant describes the JSON answer.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Question {
    /// All queues, as a list of [`QueueInfo`].
    List,
    /// A list of [`JobInfo`].
    Jobs { queue: String },
    /// Whether the action succeeded.
    Act {
        queue: String,
        job: u32,
        action: JobAction,
    },
    /// A [`SubmitResult`].
    Print {
        queue: String,
        path: String,
        title: String,
        options: Vec<(String, String)>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SubmitResult {
    /// The queue accepted the job and gave it this number.
    Taken(u32),
    NoSuchQueue,
    /// The call failed; the library gives no reason.
    Refused,
    /// The helper ended or hung after it got the question, so the queue may have the job.
    Unknown,
}

/// The reason why a helper process gave no answer.
enum NoAnswer {
    /// The process took too long.
    TimedOut,
    /// The process ended.
    Ended,
}

impl PrintService {
    /// Lists the queues through the system's library: this is the only way on Windows, and a cross-check elsewhere.
    /// The library returns an empty list if there is no print service, which is why [`PrintService::queues`] speaks
    /// IPP itself.
    pub async fn queues_of_the_system(&self) -> Result<Vec<QueueInfo>, ServiceError> {
        self.query_helper(&Question::List).await
    }

    /// Lists the jobs through the system's library. This is the only way on Windows, where finished jobs
    /// are not listed.
    pub(super) async fn jobs_of_the_system(
        &self,
        queue: &str,
    ) -> Result<Vec<JobInfo>, ServiceError> {
        let queue = queue.to_owned();
        self.query_helper(&Question::Jobs { queue }).await
    }

    /// Returns the newest job with this title, finished or not. Callers use the result to reconcile a submission
    /// whose answer was lost.
    pub async fn find_job(
        &self,
        queue: &str,
        title: &str,
    ) -> Result<Option<JobInfo>, ServiceError> {
        let title = one_line_title(title);
        let jobs = self.titled_jobs(queue).await?;
        Ok(jobs.into_iter().rev().find(|job| job.title == title))
    }

    /// Lists all jobs that a queue or a printer at its own address still knows, sorted by number. The titles of our
    /// own jobs come from the library: a print service shows titles only to the owner of a job, and the library knows
    /// the user for whom it prints.
    pub async fn titled_jobs(&self, place: &str) -> Result<Vec<JobInfo>, ServiceError> {
        // Ask over IPP first: the library cannot tell "no print service" from "no jobs".
        let mut known = self.jobs(place).await?;
        if place.starts_with("ipp://") || known.is_empty() {
            return Ok(known);
        }
        let titled = self.jobs_of_the_system(place).await?;
        for job in &mut known {
            let same = titled.iter().find(|other| other.id == job.id);
            job.title = same.map(|same| same.title.clone()).unwrap_or_default();
        }
        Ok(known)
    }

    pub(super) async fn submit(
        &self,
        queue: &str,
        path: &Path,
        title: &str,
        options: Vec<(String, String)>,
    ) -> Result<SubmitResult, ServiceError> {
        let question = Question::Print {
            queue: queue.into(),
            path: path.display().to_string(),
            title: one_line_title(title),
            options,
        };
        let answer = self.ask_helper(&question, self.limits.submit).await?;
        Ok(answer.unwrap_or(SubmitResult::Unknown))
    }

    /// Asks a question about queues or jobs within the usual time limit.
    pub(super) async fn query_helper<T: DeserializeOwned>(
        &self,
        question: &Question,
    ) -> Result<T, ServiceError> {
        match self.ask_helper(question, self.limits.ask).await? {
            Ok(answer) => Ok(answer),
            Err(NoAnswer::TimedOut) => Err(self.hung()),
            Err(NoAnswer::Ended) => Err(ServiceError::Crashed),
        }
    }

    /// Asks a new helper process.
    async fn ask_helper<T: DeserializeOwned>(
        &self,
        question: &Question,
        limit: Duration,
    ) -> Result<Result<T, NoAnswer>, ServiceError> {
        let mut command = Command::new(&self.program);
        command
            .arg(SUBCOMMAND)
            .env("CUPS_SERVER", self.server.for_cups())
            .stderr(Stdio::null());
        let started = frame::start_child(&mut command);
        let (mut child, mut stdin, mut stdout) =
            started.map_err(|kind| ServiceError::NoHelper { kind })?;
        let exchange = async {
            frame::send(&mut stdin, question, &[]).await?;
            frame::receive::<T>(&mut stdout).await
        };
        let exchanged = tokio::time::timeout(limit, exchange).await;
        // The helper is not needed any more, with or without an answer.
        drop(child.kill().await);
        Ok(match exchanged {
            Ok(Ok((answer, _))) => Ok(answer),
            Ok(Err(_ended)) => Err(NoAnswer::Ended),
            Err(_elapsed) => Err(NoAnswer::TimedOut),
        })
    }
}

/// Answers questions from standard input until standard input closes. `main` calls this for [`SUBCOMMAND`].
pub fn serve_print_helper() -> ExitCode {
    frame::serve(|questions: Receiver<(Question, Vec<u8>)>| {
        for (question, _) in questions {
            // If writing fails, the parent process has exited, so there is nobody to report the error to.
            drop(frame::write(
                &mut io::stdout().lock(),
                &answer(question),
                &[],
            ));
        }
    })
}

fn answer(question: Question) -> Value {
    match question {
        Question::List => json!(
            printers::get_printers()
                .iter()
                .map(info)
                .collect::<Vec<_>>()
        ),
        Question::Jobs { queue } => json!(jobs(&queue)),
        Question::Act { queue, job, action } => json!(act(&queue, job, action)),
        Question::Print {
            queue,
            path,
            title,
            options,
        } => json!(print(&queue, &path, &title, &options)),
    }
}

/// Reduces a title to one line of at most 120 characters, which every print service accepts.
fn one_line_title(title: &str) -> String {
    let visible = |c: char| if c.is_control() { ' ' } else { c };
    title.chars().map(visible).take(120).collect()
}

/// Prints through our own Windows code. The library would use the document's MIME type as the spooler's data type,
/// which Windows refuses, and does not check whether writing succeeded.
#[cfg(windows)]
fn print(queue: &str, path: &str, title: &str, options: &[(String, String)]) -> SubmitResult {
    if queue_called(queue).is_none() {
        return SubmitResult::NoSuchQueue;
    }
    let option = |key: &str| options.iter().find(|(known, _)| known == key);
    let copies = option("copies").and_then(|(_, copies)| copies.parse().ok());
    let Ok(bytes) = std::fs::read(path) else {
        return SubmitResult::Refused;
    };
    let printed = windows::print(queue, title, &bytes, copies.unwrap_or(1));
    printed.map_or(SubmitResult::Refused, SubmitResult::Taken)
}

#[cfg(not(windows))]
fn print(queue: &str, path: &str, title: &str, options: &[(String, String)]) -> SubmitResult {
    let Some(printer) = queue_called(queue) else {
        return SubmitResult::NoSuchQueue;
    };
    let pairs = options.iter();
    let properties: Vec<(&str, &str)> = pairs.map(|(key, value)| (&**key, &**value)).collect();
    let options = PrinterJobOptions {
        name: Some(title),
        raw_properties: &properties,
        converter: Converter::None,
    };
    // A job whose number does not fit into 32 bits is queued nevertheless. In practice no print service counts that
    // far.
    let number = |job| u32::try_from(job).map_or(SubmitResult::Unknown, SubmitResult::Taken);
    printer
        .print_file(path, options)
        .map_or(SubmitResult::Refused, number)
}

/// Finds a queue by its system name, since the visible name need not be unique.
fn queue_called(name: &str) -> Option<Printer> {
    let mut printers = printers::get_printers().into_iter();
    printers.find(|printer| printer.system_name == name)
}

fn jobs(queue: &str) -> Vec<JobInfo> {
    let jobs = queue_called(queue).map(|printer| printer.get_job_history());
    let known = jobs.into_iter().flatten().filter_map(|job| {
        let state = match job.state {
            PrinterJobState::PENDING => JobState::Waiting,
            PrinterJobState::PAUSED => JobState::Held,
            PrinterJobState::PROCESSING => JobState::Printing,
            PrinterJobState::CANCELLED => JobState::Cancelled,
            PrinterJobState::COMPLETED => JobState::HandedOver,
            PrinterJobState::UNKNOWN => JobState::Unknown,
        };
        Some(JobInfo {
            id: job.id.try_into().ok()?,
            title: job.name,
            state,
            message: String::new(),
            has_started: !matches!(state, JobState::Waiting | JobState::Held),
            created_at: None,
            owner: String::new(),
        })
    });
    known.collect()
}

fn act(queue: &str, job: u32, action: JobAction) -> bool {
    queue_called(queue).is_some_and(|printer| {
        let done = match action {
            JobAction::Cancel => printer.cancel_job(job.into()),
            JobAction::Release => printer.resume_job(job.into()),
        };
        done.is_ok()
    })
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
        device_uri: printer.uri.clone(),
        make_and_model: printer.driver_name.clone(),
        raw: printer.driver_name.to_lowercase().contains("raw"),
        ..QueueInfo::default()
    }
}
