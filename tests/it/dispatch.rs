//! Dispatch at a warehouse's scale: the list of what waits, groups and their pickups, bookings and manifests.

mod copy;
mod deleting;
mod filter;
mod held;
mod looks;
mod screen;
mod support;
mod table;
mod views;
