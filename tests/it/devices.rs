//! The devices at the bench: the telegrams of scales, the rules for taking a weight, connections that come and go, a
//! clerk who weighs, and GS1 barcodes.

mod connections;
mod gs1;
mod scale_journey;
mod scans;
mod taking;
mod telegrams;
