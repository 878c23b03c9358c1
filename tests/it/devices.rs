//! The devices at the bench: the telegrams of scales, the rules for taking a weight, connections that come and go, a
//! clerk who weighs, scanners with their sounds, and GS1 barcodes.

mod connections;
mod gs1;
mod scale_journey;
#[cfg(target_os = "linux")]
pub(crate) mod scanner_journey;
mod scanners;
mod scans;
#[cfg(target_os = "linux")]
mod sounds;
mod taking;
mod telegrams;
