//! Countries as clerks type them: by name, or by two-letter or three-letter code. Three-letter codes are
//! sent.
//!
//! Codes follow ISO 3166-1. Countries with a long official name have their common name here.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use shipping::CountryCode;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Country {
    pub code: CountryCode,
    pub name: &'static str,
}

/// Common names for countries with a long official name, separated by `|`. The first name is shown, and all of
/// them are recognised.
const NAMES: &[(&str, &str)] = &[
    ("ARE", "United Arab Emirates|UAE|Emirates"),
    ("BOL", "Bolivia"),
    ("BRN", "Brunei"),
    ("CIV", "Côte d'Ivoire|Ivory Coast"),
    ("COD", "Congo, Democratic Republic|DR Congo"),
    ("COG", "Congo, Republic"),
    ("CPV", "Cape Verde|Cabo Verde"),
    ("CZE", "Czechia|Czech Republic"),
    ("FLK", "Falkland Islands"),
    ("FSM", "Micronesia"),
    (
        "GBR",
        "United Kingdom|UK|Great Britain|Britain|England|Scotland|Wales|Northern Ireland",
    ),
    ("IRN", "Iran"),
    ("KOR", "South Korea|Korea|Republic of Korea"),
    ("LAO", "Laos"),
    ("MAC", "Macao|Macau"),
    ("MDA", "Moldova"),
    ("MKD", "North Macedonia|Macedonia"),
    ("MMR", "Myanmar|Burma"),
    ("NLD", "Netherlands|Holland"),
    ("NZL", "New Zealand|Aotearoa"),
    ("PRK", "North Korea"),
    ("PSE", "Palestine"),
    ("RUS", "Russia"),
    ("SWZ", "Eswatini|Swaziland"),
    ("SYR", "Syria"),
    ("TLS", "Timor-Leste|East Timor"),
    ("TUR", "Türkiye|Turkey"),
    ("TWN", "Taiwan"),
    ("TZA", "Tanzania"),
    ("USA", "United States|America|United States of America"),
    ("VAT", "Vatican City|Holy See"),
    ("VEN", "Venezuela"),
    ("VGB", "British Virgin Islands"),
    ("VIR", "US Virgin Islands"),
    ("VNM", "Vietnam"),
];

/// A folded name or code of a country. Names are found by the beginning of a word, codes only if they are complete.
struct CountryNameOrCode {
    text: String,
    is_code: bool,
    country: Country,
}

/// All names and codes, in the order of the countries' first names.
static KNOWN: LazyLock<Vec<CountryNameOrCode>> = LazyLock::new(|| {
    let mut all: Vec<Vec<CountryNameOrCode>> = rust_iso3166::ALL.iter().filter_map(known).collect();
    all.sort_by(|a, b| a[0].text.cmp(&b[0].text));
    all.into_iter().flatten().collect()
});

/// An index of the countries by folded name and code, because reading a consignment looks up its country.
static BY_TEXT: LazyLock<HashMap<&str, Country>> = LazyLock::new(|| {
    let entries = KNOWN.iter().rev();
    entries.map(|known| (&*known.text, known.country)).collect()
});

fn known(listed: &rust_iso3166::CountryCode) -> Option<Vec<CountryNameOrCode>> {
    let names = NAMES.iter().find(|(code, _)| *code == listed.alpha3);
    let names = names.map_or(listed.name, |(_, names)| names);
    let country = Country {
        code: CountryCode::new(listed.alpha3).ok()?,
        name: names.split('|').next()?,
    };
    let entry = |is_code| {
        move |text: &str| CountryNameOrCode {
            text: fold(text),
            is_code,
            country,
        }
    };
    let names = names.split('|').chain([listed.name]).map(entry(false));
    let codes = [listed.alpha2, listed.alpha3].into_iter().map(entry(true));
    Some(names.chain(codes).collect())
}

/// Folds a text: lower case without accents, one blank between words, no punctuation.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let letters = text.trim().chars().take(80);
    for letter in letters.flat_map(char::to_lowercase) {
        match letter {
            'a'..='z' | '0'..='9' => folded.push(letter),
            'å' | 'ã' | 'á' | 'à' => folded.push('a'),
            'é' | 'è' => folded.push('e'),
            'í' => folded.push('i'),
            'ô' | 'ó' | 'ö' => folded.push('o'),
            'ü' | 'ú' => folded.push('u'),
            'ç' => folded.push('c'),
            '&' => folded.push_str("and"),
            // The range is accents that are separate characters, as in the lower case of `İ`.
            '\'' | '’' | '.' | '\u{300}'..='\u{36f}' => {}
            _ if folded.is_empty() || folded.ends_with(' ') => {}
            _ => folded.push(' '),
        }
    }
    folded.truncate(folded.trim_end().len());
    match folded.strip_prefix("the ") {
        Some(rest) => rest.to_owned(),
        None => folded,
    }
}

/// Returns the country with this name or code, ignoring case.
pub fn from_name_or_code(typed: &str) -> Option<Country> {
    BY_TEXT.get(&*fold(typed)).copied()
}

/// Returns whether the text is blank or names Australia.
pub fn is_australia(typed: &str) -> bool {
    typed.trim().is_empty()
        || from_name_or_code(typed).is_some_and(|country| country.code == CountryCode::AUSTRALIA)
}

/// Returns the countries that the typed text may mean, the most likely first: an exact name or code, then names that
/// start with the text, then names in which a later word starts with the text. For a blank text, returns all
/// countries, sorted by name.
pub fn search(typed: &str) -> Vec<Country> {
    let wanted = fold(typed);
    if wanted.is_empty() && !typed.trim().is_empty() {
        return Vec::new();
    }
    let rank = |known: &CountryNameOrCode| match &known.text {
        text if *text == wanted => Some(0),
        _ if known.is_code => None,
        text if text.starts_with(&wanted) => Some(1),
        text => text.contains(&format!(" {wanted}")).then_some(2),
    };
    let mut ranked: Vec<(i32, Country)> = { KNOWN.iter() }
        .filter_map(|known| Some((rank(known)?, known.country)))
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut seen = HashSet::new();
    ranked.retain(|(_, country)| seen.insert(country.code));
    ranked.into_iter().map(|(_, country)| country).collect()
}
