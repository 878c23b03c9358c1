//! Dispatch at a warehouse's scale: the list of what waits, groups and their pickups, bookings and manifests.

mod deleting;
mod held;
mod pickups;
mod support;
