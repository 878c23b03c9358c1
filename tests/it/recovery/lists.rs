//! Inconsistent lists: a row is never missed because another was listed twice.

use std::time::Duration;

use app::state::DispatchCommand;
use client::{Failure, RecentUpdates, Timeouts};
use shipping::Consignment;

use crate::support::desk::{Home, NOW};
use crate::support::lanes::{QUICK, Site, client};
use crate::support::wire::{Fault, Then, Wire, answer};

fn page(ids: &[i64], total: Option<u64>) -> String {
    let rows: Vec<_> = ids.iter().map(|id| format!(r#"{{"id":{id}}}"#)).collect();
    let total = total.map_or_else(String::new, |total| format!(r#","totalItems":{total}"#));
    format!(r#"{{"object":[{}],"errors":null{total}}}"#, rows.join(","))
}

fn listed(pages: &[(&str, String)]) -> Result<Vec<i64>, Failure> {
    let site = Site::open();
    let wire = Wire::before(site.practice.address());
    for (path, body) in pages {
        wire.fail(path, answer("200 OK", "application/json", body));
    }
    let client = client(&wire.base_url(), &site.token(), QUICK);
    let updates = RecentUpdates::since(NOW.parse().expect("a moment"));
    let rows = site.runtime.block_on(client.recently_updated(&updates));
    let id = |row: &Consignment| row.id.get();
    rows.map(|rows| rows.iter().map(id).collect())
}

#[test]
fn a_page_that_holds_each_row_twice_does_not_end_the_list_early() {
    let pages = [
        ("startIndex=1&", page(&[1, 1, 2, 2], Some(3))),
        ("startIndex=3&", page(&[3, 3], Some(3))),
    ];
    assert_eq!(listed(&pages), Ok(vec![1, 2, 3]));
}

#[test]
fn rows_that_changed_places_while_the_pages_were_read_end_the_list_all_the_same() {
    let pages = [
        ("startIndex=1&", page(&[1, 2], Some(3))),
        ("startIndex=3&", page(&[2], Some(3))),
    ];
    assert_eq!(listed(&pages), Ok(vec![1, 2]));
}

#[test]
fn a_list_that_stands_still_is_not_taken_for_whole() {
    let full: Vec<_> = (1..=200).collect();
    let pages = [("startIndex=", page(&full, None))];
    assert_eq!(listed(&pages), Err(Failure::Endless));
}

/// An empty list, said at once and whole only after so many spaces.
fn empty_and_late(spaces: usize) -> Fault {
    let body = r#"{"object":[],"errors":null}"#;
    let length = body.len() + spaces;
    let text = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\
         content-length: {length}\r\n\r\n{body}"
    );
    let drip = Then::Drip(b' ', Duration::from_millis(20));
    Fault::Bytes(text.into_bytes().into(), drip)
}

#[test]
fn a_list_that_was_read_before_a_consignment_was_made_does_not_lose_it() {
    let home = Home::new();
    let practice = home.practise();
    let wire = Wire::before(practice.address());
    let mut service = Home::service(wire.base_url(), practice.token());
    service.limits = Timeouts::default();
    let mut desk = home.open(&service);
    desk.until("the company's list", |core| {
        let list = &core.shared.dispatch.unmanifested;
        let there = list.value().is_some() && core.shared.catalogue.companies.value().is_some();
        (there && !list.is_loading()).then_some(())
    });
    desk.type_consignment("SO-1");
    let none = r#"{"object":[],"errors":null}"#;
    wire.fail("groupAll", answer("200 OK", "application/json", none));
    wire.fail("getRecently", empty_and_late(100));
    desk.ask(DispatchCommand::Refresh);
    desk.send();
    desk.until("created", |core| core.shared.consign.last_created.clone());
    let listed = desk.until("the list", |core| {
        let list = &core.shared.dispatch.unmanifested;
        (!list.is_loading()).then(|| {
            (
                list.value().map(|list| list.len()),
                format!("{:?}", list.problem()),
            )
        })
    });
    assert_eq!(listed, (Some(1), "None".to_owned()));
}
