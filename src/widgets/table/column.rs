//! The description of a table's column, and the sort order.

/// Title, width and alignment of a column.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// Text of the header; empty for a column of icons.
    pub title: &'static str,
    /// Key under which the width is stored; the title by default.
    pub key: &'static str,
    /// Starting width in points.
    pub width: f32,
    /// Weight with which the column shares the remaining width; 0 for a fixed width.
    pub grow: f32,
    /// Aligns the column to the right, for figures.
    pub right: bool,
    pub sortable: bool,
}

impl Column {
    /// Creates a sortable column of text with a fixed width.
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

    /// Sets the key under which the width is stored.
    #[must_use]
    pub const fn key(mut self, key: &'static str) -> Self {
        self.key = key;
        self
    }

    /// Sets the weight with which the column shares the remaining width.
    #[must_use]
    pub const fn grow(mut self, share: f32) -> Self {
        self.grow = share;
        self
    }

    /// Aligns the column to the right, for figures.
    #[must_use]
    pub const fn right(mut self) -> Self {
        self.right = true;
        self
    }

    /// Makes the column unsortable.
    #[must_use]
    pub const fn unsorted(mut self) -> Self {
        self.sortable = false;
        self
    }
}

/// Sort order of a table: column and direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort {
    /// Index into the columns.
    pub column: usize,
    pub descending: bool,
}
