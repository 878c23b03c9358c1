//! The devices at the bench: scales, from the bytes on the line to the weight of a piece, and the GS1 barcodes that
//! scanners read.
//!
//! The telegrams of scales, the rules for taking a weight and the barcodes are pure: they read neither a clock nor a
//! port. Only [`scale`] connects to devices.

pub mod gs1;
pub mod scale;
pub mod taking;
pub mod telegram;
pub mod weight;
