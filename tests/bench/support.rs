//! Shared by several benchmarks: CPU time and memory of processes, other programs, labels to draw, a practice
//! service, starting the engine, and printing of results.

pub(crate) mod cpu;
pub(crate) mod frames;
pub(crate) mod label_pdf;
pub(crate) mod memory;
pub(crate) mod practice_service;
pub(crate) mod report;
pub(crate) mod rivals;
pub(crate) mod screens;
pub(crate) mod start_engine;

#[path = "../it/support/carrier_labels.rs"]
pub(crate) mod carrier_labels;
#[path = "../it/support/display.rs"]
#[expect(dead_code, reason = "the tests use the rest of it")]
pub(crate) mod display;
#[path = "../it/support/labels.rs"]
#[expect(dead_code, reason = "the tests use the rest of it")]
pub(crate) mod labels;
#[path = "../it/support/postgres.rs"]
#[expect(dead_code, reason = "the tests use the rest of it")]
pub(crate) mod postgres;
#[path = "../it/support/program.rs"]
#[expect(dead_code, reason = "the tests use the rest of it")]
pub(crate) mod program;
#[path = "../it/support/requests.rs"]
pub(crate) mod requests;
#[path = "../it/support/runtime.rs"]
pub(crate) mod runtime;
#[path = "../it/support/system.rs"]
pub(crate) mod system;
#[path = "../it/support/wait.rs"]
pub(crate) mod wait;
#[path = "../it/support/wine.rs"]
#[expect(dead_code, reason = "the tests use the rest of it")]
pub(crate) mod wine;
