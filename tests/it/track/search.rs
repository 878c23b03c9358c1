//! Tracked consignments are found by parts of their numbers and names, whether they are indexed yet or not.

use storage::{ConsignmentHistory, TrackReader, TrackStore};

use super::samples::{NOW, at, followed, ids, status, with};

/// A store with these, and a reader; twice: not indexed yet, and indexed.
fn both(rows: &[ConsignmentHistory], check: impl Fn(&TrackReader, &str)) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = TrackStore::open(&folder.path().join("followed.sqlite")).expect("a store");
    store.put(rows, at(NOW)).expect("kept");
    let reader = store.reader().expect("a reader");
    check(&reader, "not indexed");
    while store.index(100).expect("indexed") > 0 {}
    assert_eq!(store.unindexed().expect("counted"), 0);
    check(&reader, "indexed");
}

fn finds(rows: &[ConsignmentHistory], cases: &[(&str, &[i64])]) {
    both(rows, |reader, when| {
        for (words, expected) in cases {
            let found = reader.search(words, 100).expect("a search");
            assert_eq!(found, ids(expected), "{words:?}, {when}");
        }
    });
}

fn named(id: i64, to: &str) -> ConsignmentHistory {
    let to = to.to_owned();
    with(id, |row| row.to = to)
}

#[test]
fn parts_of_numbers_and_names_are_found_wherever_they_are() {
    let rows = [
        named(101, "Smith & Sons"),
        named(102, "Goldsmith"),
        named(103, "Baker"),
    ];
    finds(
        &rows,
        &[
            ("smith", &[102, 101]),
            ("SMITH", &[102, 101]),
            ("mit", &[102, 101]),
            ("oldsm", &[102]),
            ("900103", &[103]),
            ("0103", &[103]),
            ("so-102", &[102]),
            ("2500", &[103, 102, 101]),
            ("wollong", &[103, 102, 101]),
            ("warehouse", &[103, 102, 101]),
            ("nobody", &[]),
        ],
    );
}

#[test]
fn all_words_must_hold_in_any_order() {
    let rows = [named(101, "Smith Brothers"), named(102, "Brothers Grimm")];
    finds(
        &rows,
        &[
            ("brothers smith", &[101]),
            ("smi bro", &[101]),
            ("bro ms102 wol", &[102]),
            ("  brothers \t ", &[102, 101]),
            ("smith grimm", &[]),
            ("smithbro", &[]),
        ],
    );
}

#[test]
fn a_word_may_name_its_field_and_words_in_quotation_marks_stay_together() {
    let rows = [
        with(101, |row| {
            row.to = "Kings Park Nursery".to_owned();
            row.carrier = "Southern Cross".to_owned();
            row.dangerous = Some(true);
        }),
        with(102, |row| {
            row.to = "Park Kings".to_owned();
            row.to_place.state = "VIC".to_owned();
            row.weight = None;
            row.status = status(9);
        }),
        with(103, |row| row.from = "Kings Park Depot".to_owned()),
    ];
    finds(
        &rows,
        &[
            ("\"kings park\"", &[103, 101]),
            ("to:\"kings park\"", &[101]),
            ("To:park", &[102, 101]),
            ("receiver:park kings", &[102, 101]),
            ("sender:kings", &[103]),
            ("no:ms102", &[102]),
            ("ref:so-10", &[103, 102, 101]),
            ("ref:101", &[101]),
            ("carrier:southern", &[101]),
            ("carrier:southern to:nobody", &[]),
            ("state:vic", &[102]),
            ("park state:nsw", &[103, 101]),
            ("status:damaged", &[102]),
            ("kg:12.5", &[103, 101]),
            ("pieces:3 despatch:\"18 nov\"", &[103, 102, 101]),
            ("eta:17:00 dg:yes", &[101]),
            ("dg:no", &[103, 102]),
            ("important:n", &[]),
            ("files:2 town:wollongong", &[103, 102, 101]),
            ("con:tlx900103", &[103]),
            ("held:yes", &[]),
        ],
    );
}

#[test]
fn case_accents_and_signs_between_letters_do_not_matter() {
    let rows = [
        named(101, "Café Müller"),
        named(102, "O'Brien-Straße"),
        with(103, |row| row.reference = "PO 12/345.6".to_owned()),
        named(104, "東京貿易"),
    ];
    finds(
        &rows,
        &[
            ("cafe", &[101]),
            ("CAFÉ mull", &[101]),
            ("obrien", &[102]),
            ("o'brien", &[102]),
            ("strasse", &[102]),
            ("12-3456", &[103]),
            ("123456", &[103]),
            ("東京", &[104]),
            ("京", &[104]),
            ("東京貿", &[104]),
        ],
    );
}

