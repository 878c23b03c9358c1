//! What a table is told of its columns, and the order that is asked for.

/// A column.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// Its header; empty for a column of marks.
    pub title: &'static str,
    /// What its width is kept under; its title, where it is not told.
    pub key: &'static str,
    /// How wide it starts, in points.
    pub width: f32,
    /// The share that it takes of the room left over; 0 for a column that stays as it is.
    pub grow: f32,
    /// Figures sit at the right.
    pub right: bool,
    /// It can be sorted by.
    pub sortable: bool,
}

impl Column {
    /// A column of text that can be sorted by.
    pub const fn new(title: &'static str, width: f32) -> Self {
        Self {
            title,
            key: title,
            width,
            grow: 0.0,
            right: false,
            sortable: true,
        }
    }

    /// What its width is kept under, whatever its title.
    #[must_use]
    pub const fn key(mut self, key: &'static str) -> Self {
        self.key = key;
        self
    }

    /// Takes a share of the room left over.
    #[must_use]
    pub const fn grow(mut self, share: f32) -> Self {
        self.grow = share;
        self
    }

    /// Figures: at the right.
    #[must_use]
    pub const fn right(mut self) -> Self {
        self.right = true;
        self
    }

    /// In no order.
    #[must_use]
    pub const fn unsorted(mut self) -> Self {
        self.sortable = false;
        self
    }
}

/// By which column, and which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort {
    /// Index into the columns.
    pub column: usize,
    /// Largest first.
    pub descending: bool,
}
