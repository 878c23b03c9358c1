//! Order files: every row becomes a draft or is rejected with its reason, whatever the file contains.

mod hostile;
mod journey;
mod saved;

use std::sync::Arc;

use draft::orders::{
    CheckedOrders, Column, Duplicate, ExistingOrders, Mapping, OrderTerms, Sheet, SheetError,
    check_orders, guess_mapping, rejected_file, template,
};
use draft::{
    AddressField, AddressMode, CheckContext, Field, ItemSource, Party, PickedLocation, Routing,
};
use shipping::{CompanyLocationId, Question};

use crate::support::desk::NOW;

pub(crate) fn terms() -> OrderTerms {
    let sender = PickedLocation {
        id: CompanyLocationId::new(1),
        name: "Harbour Supplies".to_owned(),
        abbreviation: "HSYD".to_owned(),
        street: "14 Wharf Road".to_owned(),
        place: "Alexandria NSW 2015".to_owned(),
        contact: String::new(),
        time_zone: "Australia/Sydney".to_owned(),
        country: String::new(),
        company: None,
    };
    OrderTerms {
        company: None,
        from: Party {
            saved: Some(sender),
            ..Party::default()
        },
        routing: Routing::Unchosen,
        preset: None,
        locations: Vec::new(),
        items: Arc::default(),
        check: CheckContext::at(NOW.parse().expect("a moment"), "Australia/Sydney"),
    }
}

/// Checks the orders of a sheet by its guessed columns, where no order is known yet.
fn checked_orders(sheet: &Sheet, terms: &OrderTerms) -> Result<CheckedOrders, SheetError> {
    check_orders(
        sheet,
        &guess_mapping(sheet),
        terms,
        &ExistingOrders::default(),
        &|_| (),
    )
}

/// The titles of the orders that a file was read into.
fn titles(checked: &CheckedOrders) -> Vec<&str> {
    let orders = checked.orders.iter();
    orders.map(|order| order.draft.title()).collect()
}

fn read(bytes: &[u8]) -> (Sheet, Mapping, CheckedOrders) {
    let sheet = Sheet::read(bytes).expect("a sheet");
    let mapping = guess_mapping(&sheet);
    let checked = checked_orders(&sheet, &terms()).expect("orders");
    (sheet, mapping, checked)
}

/// The reasons of the rows that came back, by the line of the file.
fn reasons(sheet: &Sheet, checked: &CheckedOrders) -> Vec<(usize, String)> {
    let rejected = checked.rejected.iter();
    rejected
        .map(|one| (sheet.rows[one.row].line, one.reason.clone()))
        .collect()
}

const HEADER: &str = "Reference,To name,To contact,To phone,To e-mail,To address 1,To suburb,To state,To postcode,Item name,Quantity,\
     Weight kg,Length cm,Width cm,Height cm";

/// A row that is good, with its reference, receiver, quantity and weight.
pub(crate) fn row(reference: &str, name: &str, quantity: &str, weight: &str) -> String {
    format!(
        "{reference},{name},J. Okafor,03 5550 0199,stores@bfg.example,8 Creswick Road,Ballarat Central,VIC,3350,\
         Hose reels,{quantity},{weight},40,40,30"
    )
}

pub(crate) fn file(rows: &[String]) -> String {
    let lines: Vec<_> = [HEADER.to_owned()]
        .into_iter()
        .chain(rows.iter().cloned())
        .collect();
    lines.join("\r\n")
}

/// The row of a carton of 9 kg for the farm.
fn farm(reference: &str) -> [&str; 4] {
    [reference, "Farm", "1", "9"]
}

/// Reads a file of these rows: reference, receiver, quantity and weight of each.
fn read_rows(rows: &[[&str; 4]]) -> (Sheet, Mapping, CheckedOrders) {
    let rows = rows
        .iter()
        .map(|[reference, name, quantity, weight]| row(reference, name, quantity, weight));
    read(file(&rows.collect::<Vec<_>>()).as_bytes())
}

