//! A misbehaving service: a proxy between the bench and the practice service, or a server in place of it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::Builder;
use std::time::Duration;

/// What becomes of a request whose path contains some text.
#[derive(Debug, Clone)]
pub(crate) enum Fault {
    /// It goes through, and its answer is thrown away.
    LoseAnswer,
    /// It goes through, and its answer comes back but for the last byte.
    KeepLastByte,
    /// It never arrives; the connection ends.
    LoseRequest,
    /// This comes back instead: status line and headers, blank line, body.
    Answer(String),
    /// It arrives and nothing comes back for this long.
    Silence(Duration),
    /// It goes through, and this is done to the JSON of its answer.
    Change(fn(&mut serde_json::Value)),
    /// These bytes come back instead, whatever they are.
    Bytes(Arc<[u8]>, Then),
}

/// What follows the bytes of an answer.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Then {
    /// The end of the connection.
    Close,
    /// Nothing, for this long.
    Hang(Duration),
    /// The same byte again and again, so many mebibytes of it.
    Repeat(u8, usize),
    /// One byte each so often, for as long as somebody listens.
    Drip(u8, Duration),
}

type Faults = Arc<Mutex<Vec<(String, Fault)>>>;
type Witness = Arc<Mutex<Option<Box<dyn FnMut(&str) + Send>>>>;

/// The misbehaving service.
pub(crate) struct Wire {
    address: SocketAddr,
    faults: Faults,
    seen: Arc<Mutex<Vec<Seen>>>,
    witness: Witness,
}

/// A request that came in.
struct Seen {
    line: String,
    /// Its headers, as they were sent.
    head: String,
    body: Vec<u8>,
}

impl Wire {
    /// Stands before `behind`; passes everything on until it is told otherwise.
    pub(crate) fn before(behind: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its number");
        let (faults, seen, witness) = (
            Faults::default(),
            Arc::<Mutex<Vec<Seen>>>::default(),
            Witness::default(),
        );
        let shared = (Arc::clone(&faults), Arc::clone(&seen), Arc::clone(&witness));
        let serve = move || {
            for stream in listener.incoming().flatten() {
                let (faults, seen, witness) = shared.clone();
                let one = move || one_request(stream, behind, &faults, &seen, &witness);
                Builder::new()
                    .name("wire".to_owned())
                    .spawn(one)
                    .expect("a thread");
            }
        };
        Builder::new()
            .name("wire".to_owned())
            .spawn(serve)
            .expect("a thread");
        Self {
            address,
            faults,
            seen,
            witness,
        }
    }

    /// In nobody's place: every request is answered by `fault`.
    pub(crate) fn alone(fault: Fault) -> Self {
        let wire = Self::before(SocketAddr::from(([127, 0, 0, 1], 9)));
        wire.fail("/", fault);
        wire
    }

    pub(crate) fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// From now on, requests whose path contains `path` meet `fault`.
    pub(crate) fn fail(&self, path: &str, fault: Fault) {
        self.faults
            .lock()
            .expect("nobody panicked")
            .push((path.to_owned(), fault));
    }

    /// From now on, everything passes.
    pub(crate) fn heal(&self) {
        self.faults.lock().expect("nobody panicked").clear();
    }

    /// Everything passes, and what came in is forgotten.
    pub(crate) fn forget(&self) {
        self.heal();
        self.seen.lock().expect("nobody panicked").clear();
    }

    /// What came in with requests whose path contains `path`.
    pub(crate) fn bodies(&self, path: &str) -> Vec<serde_json::Value> {
        let seen = self.seen.lock().expect("nobody panicked");
        let those = seen.iter().filter(|seen| seen.line.contains(path));
        those
            .map(|seen| serde_json::from_slice(&seen.body).expect("JSON"))
            .collect()
    }

    /// The headers of requests whose path contains `path`, in small letters.
    pub(crate) fn heads(&self, path: &str) -> Vec<String> {
        let seen = self.seen.lock().expect("nobody panicked");
        let those = seen.iter().filter(|seen| seen.line.contains(path));
        those.map(|seen| seen.head.to_ascii_lowercase()).collect()
    }

    /// How many requests whose path contains `path` came in.
    pub(crate) fn count(&self, path: &str) -> usize {
        self.seen
            .lock()
            .expect("nobody panicked")
            .iter()
            .filter(|seen| seen.line.contains(path))
            .count()
    }

    /// The JSON body of the last request.
    pub(crate) fn last_body(&self) -> serde_json::Value {
        let seen = self.seen.lock().expect("nobody panicked");
        let body = &seen.last().expect("a request").body;
        serde_json::from_slice(body).expect("JSON")
    }

