//! Parses suburb and postcode from one field, in the order that people write them: `Ballarat Central VIC
//! 3350`.

use shipping::{LocationRequest, australian_time_zone};

const STATES: &[&str] = &["NSW", "VIC", "QLD", "SA", "WA", "TAS", "NT", "ACT", "NZ"];

/// Parses the suburb and postcode; `None` without a four-digit postcode or without a suburb before it. A
/// state between the two is dropped, because the service knows it from the postcode.
pub fn parse_place(text: &str) -> Option<LocationRequest> {
    let (suburb, _, postcode) = parts(text)?;
    Some(LocationRequest {
        suburb: suburb.to_owned(),
        postcode: postcode.to_owned(),
    })
}

/// Returns the time zone (IANA) of a place if the text names its state.
pub(super) fn zone_of_place(text: &str, country: &str) -> Option<&'static str> {
    let (_, state, postcode) = parts(text)?;
    australian_time_zone(state, postcode, country)
}

/// Returns suburb, state and postcode; the state is empty if none is named.
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