#[test]
fn one_letter_and_two_are_enough() {
    let mut rows: Vec<ConsignmentHistory> = (1..=300).map(|id| named(id, "Aaron")).collect();
    rows.push(named(301, "Xq"));
    rows.push(named(302, "Prixqu"));
    finds(&rows, &[("xq", &[302, 301]), ("x q", &[302, 301])]);
    both(&rows, |reader, when| {
        let found = reader.search("a", 3).expect("a search");
        assert_eq!(found, ids(&[302, 301, 300]), "{when}");
    });
}

#[test]
fn two_rare_letters_are_found_among_many() {
    let mut rows: Vec<ConsignmentHistory> = (1..=9_000).map(|id| named(id, "Aaron")).collect();
    rows[10] = named(11, "Zyz");
    rows[8_000] = named(8_001, "Bzy");
    finds(
        &rows,
        &[
            ("zy", &[8_001, 11]),
            ("zy 900011", &[11]),
            ("aaron zy", &[]),
        ],
    );
}

#[test]
fn nothing_that_is_typed_is_a_mistake() {
    let rows = [
        named(101, "Smith \"AND\" (Sons) NEAR"),
        named(102, "C++ *^: Ltd"),
    ];
    for typed in [
        "\"",
        "'",
        "*",
        "smith*",
        "(",
        "AND",
        "OR NOT",
        "a:b",
        "^x",
        "-",
        "{}",
        "NEAR(",
        "\0",
        "%",
        "_",
        "smith\"",
        "\\",
        "ﬁ",
        "İ",
        "½",
        "\u{301}",
        "found MATCH",
        ";DROP TABLE tracked",
    ] {
        both(&rows, |reader, when| {
            let found = reader.search(typed, 10);
            assert!(found.is_ok(), "{typed:?}, {when}: {found:?}");
            assert!(reader.find_by_number(typed).is_ok(), "{typed:?}, {when}");
        });
    }
    finds(
        &rows,
        &[
            ("and", &[101]),
            ("near sons", &[101]),
            ("c++", &[102]),
            ("\"smith", &[101]),
            ("--", &[102, 101]),
        ],
    );
    let long = "smith ".repeat(500) + &"x".repeat(5_000);
    finds(&rows, &[(&long, &[])]);
}

#[test]
fn a_changed_name_is_found_by_its_new_words_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = TrackStore::open(&folder.path().join("followed.sqlite")).expect("a store");
    let reader = store.reader().expect("a reader");
    store.put(&[named(101, "Smith")], at(NOW)).expect("kept");
    store.index(10).expect("indexed");
    store.put(&[named(101, "Baker")], at(NOW)).expect("kept");
    for _ in 0..2 {
        assert!(reader.search("smith", 10).expect("a search").is_empty());
        assert_eq!(reader.search("baker", 10).expect("a search"), ids(&[101]));
        store.index(10).expect("indexed");
    }
}

#[test]
fn the_newest_come_first_and_no_more_than_asked_for() {
    let rows: Vec<ConsignmentHistory> = (1..=50).map(followed).collect();
    both(&rows, |reader, when| {
        let found = reader.search("smith", 3).expect("a search");
        assert_eq!(found, ids(&[50, 49, 48]), "{when}");
        let all = reader.search("", 4).expect("a search");
        assert_eq!(all, ids(&[50, 49, 48, 47]), "{when}");
    });
}

#[test]
fn a_whole_number_reference_or_token_is_called_in_any_case() {
    let rows = [
        followed(101),
        followed(1011),
        with(102, |row| row.reference2 = "PO 77/É".to_owned()),
        with(103, |row| row.reference2 = "po77".to_owned()),
    ];
    both(&rows, |reader, when| {
        for (number, expected) in [
            ("ms101", vec![101]),
            ("TLX900101", vec![101]),
            (" so-101 ", vec![101]),
            ("SO101", vec![]),
            ("aB101XyZtOkEn", vec![101]),
            ("po 77/é", vec![102]),
            ("PO77", vec![103]),
            ("MS10", vec![]),
            ("", vec![]),
            ("-", vec![]),
        ] {
            let called = reader.find_by_number(number).expect("an answer");
            assert_eq!(called, ids(&expected), "{number:?}, {when}");
        }
        let pasted = reader.search("Ab101xYzToken", 10).expect("a search");
        assert_eq!(pasted, ids(&[101]), "a token is found whole, {when}");
    });
}
