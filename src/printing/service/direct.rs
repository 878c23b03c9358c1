//! Driverless printers: printers that speak IPP themselves and are queried and given jobs at their own
//! address, without a queue on this computer.
//!
//! The time limits of the print service apply here too. Invariant: a job that was sent but not acknowledged
//! is reported as unknown, never as "not sent".

use ipp::prelude::{DelimiterTag, Operation};

use super::super::print_helper::SubmitResult;
use super::super::queue::QueueInfo;
use super::request::{self, PrintOptions, Target};
use super::{PrintService, ServiceError, http, reply};

/// An action on an unfinished job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobAction {
    /// Removes the job from the queue.
    Cancel,
    /// Releases the job from hold.
    Release,
}

impl PrintService {
    /// Queries a printer at its own `ipp://` address, which also becomes its name.
    pub async fn printer(&self, address: &str) -> Result<QueueInfo, ServiceError> {
        let target = Target::of(address, &self.server).ok_or(ServiceError::Unreadable)?;
        let question = request::get_printer(&target).ok_or(ServiceError::Unreadable)?;
        let response = self.ask(&target.server, &target.path, question).await?;
        let group = response
            .attributes()
            .groups_of(DelimiterTag::PrinterAttributes)
            .next()
            .ok_or(ServiceError::Unreadable)?;
        Ok(reply::printer(group, address))
    }

    /// Sends a document to a printer. An error means that nothing reached the printer.
    pub(in super::super) async fn print_directly(
        &self,
        address: &str,
        title: &str,
        wanted: &PrintOptions<'_>,
        document: &[u8],
    ) -> Result<SubmitResult, ServiceError> {
        let target = Target::of(address, &self.server).ok_or(ServiceError::Unreadable)?;
        let order =
            request::print_job(&target, title, wanted, document).ok_or(ServiceError::Unreadable)?;
        let answer = http::post(&target.server, &target.path, order);
        let Ok(answer) = tokio::time::timeout(self.limits.submit, answer).await else {
            return Ok(SubmitResult::Unknown);
        };
        match answer.and_then(reply::parse) {
            Ok(response) => Ok(reply::jobs(&response)
                .first()
                .map_or(SubmitResult::Unknown, |job| {
                    SubmitResult::Taken(job.id.into())
                })),
            // No connection was made, so the printer has nothing.
            Err(error @ (ServiceError::Missing | ServiceError::Denied)) => Err(error),
            Err(ServiceError::Refused { status }) if status == reply::NOT_FOUND => {
                Ok(SubmitResult::NoSuchQueue)
            }
            Err(ServiceError::Refused { .. }) => Ok(SubmitResult::Refused),
            Err(_) => Ok(SubmitResult::Unknown),
        }
    }

    /// Cancels or releases a job as its owner, at a queue or a printer. Returns whether that succeeded.
    pub async fn act_on_job(
        &self,
        place: &str,
        id: u32,
        action: JobAction,
    ) -> Result<bool, ServiceError> {
        if !place.starts_with("ipp://") {
            return self.act_through_the_library(place, id, action).await;
        }
        let target = Target::of(place, &self.server).ok_or(ServiceError::Unreadable)?;
        let operation = match action {
            JobAction::Cancel => Operation::CancelJob,
            JobAction::Release => Operation::ReleaseJob,
        };
        let order = request::about_job(operation, &target, id).ok_or(ServiceError::Unreadable)?;
        match self.ask(&target.server, &target.path, order).await {
            Ok(_) => Ok(true),
            Err(ServiceError::Refused { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }
}
