//! Time zones of Australian places, for services that give a place without its zone.
//!
//! Every place in a state has that state's zone, except Broken Hill and Lord Howe Island in New South Wales,
//! which have their own. Places in other countries have no zone here: guessing would be wrong.

use jiff::tz::TimeZone;

use super::company::Location;

/// Returns the IANA zone of a place: the service's, if it is a valid IANA name, otherwise the state's. Empty
/// if unknown.
pub fn time_zone_of(place: &Location) -> &str {
    let said = place.time_zone.trim();
    // Some services send a Windows name, such as "AUS Eastern Standard Time".
    if !said.is_empty() && TimeZone::get(said).is_ok() {
        return said;
    }
    australian_time_zone(&place.state, &place.postcode, &place.country).unwrap_or_default()
}

/// Returns the IANA zone for an Australian state and postcode.
pub fn australian_time_zone(state: &str, postcode: &str, country: &str) -> Option<&'static str> {
    let country = country.trim().to_ascii_uppercase();
    if !matches!(country.as_str(), "" | "AU" | "AUS" | "AUSTRALIA") {
        return None;
    }
    let zone = match (state.trim().to_ascii_uppercase().as_str(), postcode.trim()) {
        ("NSW" | "NEW SOUTH WALES", "2880") => "Australia/Broken_Hill",
        ("NSW" | "NEW SOUTH WALES", "2898") => "Australia/Lord_Howe",
        ("NSW" | "NEW SOUTH WALES" | "ACT" | "AUSTRALIAN CAPITAL TERRITORY", _) => {
            "Australia/Sydney"
        }
        ("VIC" | "VICTORIA", _) => "Australia/Melbourne",
        ("QLD" | "QUEENSLAND", _) => "Australia/Brisbane",
        ("SA" | "SOUTH AUSTRALIA", _) => "Australia/Adelaide",
        ("WA" | "WESTERN AUSTRALIA", _) => "Australia/Perth",
        ("TAS" | "TASMANIA", _) => "Australia/Hobart",
        ("NT" | "NORTHERN TERRITORY", _) => "Australia/Darwin",
        _ => return None,
    };
    Some(zone)
}
