//! The suburbs of Australia: the list, the doubts about typed places, and the service's word, which wins.

use std::collections::HashSet;
use std::sync::Arc;

use app::state::OperationKind;
use draft::suburbs::{australian, search};
use draft::{AddressField, AddressMode, CheckContext, Draft, Field, Problem, Severity, Suburb};
use egui_kittest::kittest::Queryable as _;

use crate::journeys::kit::picture_showing;
use crate::support::desk::{Home, NOW, fill, open_bench};
use crate::support::front::Front;

const PLACE: Field = Field::To(AddressField::Place);

fn sorted(more: &[(&str, &str, &str)]) -> Vec<Suburb> {
    let more = more.iter().map(|(suburb, state, postcode)| Suburb {
        suburb: (*suburb).to_owned(),
        state: (*state).to_owned(),
        postcode: (*postcode).to_owned(),
    });
    let mut all: Vec<_> = australian().iter().cloned().chain(more).collect();
    all.sort_unstable();
    all
}

/// Returns the problem of the receiver's place when it is typed so.
fn problem(suburbs: Vec<Suburb>, country: &str, typed: &str) -> Option<Problem> {
    let mut draft = Draft::default();
    fill(&mut draft, "SO-1");
    draft.to.mode = AddressMode::Full;
    country.clone_into(&mut draft.to.country);
    typed.clone_into(&mut draft.to.place);
    let context = CheckContext {
        suburbs: Arc::new(suburbs),
        ..CheckContext::at(NOW.parse().expect("a moment"), "Australia/Sydney")
    };
    let check = draft.check(&context);
    let mut problems = check.problems.into_iter();
    problems.find(|problem| problem.field == PLACE)
}

fn doubt(typed: &str) -> Option<String> {
    let problem = problem(sorted(&[]), "", typed)?;
    assert_eq!(problem.severity, Severity::Warning, "it does not block");
    Some(problem.message)
}

#[test]
fn the_list_has_every_state_and_only_whole_entries() {
    let all = australian();
    assert!(all.len() > 17_000, "{}", all.len());
    let states: HashSet<_> = all.iter().map(|one| one.state.as_str()).collect();
    let expected = ["NSW", "VIC", "QLD", "SA", "WA", "TAS", "NT", "ACT"];
    assert_eq!(states, HashSet::from(expected));
    let mut labels = HashSet::new();
    for one in all {
        assert!(one.postcode.len() == 4 && one.postcode.bytes().all(|byte| byte.is_ascii_digit()));
        assert!(
            !one.suburb.is_empty() && one.suburb.trim() == one.suburb,
            "{one:?}"
        );
        assert!(
            labels.insert(one.label().to_lowercase()),
            "{one:?} is there twice"
        );
    }
    for label in [
        "Sydney NSW 2000",
        "Alexandria NSW 2015",
        "Ballarat Central VIC 3350",
        "Brisbane City QLD 4000",
        "Perth WA 6000",
        "Darwin NT 0800",
        "Hobart TAS 7000",
        "O'Connor ACT 2602",
        "McMahons Point NSW 2060",
    ] {
        assert!(labels.contains(&label.to_lowercase()), "{label}");
    }
}

#[test]
fn a_place_that_does_not_agree_with_its_postcode_is_doubted_in_plain_words() {
    for (typed, words) in [
        (
            "Newcastle NSW 2015",
            "2015 is Alexandria, Beaconsfield or Eveleigh NSW, not Newcastle",
        ),
        (
            "Newcastle 2015",
            "2015 is Alexandria, Beaconsfield or Eveleigh NSW, not Newcastle",
        ),
        ("Alexandria VIC 2015", "Alexandria 2015 is in NSW, not VIC"),
        (
            "Alexandria 2999",
            "2999 is not in the list, which has no post office boxes. There is Alexandria NSW 2015",
        ),
        (
            "Nowhere SA 5999",
            "5999 is not in the list of postcodes, which has no post office boxes",
        ),
    ] {
        assert_eq!(doubt(typed).as_deref(), Some(words), "{typed}");
    }
    let many = doubt("Newcastle VIC 3350").expect("a doubt");
    assert_eq!(
        many,
        "3350 is Alfredton, Bakery Hill, Ballarat and 20 others VIC, not Newcastle"
    );
}

