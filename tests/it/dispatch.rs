//! Dispatch at a warehouse's scale: the list of what waits, groups and their pickups, bookings and manifests.

mod copy;
mod deleting;
mod depot;
mod filter;
mod find;
mod held;
mod looks;
mod pickups;
mod screen;
mod support;
mod sync;
mod table;
mod views;
