//! Counts how many barcodes of several carriers' labels one reader can read in our dots and in the dots of
//! another program.

use std::io::{self, Write};
use std::path::Path;

use printing::page::{Bitmap, Scale};
use printing::{codes, render_in_process};

use crate::support::carrier_labels::{self, CarrierLabel};
use crate::support::report::{not_measured, verdict};
use crate::support::rivals;

/// So many times as many as the rival: of 81 codes on 53 real labels, 53 were readable in its dots.
const AIM: f64 = 1.5;

pub(crate) fn read(out: &mut impl Write, folder: &Path) -> io::Result<()> {
    let name = "label_codes_read";
    let labels = carrier_labels::all();
    let all: usize = labels.iter().map(CarrierLabel::count).sum();
    let (mut ours, mut rival) = (0, Some(0));
    for label in &labels {
        let page = render_in_process(label.pdf.clone().into(), 0, Scale::DOTS_8);
        let read_in_ours = read_in(label, &page.expect("a good label").bitmap);
        ours += read_in_ours;
        let theirs = rasterised(label, folder)?.map(|bitmap| read_in(label, &bitmap));
        rival = rival.zip(theirs).map(|(sum, read)| sum + read);
        let theirs = theirs.map_or_else(|| "-".to_owned(), |read| read.to_string());
        let (name, count) = (label.name, label.count());
        writeln!(
            out,
            "{name:<56} {read_in_ours} of {count} codes, pdftoppm {theirs}"
        )?;
    }
    writeln!(out, "{:<56} {ours} of {all} codes", "all of these labels")?;
    let Some(rival) = rival else {
        return not_measured(out, name);
    };
    let ratio = ours as f64 / rival as f64;
    let is_met = ours == all && ratio >= AIM;
    writeln!(
        out,
        "aim {name} ours={ours} rival={rival} ratio={ratio:.3} aim={AIM} {}",
        verdict(is_met)
    )
}

fn read_in(label: &CarrierLabel, dots: &Bitmap) -> usize {
    label.count() - label.unread(&codes::read(dots)).len()
}

/// As pdftoppm draws it at the same resolution; nothing where it is not installed.
fn rasterised(label: &CarrierLabel, folder: &Path) -> io::Result<Option<Bitmap>> {
    let path = folder.join("carrier.pdf");
    std::fs::write(&path, &label.pdf)?;
    let mut all = rivals::rasterisers(&path, folder).into_iter();
    let Some(rival) = all.find(|rival| rival.name == "pdftoppm -mono") else {
        return Ok(None);
    };
    rival.run();
    let pbm = std::fs::read(folder.join("rival.pbm"))?;
    Ok(Some(bitmap(&pbm).expect("a portable bitmap")))
}

/// `P4`, width, height, one blank, then rows of bits, black as 1.
fn bitmap(pbm: &[u8]) -> Option<Bitmap> {
    let mut rest = pbm;
    let mut word = || {
        let start = rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let end = start + rest[start..].iter().position(u8::is_ascii_whitespace)?;
        let word = std::str::from_utf8(&rest[start..end]).ok()?;
        rest = rest.get(end + 1..)?;
        Some(word)
    };
    let magic = word()?;
    let (width, height) = (word()?.parse().ok()?, word()?.parse().ok()?);
    (magic == "P4").then_some(())?;
    Bitmap::from_packed(width, height, rest.to_vec())
}
