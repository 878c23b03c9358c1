//! Rules about our own source that the compiler does not check: screens do no I/O, colours are only in `widgets`, only
//! `app::config` reads the environment, every read is polled, and nothing is left unfinished.
//!
//! Every rule is a function from source text to findings. Each rule runs twice: over the repository, where it must find
//! nothing, and over a made-up text that breaks it, where it must find exactly that place.

mod finish;
mod licences;
mod mentions;
mod purity;
mod screens;
pub(crate) mod source;
mod tree;
mod unsafety;

use std::fmt;

use source::SourceFile;

/// One place where a rule is broken.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    path: String,
    line: usize,
    what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.what)
    }
}

impl SourceFile {
    fn finding(&self, line: usize, what: impl Into<String>) -> Finding {
        Finding {
            path: self.path.clone(),
            line,
            what: what.into(),
        }
    }
}

/// Fails with every place that breaks `rule`.
fn hold(rule: &str, mut findings: Vec<Finding>) {
    findings.sort();
    findings.dedup();
    let places: Vec<String> = findings
        .iter()
        .map(|finding| format!("  {finding}"))
        .collect();
    assert!(places.is_empty(), "{rule}\n{}", places.join("\n"));
}

/// Checks that `rule` finds exactly `lines` in the made-up file `text` at `path`.
fn must_catch(rule: impl Fn(&SourceFile) -> Vec<Finding>, path: &str, text: &str, lines: &[usize]) {
    let mut found: Vec<usize> = rule(&SourceFile::made_up(path, text))
        .iter()
        .map(|finding| finding.line)
        .collect();
    found.sort_unstable();
    found.dedup();
    assert_eq!(found, lines, "in this text of {path}:\n{text}");
}
