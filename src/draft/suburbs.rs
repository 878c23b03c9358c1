//! The suburbs of Australia with their postcodes: a list inside the program, the search in it, and doubts about typed
//! places.

use std::sync::LazyLock;

use super::party::{Suburb, parts};

/// For each postcode and state a line, such as `2015 NSW Alexandria|Beaconsfield|Eveleigh`.
const LIST: &str = include_str!("../../assets/suburbs.txt");

/// The most suburbs of a postcode that a message names.
const MOST_NAMED: usize = 3;

/// The suburbs of the list, sorted.
static AUSTRALIAN: LazyLock<Vec<Suburb>> = LazyLock::new(|| {
    let lines = LIST.lines().filter_map(|line| {
        let (postcode, rest) = line.split_once(' ')?;
        let (state, names) = rest.split_once(' ')?;
        (postcode.len() == 4).then_some((postcode, state, names))
    });
    let suburbs = lines.flat_map(|(postcode, state, names)| {
        names.split('|').map(move |name| Suburb {
            suburb: name.to_owned(),
            state: state.to_owned(),
            postcode: postcode.to_owned(),
        })
    });
    let mut suburbs: Vec<_> = suburbs.collect();
    suburbs.sort_unstable();
    suburbs
});

/// Returns the suburbs of the list inside the program, sorted. Answers of the service may know more.
pub fn australian() -> &'static [Suburb] {
    &AUSTRALIAN
}

/// A suburb that matches typed text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundSuburb<'a> {
    pub suburb: &'a Suburb,
    /// Whether it is the only suburb with exactly the typed name or postcode, or with the whole typed text.
    pub is_exact: bool,
}

/// Returns at most `most` suburbs for the typed text: by name, by postcode, or by both. Exact matches come first, then names
/// that begin with the text.
pub fn search<'a>(suburbs: &'a [Suburb], typed: &str, most: usize) -> Vec<FoundSuburb<'a>> {
    let typed = typed.trim().to_lowercase();
    if typed.is_empty() {
        return Vec::new();
    }
    let words: Vec<&str> = typed.split_whitespace().collect();
    let fits = |place: &&Suburb| {
        words.iter().all(|word| {
            begins(&place.postcode, word)
                || place.state.eq_ignore_ascii_case(word)
                || place.suburb.split(' ').any(|part| begins(part, word))
        })
    };
    let rank = |place: &Suburb| {
        let is_exact = place.postcode == typed
            || place.suburb.eq_ignore_ascii_case(&typed)
            || place.label().eq_ignore_ascii_case(&typed);
        if is_exact {
            0
        } else if begins(&place.suburb, &typed) {
            1
        } else {
            2
        }
    };
    let found = suburbs.iter().filter(fits);
    let mut found: Vec<_> = found.map(|place| (rank(place), place)).collect();
    let only_one = found.iter().filter(|(rank, _)| *rank == 0).count() == 1;
    let order = |(rank, place): &(u8, &'a Suburb)| (*rank, place.suburb.as_str(), *place);
    if found.len() > most {
        found.select_nth_unstable_by_key(most, order);
        found.truncate(most);
    }
    found.sort_unstable_by_key(order);
    let found = found.into_iter();
    let found = found.map(|(rank, suburb)| FoundSuburb {
        suburb,
        is_exact: only_one && rank == 0,
    });
    found.collect()
}

/// Returns true if `text` begins with `start` (in lower case), ignoring case. All suburbs are compared after each key
/// press, so ASCII text is compared without a copy.
pub fn begins(text: &str, start: &str) -> bool {
    match text.get(..start.len()) {
        Some(head) if head.is_ascii() => head.eq_ignore_ascii_case(start),
        _ => text.to_lowercase().starts_with(start),
    }
}

/// Returns why a typed Australian place may be wrong; `None` if it agrees with the known suburbs, or if none are known. They
/// must be sorted.
pub(super) fn doubt(suburbs: &[Suburb], typed: &str) -> Option<String> {
    let (name, state, postcode) = parts(typed)?;
    if state.eq_ignore_ascii_case("NZ") {
        return None;
    }
    let first = suburbs.partition_point(|place| place.postcode.as_str() < postcode);
    let of_postcode = suburbs[first..].iter();
    let of_postcode = of_postcode.take_while(|place| place.postcode == postcode);
    let of_postcode: Vec<_> = of_postcode.collect();
    let wanted = plain(name);
    if of_postcode.is_empty() {
        // Only names with the same first letter are compared in full, because this is done after each key.
        let first = wanted.chars().next().map_or_else(String::new, String::from);
        let mut same = { suburbs.iter() }
            .filter(|place| begins(&place.suburb, &first) && plain(&place.suburb) == wanted);
        return if suburbs.is_empty() {
            None
        } else if let Some(same) = same.next() {
            Some(format!(
                "{postcode} is not in the list, which has no post office boxes. There is {}",
                same.label()
            ))
        } else {
            Some(format!(
                "{postcode} is not in the list of postcodes, which has no post office boxes"
            ))
        };
    }
    let same = { of_postcode.iter() }.filter(|place| plain(&place.suburb) == wanted);
    let states: Vec<_> = same.map(|place| place.state.as_str()).collect();
    if let Some(first) = states.first() {
        let is_right = state.is_empty()
            || states
                .iter()
                .any(|known| known.is_empty() || known.eq_ignore_ascii_case(state));
        return (!is_right).then(|| format!("{name} {postcode} is in {first}, not {state}"));
    }
    let named = of_postcode.iter().take(MOST_NAMED);
    let mut named: Vec<_> = named.map(|place| place.suburb.as_str()).collect();
    let others = of_postcode.len() - named.len();
    let last = match others {
        0 => named.pop().unwrap_or_default().to_owned(),
        1 => "one other".to_owned(),
        _ => format!("{others} others"),
    };
    let joint = if others == 0 { " or " } else { " and " };
    let list = if named.is_empty() {
        last
    } else {
        [&named.join(", "), joint, &last].concat()
    };
    // A few postcodes lie in two states.
    let state = &of_postcode[0].state;
    let is_one = of_postcode.iter().all(|place| place.state == *state);
    let state = if is_one {
        format!(" {state}")
    } else {
        String::new()
    };
    Some(format!("{postcode} is {list}{state}, not {name}"))
}

/// Returns a name in a form in which common spellings are equal: `Mt. Gravatt`, `Mount Gravatt`.
fn plain(name: &str) -> String {
    let letters = name
        .chars()
        .filter(|letter| !matches!(letter, '.' | '\'' | '’'));
    let name: String = letters
        .map(|letter| if letter == '-' { ' ' } else { letter })
        .collect();
    let words = name
        .split_whitespace()
        .map(|word| match word.to_lowercase().as_str() {
            "mt" => "mount".to_owned(),
            "saint" => "st".to_owned(),
            other => other.to_owned(),
        });
    words.collect::<Vec<_>>().join(" ")
}