#[test]
fn common_spellings_and_places_abroad_are_not_doubted() {
    for typed in [
        "Alexandria NSW 2015",
        "ALEXANDRIA 2015",
        "Mt Clear VIC 3350",
        "Mount Clear 3350",
        "oconnor ACT 2602",
        "O’Connor ACT 2602",
        "Saint Kilda VIC 3182",
        "Queanbeyan East NSW 2620",
        "Hume ACT 2620",
        "Alice Springs NT 0872",
    ] {
        assert_eq!(doubt(typed), None, "{typed}");
    }
    let abroad = problem(sorted(&[]), "New Zealand", "Penrose 1061");
    assert!(abroad.is_none_or(|problem| problem.severity == Severity::Error));
    // Without any list, nothing is doubted.
    assert_eq!(problem(Vec::new(), "", "Newcastle NSW 2015"), None);
}

#[test]
fn what_the_service_has_named_is_not_doubted() {
    let typed = "Harbour Park NSW 2015";
    assert!(doubt(typed).is_some());
    let known = sorted(&[("HARBOUR PARK", "NSW", "2015")]);
    assert_eq!(problem(known, "", typed), None);
    let known = sorted(&[("Newport", "NSW", "2999")]);
    assert_eq!(problem(known, "", "Newport 2999"), None);
}

#[test]
fn a_search_finds_a_suburb_by_a_part_of_its_name_its_state_and_its_postcode() {
    let all = sorted(&[]);
    for (typed, first) in [
        ("ballarat c", "Ballarat Central VIC 3350"),
        ("central vic 3350", "Ballarat Central VIC 3350"),
        ("Alexandria NSW 2015", "Alexandria NSW 2015"),
        ("2015 eve", "Eveleigh NSW 2015"),
        ("kilda e", "St Kilda East VIC 3183"),
    ] {
        let found = search(&all, typed, 12);
        let labels: Vec<_> = found.iter().map(|found| found.suburb.label()).collect();
        assert_eq!(
            labels.first().map(String::as_str),
            Some(first),
            "{typed}: {labels:?}"
        );
    }
    let exact = search(&all, "alexandria nsw 2015", 12);
    assert!(exact[0].is_exact);
    assert_eq!(search(&all, "a", 12).len(), 12);
    assert!(search(&all, " ", 12).is_empty());
}

#[test]
fn a_clerk_picks_a_suburb_that_no_consignment_had_and_is_told_of_a_wrong_postcode() {
    let home = Home::new();
    let practice = home.practise();
    let mut front = Front::at_practice(&home, &practice);
    front.until("the suburbs", |shared| {
        (shared.catalogue.suburbs.len() > 17_000).then_some(())
    });
    front.type_consignment("SO-1");
    front.keys("<F2>");
    front.rest();
    front.focus("To: suburb and postcode");
    front.keys("<Ctrl+A>");
    front.text("kununu");
    front.rest();
    picture_showing(front.widgets(), "suburb-suggestions", &["Kununurra"]);
    front.keys("<Down><Enter>");
    front.rest();
    let place = |front: &mut Front| {
        let window = front.widgets().state_mut();
        window.editing_mut().expect("a form").draft.to.place.clone()
    };
    assert_eq!(place(&mut front), "Kununurra WA 6743");
    front.focus("To: suburb and postcode");
    front.keys("<Ctrl+A>");
    front.text("Newcastle NSW 2015");
    front.keys("<Tab>");
    front.rest();
    let words = "2015 is Alexandria, Beaconsfield or Eveleigh NSW, not Newcastle";
    assert!(
        front
            .widgets()
            .query_all_by_label_contains(words)
            .next()
            .is_some()
    );
    picture_showing(front.widgets(), "suburb-doubt", &[]);
    // It is a doubt: the consignment can be sent, and the service decides.
    front.keys("<Ctrl+Enter>");
    front.until("it is sent", |shared| {
        let mut operations = shared.operations.list.iter();
        operations
            .find(|one| one.kind == OperationKind::Create)
            .map(|_| ())
    });
}

#[test]
fn the_suburbs_are_known_at_the_first_start_without_an_answer_of_the_service() {
    let (_home, _practice, mut desk) = open_bench();
    desk.until("the suburbs", |core| {
        let suburbs = &core.shared.catalogue.suburbs;
        (suburbs.len() > 17_000 && suburbs.is_sorted()).then_some(())
    });
}
