//! Other programs for the same work, run as whole processes.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::cpu;

/// A command that draws a PDF.
pub(crate) struct Rival {
    pub(crate) name: &'static str,
    program: PathBuf,
    arguments: Vec<String>,
}

impl Rival {
    /// `None` when it is not installed.
    pub(crate) fn new(name: &'static str, program: &str, arguments: &[&str]) -> Option<Self> {
        let program = Path::new(program);
        let arguments = arguments
            .iter()
            .map(|&argument| argument.to_owned())
            .collect();
        program.exists().then(|| Self {
            name,
            program: program.to_owned(),
            arguments,
        })
    }

    /// CPU time of one run, over `times` runs, all its own children included.
    pub(crate) fn cpu(&self, times: u32) -> Duration {
        self.run();
        let before = cpu::ended_children();
        for _ in 0..times {
            self.run();
        }
        cpu::ended_children().saturating_sub(before) / times
    }

    /// One run, to its end.
    pub(crate) fn run(&self) {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let done = command
            .status()
            .unwrap_or_else(|error| panic!("{}: {error}", self.name));
        assert!(done.success(), "{} failed: {done}", self.name);
    }
}

/// Ghostscript's options for black and white at 203.2 dpi.
pub(crate) const TO_PBM: [&str; 6] = [
    "-q",
    "-dNOPAUSE",
    "-dBATCH",
    "-dSAFER",
    "-sDEVICE=pbmraw",
    "-r203.2",
];

/// Rasterisers that draw `pdf` at 203.2 dpi into `folder`, black and white.
pub(crate) fn rasterisers(pdf: &Path, folder: &Path) -> Vec<Rival> {
    let (pdf, out) = (
        pdf.display().to_string(),
        folder.join("rival").display().to_string(),
    );
    let pbm = format!("{out}.pbm");
    let to_pbm = format!("-sOutputFile={pbm}");
    let mutool = [
        "draw", "-q", "-r", "203.2", "-c", "mono", "-F", "pbm", "-o", &pbm, &pdf, "1",
    ];
    let ghostscript = [&TO_PBM[..], &[&to_pbm, &pdf]].concat();
    let found = [
        Rival::new("mutool draw", "/usr/bin/mutool", &mutool),
        Rival::new(
            "pdftoppm -mono",
            "/usr/bin/pdftoppm",
            &["-mono", "-r", "203.2", "-singlefile", &pdf, &out],
        ),
        Rival::new("Ghostscript", "/usr/bin/gs", &ghostscript),
    ];
    found.into_iter().flatten().collect()
}

/// The same program over a document of many pages, so that its start is shared among them.
pub(crate) fn mutool_on_many(pdf: &Path) -> Option<Rival> {
    let pdf = pdf.display().to_string();
    let arguments = [
        "draw",
        "-q",
        "-r",
        "203.2",
        "-c",
        "mono",
        "-F",
        "pbm",
        "-o",
        "/dev/null",
        &pdf,
    ];
    Rival::new("mutool draw, many pages", "/usr/bin/mutool", &arguments)
}

/// What CUPS runs between a PDF and a Zebra: pdftopdf, gstoraster, rastertolabel.
pub(crate) fn cups_chain(pdf: &Path, folder: &Path) -> Option<Rival> {
    let ppd = folder.join("zebra.ppd");
    let driver = Command::new("/usr/lib/cups/daemon/cups-driverd")
        .args(["cat", "drv:///sample.drv/zebra.ppd"])
        .output();
    std::fs::write(&ppd, driver.ok()?.stdout).ok()?;
    let (ppd, pdf) = (ppd.display().to_string(), pdf.display().to_string());
    let to_zebra = [
        "-p",
        &ppd,
        "-m",
        "printer/foo",
        "-i",
        "application/pdf",
        "-o",
        "PageSize=Custom.105x148mm",
        &pdf,
    ];
    Rival::new("CUPS's filters", "/usr/sbin/cupsfilter", &to_zebra)
}
