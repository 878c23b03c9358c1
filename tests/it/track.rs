//! Following what was sent: its files, and what leaves the bench.

mod files;
mod hostile;
mod proofs;
