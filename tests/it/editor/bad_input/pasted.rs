//! A page pasted into an address is previewed before it is applied, and afterwards is either clean or shows a
//! problem.

use draft::{AddressField, Draft, Field};

use super::view::{draft, draw_anything};
use super::{characters, unclean};
use crate::support::clerk::Clerk;

fn clerk_at_an_address(clerk: &mut Clerk) {
    draw_anything(clerk);
    clerk.pick_sender();
    clerk.keys("<Alt+2><Alt+A>");
    clerk.is_at(Field::To(AddressField::Name));
}

#[test]
fn ten_thousand_lines_in_an_address_change_nothing_until_they_are_taken() {
    let (_home, _practice, mut clerk) = Clerk::begin();
    clerk_at_an_address(&mut clerk);
    let before = draft(&mut clerk).clone();
    let page = "Otway Timber Yard\n12 Sawmill Lane\nBallarat Central VIC 3350\n".repeat(3_334);
    clerk.paste(&page);
    assert_eq!(*draft(&mut clerk), before, "it is only looked at");
    clerk.keys("<Esc>");
    assert_eq!(*draft(&mut clerk), before, "and left");
    clerk.is_at(Field::To(AddressField::Name));
    clerk.paste(&page);
    clerk.keys("<Enter>");
    let taken = draft(&mut clerk).clone();
    assert_eq!(taken.to.place, "Ballarat Central VIC 3350");
    let to = before.to.clone();
    assert_eq!(Draft { to, ..taken }, before, "nothing else is changed");
}

#[test]
fn a_pasted_address_with_bad_characters_is_told_of_or_clean() {
    let (_home, _practice, mut clerk) = Clerk::begin();
    clerk_at_an_address(&mut clerk);
    let before = draft(&mut clerk).clone();
    for bad in characters() {
        let page = format!("{0}\n12 {0}\n{0} VIC 3350\n{0}@otway.example", bad.text);
        clerk.paste(&page);
        clerk.keys("<Enter>");
        let context = clerk.core().shared.check_context();
        let taken = draft(&mut clerk).clone();
        let wrong = unclean(&taken.check(&context));
        assert_eq!(wrong, None, "{}", bad.what);
        let to = before.to.clone();
        assert_eq!(Draft { to, ..taken }, before, "{}", bad.what);
        *draft(&mut clerk) = before.clone();
        clerk.keys("<Alt+2>");
    }
}
