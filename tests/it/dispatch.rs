//! Dispatch at a warehouse's scale: the list of unmanifested consignments, groups and their pickups, bookings
//! and manifests.

pub(crate) mod bench;
mod closings;
mod copy;
pub(crate) mod day;
mod declared;
mod deleting;
mod depot;
mod filter;
mod find;
mod group_looks;
mod grouped_again;
mod groups;
mod held;
mod looks;
mod manifest;
mod pickup_cards;
mod pickups;
mod regroup;
pub(crate) mod screen;
pub(crate) mod support;
mod sync;
mod table;
mod views;
