//! The documents of a consignment besides its labels, and consignments that go back to their sender.

mod papers;
mod returns;
