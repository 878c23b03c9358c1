//! Paged lists: when each page is requested, and what happens to one that was requested too far ahead.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::Builder;

use client::{Client, Connection, RecentUpdates};
use serde_json::{Value, json};

/// What happened to the page that starts there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Event {
    Asked(usize),
    Answered(usize),
}

/// A list of a hundred rows that comes forty at the most at once; `short` is a page of twenty.
pub(crate) struct List {
    pub(crate) address: SocketAddr,
    events: Arc<Mutex<Vec<Event>>>,
}

const ROWS: usize = 100;

impl List {
    fn start(short: Option<usize>) -> Self {
        Self::of(
            short,
            |id| json!({ "id": id, "consignmentNumber": format!("MS{id}") }),
        )
    }

    /// A list of such rows.
    pub(crate) fn of(short: Option<usize>, row: fn(usize) -> Value) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its number");
        let events: Arc<Mutex<Vec<Event>>> = Arc::default();
        let told = Arc::clone(&events);
        let list = move || {
            for stream in listener.incoming().flatten() {
                let told = Arc::clone(&told);
                begin(move || {
                    // A client that is gone wants no answer.
                    let _answered = serve(&stream, (short, row), &told);
                });
            }
        };
        begin(list);
        Self { address, events }
    }

    fn asked(&self) -> Vec<usize> {
        let events = self.events.lock().expect("nobody panicked");
        let asked = events.iter().filter_map(|event| match event {
            Event::Asked(start) => Some(*start),
            Event::Answered(_) => None,
        });
        asked.collect()
    }
}

fn begin(work: impl FnOnce() + Send + 'static) {
    let thread = Builder::new().name("list".to_owned());
    thread.spawn(work).expect("a thread");
}

fn serve(
    mut stream: &TcpStream,
    (short, row): (Option<usize>, fn(usize) -> Value),
    told: &Mutex<Vec<Event>>,
) -> Option<()> {
    let mut lines = BufReader::new(stream).lines();
    let line = lines.next()?.ok()?;
    while !lines.next()?.ok()?.is_empty() {}
    let (_, start) = line.split_once("startIndex=")?;
    let digits = start.split(|c: char| !c.is_ascii_digit()).next()?;
    let start: usize = digits.parse().ok()?;
    let note = |event| told.lock().expect("nobody panicked").push(event);
    note(Event::Asked(start));
    let most = if short == Some(start) { 20 } else { 40 };
    let rows: Vec<_> = (start..=ROWS).take(most).map(row).collect();
    let body = json!({ "object": rows, "errors": null, "totalItems": ROWS }).to_string();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    note(Event::Answered(start));
    stream.write_all((head + &body).as_bytes()).ok()
}

async fn read(list: &List) -> Vec<i64> {
    let address = format!("http://{}", list.address);
    let connection = Connection::new(&address, "token".into()).expect("an address");
    let client = Client::new(&connection).expect("a client");
    let since = RecentUpdates::since("2026-11-19T00:00:00Z".parse().expect("a moment"));
    let rows = client.recently_updated(&since).await.expect("all rows");
    rows.iter().map(|row| row.id.get()).collect()
}

fn all() -> Vec<i64> {
    (1..=100).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_page_is_asked_for_before_the_one_before_it_has_come() {
    let list = List::start(None);
    assert_eq!(read(&list).await, all());
    // Each begins two rows before the end of the last one; none is asked for behind the end.
    let starts = [1, 39, 77];
    let in_turn = starts.map(|start| [Event::Asked(start), Event::Answered(start)]);
    assert_eq!(*list.events.lock().unwrap(), in_turn.concat());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_was_asked_for_too_far_on_counts_for_nothing() {
    let list = List::start(Some(39));
    assert_eq!(read(&list).await, all());
    let asked = list.asked();
    for start in [58, 96] {
        assert!(asked.contains(&start), "{asked:?}");
    }
}
