//! Printers that accept a connection but not the whole label.

use std::path::{Path, PathBuf};
use std::time::Duration;

use app::state::{BatchStage, JobState, LabelState, LabelsCommand};
use printing::job::{Payload, SendError, SendReceipt, send};
use printing::service::{PrintService, ServerAddress, ServiceLimits};
use tokio::task::JoinSet;

use super::double::{Double, Manner};
use crate::print::batch::{bench_with_labels, ended};
use crate::print::places::payload;
use crate::support::printers::at_port;
use crate::support::wait::{SOON, until};

async fn deliver(payload: &Payload, port: u16, limit: Duration) -> Result<SendReceipt, SendError> {
    let limits = ServiceLimits {
        port: limit,
        ..ServiceLimits::default()
    };
    let program = PathBuf::from(env!("CARGO_BIN_EXE_packbench"));
    let nowhere = ServerAddress::Local("/nonexistent/cups.sock".into());
    let service = PrintService::with_limits(program, nowhere, limits);
    let to = at_port(port);
    send(
        &service,
        payload,
        &to,
        "MS1 Bench-1",
        Path::new("/nonexistent"),
    )
    .await
}

/// As long as the label that was called sent after 2,048 of its bytes.
fn label() -> Vec<u8> {
    (0..11_013_u32).map(|at| at.to_le_bytes()[0]).collect()
}

/// Sends the label so often at the same time; answers what was said of each.
async fn rounds(count: usize, port: u16, limit: Duration) -> Vec<Result<SendReceipt, SendError>> {
    let payload = payload(&label());
    let mut sending = JoinSet::new();
    for _ in 0..count {
        let payload = payload.clone();
        sending.spawn(async move { deliver(&payload, port, limit).await });
    }
    sending.join_all().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn n9_nothing_is_called_sent_that_the_printer_did_not_get_whole() {
    for manner in [
        Manner::NeverReads,
        Manner::StopsAfter(2_048),
        Manner::ResetsAfter(5_500),
        Manner::ClosesAtOnce,
    ] {
        let double = Double::start(manner);
        let said = rounds(50, double.port, Duration::from_secs(1)).await;
        assert!(double.taken().iter().all(|bytes| bytes.len() < 11_013));
        for said in said {
            let error = said.expect_err("it was called sent");
            assert!(
                !error.nothing_sent(),
                "{manner:?}: part of it may be out: {error}"
            );
            let advice = error.advice();
            assert!(
                advice.contains("part of the label may have come out"),
                "{advice}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn n9_a_printer_that_never_closes_has_the_label_once_it_acknowledged_every_byte() {
    let double = Double::start(Manner::StaysOpen);
    for said in rounds(20, double.port, SOON).await {
        assert_eq!(said.expect("it took the label").message, "Sent to printer");
    }
    until("the printer has read every byte", SOON, || {
        let taken = double.taken();
        (taken.len() == 20 && taken.iter().all(|bytes| *bytes == label())).then_some(())
    });
}

#[test]
fn n9_after_a_broken_connection_the_batch_halts_and_card_row_and_notice_say_the_same() {
    let double = Double::start(Manner::ResetsAfter(3_000));
    let (_home, _practice, mut desk, ids) = bench_with_labels(3, double.port);
    desk.ask(LabelsCommand::Print(ids.clone()));
    let batch = ended(&mut desk).expect("a question");
    let BatchStage::Halted(said) = &batch.stage else {
        panic!("{batch:?}");
    };
    assert!(
        said.contains("part of the label may have come out"),
        "{said}"
    );
    assert_eq!((batch.sent, batch.rest.len()), (0, 2));
    let shared = &desk.core.shared;
    let LabelState::Uncertain(row) = shared.labels.state(ids[0]) else {
        panic!("{:?}", shared.labels.state(ids[0]));
    };
    assert_eq!(row, said);
    assert_eq!(shared.labels.jobs[0].state, JobState::Ask);
    assert_eq!(batch.failed[0].reason, *said);
    let notice = { shared.notices.shown.iter() }
        .find(|(_, notice)| notice.headline.contains("may have printed"))
        .map(|(_, notice)| notice.headline.clone());
    assert_eq!(
        notice.as_deref(),
        Some("2 labels not printed, 1 may have printed. Check the printer"),
        "{:?}",
        shared.notices.shown
    );
    assert_eq!(double.taken().len(), 1, "nothing more was sent");
}
