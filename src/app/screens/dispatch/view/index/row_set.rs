//! A set of rows, with one bit for each row of the list.

/// A set of rows, stored as a bitmap.
#[derive(Debug)]
pub(super) struct RowSet {
    bits: Vec<u64>,
    /// Number of rows in the set. Only correct after [`Self::counted`].
    pub(super) count: usize,
}

impl RowSet {
    pub(super) fn none(rows: usize) -> Self {
        Self {
            bits: vec![0; rows.div_ceil(64)],
            count: 0,
        }
    }

    pub(super) fn has(&self, row: u32) -> bool {
        let word = self.bits.get(row as usize / 64);
        word.is_some_and(|word| word >> (row % 64) & 1 == 1)
    }

    pub(super) fn put(&mut self, row: u32) {
        if let Some(word) = self.bits.get_mut(row as usize / 64) {
            *word |= 1 << (row % 64);
        }
    }

    pub(super) fn counted(mut self) -> Self {
        self.count = self
            .bits
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum();
        self
    }

    /// Returns the rows of a list of `rows` rows that are not in the set.
    pub(super) fn complement(mut self, rows: usize) -> Self {
        for word in &mut self.bits {
            *word = !*word;
        }
        if let Some(last) = self.bits.last_mut().filter(|_| !rows.is_multiple_of(64)) {
            *last &= (1 << (rows % 64)) - 1;
        }
        self
    }

    pub(super) fn and(mut self, other: &Self) -> Self {
        for (word, other) in self.bits.iter_mut().zip(&other.bits) {
            *word &= other;
        }
        self.counted()
    }

    pub(super) fn filtered(mut self, keep: impl Fn(u32) -> bool) -> Self {
        for (at, word) in (0u32..).zip(&mut self.bits) {
            let mut left = *word;
            while left != 0 {
                let bit = left.trailing_zeros();
                left &= left - 1;
                if !keep(at * 64 + bit) {
                    *word &= !(1 << bit);
                }
            }
        }
        self.counted()
    }
}
