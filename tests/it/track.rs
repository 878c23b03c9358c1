//! Track: what is followed, kept up with the service.

mod kept;
mod model;
mod shapes;
mod sync;
