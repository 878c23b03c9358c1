//! Labels, printers and jobs.

use app::state::{
    JobId, JobState, JobSubject, LabelState, Preview, PrintJob, PrinterForm, PrinterHint,
    PrinterState, PrinterView, QueueEntry, QueuedJobState, Remote, Shared,
};
use engine::{DocumentKind, DocumentRule};
use jiff::SignedDuration;
use printing::page::Bitmap;
use shipping::{Consignment, ConsignmentId, LabelSize};

use super::{consignments, now};

fn printer(
    name: &str,
    words: &str,
    state: PrinterState,
    message: &str,
    chosen: bool,
    set_up: bool,
) -> PrinterView {
    PrinterView {
        name: name.to_owned(),
        description: words.to_owned(),
        state: Some(state),
        message: message.to_owned(),
        chosen,
        set_up,
        form: PrinterForm {
            name: name.to_owned(),
            dots_per_mm: "8".to_owned(),
            ..PrinterForm::default()
        },
        hint: None,
        proved: String::new(),
    }
}

fn labels() -> Vec<(ConsignmentId, LabelState)> {
    let states = [
        LabelState::Waiting,
        LabelState::Waiting,
        LabelState::Waiting,
        LabelState::Failed("Out of labels".to_owned()),
        LabelState::Uncertain("Check the printer".to_owned()),
        LabelState::Sent(now()),
        LabelState::Printed(now()),
        LabelState::Printing,
    ];
    let entry = |(one, state): (Consignment, LabelState)| (one.id, state);
    consignments(8).into_iter().zip(states).map(entry).collect()
}

/// A preview with stripes, a frame and a block, so that single dots can be seen.
fn preview() -> Preview {
    let (width, height) = (840usize, 1_184usize);
    let stride = width.div_ceil(8);
    let mut dots = vec![0u8; stride * height];
    let mut black = |x: usize, y: usize| dots[y * stride + x / 8] |= 0x80 >> (x % 8);
    for y in 20..height - 20 {
        for x in 20..width - 20 {
            let frame = x < 26 || y < 26 || x > width - 27 || y > height - 27;
            let code = (500..700).contains(&y) && (100..740).contains(&x) && (x / 3 * 7919) % 5 < 2;
            let rule = (200..206).contains(&y) || (420..426).contains(&y);
            let diamond = (x.abs_diff(150) + y.abs_diff(950)).abs_diff(90) < 5;
            if frame || code || rule || diamond {
                black(x, y);
            }
        }
    }
    Preview {
        subject: JobSubject::Label(ConsignmentId::new(200_431)),
        number: "MS200431".to_owned(),
        page: 1,
        pages: 4,
        size: LabelSize::A6,
        bitmap: Bitmap::from_packed(840, 1_184, dots).expect("a page"),
        codes_read: 2,
        notes: vec!["Fitted to the head: 104 of 105 mm".to_owned()],
        checked: true,
        exact: true,
        problem: None,
        overview: None,
    }
}

fn job(id: i64, number: &str, printer: &str, state: JobState, words: &str) -> PrintJob {
    PrintJob {
        queue: String::new(),
        id: JobId(id),
        subject: JobSubject::Label(ConsignmentId::new(200_430)),
        number: number.to_owned(),
        printer: printer.to_owned(),
        title: String::new(),
        state,
        message: words.to_owned(),
        reason: String::new(),
        made: now(),
        changed: now(),
        outdated: false,
        queue_entry: QueueEntry::default(),
        override_reason: String::new(),
        batch: 0,
    }
}

