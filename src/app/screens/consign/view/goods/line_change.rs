//! Changes to the indices of goods lines, for code that remembers fields by the index of their line.

use std::collections::HashSet;

use draft::Field;

/// A change to the indices of goods lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::screens::consign::view) enum LineChange {
    /// The line at this index was removed.
    Removed(usize),
    /// A line was inserted at this index.
    Inserted(usize),
    /// The lines at these two indices were swapped.
    Swapped(usize, usize),
    /// An undo or redo changed the lines; old indices are no longer valid.
    Unknown,
}

impl LineChange {
    /// Updates remembered fields to the new indices of their lines, and drops the fields of
    /// lines that are gone.
    pub(in crate::screens::consign::view) fn apply_to(self, fields: &mut HashSet<Field>) {
        *fields = fields
            .drain()
            .filter_map(|field| self.field(field))
            .collect();
    }

    fn field(self, field: Field) -> Option<Field> {
        Some(match field {
            Field::Goods(line, field) => Field::Goods(self.new_index(line)?, field),
            Field::Dg(line, good, field) => Field::Dg(self.new_index(line)?, good, field),
            Field::Customs(line) => Field::Customs(self.new_index(line)?),
            Field::Contents(line, at, field) => Field::Contents(self.new_index(line)?, at, field),
            other => other,
        })
    }

    /// Returns the new index of a line; `None` if the line is gone or its index is unknown.
    fn new_index(self, line: usize) -> Option<usize> {
        match self {
            Self::Removed(gone) if line == gone => None,
            Self::Removed(gone) if line > gone => Some(line - 1),
            Self::Inserted(new) if line >= new => Some(line + 1),
            Self::Swapped(one, other) if line == one => Some(other),
            Self::Swapped(one, other) if line == other => Some(one),
            Self::Unknown => None,
            Self::Removed(_) | Self::Inserted(_) | Self::Swapped(..) => Some(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use draft::GoodsField;

    #[test]
    fn what_is_remembered_of_a_line_goes_where_the_line_goes() {
        let name = |line| Field::Goods(line, GoodsField::Name);
        for (moved, was, is) in [
            (LineChange::Removed(1), [0, 1, 2], vec![0, 1]),
            (LineChange::Inserted(1), [0, 1, 2], vec![0, 2, 3]),
            (LineChange::Swapped(0, 2), [0, 2, 3], vec![0, 2, 3]),
            (LineChange::Unknown, [0, 1, 2], vec![]),
        ] {
            let mut fields: HashSet<_> = was.map(name).into();
            fields.insert(Field::Route);
            moved.apply_to(&mut fields);
            let mut wanted: HashSet<_> = is.into_iter().map(name).collect();
            wanted.insert(Field::Route);
            assert_eq!(fields, wanted, "{moved:?}");
        }
    }
}
