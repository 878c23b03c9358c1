//! The widgets request no frames while nothing happens.

use super::{bench, gallery};
use crate::support::keyboard::type_keys;

#[test]
fn every_widget_is_still_once_it_is_drawn_even_with_the_focus_in_a_field() {
    let mut harness = bench([1440.0, 900.0], gallery::Gallery::default(), gallery::draw);
    harness.run();
    type_keys(&mut harness, "<Tab>");
    let viewport = harness
        .output()
        .viewport_output
        .values()
        .next()
        .expect("one viewport");
    assert_eq!(
        viewport.repaint_delay,
        std::time::Duration::MAX,
        "a frame is asked for"
    );
}