/// A queue with every state, a label, three printers and four jobs.
/// A job in each state that a queue can have, printers in each of theirs, and what goes where.
pub(crate) fn every_state(shared: &mut Shared) {
    let minutes_ago = |minutes| now() - SignedDuration::from_mins(minutes);
    let queued = |id, state, at: Option<QueuedJobState>, message: &str, words: &str| PrintJob {
        made: minutes_ago(id * 3),
        queue_entry: QueueEntry {
            job: Some(7),
            state: at,
            message: message.to_owned(),
            expires: Some(minutes_ago(id * 3 - 30)),
        },
        ..job(id, &format!("MS20043{id}"), "Zebra bench 4", state, words)
    };
    let (sent, ask, failed) = (JobState::Sent, JobState::Ask, JobState::Failed);
    let look = "The print service gave it up: The printer is not responding. Check whether the label came out";
    let back =
        "Taken back after 31 min in the queue, so that it does not come out unasked. Not printed";
    shared.labels.jobs = vec![
        queued(1, sent, Some(QueuedJobState::Printing), "", ""),
        queued(
            2,
            sent,
            Some(QueuedJobState::HandedOver),
            "",
            "Sent to printer",
        ),
        queued(3, sent, Some(QueuedJobState::Held), "", ""),
        queued(4, sent, Some(QueuedJobState::Stopped), "Out of labels", ""),
        queued(5, ask, Some(QueuedJobState::Aborted), "", look),
        queued(6, failed, Some(QueuedJobState::Cancelled), "", back),
        queued(
            7,
            JobState::Printed,
            Some(QueuedJobState::HandedOver),
            "",
            "",
        ),
    ];
    let state = |name: &str, words: &str, state, message: &str| {
        printer(name, words, state, message, false, true)
    };
    let mut zebra = printer(
        "Zebra bench 4",
        "ZPL · 203 dpi · 832 dots · item labels",
        PrinterState::Ready,
        "",
        true,
        true,
    );
    "test label scanned on 20 Nov".clone_into(&mut zebra.proved);
    let mut dock = state("TSC dock", "ZPL · 203 dpi", PrinterState::Ready, "");
    dock.hint = Some(PrinterHint {
        message: "The printer says that it understands TSPL2, but it is set to ZPL".to_owned(),
        form: dock.form.clone(),
    });
    shared.labels.printers = Remote::ready(vec![
        zebra,
        dock,
        state(
            "Zebra 2",
            "ZPL · 203 dpi",
            PrinterState::NeedsAttention,
            "It is out of labels",
        ),
        state(
            "Far away",
            "EPL · 203 dpi",
            PrinterState::OutOfReach,
            "The printer is not responding",
        ),
        printer(
            "Office laser",
            "The queue draws PDF through its own driver",
            PrinterState::Ready,
            "",
            false,
            false,
        ),
    ]);
    shared.labels.documents = routes();
}

fn routes() -> Vec<DocumentRule> {
    vec![DocumentRule::of(DocumentKind::ItemLabels, "Zebra bench 4")]
}

pub(super) fn put_into(shared: &mut Shared) {
    shared.labels.states = labels().into_iter().collect();
    shared.arrange_labels();
    shared.labels.selected = Some(ConsignmentId::new(200_431));
    shared.labels.preview = Remote::ready(preview());
    shared.labels.printers = Remote::ready(vec![
        printer(
            "Zebra bench 4",
            "ZPL · 203 dpi · 832 dots",
            PrinterState::Ready,
            "",
            true,
            true,
        ),
        printer(
            "TSC dock",
            "ZPL · 203 dpi",
            PrinterState::Stopped,
            "out of labels",
            false,
            true,
        ),
        printer(
            "Office laser",
            "PDF · A4",
            PrinterState::Ready,
            "",
            false,
            false,
        ),
    ]);
    shared.labels.jobs = vec![
        job(4, "MS200430", "Zebra bench 4", JobState::Sent, ""),
        job(
            3,
            "MS200426",
            "TSC dock",
            JobState::Failed,
            "The printer has stopped: out of labels",
        ),
        job(
            2,
            "MS200419",
            "Zebra bench 4",
            JobState::Ask,
            "The connection broke while it was sent",
        ),
        job(1, "MS200411", "Zebra bench 4", JobState::Printed, ""),
    ];
}
