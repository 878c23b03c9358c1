//! The description of a list's columns: names, widths, and the word that identifies a column
//! in views and filters.

use crate::state::ViewedList;
use widgets::table::Column;

/// Description of a column.
#[derive(Debug)]
pub struct ColumnEntry<C: 'static> {
    pub col: C,
    /// Word that identifies the column in saved views, and in the filter: `carrier:southern`.
    pub key: &'static str,
    /// Second word for the column in the filter; may be empty.
    pub alias: &'static str,
    /// Text of the header; empty for a column of icons.
    pub title: &'static str,
    /// Full name, used where there is more room than in the header.
    pub name: &'static str,
    /// Starting width in points.
    pub width: f32,
    /// Weight with which the column shares the remaining width; 0 for a fixed width.
    pub grow: f32,
    /// Aligns the column to the right, for figures.
    pub right: bool,
}

/// A column of a list. The columns of a list are fixed at compile time.
pub trait ListColumn: Copy + PartialEq + 'static {
    /// The list that the column belongs to; saved views name it.
    const LIST: ViewedList;
    /// Whether the filter is restored when the program starts.
    const KEEPS_FILTER: bool;

    /// Returns all columns in their default order.
    fn all() -> &'static [ColumnEntry<Self>];

    /// Returns the column's index in [`ListColumn::all`].
    fn index(self) -> usize;

    /// Returns whether rows can be sorted by the column.
    fn is_sortable(self) -> bool {
        true
    }

    /// Returns the column's description.
    fn entry(self) -> &'static ColumnEntry<Self> {
        &Self::all()[self.index()]
    }

    /// Returns the column that a saved view calls `word`.
    fn from_key(word: &str) -> Option<Self> {
        let entry = Self::all().iter().find(|entry| entry.key == word)?;
        Some(entry.col)
    }

    /// Returns the column as the table widget takes it.
    fn column(self) -> Column {
        let entry = self.entry();
        let column = Column::new(entry.title, entry.width)
            .key(entry.key)
            .grow(entry.grow);
        let column = if entry.right { column.right() } else { column };
        if self.is_sortable() {
            column
        } else {
            column.unsorted()
        }
    }
}

/// Sort order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order<C> {
    pub col: C,
    pub descending: bool,
}

/// Defines `ALL`, the table of a list's columns: variant, word, second word, header,
/// name, width, weight, right-aligned.
macro_rules! columns {
    ($vis:vis $($col:ident $word:literal $short:literal $title:literal $name:literal $width:literal $grow:literal $right:literal;)+) => {
        /// All columns in their default order.
        $vis static ALL: &[ColumnEntry<Col>] = &[$(ColumnEntry {
            col: Col::$col,
            key: $word,
            alias: $short,
            title: $title,
            name: $name,
            width: $width,
            grow: $grow,
            right: $right,
        }),+];
    };
}
pub(crate) use columns;
