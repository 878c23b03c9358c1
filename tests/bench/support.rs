//! What several measurements need: processor time and memory of processes, rivals as whole processes, labels to draw, a practice
//! service, the engine as the window starts it, and how results are printed.

pub(crate) mod cpu;
pub(crate) mod label_pdf;
pub(crate) mod memory;
pub(crate) mod practice_service;
pub(crate) mod report;
pub(crate) mod rivals;
pub(crate) mod start_engine;

#[path = "../it/support/carrier_labels.rs"]
pub(crate) mod carrier_labels;
#[path = "../it/support/display.rs"]
#[expect(dead_code, reason = "the tests use the rest of it")]
pub(crate) mod display;
#[path = "../it/support/labels.rs"]
#[expect(dead_code, reason = "the tests use the rest of it")]
pub(crate) mod labels;
#[path = "../it/support/program.rs"]
#[expect(dead_code, reason = "the tests use the rest of it")]
pub(crate) mod program;
#[path = "../it/support/wait.rs"]
pub(crate) mod wait;
