//! Services as they are: the published shapes, records that can't be read, and what is said of a call that failed.

mod both_shapes;
mod calls;
mod edited_form;
mod set_aside;
mod unread_records;
