//! GS1 element strings with their separators, prefixes and check digits, and the ordinary barcodes that are none.

use devices::gs1::ApplicationIdentifier::{
    Batch, Consignment, ContainedGtin, Count, CountryPostcode, CustomerOrder, Gtin, Postcode,
    Serial, Shipment, Sscc,
};
use devices::gs1::{ApplicationIdentifier, Gs1Error, parse_gs1};

fn elements(text: &str) -> Option<Vec<(ApplicationIdentifier, String)>> {
    let elements = parse_gs1(text).unwrap_or_else(|error| panic!("{text:?}: {error}"))?;
    Some(
        { elements.into_iter() }
            .map(|e| (e.identifier, e.value))
            .collect(),
    )
}

#[test]
fn element_strings_of_every_symbology_are_read() {
    let table: &[(&str, &[(ApplicationIdentifier, &str)])] = &[
        ("]C100393123450000000013", &[(Sscc, "393123450000000013")]),
        ("00106141411234567897", &[(Sscc, "106141411234567897")]),
        ("(00)106141411234567897", &[(Sscc, "106141411234567897")]),
        (
            "]d2010952123454321310AB-12\u{1D}21SN/7",
            &[(Gtin, "09521234543213"), (Batch, "AB-12"), (Serial, "SN/7")],
        ),
        (
            "]Q301095212345432133724",
            &[(Gtin, "09521234543213"), (Count, "24")],
        ),
        ("]e00109521234543213", &[(Gtin, "09521234543213")]),
        (
            "]C1400PO-4711\u{1D}4203000",
            &[(CustomerOrder, "PO-4711"), (Postcode, "3000")],
        ),
        (
            "401931234512345\u{1D}4210363000",
            &[(Consignment, "931234512345"), (CountryPostcode, "0363000")],
        ),
        (
            "]C140295212349876543211",
            &[(Shipment, "95212349876543211")],
        ),
        (
            "(402)9 52123498765432 11 (420)3000 (10)A(B)1",
            &[
                (Shipment, "95212349876543211"),
                (Postcode, "3000"),
                (Batch, "A(B)1"),
            ],
        ),
        // Identifiers that Packbench doesn't use are skipped: contained items, best before, net weight, price.
        (
            "]C102095060001343521525123131030012503922500\u{1D}3712",
            &[(ContainedGtin, "09506000134352"), (Count, "12")],
        ),
        // A separator before the first element and after one of fixed length does no harm.
        (
            "]C1\u{1D}00393123450000000013\u{1D}10A",
            &[(Sscc, "393123450000000013"), (Batch, "A")],
        ),
    ];
    for (text, wanted) in table {
        let wanted: Vec<_> = { wanted.iter() }
            .map(|&(identifier, value)| (identifier, value.to_owned()))
            .collect();
        assert_eq!(elements(text), Some(wanted), "{text:?}");
    }
}

#[test]
fn ordinary_barcodes_pass_through_untouched() {
    for text in [
        "",
        "0",
        "00",
        "PKB000012345",
        "MS200001",
        "4001234",
        "9312345678907",
        "(unit 4)",
        "(1)",
        "]C0PKB000012345",
        "]C",
        "https://id.example/01/09521234543213",
        "00393123450000000012",
        "0109521234543210",
        "393123450000000013",
        "[)>\u{1E}06\u{1D}1JUN",
        "10ÄÖ",
        "9912\u{1D}98A",
    ] {
        assert_eq!(parse_gs1(text), Ok(None), "{text:?}");
    }
}

#[test]
fn a_barcode_that_says_it_is_gs1_is_checked() {
    for (text, wanted) in [
        ("]C100393123450000000012", Gs1Error::WrongCheckDigit("00")),
        ("(01)09521234543210", Gs1Error::WrongCheckDigit("01")),
        ("]C140295212349876543210", Gs1Error::WrongCheckDigit("402")),
        ("]C10039312345000000001", Gs1Error::WrongLength("00")),
        ("(00)39312345000000001", Gs1Error::WrongLength("00")),
        ("]C1003931234500000000A3", Gs1Error::WrongCharacter("00")),
        ("]C137123456789", Gs1Error::WrongLength("37")),
        ("]C13712A", Gs1Error::WrongCharacter("37")),
        ("]C110", Gs1Error::WrongLength("10")),
        ("]C110ABCDEFGHIJKLMNOPQRSTU", Gs1Error::WrongLength("10")),
        ("]C110A~B", Gs1Error::WrongCharacter("10")),
        ("]C142103", Gs1Error::WrongLength("421")),
        ("]C1421AU3000", Gs1Error::WrongCharacter("421")),
        ("]C1", Gs1Error::Incomplete),
        ("]C1151", Gs1Error::Incomplete),
        ("]C1ABC", Gs1Error::Incomplete),
    ] {
        assert_eq!(parse_gs1(text), Err(wanted), "{text:?}");
    }
}

#[test]
fn every_wrong_digit_and_no_right_one_is_noticed() {
    let right = "106141411234567897";
    for (index, byte) in right.bytes().enumerate() {
        for digit in b'0'..=b'9' {
            let mut changed = right.as_bytes().to_vec();
            changed[index] = digit;
            let changed = String::from_utf8(changed).unwrap();
            let read = parse_gs1(&format!("]C100{changed}"));
            assert_eq!(read.is_ok(), digit == byte, "{changed}");
        }
    }
}

#[test]
fn random_texts_never_panic() {
    const PARTS: [&str; 16] = [
        "]C1", "]d2", "(", ")", "00", "01", "10", "21", "37", "400", "402", "421", "\u{1D}", "A",
        "é", "7",
    ];
    let mut random = fastrand::Rng::with_seed(20);
    for _ in 0..10_000 {
        let text: String = (0..random.usize(0..30))
            .map(|_| PARTS[random.usize(..PARTS.len())])
            .collect();
        let text: String = text.chars().skip(random.usize(0..3)).collect();
        if let Ok(Some(elements)) = parse_gs1(&text) {
            assert!(elements.iter().all(|element| !element.value.is_empty()));
        }
    }
}
