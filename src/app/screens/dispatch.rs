//! The Dispatch screen: unmanifested consignments, their groups, bookings and manifests.

pub(crate) mod state;
pub(crate) mod update;
pub mod view;
