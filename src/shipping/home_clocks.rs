//! The clocks of Australian places, where the service names a place and not its zone.
//!
//! What always holds: a state's zone is that of its clocks all over, but for the two places of New South Wales that have
//! their own. It must not know of other countries: nothing is guessed there.

use jiff::tz::TimeZone;

use super::company::Location;

/// The zone (IANA) of a place: as the service says where that is one, else that of its state; empty where nobody knows it.
pub fn zone_of(place: &Location) -> &str {
    let said = place.time_zone.trim();
    // Some services tell what their own system calls it: "AUS Eastern Standard Time".
    if !said.is_empty() && TimeZone::get(said).is_ok() {
        return said;
    }
    home_zone(&place.state, &place.postcode, &place.country).unwrap_or_default()
}

/// The zone (IANA) of a place, by its state and postcode; nothing where that does not tell.
pub fn home_zone(state: &str, postcode: &str, country: &str) -> Option<&'static str> {
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
