//! A morning's labels at once: 500 different A6 labels from stored PDF to checked ZPL on two cores, beside the programs that
//! others would use. CPU time, user and system, of everything that took part. Run with `cargo bench -- batch`; needs
//! the packages of `sh assets/setup-debian.sh --tests`.
//!
//! Ours is the bench's own way: renderer children, each label fitted to the head, its barcode read back from the dots and
//! compared with its reference, then ZPL. The rivals draw only; nobody checks their dots. Ghostscript gets all 500 files in
//! one run, its fastest way, and one file a run, the way print systems call it; CUPS's filters run once a file, as they do
//! in a queue.

mod ours;
mod theirs;

use std::io::{self, Write};

use crate::support::label_pdf;
use crate::support::report::{aim, line};

/// Labels of the batch.
const LABELS: usize = 500;

/// Labels for a rival that takes a process or more a label: its figure is an average all the same.
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
    writeln!(
        out,
        "batch_labels_a_second ours={:.0} on {} cores, {} renderers",
        ours.labels_a_second, ours.cores, ours.children
    )?;
    writeln!(
        out,
        "batch_renderer_memory {:.0} MiB the larger child's peak",
        ours.peak_mebibytes
    )?;

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
