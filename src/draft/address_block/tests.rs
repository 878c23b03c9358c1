//! Tests addresses as copied from e-mails, web pages and spreadsheets.

use super::{AddressBlock, split_address};

fn expected(parts: [&str; 8]) -> AddressBlock {
    let [name, contact, phone, email, line1, line2, place, country] = parts.map(str::to_owned);
    AddressBlock {
        name,
        contact,
        phone,
        email,
        line1,
        line2,
        place,
        country,
    }
}

const BFG: [&str; 8] = [
    "Ballarat Farm & Garden",
    "J. Okafor",
    "03 5550 0199",
    "stores@bfg.example",
    "8 Creswick Road",
    "",
    "Ballarat Central VIC 3350",
    "",
];

#[test]
fn a_block_is_split_into_its_lines() {
    let text = "Ballarat Farm & Garden\nJ. Okafor\n8 Creswick Road\nBallarat Central VIC 3350\n03 5550 0199\nstores@bfg.example\n";
    assert_eq!(split_address(text), expected(BFG));
}

#[test]
fn labels_say_what_a_line_holds() {
    let text = "Ship to: Ballarat Farm & Garden\r\nAttn: J. Okafor\r\nPh: 03 5550 0199\r\nEmail: stores@bfg.example\r\n8 Creswick Road\r\nBallarat Central VIC 3350";
    assert_eq!(split_address(text), expected(BFG));
}

#[test]
fn one_line_is_split_at_its_commas() {
    let text = "Ballarat Farm & Garden, 8 Creswick Road, Ballarat Central VIC 3350";
    let block = split_address(text);
    assert_eq!(block.name, "Ballarat Farm & Garden");
    assert_eq!(block.line1, "8 Creswick Road");
    assert_eq!(block.place, "Ballarat Central VIC 3350");
}

#[test]
fn suburb_state_and_postcode_may_stand_apart() {
    let text = "Ballarat Farm & Garden\tJ. Okafor\t8 Creswick Road\tBallarat Central\tVIC\t3350";
    let block = split_address(text);
    assert_eq!(block.place, "Ballarat Central VIC 3350");
    assert_eq!(block.line1, "8 Creswick Road");
    assert_eq!(block.contact, "J. Okafor");
}

#[test]
fn a_country_is_taken_from_the_end() {
    let text =
        "Aroha Outdoor\nT. Ngata\n61 Victoria Street\nUnit 4\nHamilton Central 3204\nNew Zealand";
    let block = split_address(text);
    assert_eq!(block.country, "New Zealand");
    assert_eq!(block.place, "Hamilton Central 3204");
    assert_eq!(block.line2, "Unit 4");
    let block = split_address("Acme\n1 Main St\nSydney NSW 2000, Australia");
    assert_eq!(
        (block.place.as_str(), block.country.as_str()),
        ("Sydney NSW 2000", "Australia")
    );
    let block = split_address("Acme GmbH\nHans Müller\nLange Straße 5\n10115 Berlin\nGermany");
    assert_eq!(
        (block.place.as_str(), block.country.as_str()),
        ("10115 Berlin", "Germany")
    );
    assert_eq!(block.line1, "Lange Straße 5");
}

#[test]
fn text_that_is_no_address_is_taken_without_a_panic_and_soon() {
    assert_eq!(split_address(""), AddressBlock::default());
    assert_eq!(split_address("\n , ;\n\t"), AddressBlock::default());
    let long = "a line of a very long paste, with a number 7\n".repeat(10_000);
    let block = split_address(&long);
    assert!(block.line2.len() < 20 * 200);
    let wide = "é@".repeat(100_000);
    assert!(split_address(&wide).name.chars().count() <= 200);
    for text in [
        "Attn:",
        "ph 😀",
        "مخزن\u{202e}",
        ":",
        "x@y.z x@y.z",
        "ATTN-é",
    ] {
        let _split = split_address(text);
    }
}
