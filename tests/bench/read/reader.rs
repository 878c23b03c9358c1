//! Our reader and the untyped one, each in a child process of this executable.

use std::hint::black_box;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::Value;
use shipping::{Consignment, Envelope, read_list};

use super::ROWS;
use crate::support::memory::own_peak_kib;

/// Who reads.
#[derive(Clone, Copy)]
pub(crate) enum Reader {
    Ours,
    Value,
}

/// What a reading came to: printed by the reader's own process as `rows seconds kilobytes`.
pub(crate) struct Reading {
    rows: f64,
    seconds: f64,
    peak_kib: f64,
}

impl Reading {
    pub(crate) fn parse(line: &str) -> io::Result<Self> {
        let numbers: Vec<f64> = line
            .split_whitespace()
            .filter_map(|part| part.parse().ok())
            .collect();
        match numbers[..] {
            [rows, seconds, peak_kib] => Ok(Self {
                rows,
                seconds,
                peak_kib,
            }),
            _ => Err(io::Error::other(format!("a reader said: {line}"))),
        }
    }

    pub(crate) fn rows_a_second(&self) -> f64 {
        self.rows / self.seconds
    }

    pub(crate) fn peak_mib(&self) -> f64 {
        self.peak_kib / 1024.0
    }
}

impl Reader {
    const fn name(self) -> &'static str {
        match self {
            Self::Ours => "read-ours",
            Self::Value => "read-value",
        }
    }
}

/// Runs the child that reads, where the arguments ask for it.
pub(crate) fn as_child(arguments: &[String]) -> Option<io::Result<()>> {
    let [name, path] = arguments else {
        return None;
    };
    [Reader::Ours, Reader::Value]
        .into_iter()
        .find(|reader| reader.name() == name)
        .map(|reader| read_as_child(reader, Path::new(path)))
}

/// Reads in a process of its own.
pub(crate) fn measured(reader: Reader, path: &Path) -> io::Result<Reading> {
    let output = Command::new(std::env::current_exe()?)
        .arg(reader.name())
        .arg(path)
        .output()?;
    Reading::parse(&String::from_utf8_lossy(&output.stdout))
}

/// The child: reads the file over and over until it has read its rows, a page in memory at a time.
fn read_as_child(reader: Reader, path: &Path) -> io::Result<()> {
    let started = Instant::now();
    let mut rows = 0;
    let mut line = Vec::new();
    while rows < ROWS {
        let mut file = BufReader::with_capacity(1 << 20, std::fs::File::open(path)?);
        while rows < ROWS && file.read_until(b'\n', &mut line)? > 0 {
            rows += match reader {
                Reader::Ours => ours(&line),
                Reader::Value => value(&line),
            };
            line.clear();
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    let peak = own_peak_kib().ok_or_else(|| io::Error::other("Linux tells no peak"))?;
    writeln!(io::stdout(), "{rows} {seconds} {peak}")
}

fn ours(page: &[u8]) -> usize {
    match read_list::<Consignment>(page) {
        Ok(Envelope::Done(Some(page))) => black_box(page.rows).len(),
        _ => 0,
    }
}

fn value(page: &[u8]) -> usize {
    let page: Value = serde_json::from_slice(page).unwrap_or_default();
    black_box(&page)["object"].as_array().map_or(0, Vec::len)
}
