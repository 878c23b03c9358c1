//! Checks of the service and the print service for `doctor`, which has no window and waits for the answers.

use std::time::Duration;

use tokio::time::Instant;

use super::open_service::print_service;
use super::service::Service;
use super::start::StartError;
use crate::config::SystemInfo;
use client::{Client, Failure};
use printing::queue::QueueInfo;
use printing::service::ServiceError;

/// Pings the service with the token, and returns how long the answer took.
pub async fn ping_service(service: &Service) -> Result<Result<Duration, Failure>, StartError> {
    let client = Client::new(&service.connection()?)?;
    let asked = Instant::now();
    Ok(client.ping().await.map(|_accepted| asked.elapsed()))
}

/// Lists the queues of the computer's print service.
pub async fn list_printers(surroundings: &SystemInfo) -> Result<Vec<QueueInfo>, ServiceError> {
    print_service(surroundings).queues().await
}
