//! The baseline: fetches the same pages with bare `reqwest` and discards each once it is complete. As in our
//! sync, each page but the first begins ten rows before the end of the last one, so that a row that moves
//! between two pages is not missed.

use std::io;
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;

use crate::support::practice_service::PracticeService;
use crate::sync::records;

const PAGE: usize = 200;
const OVERLAP: usize = 10;

/// Fetches all pages, one after the other.
pub(crate) fn fetch(
    runtime: &Runtime,
    service: &PracticeService,
    rows: usize,
) -> io::Result<Duration> {
    // A second installation is refused, and the first is as good.
    let _already = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().build();
    let client = client.map_err(io::Error::other)?;
    let from = records::furthest();
    let started = Instant::now();
    runtime.block_on(async {
        for start in (1..=rows).step_by(PAGE - OVERLAP) {
            let url = format!(
                "{}/apiv2/consignments/getRecentlyCreatedOrUpdatedConsignments?fromDateUtc={from}&startIndex={start}\
                 &retrieveSize={PAGE}&companyId=1&includeChildCompanies=true",
                service.address
            );
            let request = client.get(url).header("token", &service.token);
            let answer = request.send().await.map_err(io::Error::other)?;
            let body = answer.bytes().await.map_err(io::Error::other)?;
            assert!(body.len() > PAGE * 100, "a page full of rows");
        }
        Ok(started.elapsed())
    })
}
