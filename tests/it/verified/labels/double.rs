//! Printers that handle connections in unusual ways.

use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use tokio::io::AsyncReadExt as _;
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

/// What a printer double does with a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    NeverReads,
    StopsAfter(usize),
    ResetsAfter(usize),
    ClosesAtOnce,
    /// Reads to the end and never closes.
    StaysOpen,
}

/// A printer with a buffer as small as a print server's, which counts what it took of each connection.
pub(super) struct Double {
    pub(super) port: u16,
    taken: Arc<Mutex<Vec<Vec<u8>>>>,
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Double {
    pub(super) fn start(manner: Manner) -> Self {
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

    pub(super) fn taken(&self) -> Vec<Vec<u8>> {
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
