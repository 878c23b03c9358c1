//! Arguments, logging, which service, open the window.

fn main() {}
