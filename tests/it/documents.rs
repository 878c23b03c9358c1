//! The documents of a consignment besides its labels, and consignments that go back to their sender.

mod dangerous_goods;
mod day;
mod papers;
mod random;
mod returns;
mod rules;
mod settings;
mod wizard;
