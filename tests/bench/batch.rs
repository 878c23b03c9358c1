//! Prepares a morning's labels: 500 different A6 labels, from stored PDF to verified ZPL on two cores,
//! compared with other programs. Measures the CPU time, user and system, of every process involved. Run with
//! `cargo bench -- batch`; needs the packages of `sh assets/setup-debian.sh --tests`.
//!
//! Packbench does what it does in use: renderer processes draw each label, fit it to the print head, read its
//! barcode back from the dots, compare the barcode with its reference, and encode ZPL. The other programs
//! only draw, and nothing verifies their dots. Ghostscript runs once with all 500 files, its fastest mode,
//! and once per file, as print systems call it. CUPS filters run once per file, as they do in a queue.

mod ours;
mod theirs;

use std::io::{self, Write};

use crate::support::label_pdf;
use crate::support::report::{aim, line};

/// Labels of the batch.
const LABELS: usize = 500;

/// Number of labels for a program that needs a process or more per label; its result is an average too.
const FEWER: usize = 40;

pub(crate) fn run() -> io::Result<()> {
    let mut out = io::stdout();
    let labels: Vec<Vec<u8>> = (1..=LABELS)
        .map(|label| label_pdf::a6(label..=label))
        .collect();
    let folder = tempfile::tempdir()?;
    let paths: Vec<_> = (0..LABELS)
        .map(|label| folder.path().join(format!("label-{label:03}.pdf")))
        .collect();
    for (path, label) in paths.iter().zip(&labels) {
        std::fs::write(path, label)?;
    }
    writeln!(
        out,
        "{LABELS} A6 labels at 203.2 dpi, {} bytes of PDF each; milliseconds of CPU a label",
        labels[0].len()
    )?;

    let ours = ours::measured(&labels);
    line(&mut out, "ours, PDF to checked ZPL", ours.cpu)?;
    line(
        &mut out,
        "ours, of that in the renderer's children",
        ours.of_children,
    )?;
    for (name, part) in ours::parts(&labels[0]) {
        line(&mut out, name, part)?;
    }
    writeln!(out, "{}", ours.summary)?;

    let in_one_run = theirs::ghostscript(&paths, folder.path());
    let alone = theirs::ghostscript_alone(&paths[..FEWER], folder.path());
    let chain = theirs::cups_chain(&paths[..FEWER], folder.path());
    for (name, cpu) in [
        (
            format!("Ghostscript, all {LABELS} in one run, dots only"),
            in_one_run,
        ),
        (
            format!("Ghostscript, a run a label, {FEWER} labels, dots only"),
            alone,
        ),
        (
            format!("CUPS's filters, {FEWER} labels, to a Zebra's language"),
            chain,
        ),
    ] {
        if let Some(cpu) = cpu {
            line(&mut out, &name, cpu)?;
        }
    }
    aim(
        &mut out,
        "batch_against_ghostscript_in_one_run",
        ours.cpu,
        in_one_run,
        0.1,
    )?;
    aim(&mut out, "batch_against_ghostscript", ours.cpu, alone, 0.1)?;
    aim(&mut out, "batch_against_cups_chain", ours.cpu, chain, 0.1)
}
