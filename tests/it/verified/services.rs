//! Real services: published shapes, unreadable records, and messages about failed calls.

mod both_shapes;
mod calls;
mod edited_form;
mod set_aside;
mod unread_records;
