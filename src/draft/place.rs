//! Suburb and postcode in one field, in the order that people say them: `Ballarat Central VIC 3350`.

use crate::shipping::{LocationRequest, home_zone};

const STATES: &[&str] = &["NSW", "VIC", "QLD", "SA", "WA", "TAS", "NT", "ACT", "NZ"];

/// The suburb and postcode in `text`; nothing where there is no four-digit postcode or no suburb before it. A state
/// between the two is left out, as the service knows it from the postcode.
pub fn parse_place(text: &str) -> Option<LocationRequest> {
    let (suburb, _, postcode) = parts(text)?;
    Some(LocationRequest {
        suburb: suburb.to_owned(),
        postcode: postcode.to_owned(),
    })
}

/// The time zone (IANA) of a place whose state is named in `text`.
pub(super) fn zone_of_place(text: &str, country: &str) -> Option<&'static str> {
    let (_, state, postcode) = parts(text)?;
    home_zone(state, postcode, country)
}

/// Suburb, state and postcode; the state is empty where none is named.
fn parts(text: &str) -> Option<(&str, &str, &str)> {
    let (before, postcode) = text.trim().rsplit_once([' ', ','])?;
    if postcode.len() != 4 || !postcode.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let suburb = before.trim_end_matches([' ', ',']);
    let named = suburb
        .rsplit_once([' ', ','])
        .filter(|(_, last)| STATES.iter().any(|state| state.eq_ignore_ascii_case(last)));
    let (suburb, state) = named.map_or((suburb, ""), |(rest, state)| {
        (rest.trim_end_matches([' ', ',']), state)
    });
    (!suburb.is_empty()).then_some((suburb, state, postcode))
}

#[cfg(test)]
mod tests {
    use super::parse_place;

    fn read(text: &str) -> Option<(String, String)> {
        parse_place(text).map(|place| (place.suburb, place.postcode))
    }

    #[test]
    fn a_place_is_read_with_and_without_its_state() {
        let ballarat = Some(("Ballarat Central".to_owned(), "3350".to_owned()));
        assert_eq!(read("Ballarat Central VIC 3350"), ballarat);
        assert_eq!(read(" Ballarat Central, vic, 3350 "), ballarat);
        assert_eq!(read("Ballarat Central 3350"), ballarat);
    }

    #[test]
    fn what_has_no_suburb_or_no_postcode_is_not_a_place() {
        for text in [
            "",
            "3350",
            "VIC",
            "Ballarat",
            "Ballarat 335",
            "Ballarat 33500",
            "Ballarat 335O",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }
}
