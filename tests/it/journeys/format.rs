//! How the screens write counts and durations.

use app::ui::format::{counted, grouped, largest_unit};
use jiff::SignedDuration;

#[test]
fn thousands_are_grouped() {
    for (count, text) in [
        (0, "0"),
        (999, "999"),
        (1_208, "1,208"),
        (100_000, "100,000"),
        (1_234_567, "1,234,567"),
    ] {
        assert_eq!(grouped(count), text);
    }
}

#[test]
fn a_duration_is_told_in_the_largest_unit_that_fits() {
    for (minutes, text) in [
        (0, "0 min"),
        (59, "59 min"),
        (60, "1 h"),
        (47 * 60, "47 h"),
        (48 * 60, "2 d"),
    ] {
        assert_eq!(largest_unit(SignedDuration::from_mins(minutes)), text);
    }
}

#[test]
fn one_is_not_many() {
    assert_eq!(counted(1, "label", "labels"), "1 label");
    assert_eq!(counted(0, "label", "labels"), "0 labels");
}
