//! Dispatch at a warehouse's scale: the list of what waits, groups and their pickups, bookings and manifests.

mod day;
mod deleting;
mod groups;
mod held;
mod looks;
mod manifest;
mod pickup_cards;
mod pickups;
mod screen;
mod support;
