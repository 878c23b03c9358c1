//! Draws the same labels with other programs. Each result is the time per label; `None` if the program is not
//! installed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::support::rivals::{self, Rival};

/// All files in one run: what starting it costs is shared among them.
pub(crate) fn ghostscript(labels: &[PathBuf], folder: &Path) -> Option<Duration> {
    let names: Vec<String> = labels
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let pages = format!("-sOutputFile={}", folder.join("page-%03d.pbm").display());
    let mut arguments = monochrome(&pages);
    arguments.extend(names.iter().map(String::as_str));
    let rival = Rival::new("Ghostscript, many files", GHOSTSCRIPT, &arguments)?;
    Some(rival.cpu(1) / u32::try_from(labels.len()).ok()?)
}

/// A run a file.
pub(crate) fn ghostscript_alone(labels: &[PathBuf], folder: &Path) -> Option<Duration> {
    let page = format!("-sOutputFile={}", folder.join("page.pbm").display());
    average(labels, |label| {
        let mut arguments = monochrome(&page);
        arguments.push(label);
        Rival::new("Ghostscript", GHOSTSCRIPT, &arguments)
    })
}

/// CUPS's filters, a run a file.
pub(crate) fn cups_chain(labels: &[PathBuf], folder: &Path) -> Option<Duration> {
    average(labels, |label| rivals::cups_chain(Path::new(label), folder))
}

const GHOSTSCRIPT: &str = "/usr/bin/gs";

fn monochrome(pages: &str) -> Vec<&str> {
    [&rivals::TO_PBM[..], &[pages]].concat()
}

fn average(labels: &[PathBuf], rival: impl Fn(&str) -> Option<Rival>) -> Option<Duration> {
    let mut spent = Duration::ZERO;
    for label in labels {
        spent += rival(&label.display().to_string())?.cpu(1);
    }
    Some(spent / u32::try_from(labels.len()).ok()?)
}
