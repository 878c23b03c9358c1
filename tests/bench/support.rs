//! What the benches share: counting CPU, rivals as whole processes, a label to draw, and how figures are printed.

pub(crate) mod cpu;
pub(crate) mod label_pdf;
pub(crate) mod rivals;
pub(crate) mod told;
