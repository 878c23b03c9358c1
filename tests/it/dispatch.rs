//! Dispatch at a warehouse's scale: the list of what waits, groups and their pickups, bookings and manifests.

mod deleting;
mod depot;
mod find;
mod held;
mod pickups;
mod support;
mod sync;
