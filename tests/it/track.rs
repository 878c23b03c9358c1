//! Track: what is followed, counted, found, shown and taken out.

mod board;
mod kept;
mod model;
mod page;
mod shapes;
mod sync;