#[test]
fn the_template_is_an_order_of_two_lines() {
    let (_, mapping, checked) = read(template().as_bytes());
    assert_eq!(mapping.len(), Column::all().len());
    for column in Column::all() {
        assert!(mapping.contains(&Some(*column)), "{column:?}");
    }
    assert_eq!(checked.rejected, [], "the template itself can be imported");
    let [order] = checked.orders.as_slice() else {
        panic!("{:?}", checked.orders);
    };
    let draft = &order.draft;
    assert_eq!(draft.reference1, "SO-1001");
    assert_eq!(draft.routing, Routing::Cheapest);
    assert_eq!(draft.to.place, "Ballarat Central VIC 3350");
    assert!(draft.questions.contains(&Question::AuthorityToLeave) && draft.flags.tracking_email);
    let goods: Vec<_> = draft
        .goods
        .iter()
        .map(|line| {
            (
                line.item_type.as_str(),
                line.name.as_str(),
                line.weight.as_str(),
            )
        })
        .collect();
    assert_eq!(
        goods,
        [
            ("Carton", "Hose reels, 20 m", "9"),
            ("Pallet", "Drip irrigation kits", "180.5")
        ]
    );
    assert_eq!(
        draft.from,
        terms().from,
        "who names no sender has the form's"
    );
}

#[test]
fn every_common_encoding_is_read_alike() {
    let text = file(&[row("SO-1", "Café Zoë", "1", "9")]);
    let utf16 = |mark: [u8; 2], unit: fn(u16) -> [u8; 2]| {
        let units = text.encode_utf16().flat_map(unit);
        mark.into_iter().chain(units).collect::<Vec<_>>()
    };
    let windows = encoding_rs::WINDOWS_1252.encode(&text).0.into_owned();
    for (bytes, name) in [
        (text.clone().into_bytes(), "UTF-8"),
        ([b"\xef\xbb\xbf", text.as_bytes()].concat(), "UTF-8"),
        (utf16([0xff, 0xfe], u16::to_le_bytes), "UTF-16"),
        (utf16([0xfe, 0xff], u16::to_be_bytes), "UTF-16"),
        (windows, "Windows-1252"),
    ] {
        let (sheet, _, checked) = read(&bytes);
        assert_eq!(sheet.format_label, format!("{name}, commas"));
        assert_eq!(checked.orders[0].draft.to.name, "Café Zoë", "{name}");
        assert_eq!(sheet.headers[0], "Reference", "no mark is left before it");
    }
}

#[test]
fn every_common_delimiter_and_line_end_is_found_by_itself() {
    let text = file(&[row("SO-1", "Farm", "1", "9"), row("SO-2", "Farm", "1", "9")]);
    for (delimiter, words) in [(",", "commas"), (";", "semicolons"), ("\t", "tabs")] {
        for end in ["\r\n", "\n", "\r"] {
            let text = text.replace(',', delimiter).replace("\r\n", end);
            let (sheet, _, checked) = read(text.as_bytes());
            assert_eq!(sheet.format_label, format!("UTF-8, {words}"));
            assert_eq!(
                (checked.orders.len(), checked.rejected.len()),
                (2, 0),
                "{end:?}"
            );
            assert_eq!(sheet.rows[1].line, 3, "{end:?}");
        }
    }
    let told = format!("sep=;\r\n{}", text.replace(',', ";"));
    assert_eq!(read(told.as_bytes()).2.orders.len(), 2);
}

#[test]
fn numbers_with_a_comma_are_numbers_in_a_file_of_semicolons() {
    let text = file(&[row("SO-1", "Farm", "1", "9")])
        .replace(',', ";")
        .replace(";9;", ";9,5;");
    let (_, _, checked) = read(text.as_bytes());
    assert_eq!(checked.orders[0].draft.totals().weight.0.to_string(), "9.5");
}

#[test]
fn common_headers_are_known_and_order_and_case_do_not_matter() {
    let text = "email,QTY,Shipping_City,postal code,Street,Phone,Contact,Company,Description,kg,L,W,H,Order No,colour\n\
                a@b.example,2,Tweed Heads,2485,2 Wharf Street,07 5550 0123,Kim,Tweed Marine,Rope,4,10,10,10,77,red";
    let (_, mapping, checked) = read(text.as_bytes());
    assert_eq!(
        mapping.last(),
        Some(&None),
        "a column that means nothing is left out"
    );
    let draft = &checked.orders[0].draft;
    assert_eq!(draft.title(), "77");
    assert_eq!(draft.to.place, "Tweed Heads 2485");
    assert_eq!(draft.goods[0].name, "Rope");
}

