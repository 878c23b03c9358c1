//! What became of lines of goods, for those who remember something of a line by its index.

use std::collections::HashSet;

use crate::draft::Field;

/// What became of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ui::consign) enum Moved {
    /// This one is gone.
    Removed(usize),
    /// This one is new.
    Inserted(usize),
    /// These changed places.
    Swapped(usize, usize),
    /// Steps were taken back or made again: nobody knows.
    Anyhow,
}

impl Moved {
    /// Keeps what is remembered of fields with the lines that they belong to.
    pub(in crate::ui::consign) fn follow(self, fields: &mut HashSet<Field>) {
        *fields = fields
            .drain()
            .filter_map(|field| self.field(field))
            .collect();
    }

    fn field(self, field: Field) -> Option<Field> {
        Some(match field {
            Field::Goods(line, field) => Field::Goods(self.line(line)?, field),
            Field::Dg(line, good, field) => Field::Dg(self.line(line)?, good, field),
            Field::Customs(line) => Field::Customs(self.line(line)?),
            Field::Contents(line, at, field) => Field::Contents(self.line(line)?, at, field),
            other => other,
        })
    }

    /// Where a line is now; none where it is gone.
    fn line(self, line: usize) -> Option<usize> {
        match self {
            Self::Removed(gone) if line == gone => None,
            Self::Removed(gone) if line > gone => Some(line - 1),
            Self::Inserted(new) if line >= new => Some(line + 1),
            Self::Swapped(one, other) if line == one => Some(other),
            Self::Swapped(one, other) if line == other => Some(one),
            Self::Anyhow => None,
            Self::Removed(_) | Self::Inserted(_) | Self::Swapped(..) => Some(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::GoodsField;

    #[test]
    fn what_is_remembered_of_a_line_goes_where_the_line_goes() {
        let name = |line| Field::Goods(line, GoodsField::Name);
        for (moved, was, is) in [
            (Moved::Removed(1), [0, 1, 2], vec![0, 1]),
            (Moved::Inserted(1), [0, 1, 2], vec![0, 2, 3]),
            (Moved::Swapped(0, 2), [0, 2, 3], vec![0, 2, 3]),
            (Moved::Anyhow, [0, 1, 2], vec![]),
        ] {
            let mut fields: HashSet<_> = was.map(name).into();
            fields.insert(Field::Route);
            moved.follow(&mut fields);
            let mut wanted: HashSet<_> = is.into_iter().map(name).collect();
            wanted.insert(Field::Route);
            assert_eq!(fields, wanted, "{moved:?}");
        }
    }
}
