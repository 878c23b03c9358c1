//! Converts one A6 label from PDF to ZPL, compared with other programs. Measures the CPU time, user and
//! system, of every process involved. Run with `cargo bench -- label`; needs the packages of
//! `sh assets/setup-debian.sh --tests`.
//!
//! Packbench is measured warm, with a renderer process that has already drawn a label, as in use. The other
//! programs run as whole processes, as people use them for a label. To separate start-up time from drawing
//! time, Packbench is also measured cold, and the best other program also on a long document.

mod carrier_codes;

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use printing::page::Scale;
use printing::profile::PrinterProfile;
use printing::renderer::Renderer;
use printing::verification::{ExpectedCodes, verify_page};
use printing::{codes, languages, render_in_process};

use crate::support::report::{aim, line};
use crate::support::rivals::Rival;
use crate::support::{cpu, label_pdf, rivals};

/// Number of labels for one measurement of Packbench, which takes some seconds.
const LABELS: u32 = 300;

/// Runs of a rival, which take tens of milliseconds each.
const RUNS: u32 = 120;

/// Pages of the long document.
const PAGES: u32 = 100;

pub(crate) fn run() -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("label.pdf");
    let pdf = label_pdf::a6(1..=1);
    std::fs::write(&path, &pdf)?;
    let pdf: Arc<[u8]> = pdf.into();
    let mut out = io::stdout();
    writeln!(
        out,
        "A6 at 203.2 dpi, {} bytes of PDF; milliseconds of CPU a label",
        pdf.len()
    )?;
    runtime.block_on(reads_back(&pdf));

    let warm = runtime.block_on(warm(&pdf));
    line(&mut out, "ours, warm child, PDF to ZPL", warm.cpu)?;
    line(&mut out, "ours, warm child, time by the clock", warm.clock)?;
    line(
        &mut out,
        "ours, in one process, PDF to ZPL",
        in_process(&pdf),
    )?;
    line(
        &mut out,
        "ours, reference read back (not in the above)",
        read_back(&pdf),
    )?;
    line(
        &mut out,
        "ours, cold: a child started for each label",
        runtime.block_on(cold(&pdf)),
    )?;

    let rasterisers: Vec<(Rival, Duration)> = rivals::rasterisers(&path, folder.path())
        .into_iter()
        .map(|rival| measured(rival, RUNS))
        .collect();
    for (rival, cpu) in &rasterisers {
        line(&mut out, rival.name, *cpu)?;
    }
    many_pages(&mut out, folder.path())?;
    carrier_codes::read(&mut out, folder.path())?;
    let best = rasterisers.iter().map(|(_, cpu)| *cpu).min();
    aim(
        &mut out,
        "label_against_best_rasteriser",
        warm.cpu,
        best,
        0.5,
    )?;

    let chain = rivals::cups_chain(&path, folder.path()).map(|rival| measured(rival, RUNS / 4));
    if let Some((rival, cpu)) = &chain {
        line(&mut out, rival.name, *cpu)?;
    }
    aim(
        &mut out,
        "label_against_cups_chain",
        warm.cpu,
        chain.map(|(_, cpu)| cpu),
        0.1,
    )
}

fn measured(rival: Rival, runs: u32) -> (Rival, Duration) {
    let cpu = rival.cpu(runs);
    (rival, cpu)
}

/// Checks that the barcode can be read back, because a time for unreadable dots is worthless.
async fn reads_back(pdf: &Arc<[u8]>) {
    let page = Renderer::new(program())
        .render(Arc::clone(pdf), 0, Scale::DOTS_8)
        .await
        .expect("a good label");
    let reference = ExpectedCodes::References(vec!["PKB0000000001".into()]);
    verify_page(&page, &reference).expect("it reads");
    assert_eq!(codes::read(&page.bitmap).len(), 2, "both codes read");
    assert_eq!((page.bitmap.width(), page.bitmap.height()), (840, 1184));
}

struct Warm {
    cpu: Duration,
    clock: Duration,
}

async fn warm(pdf: &Arc<[u8]>) -> Warm {
    let renderer = Renderer::new(program());
    let label = async || {
        let page = renderer
            .render(Arc::clone(pdf), 0, Scale::DOTS_8)
            .await
            .expect("a good label");
        std::hint::black_box(languages::zpl(&page.bitmap, &PrinterProfile::default()));
    };
    label().await;
    let child = renderer.child_ids().pop().expect("it stays");
    let (before, started) = (cpu::own() + cpu::of(child), Instant::now());
    for _ in 0..LABELS {
        label().await;
    }
    let clock = started.elapsed() / LABELS;
    assert_eq!(
        renderer.child_ids().pop(),
        Some(child),
        "the same child all along"
    );
    Warm {
        cpu: (cpu::own() + cpu::of(child)).saturating_sub(before) / LABELS,
        clock,
    }
}

async fn cold(pdf: &Arc<[u8]>) -> Duration {
    let before = cpu::own() + cpu::ended_children();
    for _ in 0..RUNS {
        let renderer = Renderer::new(program());
        let page = renderer
            .render(Arc::clone(pdf), 0, Scale::DOTS_8)
            .await
            .expect("a good label");
        std::hint::black_box(languages::zpl(&page.bitmap, &PrinterProfile::default()));
        renderer.close().await;
    }
    (cpu::own() + cpu::ended_children()).saturating_sub(before) / RUNS
}

fn in_process(pdf: &Arc<[u8]>) -> Duration {
    let before = cpu::own();
    for _ in 0..LABELS {
        let page =
            render_in_process(Arc::new(pdf.to_vec()), 0, Scale::DOTS_8).expect("a good label");
        std::hint::black_box(languages::zpl(&page.bitmap, &PrinterProfile::default()));
    }
    cpu::own().saturating_sub(before) / LABELS
}

fn read_back(pdf: &Arc<[u8]>) -> Duration {
    let page = render_in_process(Arc::new(pdf.to_vec()), 0, Scale::DOTS_8).expect("a good label");
    let expected = ExpectedCodes::References(vec!["PKB0000000001".into()]);
    let before = cpu::own();
    for _ in 0..RUNS {
        std::hint::black_box(verify_page(&page, &expected)).expect("it reads");
    }
    cpu::own().saturating_sub(before) / RUNS
}

/// Warm against warm: what a page costs the best rival once it runs.
fn many_pages(out: &mut impl Write, folder: &Path) -> io::Result<()> {
    let path = folder.join("many.pdf");
    std::fs::write(&path, label_pdf::a6(1..=PAGES as usize))?;
    match rivals::mutool_on_many(&path) {
        Some(rival) => {
            let (rival, cpu) = measured(rival, 3);
            line(out, rival.name, cpu / PAGES)
        }
        None => Ok(()),
    }
}

fn program() -> std::path::PathBuf {
    env!("CARGO_BIN_EXE_packbench").into()
}
