//! Paper: a page becomes dots, dots become the printer's language, and the bytes go to a queue, a socket or a file.
//!
//! What always holds:
//! - A file that somebody else made is drawn in a child process of our own executable, with limits on memory and time
//!   ([`renderer`]). A hostile label costs that child, never the bench.
//! - What is previewed is what is sent: [`job::prepare`] returns the very dots that its bytes were made from, and those
//!   dots were read back by a barcode reader before ([`check`]).
//! - Bytes exist, with their digest, before anything is sent. The caller stores them, then calls [`job::send`].
//! - Nothing here waits without a limit. A print service that hangs is an error after seconds ([`service`]).
//! - Papers of our own are made here, too ([`document`]); what is on them is their caller's business.
//! - "Sent to printer" is the most that is ever claimed; only the clerk can say "printed".
//!
//! It must not know the journal, the lanes or the screens: it gets bytes and a profile, and gives bytes and words back.

pub mod check;
pub mod codes;
pub mod device;
pub mod document;
pub mod epl;
pub mod fit;
mod fonts;
mod frame;
pub mod helper;
pub mod image_pages;
pub mod job;
pub mod page;
pub mod picture;
pub mod profile;
pub mod qr;
pub mod queue;
mod raster;
pub mod renderer;
pub mod service;
pub mod shift;
pub mod test_label;
pub mod tspl;
#[cfg(windows)]
mod windows;
pub mod zpl;

pub use helper::{SUBCOMMAND as PRINT_HELPER, serve_print_helper};
pub use raster::render_in_process;
pub use renderer::{SUBCOMMAND as RENDER_PAGES, serve_renderer};
