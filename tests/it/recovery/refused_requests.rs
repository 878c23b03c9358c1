//! The messages that the window gets for a request that was not carried out.

use draft::Draft;
use engine::{BatchEndReason, BatchId, EngineError, Outcome, Payload, PrintBatch, Request};

#[test]
fn a_refused_batch_ends_as_not_written_and_a_refused_create_gives_its_draft_back() {
    let batch = Request::PrintBatch(Box::new(PrintBatch {
        id: BatchId(3),
        orders: Vec::new(),
        rules: Vec::new(),
        replaces: Vec::new(),
    }));
    let told = batch.refused(EngineError::Internal);
    assert!(
        matches!(&told, Some(Outcome::Batch(end))
            if end.id == BatchId(3) && matches!(end.ending, BatchEndReason::NotWritten(_))),
        "{told:?}"
    );
    let typed = Draft::default();
    let create = Request::Send(Box::new(typed.clone()), Payload::Create(Box::default()));
    let told = create.refused(EngineError::Internal);
    assert!(
        matches!(&told, Some(Outcome::NotCreated { draft: Some(draft), .. }) if **draft == typed),
        "{told:?}"
    );
}
