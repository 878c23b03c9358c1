//! Consignments: created, fetched, looked up, listed, changed and deleted.

pub(super) mod complex;
pub(super) mod create;
pub(super) mod edit;
pub(super) mod fetch;
pub(super) mod recent;
pub(super) mod statuses;

/// What a page of a list says of each row when the case is about which rows there are.
const ROW: &str = r#"{ "id": "<id:made>", "consignmentNumber": "<text>", "...": "..." }"#;

/// A list of exactly the consignment `made`.
fn only_made(more: &str) -> String {
    format!(r#"{{ "object": [{ROW}], "errors": null{more} }}"#)
}
