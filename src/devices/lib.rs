//! The devices at the bench: scales, from the bytes on the line to the weight of a piece, and scanners with the GS1
//! barcodes that they read.
//!
//! The telegrams of scales, the rules for taking a weight and the barcodes are pure: they read neither a clock nor a
//! port. Only [`scale`], [`scanner`] and what they share connect to devices.

pub mod gs1;
pub mod problem;
pub mod scale;
pub mod scanner;
pub mod serial;
pub mod taking;
pub mod telegram;
mod watch;
pub mod weight;

pub use watch::Watch;
