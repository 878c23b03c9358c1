//! The empty window by itself, so that it can be built for Windows.

#[path = "../window/rival.rs"]
#[expect(dead_code, reason = "the benchmarks use the rest of it")]
mod rival;

fn main() -> eframe::Result {
    rival::open([1440.0, 900.0])
}
