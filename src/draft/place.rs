//! Suburb and postcode in one field, in the order that people say them: `Ballarat Central VIC 3350`.

use crate::shipping::LocationRequest;

const STATES: &[&str] = &["NSW", "VIC", "QLD", "SA", "WA", "TAS", "NT", "ACT", "NZ"];

/// The suburb and postcode in `text`; nothing where there is no four-digit postcode or no suburb before it. A state
/// between the two is left out, as the service knows it from the postcode.
pub fn parse_place(text: &str) -> Option<LocationRequest> {
    let text = text.trim();
    let (before, postcode) = text.rsplit_once([' ', ','])?;
    if postcode.len() != 4 || !postcode.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut suburb = before.trim_end_matches([' ', ',']);
    if let Some((rest, last)) = suburb.rsplit_once([' ', ','])
        && STATES.iter().any(|state| state.eq_ignore_ascii_case(last))
    {
        suburb = rest.trim_end_matches([' ', ',']);
    }
    if suburb.is_empty() {
        return None;
    }
    Some(LocationRequest {
        suburb: suburb.to_owned(),
        postcode: postcode.to_owned(),
    })
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
