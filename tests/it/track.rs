//! What became of what was sent: the page of a consignment, statuses, and what the supervisor does with both.

mod page;
