//! The appearance of the lists' columns.

use crate::state::ListField;
use widgets::table::Column;

/// Returns a field as a column of the table. A column grows into the remaining width by its weight.
pub(crate) fn column(field: ListField) -> Column {
    let (title, width, weight) = match field {
        ListField::Number => ("Number", 80.0, 0.0),
        ListField::Reference => ("Reference", 88.0, 0.0),
        ListField::Reference2 => ("Reference 2", 100.0, 0.0),
        ListField::CarrierNumber => ("Carrier con. no.", 110.0, 0.0),
        ListField::Status => ("Status", 150.0, 1.0),
        ListField::To => ("To", 156.0, 3.0),
        ListField::Suburb => ("Suburb", 100.0, 2.0),
        ListField::State => ("State", 56.0, 0.0),
        ListField::Postcode => ("Postcode", 76.0, 0.0),
        ListField::Country => ("Country", 66.0, 0.0),
        ListField::From => ("From", 140.0, 2.0),
        ListField::Carrier => ("Carrier", 172.0, 2.0),
        ListField::Service => ("Service", 90.0, 1.0),
        ListField::Company => ("Company", 120.0, 1.0),
        ListField::Pieces => ("Pcs", 42.0, 0.0),
        ListField::Weight => ("kg", 58.0, 0.0),
        ListField::Volume => ("m³", 62.0, 0.0),
        ListField::Price => ("Price", 72.0, 0.0),
        ListField::Despatch => ("Despatch", 76.0, 0.0),
        // Track adds how late the consignment is.
        ListField::Eta => ("ETA", 122.0, 0.0),
        ListField::Changed => ("Changed", 76.0, 0.0),
        ListField::Scanned => ("Last scan", 82.0, 0.0),
        ListField::Dangerous => ("DG", 36.0, 0.0),
        ListField::International => ("Intl", 46.0, 0.0),
        ListField::OnHold => ("Hold", 50.0, 0.0),
        ListField::Label => ("Label", 80.0, 0.0),
        ListField::Important => ("Imp.", 48.0, 0.0),
        ListField::Files => ("Files", 48.0, 0.0),
        ListField::Manifest => ("Manifest", 80.0, 0.0),
        ListField::Exception => ("What", 120.0, 1.0),
        ListField::Since => ("Since", 76.0, 0.0),
    };
    let column = Column::new(title, width).key(field.key()).grow(weight);
    if field.is_amount() {
        column.right()
    } else {
        column
    }
}

/// How wide a list is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub(crate) enum ListWidth {
    Narrow,
    Wide,
    Widest,
}

impl ListWidth {
    /// Returns the width of a list of so many points.
    pub(crate) fn of(points: f32) -> Self {
        match points {
            _ if points < 760.0 => Self::Narrow,
            _ if points < 1_280.0 => Self::Wide,
            _ => Self::Widest,
        }
    }
}
