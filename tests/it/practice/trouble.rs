//! Fault injection in the practice service: each fault has exactly its documented effect on the wire, and
//! affects no other call.

mod answers;
mod connections;
mod control;
mod counting;
mod lag;
mod late;

use std::io::ErrorKind;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::support::practice::Bench;
use crate::support::wait::SOON;

const COMPANIES: &str = "/apiv2/companies/getAll";
const UNMANIFESTED: &str = "/apiv2/consignments/getUnmanifested";

/// All that came before a connection ended.
#[derive(Debug)]
struct Came {
    bytes: Vec<u8>,
    /// By a TCP reset.
    reset: bool,
}

impl Came {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    fn head(&self) -> String {
        let text = self.text();
        text.split_once("\r\n\r\n").expect("a head").0.to_owned()
    }

    fn status(&self) -> u16 {
        let text = self.text();
        let status = text.split(' ').nth(1).expect("a status");
        status.parse().expect("a number")
    }

    /// A header's value; nothing where it is not there.
    fn header(&self, name: &str) -> Option<String> {
        let head = self.head();
        let mut lines = head.lines().filter_map(|line| line.split_once(": "));
        lines
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.to_owned())
    }

    fn body(&self) -> &[u8] {
        let blank = b"\r\n\r\n";
        let end = self
            .bytes
            .windows(blank.len())
            .position(|four| four == blank);
        &self.bytes[end.expect("a head") + blank.len()..]
    }

    fn json(&self) -> Value {
        serde_json::from_slice(self.body()).expect("JSON")
    }
}

/// Writes a request that ends its connection; the connection, for what comes.
async fn asked(bench: &Bench, method: &str, path: &str, body: &str) -> TcpStream {
    let address = bench.service.address();
    let (token, length) = (bench.service.token(), body.len());
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\ntoken: {token}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    stream
        .write_all(request.as_bytes())
        .await
        .expect("it reads");
    stream
}

/// Reads until the connection ends.
async fn came(mut stream: TcpStream) -> Came {
    let mut bytes = Vec::new();
    let ended = timeout(SOON, stream.read_to_end(&mut bytes)).await;
    let reset = match ended.expect("an end") {
        Ok(_) => false,
        Err(error) if error.kind() == ErrorKind::ConnectionReset => true,
        Err(error) => panic!("{error}"),
    };
    Came { bytes, reset }
}

async fn call(bench: &Bench, method: &str, path: &str, body: &str) -> Came {
    came(asked(bench, method, path, body).await).await
}

async fn get(bench: &Bench, path: &str) -> Came {
    call(bench, "GET", path, "").await
}

async fn post(bench: &Bench, path: &str, body: &Value) -> Came {
    call(bench, "POST", path, &body.to_string()).await
}

/// How many consignments there are.
async fn made(bench: &Bench) -> usize {
    let rows = bench.fetched(UNMANIFESTED).await;
    rows.as_array().expect("rows").len()
}

/// Asks until `probe` answers.
async fn until<T>(what: &str, mut probe: impl AsyncFnMut() -> Option<T>) -> T {
    let asked = async {
        loop {
            if let Some(answer) = probe().await {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let answer = timeout(SOON, asked).await;
    answer.unwrap_or_else(|_| panic!("after {SOON:?} still not: {what}"))
}

/// A create that can be told from others.
fn order_of(reference: &str) -> Value {
    let order = crate::support::practice::order();
    crate::support::practice::with(order, json!({ "customerReference": reference }))
}
