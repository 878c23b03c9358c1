//! Printing: renders documents to bitmaps, encodes them in a printer's language and sends the bytes to a
//! print queue, a network port or a file.
//!
//! - A document that somebody else made is rendered in a child process of our own executable, with limits on
//!   memory and time ([`renderer`]). A hostile label can crash that child, but never the program.
//! - The preview shows exactly the dots that are sent: [`job::prepare`] returns the bitmaps that its bytes
//!   were made from, after a barcode reader has read them back ([`verification`]).
//! - The bytes and their digest exist before anything is sent. The caller stores both, then calls [`job::send`].
//! - Every wait has a limit. A print service that hangs becomes an error after a few seconds ([`service`]).
//! - [`document`] lays out the documents that Packbench makes itself, such as manifests; its caller supplies the
//!   content. All PDFs that we make are drawn with [`canvas`].
//! - A job is never reported as more than "Sent to printer". Only the clerk can confirm that a
//!   label was printed.

pub mod canvas;
pub mod codes;
pub mod document;
pub mod driver_page;
pub mod fit;
mod fonts;
mod frame;
pub mod image_pages;
pub mod job;
pub mod languages;
pub mod logo;
pub mod page;
pub mod picture;
pub mod print_helper;
pub mod profile;
pub mod qr;
pub mod queue;
mod raster;
pub mod renderer;
pub mod service;
pub mod test_label;
pub mod verification;
#[cfg(windows)]
mod windows;

pub use print_helper::{SUBCOMMAND as PRINT_HELPER, serve_print_helper};
pub use raster::render_in_process;
pub use renderer::{SUBCOMMAND as RENDER_PAGES, serve_renderer};
