//! Printers that take a connection and not the whole label.

use std::num::NonZeroU8;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use packbench::printing::job::{Handed, Payload, SendError, send};
use packbench::printing::page::Pages;
use packbench::printing::profile::{Destination, Language};
use packbench::printing::service::{Limits, PrintService, Server};
use packbench::state::{BatchStage, JobState, LabelState, LabelsCommand};
use tokio::io::AsyncReadExt as _;
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use crate::print::batch::{ended, ids, set_up, stored};
use crate::support::desk::Home;

/// What a printer double does with a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    NeverReads,
    StopsAfter(usize),
    ResetsAfter(usize),
    ClosesAtOnce,
    /// Reads to the end and never closes.
    StaysOpen,
}

/// A printer with a buffer as small as a print server's, which counts what it took of each connection.
struct Double {
    port: u16,
    taken: Arc<Mutex<Vec<Vec<u8>>>>,
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Double {
    fn start(manner: Manner) -> Self {
        let taken = Arc::new(Mutex::new(Vec::new()));
        let (end, ended) = oneshot::channel();
        let (tell, told) = std::sync::mpsc::sync_channel(1);
        let kept = Arc::clone(&taken);
        let serve = move || {
            let runtime = tokio::runtime::Builder::new_current_thread();
            let runtime = { runtime }.enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let socket = TcpSocket::new_v4().expect("a socket");
                socket.set_recv_buffer_size(1_024).expect("a small buffer");
                socket
                    .bind("127.0.0.1:0".parse().expect("an address"))
                    .expect("a port");
                let listener = socket.listen(256).expect("it listens");
                let port = listener.local_addr().expect("an address").port();
                tell.send(port).expect("the test waits for it");
                let serve = async {
                    let mut open = JoinSet::new();
                    while let Ok((stream, _)) = listener.accept().await {
                        open.spawn(treat(stream, manner, Arc::clone(&kept)));
                    }
                };
                tokio::select! {
                    () = serve => {}
                    _ = ended => {}
                }
            });
        };
        let thread = std::thread::Builder::new().name("printer double".into());
        let thread = thread.spawn(serve).expect("a thread");
        Self {
            port: told.recv().expect("it started"),
            taken,
            end: Some(end),
            thread: Some(thread),
        }
    }

    fn taken(&self) -> Vec<Vec<u8>> {
        self.taken.lock().expect("nobody panicked").clone()
    }
}

impl Drop for Double {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

async fn treat(mut stream: TcpStream, manner: Manner, taken: Arc<Mutex<Vec<Vec<u8>>>>) {
    let at = {
        let mut taken = taken.lock().expect("nobody panicked");
        taken.push(Vec::new());
        taken.len() - 1
    };
    let most = match manner {
        Manner::NeverReads | Manner::ClosesAtOnce => 0,
        Manner::StopsAfter(bytes) | Manner::ResetsAfter(bytes) => bytes,
        Manner::StaysOpen => usize::MAX,
    };
    let (mut count, mut piece) = (0, [0; 512]);
    while count < most {
        let room = piece.len().min(most - count);
        match stream.read(&mut piece[..room]).await {
            Ok(0) | Err(_) => break,
            Ok(read) => {
                count += read;
                taken.lock().expect("nobody panicked")[at].extend_from_slice(&piece[..read]);
            }
        }
    }
    match manner {
        Manner::ClosesAtOnce => {}
        Manner::ResetsAfter(_) => stream.set_zero_linger().expect("a connection"),
        // The connection stays open until the double ends.
        _ => std::future::pending().await,
    }
}

fn payload(bytes: &[u8]) -> Payload {
    Payload {
        language: Language::Zpl,
        bytes: Arc::from(bytes),
        copies: NonZeroU8::MIN,
        pages: Pages::All,
        page_ends: Vec::new(),
    }
}

async fn deliver(payload: &Payload, port: u16) -> Result<Handed, SendError> {
    let limits = Limits {
        port: Duration::from_secs(1),
        ..Limits::default()
    };
    let program = PathBuf::from(env!("CARGO_BIN_EXE_packbench"));
    let nowhere = Server::Local("/nonexistent/cups.sock".into());
    let service = PrintService::with_limits(program, nowhere, limits);
    let to = Destination::Socket {
        host: "127.0.0.1".to_owned(),
        port,
    };
    send(
        &service,
        payload,
        &to,
        "MS1 Bench-1",
        Path::new("/nonexistent"),
    )
    .await
}

/// As long as the label that was called sent after 2,048 of its bytes.
fn label() -> Vec<u8> {
    (0..11_013_u32).map(|at| at.to_le_bytes()[0]).collect()
}

/// Sends the label so often at the same time; answers what was said of each.
async fn rounds(count: usize, port: u16) -> Vec<Result<Handed, SendError>> {
    let payload = payload(&label());
    let mut sending = JoinSet::new();
    for _ in 0..count {
        let payload = payload.clone();
        sending.spawn(async move { deliver(&payload, port).await });
    }
    sending.join_all().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn n9_nothing_is_called_sent_that_the_printer_did_not_get_whole() {
    for manner in [
        Manner::NeverReads,
        Manner::StopsAfter(2_048),
        Manner::ResetsAfter(5_500),
        Manner::ClosesAtOnce,
    ] {
        let double = Double::start(manner);
        let said = rounds(50, double.port).await;
        assert!(double.taken().iter().all(|bytes| bytes.len() < 11_013));
        for said in said {
            let error = said.expect_err("it was called sent");
            assert!(
                !error.nothing_sent(),
                "{manner:?}: part of it may be out: {error}"
            );
            let advice = error.advice();
            assert!(
                advice.contains("part of the label may have come out"),
                "{advice}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn n9_a_printer_that_never_closes_has_the_label_once_it_acknowledged_every_byte() {
    let double = Double::start(Manner::StaysOpen);
    for said in rounds(20, double.port).await {
        assert_eq!(said.expect("it took the label").words, "Sent to printer");
    }
    let taken = double.taken();
    assert!(taken.len() == 20 && taken.iter().all(|bytes| *bytes == label()));
}

#[test]
fn n9_after_a_broken_connection_the_batch_halts_and_card_row_and_notice_say_the_same() {
    let home = Home::new();
    let double = Double::start(Manner::ResetsAfter(3_000));
    let ids = ids(3);
    stored(&home.places.journal("practice"), &ids);
    let practice = home.practise();
    let mut desk = home.open(&Home::service(practice.base_url(), practice.token()));
    set_up(&mut desk, double.port);
    desk.core.push(LabelsCommand::Print(ids.clone()).into());
    let batch = ended(&mut desk).expect("a question");
    let BatchStage::Halted(said) = &batch.stage else {
        panic!("{batch:?}");
    };
    assert!(
        said.contains("part of the label may have come out"),
        "{said}"
    );
    assert_eq!((batch.sent, batch.rest.len()), (0, 2));
    let shared = &desk.core.shared;
    let LabelState::Ask(row) = shared.label_state(ids[0]) else {
        panic!("{:?}", shared.label_state(ids[0]));
    };
    assert_eq!(row, said);
    assert_eq!(shared.jobs[0].state, JobState::Ask);
    assert_eq!(batch.failed[0].words, *said);
    let notice = { shared.notices.iter() }
        .find(|(_, notice)| notice.headline.contains("may have come out"))
        .map(|(_, notice)| notice.headline.clone());
    assert_eq!(
        notice.as_deref(),
        Some("2 labels not printed, 1 may have come out: look at the printer"),
        "{:?}",
        shared.notices
    );
    assert_eq!(double.taken().len(), 1, "nothing more was sent");
}
