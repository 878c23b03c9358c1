//! Addresses: modes, required fields, shapes, and countries.

use draft::{AddressField, AddressMode, Draft, Field};

use super::{export, rules, set};

const fn from(field: AddressField) -> Field {
    Field::From(field)
}

const fn to(field: AddressField) -> Field {
    Field::To(field)
}

fn import(draft: &mut Draft) {
    export(draft);
    std::mem::swap(&mut draft.from, &mut draft.to);
}

rules! {
    a_side_is_a_saved_location_or_an_address: [
        (|d| d.from.mode = AddressMode::Saved, from(AddressField::Saved), "Pick a saved location"),
        (|d| d.to.mode = AddressMode::Saved, to(AddressField::Saved), "Pick a saved location"),
        (
            |d| { d.to.mode = AddressMode::Saved; set(&mut d.to.abbreviation, "BAL\nFG"); },
            to(AddressField::Saved),
            "line break",
        ),
    ],
    a_full_address_needs_all_but_its_second_line: [
        (|d| set(&mut d.to.name, " "), to(AddressField::Name), "name"),
        (|d| set(&mut d.from.contact, ""), from(AddressField::Contact), "contact name"),
        (|d| set(&mut d.to.phone, ""), to(AddressField::Phone), "phone"),
        (|d| set(&mut d.to.email, ""), to(AddressField::Email), "e-mail"),
        (|d| set(&mut d.from.line1, "\n"), from(AddressField::Line1), "street"),
        (|d| set(&mut d.to.place, ""), to(AddressField::Place), "suburb and postcode"),
    ],
    a_location_is_a_suburb_and_a_postcode: [
        (|d| set(&mut d.to.place, "Ballarat"), to(AddressField::Place), "suburb and postcode"),
        (|d| set(&mut d.to.place, "3350"), to(AddressField::Place), "suburb and postcode"),
        (|d| set(&mut d.from.place, "Ballarat VIC 33500"), from(AddressField::Place), "suburb and postcode"),
        (|d| set(&mut d.from.place, "😀 335O"), from(AddressField::Place), "suburb and postcode"),
    ],
    an_email_has_the_shape_of_one: [
        (|d| set(&mut d.to.email, "not an address"), to(AddressField::Email), "not an e-mail"),
        (|d| set(&mut d.to.email, "a@b..example"), to(AddressField::Email), "not an e-mail"),
        (|d| set(&mut d.to.email, "a@b.example, c@d.example"), to(AddressField::Email), "not an e-mail"),
        (|d| set(&mut d.from.email, "😀@b.example"), from(AddressField::Email), "not an e-mail"),
    ],
    a_phone_number_can_be_called: [
        (|d| set(&mut d.to.phone, "123"), to(AddressField::Phone), "six digits"),
        (|d| set(&mut d.to.phone, "ask at the gate"), to(AddressField::Phone), "digits"),
        (|d| set(&mut d.from.phone, "03 5550 0199 😀"), from(AddressField::Phone), "digits"),
        (|d| set(&mut d.from.phone, "123456789012345678901"), from(AddressField::Phone), "twenty"),
    ],
    a_valid_phone_number_is_required_abroad: [
        (|d| { export(d); set(&mut d.to.phone, "555 019"); }, to(AddressField::Phone), "seven digits"),
        (|d| { export(d); set(&mut d.from.phone, "555 019"); }, from(AddressField::Phone), "seven digits"),
    ],
    a_country_is_one_of_the_list: [
        (|d| set(&mut d.to.country, "Atlantis"), to(AddressField::Country), "country from the list"),
        (|d| set(&mut d.from.country, "XX"), from(AddressField::Country), "country from the list"),
    ],
    a_place_abroad_has_a_city: [
        (|d| { export(d); set(&mut d.to.city, ""); }, to(AddressField::City), "city"),
        (|d| { import(d); set(&mut d.from.city, " "); }, from(AddressField::City), "city"),
        (|d| { export(d); set(&mut d.to.postcode, "12345678901234567"); }, to(AddressField::Postcode), "At most 16"),
    ],
    both_sides_outside_australia_are_unsupported: [
        (
            |d| { export(d); set(&mut d.from.country, "NZ"); set(&mut d.from.city, "Auckland"); },
            to(AddressField::Country),
            "must be in Australia",
        ),
        (
            |d| { set(&mut d.from.country, "FJI"); set(&mut d.to.country, "Fiji"); },
            to(AddressField::Country),
            "must be in Australia",
        ),
    ],
    address_text_stands_on_one_line_with_nothing_hidden: [
        (|d| set(&mut d.to.name, "a\nb"), to(AddressField::Name), "line break"),
        (|d| set(&mut d.to.contact, "a\u{202e}b"), to(AddressField::Contact), "reverse text"),
        (|d| set(&mut d.to.line1, "a\tb"), to(AddressField::Line1), "tab"),
        (|d| set(&mut d.from.line2, "a\u{200b}b"), from(AddressField::Line2), "hidden"),
        (|d| set(&mut d.to.line2, "a\u{1}b"), to(AddressField::Line2), "can't be printed"),
        (|d| d.to.name = "é".repeat(81), to(AddressField::Name), "At most 80 characters: this text has 81"),
        (|d| d.to.place = "x\n".repeat(10_000), to(AddressField::Place), "line break"),
        (|d| d.to.line1 = "x ".repeat(500_000), to(AddressField::Line1), "At most 80"),
    ],
}
