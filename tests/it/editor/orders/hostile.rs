//! Files that are no order files, are too large or are malicious: refused with a message, or read without
//! loss.

use draft::orders::{
    ExistingOrders, Sheet, SheetError, check_orders, guess_mapping, rejected_file,
};
use proptest::prelude::*;

use super::{HEADER, checked_orders, file, read, read_rows, reasons, row, terms, titles};

#[test]
fn a_quote_that_is_never_closed_costs_its_own_row_only() {
    let (sheet, _, checked) = read_rows(&[
        ["SO-1", "Farm", "1", "9"],
        ["SO-2", "\"Farm", "1", "9"],
        ["SO-3", "Farm", "1", "9"],
        ["SO-4", "\"Farm, \"\"the\"\" one\"", "1", "9"],
    ]);
    assert_eq!(titles(&checked), ["SO-1", "SO-3", "SO-4"]);
    assert_eq!(checked.orders[2].draft.to.name, "Farm, \"the\" one");
    assert_eq!(
        reasons(&sheet, &checked),
        [(
            3,
            "This row has an opening quote without a closing quote".to_owned()
        )]
    );
    for hostile in ["\"a,b\n", "x,\"\"\"\n", "\"\"\",\n", "y,\"a \"\"b\n"] {
        let many = format!("{HEADER}\n{}", hostile.repeat(3_000));
        let read = Sheet::read(many.as_bytes());
        assert!(
            read.is_ok() || read == Err(SheetError::Quotes),
            "{hostile:?} ends soon"
        );
    }
}

#[test]
fn what_is_no_file_of_orders_is_refused_with_words() {
    let wide = format!("a,{}\nb,c", "x,".repeat(300));
    let long = format!("{HEADER}\n{}", "a,b\n".repeat(50_002));
    for (bytes, error) in [
        (Vec::new(), SheetError::Empty),
        (b"\xef\xbb\xbf\r\n\r\n".to_vec(), SheetError::Empty),
        (HEADER.as_bytes().to_vec(), SheetError::Empty),
        (b"PK\x03\x04rest".to_vec(), SheetError::Workbook),
        (b"\x89PNG\r\n\x1a\n\0\0".to_vec(), SheetError::NotText),
        (b"one\ntwo\nthree".to_vec(), SheetError::OneColumn),
        (vec![b'x'; 10 * 1024 * 1024 + 1], SheetError::TooLarge),
        (vec![b'x'; 10 * 1024 * 1024], SheetError::OneColumn),
        (wide.into_bytes(), SheetError::TooManyColumns),
        (long.into_bytes(), SheetError::TooManyRows),
    ] {
        assert_eq!(Sheet::read(&bytes), Err(error));
        assert!(!error.advice().is_empty() && !error.to_string().ends_with('.'));
    }
    let commas = vec![b','; 10 * 1024 * 1024];
    assert!(
        Sheet::read(&commas).is_err(),
        "ten megabytes of commas end soon"
    );
    let many: Vec<_> = (0..5_001)
        .map(|at| row(&format!("SO-{at}"), "Farm", "1", "9"))
        .collect();
    let sheet = Sheet::read(file(&many).as_bytes()).expect("a sheet");
    let checked = checked_orders(&sheet, &terms());
    assert_eq!(checked, Err(SheetError::TooManyOrders(5_001)));
}

#[test]
fn the_reasons_make_no_formula() {
    let (_, _, checked) = read(file(&[row("=1+1", "", "=2", "+3")]).as_bytes());
    for one in &checked.rejected {
        assert!(
            !one.reason.starts_with(['=', '+', '-', '@', '\t']),
            "{}",
            one.reason
        );
    }
}

#[test]
fn five_thousand_orders_are_checked_within_a_moment() {
    let rows: Vec<_> = (0..5_000)
        .map(|at| row(&format!("SO-{at}"), "Farm", "1", "9"))
        .collect();
    let sheet = Sheet::read(file(&rows).as_bytes()).expect("a sheet");
    let last = std::cell::Cell::new(0);
    let checked = check_orders(
        &sheet,
        &guess_mapping(&sheet),
        &terms(),
        &ExistingOrders::default(),
        &|done| {
            assert!(done > last.replace(done), "progress only goes forward");
        },
    );
    assert_eq!(checked.expect("orders").orders.len(), 5_000);
    assert_eq!(last.get(), 5_000, "and knows its total");
}

#[test]
fn what_comes_back_says_its_delimiter_where_another_could_be_meant() {
    let sheet = Sheet::read(b"\t\";\n;\"a\t;").expect("a sheet");
    let row = |row| draft::orders::RejectedRow {
        row,
        reason: "No receiver".to_owned(),
    };
    let rejected: Vec<_> = (0..sheet.rows.len()).map(row).collect();
    let again = Sheet::read(&rejected_file(&sheet, &rejected)).expect("a sheet again");
    assert_eq!(again.rows.len(), rejected.len());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_are_lost_or_taken_twice_or_make_it_panic(
        bytes in prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..400),
            "[\"a,;\t\r\n='0-9é]{0,400}".prop_map(String::into_bytes),
            proptest::collection::vec("(SO-[1-3])?,(Farm)?,(\"?[a-z\n]{0,4}\"?)(,x)?", 0..20)
                .prop_map(|rows| format!("Reference,To name,Quantity\n{}", rows.join("\n")).into_bytes()),
        ]
    ) {
        let Ok(sheet) = Sheet::read(&bytes) else { return Ok(()) };
        let mapping = guess_mapping(&sheet);
        let checked = check_orders(&sheet, &mapping, &terms(), &ExistingOrders::default(), &|_| ()).expect("few orders");
        let mut rows: Vec<_> = checked.orders.iter().flat_map(|order| order.rows.clone()).collect();
        rows.extend(checked.rejected.iter().map(|one| one.row));
        rows.sort_unstable();
        prop_assert_eq!(rows, (0..sheet.rows.len()).collect::<Vec<_>>());
        let back = rejected_file(&sheet, &checked.rejected);
        if !checked.rejected.is_empty() {
            let again = Sheet::read(&back).expect("what came back can be read");
            prop_assert_eq!(again.rows.len(), checked.rejected.len());
        }
    }
}
