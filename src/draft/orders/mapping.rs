//! The mapping from a file's columns to order columns: guessed from the headers, changed by the clerk, and
//! remembered for files with the same headers.

use std::collections::HashMap;

use super::Sheet;
use super::column::{Column, column_for_header, fold_header};

/// The order column of each column of the file; `None` for an unused one. Has one entry for each header.
pub type Mapping = Vec<Option<Column>>;

/// Guesses the mapping from the headers. Each order column is used once; the first matching header wins.
pub fn guess_mapping(sheet: &Sheet) -> Mapping {
    let mut taken = Vec::new();
    let guessed = sheet.headers.iter().map(|header| {
        let column = column_for_header(header).filter(|column| !taken.contains(column));
        taken.extend(column);
        column
    });
    guessed.collect()
}

impl Sheet {
    /// Returns a key for the set of headers, independent of their order.
    pub fn headers_key(&self) -> String {
        let mut names = self.names();
        names.retain(|name| !name.is_empty());
        names.sort();
        names.join("\n")
    }

    /// Returns the mapping by header, as it is saved.
    pub fn mapping_to_save(&self, mapping: &Mapping) -> Vec<(String, Option<Column>)> {
        self.names()
            .into_iter()
            .zip(mapping.iter().copied())
            .collect()
    }

    /// Restores the mapping that was saved for a file with the same headers.
    pub fn restore_mapping(&self, known: Vec<(String, Option<Column>)>) -> Mapping {
        let known: HashMap<_, _> = known.into_iter().collect();
        let names = self.names().into_iter();
        names
            .map(|name| known.get(&name).copied().flatten())
            .collect()
    }

    /// Returns a unique name for each header: repeated headers get a number.
    fn names(&self) -> Vec<String> {
        let mut seen: HashMap<String, usize> = HashMap::new();
        let names = self.headers.iter().map(|header| {
            let name = fold_header(header);
            let count = seen.entry(name.clone()).or_default();
            *count += 1;
            match (*count, name.is_empty()) {
                (1, _) | (_, true) => name,
                (count, false) => format!("{name} {count}"),
            }
        });
        names.collect()
    }
}