#[test]
fn rows_of_one_reference_are_one_order_wherever_they_stand() {
    let (_, _, checked) = read_rows(&[
        farm("SO-1"),
        farm("SO-2"),
        ["so-1", "farm", "3", "2"],
        farm(""),
        farm(""),
    ]);
    let lines: Vec<_> = checked
        .orders
        .iter()
        .map(|order| order.draft.goods.len())
        .collect();
    assert_eq!(lines, [2, 1, 1, 1]);
    assert_eq!(checked.orders[0].rows, [0, 2]);
}

#[test]
fn what_is_wrong_comes_back_at_its_row_with_the_reason() {
    let good = || row("SO-9", "Farm", "1", "9");
    for (rows, expected) in [
        (vec![row("SO-1", "", "1", "9")], vec![(2, "To name: ")]),
        (vec![row("SO-1", "Farm", "x", "9")], vec![(2, "Quantity: ")]),
        (
            vec![row("SO-1", "Farm", "-1", "9")],
            vec![(2, "Quantity: ")],
        ),
        (
            vec![row("SO-1", "Farm", "1", "heavy")],
            vec![(2, "Weight kg: ")],
        ),
        (
            vec![row("SO-1", "Farm", "1", "0")],
            vec![(2, "Weight kg: ")],
        ),
        (
            vec![good().replace("3350", "ABCD")],
            vec![(2, "To suburb: ")],
        ),
        (
            vec![good().replace("stores@bfg", "stores at bfg")],
            vec![(2, "To e-mail: ")],
        ),
        (
            vec![good().replace("03 5550 0199", "3.55500199E+9")],
            vec![(2, "To phone: The spreadsheet")],
        ),
        (
            vec![format!("{},extra", good())],
            vec![(2, "This row has more cells")],
        ),
        (
            vec![format!("{},{}", good(), "x".repeat(1_001))],
            vec![(2, "This row has more cells")],
        ),
        (
            vec![row("SO-1", "Farm", "1", "9"), row("SO-1", "Barn", "1", "9")],
            vec![
                (2, "Rejected because of line 3"),
                (3, "To name differs from line 2"),
            ],
        ),
        (
            vec![
                row("SO-1", "Farm", "1", "9"),
                good(),
                row("SO-1", "Farm", "0", "9"),
            ],
            vec![(2, "Rejected because of line 4"), (4, "Quantity: ")],
        ),
        (vec!["SO-1,Farm".to_owned()], vec![(2, "To contact: ")]),
    ] {
        let (sheet, _, checked) = read(file(&rows).as_bytes());
        let reasons = reasons(&sheet, &checked);
        assert_eq!(reasons.len(), expected.len(), "{rows:?}: {reasons:?}");
        for ((line, reason), (at, words)) in reasons.iter().zip(expected) {
            assert!(
                *line == at && reason.starts_with(words),
                "{rows:?}: {reasons:?}"
            );
        }
    }
}

#[test]
fn spreadsheet_habits_are_understood() {
    let text = file(&[row("SO-1", "Farm", "1", "9")])
        .replace("Ballarat Central,VIC,3350", "Darwin,NT,800")
        .replace("8 Creswick Road", "\"Unit 3\r\n8 Creswick Road\"");
    let (_, _, checked) = read(text.as_bytes());
    assert_eq!(checked.orders[0].draft.to.place, "Darwin NT 0800");
    assert_eq!(checked.orders[0].draft.to.line1, "Unit 3 8 Creswick Road");
    let empty_rows = format!("{text}\r\n,,,,\r\n\r\n  , ,\r\n");
    assert_eq!(read(empty_rows.as_bytes()).0.rows.len(), 1);
}

