//! The script: bare `reqwest`, with the same rules for connections, and a socket to the printer.

use std::io::{self, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::Client;
use serde_json::Value;
use tokio::runtime::Runtime;

use super::Printer;
use crate::journal::bare::client;
use crate::journal::order;
use crate::support::practice_service::PracticeService;

pub(super) struct Script {
    client: Client,
    address: String,
    made: usize,
}

impl Script {
    pub(super) fn open(service: &PracticeService) -> Self {
        Self {
            client: client(service),
            address: service.address.clone(),
            made: 0,
        }
    }

    /// Creates and prints so many, one after the other.
    pub(super) fn turn(
        &mut self,
        runtime: &Runtime,
        printer: &Printer,
        count: usize,
    ) -> io::Result<Duration> {
        let mut left = count;
        let mut outcome = Ok(());
        let time = printer.until(count, || {
            if left == 0 {
                // The printer may still be reading the last job.
                return std::thread::sleep(Duration::from_micros(200));
            }
            left -= 1;
            outcome = runtime.block_on(self.one(printer));
            assert!(outcome.is_ok(), "{outcome:?}");
        });
        outcome.map(|()| time)
    }

    async fn one(&mut self, printer: &Printer) -> io::Result<()> {
        self.made += 1;
        let body = order(self.made, &format!("Script-{:08}", self.made));
        let url = format!("{}/apiv2/consignments/createConsignment", self.address);
        let created = json(self.client.post(url).json(&body)).await?;
        let id = created["object"]["id"].as_i64().expect("an id");
        let url = format!(
            "{}/apiv2/labels/getItemPdfFileInfo?consignmentId={id}&printA4=false",
            self.address
        );
        let label = json(self.client.get(url)).await?;
        let label = label["object"]["content"].as_str().expect("a file");
        let label = STANDARD.decode(label).map_err(io::Error::other)?;
        TcpStream::connect(printer.address)?.write_all(&label)
    }
}

async fn json(request: reqwest::RequestBuilder) -> io::Result<Value> {
    let answer = async { request.send().await?.bytes().await };
    let answer = answer.await.map_err(io::Error::other)?;
    serde_json::from_slice(&answer).map_err(io::Error::other)
}
