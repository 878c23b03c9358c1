//! Which column of a file is which: guessed from its headers, changed by the clerk, remembered by the set of headers.

use std::collections::HashMap;

use super::Sheet;
use super::column::{Column, folded, named};

/// What each column of a file is; nothing for one that is not used. As long as the headers.
pub type Mapping = Vec<Option<Column>>;

/// By the names in the template and common others; each column once, the first header wins.
pub fn guess(sheet: &Sheet) -> Mapping {
    let mut taken = Vec::new();
    let guessed = sheet.headers.iter().map(|header| {
        let column = named(header).filter(|column| !taken.contains(column));
        taken.extend(column);
        column
    });
    guessed.collect()
}

impl Sheet {
    /// The set of its headers: the same for files whose columns only stand in another order.
    pub fn headers_key(&self) -> String {
        let mut names = self.names();
        names.retain(|name| !name.is_empty());
        names.sort();
        names.join("\n")
    }

    /// A mapping as it is remembered: what each header was taken for.
    pub fn to_remember(&self, mapping: &Mapping) -> Vec<(String, Option<Column>)> {
        self.names()
            .into_iter()
            .zip(mapping.iter().copied())
            .collect()
    }

    /// The mapping of this file, as it was remembered of one with the same headers.
    pub fn remembered(&self, known: Vec<(String, Option<Column>)>) -> Mapping {
        let known: HashMap<_, _> = known.into_iter().collect();
        let names = self.names().into_iter();
        names
            .map(|name| known.get(&name).copied().flatten())
            .collect()
    }

    /// Headers by which columns are told apart; the second of a name says so.
    fn names(&self) -> Vec<String> {
        let mut seen: HashMap<String, usize> = HashMap::new();
        let names = self.headers.iter().map(|header| {
            let name = folded(header);
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