#[test]
fn a_saved_item_and_a_saved_receiver_are_named_and_the_rest_is_as_saved() {
    let text = "Reference,To,SKU,Quantity,Service\nSO-1,BFG,DRIP-40,3,fastest";
    let sheet = Sheet::read(text.as_bytes()).expect("a sheet");
    let mut terms = terms();
    terms.locations = vec![
        serde_json::from_str(
            r#"{"id": 7, "name": "Ballarat Farm", "abbreviation": "bfg", "location": {}}"#,
        )
        .expect("a location"),
    ];
    let checked = checked_orders(&sheet, &terms);
    let checked = checked.expect("orders");
    // Whether the order is whole is the draft's own affair; that it names what is saved is the file's.
    let order = checked.orders.first();
    if let Some(order) = order {
        assert_eq!(order.draft.to.mode, AddressMode::Saved);
        assert_eq!(
            order.draft.to.saved.as_ref().map(|saved| saved.id.get()),
            Some(7)
        );
        assert_eq!(order.draft.goods[0].source, ItemSource::Sku);
        assert_eq!(order.draft.goods[0].quantity, "3");
        assert_eq!(order.draft.routing, Routing::Fastest);
    }
    assert_eq!(checked.orders.len() + checked.rejected.len(), 1);
}

#[test]
fn what_came_back_is_mended_and_imported_again() {
    let text = file(&[
        row("SO-1", "Farm", "1", "9"),
        row("SO-2", "Farm", "none", "9"),
        row("=cmd|' /C calc'!A0", "\"Farm; \"\"B\"\"\"", "0", "9"),
        format!("{},one more", row("SO-4", "Farm", "1", "9")),
    ]);
    let (sheet, _, checked) = read(text.as_bytes());
    assert_eq!((checked.orders.len(), checked.rejected.len()), (1, 3));
    let back = rejected_file(&sheet, &checked.rejected);
    let (again, mapping, unchanged) = read(&back);
    assert_eq!(unchanged.orders.len(), 0, "nothing mended, nothing taken");
    assert_eq!(reasons(&again, &unchanged).len(), 3);
    for (cells, original) in again.rows.iter().zip([1, 2, 3]) {
        let original = &sheet.rows[original].cells;
        assert_eq!(&cells.cells[..original.len()], original, "as it was");
    }
    assert_eq!(
        again.headers_key(),
        sheet.headers_key(),
        "its columns are known again"
    );
    assert_eq!(mapping[..sheet.headers.len()], guess_mapping(&sheet));
    let mended = String::from_utf8(back).expect("text");
    let mended = mended
        .replace(",none,", ",2,")
        .replace(",0,9", ",1,9")
        .replace(",one more,", ",,");
    let (_, _, mended) = read(mended.as_bytes());
    assert_eq!(titles(&mended), ["SO-2", "=cmd|' /C calc'!A0", "SO-4"]);
}

#[test]
fn an_order_that_is_known_is_told() {
    let (sheet, mapping, first) = read_rows(&["SO-1", "SO-2", "", "SO-4"].map(farm));
    let known = ExistingOrders {
        drafts: ["so-1".to_owned()].into(),
        sent: [("so-2".to_owned(), "MS200431".to_owned())].into(),
        imported: [first.orders[2].digest.clone()].into(),
    };
    let checked = check_orders(&sheet, &mapping, &terms(), &known, &|_| ()).expect("orders");
    let repeats: Vec<_> = checked
        .orders
        .into_iter()
        .map(|order| order.duplicate)
        .collect();
    let sent = Duplicate::Sent("MS200431".to_owned());
    assert_eq!(
        repeats,
        [
            Some(Duplicate::Draft),
            Some(sent),
            Some(Duplicate::Imported),
            None
        ]
    );
}

#[test]
fn a_mapping_is_remembered_by_the_set_of_headers() {
    let first = Sheet::read(b"Ref,Wer,Wo,Wer\n1,a,b,c").expect("a sheet");
    let mapping = vec![
        Some(Column::Text(Field::Reference1)),
        Some(Column::Text(Field::To(AddressField::Name))),
        Some(Column::Text(Field::To(AddressField::Place))),
        None,
    ];
    let kept = first.mapping_to_save(&mapping);
    let other = Sheet::read(b"wo;REF;wer;wer\n1;a;b;c").expect("a sheet");
    assert_eq!(other.headers_key(), first.headers_key());
    let expected = vec![
        Some(Column::Text(Field::To(AddressField::Place))),
        Some(Column::Text(Field::Reference1)),
        Some(Column::Text(Field::To(AddressField::Name))),
        None,
    ];
    assert_eq!(other.restore_mapping(kept), expected);
}