    /// Passes each request's first line to `witness` before the request is handled.
    pub(crate) fn watch(&self, witness: impl FnMut(&str) + Send + 'static) {
        *self.witness.lock().expect("nobody panicked") = Some(Box::new(witness));
    }
}

/// An answer with this status and body.
pub(crate) fn answer(status: &str, content_type: &str, body: &str) -> Fault {
    let length = body.len();
    Fault::Answer(format!(
        "HTTP/1.1 {status}\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    ))
}

fn one_request(
    mut stream: TcpStream,
    behind: SocketAddr,
    faults: &Faults,
    seen: &Mutex<Vec<Seen>>,
    witness: &Witness,
) {
    let Some((line, request, body)) = read_request(&stream) else {
        return;
    };
    let head = String::from_utf8_lossy(&request[..request.len() - body.len()]).into_owned();
    seen.lock().expect("nobody panicked").push(Seen {
        line: line.clone(),
        head,
        body,
    });
    if let Some(witness) = witness.lock().expect("nobody panicked").as_mut() {
        witness(&line);
    }
    let fault = faults
        .lock()
        .expect("nobody panicked")
        .iter()
        .find(|(path, _)| line.contains(path))
        .cloned();
    // The bench may have given up meanwhile; that is its business.
    let _ = match fault.map(|(_, fault)| fault) {
        None => stream.write_all(&pass_on(&request, behind)),
        Some(Fault::LoseAnswer) => {
            pass_on(&request, behind);
            Ok(())
        }
        Some(Fault::KeepLastByte) => {
            let answer = pass_on(&request, behind);
            stream.write_all(
                answer
                    .get(..answer.len().saturating_sub(1))
                    .unwrap_or(&answer),
            )
        }
        Some(Fault::Change(change)) => {
            stream.write_all(&changed(&pass_on(&request, behind), change))
        }
        Some(Fault::LoseRequest) => Ok(()),
        Some(Fault::Answer(answer)) => stream.write_all(answer.as_bytes()),
        Some(Fault::Bytes(bytes, then)) => stream
            .write_all(&bytes)
            .and_then(|()| follow(&mut stream, then)),
        Some(Fault::Silence(time)) => {
            std::thread::sleep(time);
            Ok(())
        }
    };
}

fn changed(answer: &[u8], change: fn(&mut serde_json::Value)) -> Vec<u8> {
    let text = String::from_utf8_lossy(answer);
    let Some((_, body)) = text.split_once("\r\n\r\n") else {
        return answer.to_vec();
    };
    let Ok(mut value) = serde_json::from_str(body) else {
        return answer.to_vec();
    };
    change(&mut value);
    match self::answer("200 OK", "application/json", &value.to_string()) {
        Fault::Answer(answer) => answer.into_bytes(),
        _ => Vec::new(),
    }
}

fn follow(stream: &mut TcpStream, then: Then) -> std::io::Result<()> {
    match then {
        Then::Close => {}
        Then::Hang(time) => std::thread::sleep(time),
        Then::Repeat(byte, mebibytes) => {
            let kibibyte = [byte; 1024];
            for _ in 0..mebibytes * 1024 {
                stream.write_all(&kibibyte)?;
            }
        }
        Then::Drip(byte, pause) => loop {
            stream.write_all(&[byte])?;
            std::thread::sleep(pause);
        },
    }
    Ok(())
}

/// The first line, the whole request rewritten to end its connection, and its body alone.
fn read_request(stream: &TcpStream) -> Option<(String, Vec<u8>, Vec<u8>)> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let (mut head, mut length) = (line.clone(), 0);
    loop {
        let mut header = String::new();
        reader
            .read_line(&mut header)
            .ok()
            .filter(|read| *read > 0)?;
        if header == "\r\n" {
            break;
        }
        let lower = header.to_ascii_lowercase();
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if !lower.starts_with("connection:") {
            head.push_str(&header);
        }
    }
    head.push_str("connection: close\r\n\r\n");
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((
        line.trim_end().to_owned(),
        [head.as_bytes(), &body].concat(),
        body,
    ))
}

fn pass_on(request: &[u8], behind: SocketAddr) -> Vec<u8> {
    let mut answer = Vec::new();
    if let Ok(mut service) = TcpStream::connect(behind)
        && service.write_all(request).is_ok()
    {
        // What came before the end is the answer.
        let _ = service.read_to_end(&mut answer);
    }
    answer
}

/// The address of a port that was free a moment ago: nobody listens there.
pub(crate) fn nobody() -> String {
    let port = TcpListener::bind("127.0.0.1:0").expect("a port");
    format!("http://{}", port.local_addr().expect("its number"))
}
