//! Track: what is followed, kept up with the service.

mod model;
