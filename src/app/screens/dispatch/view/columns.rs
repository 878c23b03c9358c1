//! The columns of the Dispatch list: names, starting widths, and the words that views and the filter use.
//!
//! Invariant: the word of a column never changes, so that saved views still work in later versions.

use crate::state::{LabelState, UnmanifestedRow, ViewedList};
use crate::ui::lists::columns;
pub use crate::ui::lists::{ColumnEntry, ListColumn};

/// A column of the Dispatch list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is described in `ALL`")]
pub enum Col {
    Number,
    Reference,
    Reference2,
    CarrierNumber,
    To,
    Suburb,
    State,
    Postcode,
    Country,
    From,
    Carrier,
    Service,
    Pieces,
    Weight,
    Volume,
    Price,
    Despatch,
    Eta,
    Dangerous,
    International,
    OnHold,
    Label,
    Important,
}

columns! {
    pub
    Number "number" "no" "Number" "Number" 80.0 0.0 false;
    Reference "reference" "ref" "Reference" "Reference" 88.0 0.0 false;
    Reference2 "reference-2" "ref2" "Reference 2" "Second reference" 100.0 0.0 false;
    CarrierNumber "carrier-number" "con" "Carrier's no." "Carrier's number" 110.0 0.0 false;
    To "to" "receiver" "To" "Receiver" 156.0 3.0 false;
    Suburb "suburb" "town" "Suburb" "Suburb" 96.0 2.0 false;
    State "state" "" "State" "State or region" 56.0 0.0 false;
    Postcode "postcode" "zip" "Postcode" "Postcode" 76.0 0.0 false;
    Country "country" "" "Country" "Country" 66.0 0.0 false;
    From "from" "sender" "From" "Sender" 140.0 2.0 false;
    Carrier "carrier" "" "Carrier" "Carrier" 172.0 2.0 false;
    Service "service" "" "Service" "Service" 90.0 1.0 false;
    Pieces "pieces" "pcs" "Pcs" "Pieces" 42.0 0.0 true;
    Weight "kg" "weight" "kg" "Kilograms" 56.0 0.0 true;
    Volume "m3" "volume" "m³" "Cubic metres" 62.0 0.0 true;
    Price "price" "" "Price" "Price with tax" 70.0 0.0 true;
    Despatch "despatch" "leaves" "Despatch" "Despatch" 74.0 0.0 false;
    Eta "eta" "arrives" "ETA" "Arrives" 64.0 0.0 false;
    Dangerous "dg" "dangerous" "DG" "Dangerous goods" 36.0 0.0 false;
    International "international" "abroad" "Intl" "International" 46.0 0.0 false;
    OnHold "held" "" "Hold" "On hold" 50.0 0.0 false;
    Label "label" "printed" "Label" "Label" 80.0 0.0 false;
    Important "important" "" "Imp." "Important" 48.0 0.0 false;
}

/// Columns for a narrow list: no suburb, weight or despatch, so that the carrier's service can be read.
const NARROW: &[Col] = &[
    Col::Number,
    Col::Reference,
    Col::To,
    Col::Carrier,
    Col::Pieces,
    Col::Dangerous,
    Col::Label,
];
const WIDE: &[Col] = &[
    Col::Number,
    Col::Reference,
    Col::To,
    Col::Suburb,
    Col::Carrier,
    Col::Pieces,
    Col::Weight,
    Col::Despatch,
    Col::Dangerous,
    Col::Label,
];
const WIDEST: &[Col] = &[
    Col::Number,
    Col::Reference,
    Col::To,
    Col::Suburb,
    Col::State,
    Col::Carrier,
    Col::Service,
    Col::Pieces,
    Col::Weight,
    Col::Price,
    Col::Despatch,
    Col::Eta,
    Col::Dangerous,
    Col::Label,
];
const NARROW_POINTS: f32 = 760.0;
const WIDEST_POINTS: f32 = 1_240.0;

/// Returns the columns for a list of this width, in points, until the clerk chooses columns.
pub(super) fn fitting(points: f32) -> &'static [Col] {
    if points < NARROW_POINTS {
        NARROW
    } else if points < WIDEST_POINTS {
        WIDE
    } else {
        WIDEST
    }
}

impl ListColumn for Col {
    const LIST: ViewedList = ViewedList::Dispatch;
    const KEEPS_FILTER: bool = true;

    fn all() -> &'static [ColumnEntry<Self>] {
        ALL
    }

    fn index(self) -> usize {
        // `ALL` has the columns in the order of the enum.
        self as usize
    }
}

impl Col {
    /// Returns the column that a filter names, such as `carrier` in `carrier:…`. The word is in lower case.
    pub(super) fn from_filter_word(word: &str) -> Option<Self> {
        let named = |entry: &&ColumnEntry<Self>| entry.key == word || entry.alias == word;
        let entry = ALL.iter().find(named)?;
        (!word.is_empty()).then_some(entry.col)
    }

    /// Returns whether the column shows a mark that a row has or lacks.
    pub(super) fn is_mark(self) -> bool {
        matches!(
            self,
            Self::Dangerous | Self::International | Self::OnHold | Self::Important
        )
    }
}

/// Returns the text for a label's state in the Label column; the filter matches the same text.
pub(super) const fn label_text(state: &LabelState) -> &'static str {
    match state {
        LabelState::InQueue(_) => "in queue",
        LabelState::Sent(_) => "sent",
        LabelState::Printed(_) => "printed",
        LabelState::Waiting => "waiting",
        LabelState::Stale => "changed",
        LabelState::Printing => "printing",
        LabelState::AtService(_) => "by service",
        LabelState::FailedVerification(_) => "check",
        LabelState::Failed(_) => "not sent",
        LabelState::Uncertain(_) => "look",
    }
}

/// Returns the sort position of a label's state: states that need attention come first.
pub(super) const fn label_sort_position(state: &LabelState) -> u8 {
    match state {
        LabelState::Failed(_) => 0,
        LabelState::FailedVerification(_) => 1,
        LabelState::Uncertain(_) => 2,
        LabelState::Stale => 3,
        LabelState::Waiting => 4,
        LabelState::Printing => 5,
        LabelState::InQueue(_) => 6,
        LabelState::Sent(_) => 7,
        LabelState::AtService(_) => 8,
        LabelState::Printed(_) => 9,
    }
}

/// Returns whether a row has the mark of a column. Always false for `Held`, which is not stored in the row.
pub(super) const fn has_mark(one: &UnmanifestedRow, col: Col) -> bool {
    match col {
        Col::Dangerous => one.dangerous,
        Col::International => one.international,
        Col::Important => one.important,
        _ => false,
    }
}
