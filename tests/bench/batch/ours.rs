//! Converts many stored PDFs to ZPL at a time, as the program does.

use std::num::NonZeroU8;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use printing::job::{Prepared, prepare};
use printing::page::{PageSelection, Scale};
use printing::profile::{Destination, Language, Media, PrinterProfile};
use printing::renderer::Renderer;
use printing::verification::{ExpectedCodes, verify_page};
use printing::{languages, render_in_process};

use crate::support::runtime::runtime;
use crate::support::{cpu, label_pdf};

/// What was measured.
pub(crate) struct Ours {
    /// A label's share of the CPU time of this process and of the renderer's children.
    pub(crate) cpu: Duration,
    /// The children's alone.
    pub(crate) of_children: Duration,
    /// Speed and memory.
    pub(crate) summary: String,
}

/// The whole batch, with warm children as at the bench.
pub(crate) fn measured(labels: &[Vec<u8>]) -> Ours {
    runtime(2).block_on(batch(labels))
}

async fn batch(labels: &[Vec<u8>]) -> Ours {
    let renderer = Arc::new(Renderer::new(env!("CARGO_BIN_EXE_packbench").into()));
    let labels: Arc<[Arc<[u8]>]> = labels.iter().map(|label| label.as_slice().into()).collect();
    assert_eq!(all(&renderer, &labels[..8].into()).await, 8, "warm");
    let spent = || {
        let children = renderer.child_ids().into_iter().map(cpu::of);
        (cpu::own(), children.sum::<Duration>())
    };
    let (own, children) = spent();
    let started = Instant::now();
    let printed = all(&renderer, &labels).await;
    let clock = started.elapsed();
    let (own_after, children_after) = spent();
    assert_eq!(printed, labels.len(), "every label was checked and made");
    let count = u32::try_from(labels.len()).expect("some hundreds");
    let of_children = children_after.saturating_sub(children);
    let peaks = renderer.child_ids().into_iter().map(peak_mebibytes);
    let summary = format!(
        "batch_labels_a_second ours={:.0} on {} cores, {} renderers\n\
         batch_renderer_memory {:.0} MiB the larger child's peak",
        f64::from(count) / clock.as_secs_f64(),
        std::thread::available_parallelism().map_or(1, usize::from),
        renderer.children(),
        peaks.fold(0.0, f64::max)
    );
    Ours {
        cpu: (own_after.saturating_sub(own) + of_children) / count,
        of_children: of_children / count,
        summary,
    }
}

/// Prepares all labels, twice as many under way as there are children: one drawn, one fitted, checked and encoded.
async fn all(renderer: &Arc<Renderer>, labels: &Arc<[Arc<[u8]>]>) -> usize {
    let next = Arc::new(AtomicUsize::new(0));
    let tasks: Vec<_> = (0..2 * renderer.children())
        .map(|_| {
            let (renderer, labels, next) =
                (Arc::clone(renderer), Arc::clone(labels), Arc::clone(&next));
            tokio::spawn(async move {
                let mut made = 0;
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(label) = labels.get(at) else {
                        return made;
                    };
                    let printed = one(&renderer, label, at + 1).await;
                    assert!(
                        printed.payload.bytes.len() > 1_000,
                        "a label's worth of ZPL"
                    );
                    made += 1;
                }
            })
        })
        .collect();
    let mut made = 0;
    for task in tasks {
        made += task.await.expect("no label fails");
    }
    made
}

async fn one(renderer: &Renderer, label: &Arc<[u8]>, number: usize) -> Prepared {
    let expected = ExpectedCodes::References(vec![label_pdf::reference(number)]);
    prepare(
        renderer,
        Arc::clone(label),
        PageSelection::All,
        &zebra(),
        &expected,
    )
    .await
    .expect("a good label")
}

/// A 4-inch printer at 8 dots a millimetre, as most benches have.
fn zebra() -> PrinterProfile {
    PrinterProfile {
        name: "Zebra".into(),
        destination: Destination::Queue("Zebra".into()),
        language: Language::Zpl,
        dots_per_mm: Scale::DOTS_8,
        head_width_dots: Some(832),
        media: Media::A6,
        copies: NonZeroU8::MIN,
        ..PrinterProfile::default()
    }
}

/// What each step costs by itself, in this process.
pub(crate) fn parts(label: &[u8]) -> [(&'static str, Duration); 3] {
    const TIMES: u32 = 200;
    let pdf = Arc::new(label.to_vec());
    let draw = || render_in_process(Arc::clone(&pdf), 0, Scale::DOTS_8).expect("a good label");
    let page = draw();
    let expected = ExpectedCodes::References(vec![label_pdf::reference(1)]);
    let spent = |step: &dyn Fn()| {
        let before = cpu::own();
        (0..TIMES).for_each(|_| step());
        cpu::own().saturating_sub(before) / TIMES
    };
    [
        (
            "  drawing, buffers made anew each time",
            spent(&|| drop(draw())),
        ),
        (
            "  check, barcode read back",
            spent(&|| drop(verify_page(&page, &expected).expect("it reads"))),
        ),
        (
            "  ZPL",
            spent(&|| drop(languages::zpl(&page.bitmap, &PrinterProfile::default()))),
        ),
    ]
}

fn peak_mebibytes(process: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().nth(1));
    kibibytes
        .and_then(|number| number.parse().ok())
        .unwrap_or(0.0)
        / 1024.0
}
