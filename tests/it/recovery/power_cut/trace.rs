//! Parses the output of `strace` into changes of the journal's files, in order.

use std::collections::HashMap;
use std::path::Path;

use super::life::CONFIRMED;

/// Everything that changes a file, or says that it lasts.
pub(super) const CALLS: &str =
    "openat,close,write,pwrite64,lseek,ftruncate,fsync,fdatasync,unlink,rename";

/// Something that happened.
#[derive(Debug, Clone)]
pub(super) enum Event {
    /// A file is there, empty if it was not before.
    Create(String),
    /// Bytes were written to a file.
    Write {
        file: String,
        at: usize,
        bytes: Vec<u8>,
    },
    /// It was cut, or grown with zeros, to this length.
    Truncate(String, usize),
    /// What was written to it lasts.
    Sync(String),
    /// It is gone.
    Remove(String),
    /// The life was told that this is so.
    Confirmed(String),
}

impl Event {
    pub(super) fn confirmed(&self) -> Option<&str> {
        match self {
            Self::Confirmed(state) => Some(state),
            _ => None,
        }
    }
}

/// The events of a log that concern files directly in `home`, and what was confirmed.
pub(super) fn read(log: &str, home: &Path) -> Vec<Event> {
    let mut reader = Reader {
        home: format!("{}/", home.display()),
        open: HashMap::new(),
        events: Vec::new(),
        unfinished: HashMap::new(),
    };
    for line in log.lines() {
        reader.line(line);
    }
    reader.events
}

struct Reader {
    home: String,
    /// Files by their descriptor, with where the next plain write goes.
    open: HashMap<String, (String, usize)>,
    events: Vec<Event>,
    /// Calls that another thread's came between, by thread.
    unfinished: HashMap<String, String>,
}

impl Reader {
    /// `12345 pwrite64(3, "\x53\x51", 2, 0) = 2`
    fn line(&mut self, line: &str) {
        let Some((thread, call)) = line.split_once(' ') else {
            return;
        };
        let call = call.trim_start();
        if let Some(begun) = call.strip_suffix(" <unfinished ...>") {
            self.unfinished.insert(thread.to_owned(), begun.to_owned());
            return;
        }
        let whole = match call.strip_prefix("<... ") {
            Some(resumed) => {
                let begun = self.unfinished.remove(thread).unwrap_or_default();
                let rest = resumed.split_once(" resumed>").map_or("", |(_, rest)| rest);
                format!("{begun}{rest}")
            }
            None => call.to_owned(),
        };
        let Some((name, rest)) = whole.split_once('(') else {
            return;
        };
        let Some((arguments, result)) = rest.rsplit_once(" = ") else {
            return;
        };
        let result = result.split_whitespace().next().unwrap_or("-1");
        if !result.starts_with('-') {
            let arguments = arguments.trim_end().trim_end_matches(')');
            let arguments: Vec<_> = arguments.split(", ").collect();
            self.call(name, &arguments, result);
        }
    }

    fn call(&mut self, name: &str, arguments: &[&str], result: &str) {
        let first = arguments.first().copied().unwrap_or_default();
        match name {
            "openat" => self.opened(arguments, result),
            "close" => drop(self.open.remove(first)),
            "lseek" => {
                if let Some((_, at)) = self.open.get_mut(first) {
                    *at = result.parse().unwrap_or_default();
                }
            }
            "write" if first == "1" => self.said(&bytes(arguments[1])),
            "write" | "pwrite64" => self.written(name, arguments, result),
            "ftruncate" => {
                if let Some((file, _)) = self.open.get(first) {
                    let length = arguments[1].parse().expect("a length");
                    self.events.push(Event::Truncate(file.clone(), length));
                }
            }
            "fsync" | "fdatasync" => {
                if let Some((file, _)) = self.open.get(first) {
                    self.events.push(Event::Sync(file.clone()));
                }
            }
            "unlink" => {
                if let Some(file) = self.ours(first) {
                    self.events.push(Event::Remove(file));
                }
            }
            "rename" => assert!(self.ours(first).is_none(), "no life renames"),
            _ => {}
        }
    }

    fn opened(&mut self, arguments: &[&str], result: &str) {
        let Some(file) = self.ours(arguments[1]) else {
            return;
        };
        if arguments[2].contains("O_CREAT") {
            self.events.push(Event::Create(file.clone()));
        }
        self.open.insert(result.to_owned(), (file, 0));
    }

    fn written(&mut self, name: &str, arguments: &[&str], result: &str) {
        let Some((file, next)) = self.open.get_mut(arguments[0]) else {
            return;
        };
        let mut bytes = bytes(arguments[1]);
        bytes.truncate(result.parse().expect("a count"));
        let at = if name == "pwrite64" {
            arguments[3].parse().expect("an offset")
        } else {
            let at = *next;
            *next += bytes.len();
            at
        };
        let file = file.clone();
        self.events.push(Event::Write { file, at, bytes });
    }

    fn said(&mut self, bytes: &[u8]) {
        let said = String::from_utf8_lossy(bytes);
        if let Some(state) = said.trim_end().strip_prefix(CONFIRMED) {
            self.events.push(Event::Confirmed(state.to_owned()));
        }
    }

    /// The name of a file of the life's; the index of the log is made anew at each start, and so left out.
    fn ours(&self, path: &str) -> Option<String> {
        let path = String::from_utf8(bytes(path)).ok()?;
        let name = path.strip_prefix(&self.home)?;
        (!name.ends_with("-shm")).then(|| name.to_owned())
    }
}

/// The bytes of `"\x53\x51"`.
fn bytes(text: &str) -> Vec<u8> {
    let text = text.trim_matches('"');
    text.split("\\x")
        .skip(1)
        .map(|hex| u8::from_str_radix(&hex[..2], 16).expect("two digits"))
        .collect()
}
