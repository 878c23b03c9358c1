//! The baseline: `reqwest` with one connection per request, and a file that is written and synced where
//! safety needs it.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use reqwest::Client;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use tokio::runtime::Runtime;

use crate::journal::order;
use crate::support::practice_service::PracticeService;

/// Synced writes of one create: the intent, the sending, the end.
pub(crate) const SYNCS: usize = 3;

/// As a database writes.
const PAGE: usize = 4_096;

/// The file is there in full from the start, so that a sync has no sizes to keep; it is written round and round.
const PAGES: u64 = 1_000;

pub(crate) struct Bare {
    client: Client,
    url: String,
    file: File,
    page: u64,
    made: usize,
    synced: Duration,
}

/// A client with the same rules for connections as the program's.
pub(crate) fn client(service: &PracticeService) -> Client {
    let mut headers = HeaderMap::new();
    let token = HeaderValue::from_str(&service.token).expect("letters and digits");
    headers.insert("token", token);
    Client::builder()
        .default_headers(headers)
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .http1_only()
        .pool_max_idle_per_host(0)
        .no_proxy()
        .tls_certs_only([])
        .build()
        .expect("a client")
}

impl Bare {
    pub(crate) fn open(folder: &Path, service: &PracticeService) -> io::Result<Self> {
        let client = client(service);
        let file = OpenOptions::new()
            .create(true)
            .truncate(true)
            .write(true)
            .open(folder.join("bare"))?;
        for page in 0..PAGES {
            file.write_all_at(&[0; PAGE], page * PAGE as u64)?;
        }
        file.sync_all()?;
        Ok(Self {
            client,
            url: format!("{}/apiv2/consignments/createConsignment", service.address),
            file,
            page: 0,
            made: 0,
            synced: Duration::ZERO,
        })
    }

    /// Creates so many, one after the other.
    pub(crate) fn create(&mut self, runtime: &Runtime, count: usize) -> io::Result<Duration> {
        let started = Instant::now();
        for _ in 0..count {
            self.made += 1;
            let key = format!("Bare-{:08}", self.made);
            let body = serde_json::to_vec(&order(self.made, &key))?;
            self.sync(&body)?;
            self.sync(b"sending")?;
            let request = self
                .client
                .post(&self.url)
                .header(CONTENT_TYPE, "application/json")
                .body(body);
            let answer = runtime.block_on(async { request.send().await?.bytes().await });
            let answer = answer.map_err(io::Error::other)?;
            let number = b"consignmentNumber";
            let made = answer.windows(number.len()).any(|part| part == number);
            assert!(made, "a consignment");
            self.sync(&answer[..answer.len().min(PAGE)])?;
        }
        Ok(started.elapsed())
    }

    /// How long the synced writes took, in all counted and uncounted turns.
    pub(crate) const fn synced(&self) -> Duration {
        self.synced
    }

    fn sync(&mut self, bytes: &[u8]) -> io::Result<()> {
        let started = Instant::now();
        let mut page = [0; PAGE];
        let length = bytes.len().min(PAGE);
        page[..length].copy_from_slice(&bytes[..length]);
        self.page = (self.page + 1) % PAGES;
        self.file.write_all_at(&page, self.page * PAGE as u64)?;
        self.file.sync_data()?;
        self.synced += started.elapsed();
        Ok(())
    }
}
