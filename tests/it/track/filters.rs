//! Filters as typed, and the words that stand for fields.

use storage::{LIST_FIELDS, ListField, ViewedList, folded, parse_filter};

fn read(filter: &str) -> Vec<(Option<ListField>, String)> {
    parse_filter(filter, ViewedList::Dispatch)
        .into_iter()
        .map(|word| (word.field, word.text))
        .collect()
}

#[test]
fn a_filter_is_read_as_words_and_fields() {
    let word = |field, text: &str| (field, text.to_owned());
    assert_eq!(read("  "), []);
    assert_eq!(
        read("Vic Carrier:Southern"),
        [
            word(Some(ListField::Carrier), "southern"),
            word(None, "vic")
        ]
    );
    assert_eq!(
        read("to:\"Kings Park\""),
        [word(Some(ListField::To), "kings park")]
    );
    assert_eq!(read("\"to: park"), [word(None, "to park")]);
    assert_eq!(read("15:30"), [word(None, "1530")]);
    assert_eq!(read("kg:31.5"), [word(Some(ListField::Weight), "31.5")]);
    // Nothing is typed after the field's name yet.
    assert_eq!(read("carrier:"), []);
    assert_eq!(read("ref2:a ref:b").len(), 2);
    // A list without the field takes the name for text.
    assert_eq!(read("status:lost"), [word(None, "statuslost")]);
    assert!(
        parse_filter("held:no", ViewedList::Track)[0]
            .field
            .is_none()
    );
}

#[test]
fn figures_are_found_as_they_are_typed() {
    let figures = |filter: &str| {
        let words = parse_filter(filter, ViewedList::Dispatch);
        words.into_iter().next().and_then(|word| word.figures)
    };
    assert_eq!(figures("31.5").as_deref(), Some("31.5"));
    assert_eq!(figures("SO-48").as_deref(), Some("so-48"));
    assert_eq!(figures("310"), None);
    assert_eq!(figures("o'brien"), None);
    assert_eq!(figures("kg:31.5"), None);
}

#[test]
fn neither_case_nor_accents_nor_punctuation_are_left() {
    for (text, plain) in [
        ("Ballarat Farm & Garden", "ballarat farm garden"),
        ("Café Müller, Straße 9", "cafe muller strasse 9"),
        ("SØNDERGÅRD", "sondergard"),
        ("a\u{1}b\tc", "a b c"),
        ("ＭＳ２００", "ms200"),
        ("PO 12/345.6", "po 123456"),
    ] {
        assert_eq!(folded(text), plain);
    }
}

#[test]
fn no_word_stands_for_two_fields() {
    let mut words: Vec<_> = { LIST_FIELDS.iter() }
        .flat_map(|entry| [entry.key, entry.alias])
        .filter(|word| !word.is_empty())
        .collect();
    let count = words.len();
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), count);
}
