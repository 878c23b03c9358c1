//! Assertions about texts for people.

/// Fails with the whole text if the text does not contain `part`.
#[track_caller]
pub(crate) fn assert_contains(text: &str, part: &str) {
    assert!(text.contains(part), "{part:?} is not in {text:?}");
}
