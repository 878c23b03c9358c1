//! What 100,000 rows take of the memory.

use std::io;

pub(crate) fn run() -> io::Result<()> {
    Ok(())
}
