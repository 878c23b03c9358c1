//! What the benches share: counting CPU, rivals as whole processes, and a label to draw.

pub(crate) mod cpu;
pub(crate) mod label_pdf;
pub(crate) mod rivals;
