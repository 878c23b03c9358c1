//! The columns of a list: what each is called, how wide it starts, and the word that views and filters know it by.

use super::super::kit::table::Column;
use crate::state::ViewOf;

/// What there is to know of a column.
#[derive(Debug)]
pub struct Entry<C: 'static> {
    /// Which.
    pub col: C,
    /// What views know it by, and the filter: `carrier:southern`.
    pub word: &'static str,
    /// Another word for it in the filter; may be empty.
    pub short: &'static str,
    /// Its header; empty for a column of marks.
    pub title: &'static str,
    /// What it is called where there is room.
    pub name: &'static str,
    /// How wide it starts, in points.
    pub width: f32,
    /// Its share of the room left over.
    pub grow: f32,
    /// Figures sit at the right.
    pub right: bool,
}

/// A column of a list, in a list of columns that never changes while the program runs.
pub trait ListColumn: Copy + PartialEq + 'static {
    /// The list whose views name it.
    const OF: ViewOf;
    /// The list comes back with what its filter held.
    const KEEPS_FILTER: bool;

    /// All of them, in their natural order.
    fn all() -> &'static [Entry<Self>];

    /// Its place in that order.
    fn place(self) -> usize;

    /// Rows can be in its order.
    fn is_sortable(self) -> bool {
        true
    }

    /// What there is to know of it.
    fn entry(self) -> &'static Entry<Self> {
        &Self::all()[self.place()]
    }

    /// The column of a view's word.
    fn of_word(word: &str) -> Option<Self> {
        let entry = Self::all().iter().find(|entry| entry.word == word)?;
        Some(entry.col)
    }

    /// As the table draws it.
    fn column(self) -> Column {
        let entry = self.entry();
        let column = Column::new(entry.title, entry.width)
            .key(entry.word)
            .grow(entry.grow);
        let column = if entry.right { column.right() } else { column };
        if self.is_sortable() {
            column
        } else {
            column.unsorted()
        }
    }
}

/// Which order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order<C> {
    /// The column.
    pub col: C,
    /// The largest first.
    pub descending: bool,
}

/// The table of a list's columns, `ALL`: variant, word, short word, header, name, width, share, at the right.
macro_rules! columns {
    ($vis:vis $($col:ident $word:literal $short:literal $title:literal $name:literal $width:literal $grow:literal $right:literal;)+) => {
        /// All of them, in their natural order.
        $vis static ALL: &[Entry<Col>] = &[$(Entry {
            col: Col::$col,
            word: $word,
            short: $short,
            title: $title,
            name: $name,
            width: $width,
            grow: $grow,
            right: $right,
        }),+];
    };
}
pub(in crate::ui) use columns;
