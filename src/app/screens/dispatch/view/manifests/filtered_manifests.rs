//! The filtered booked manifests, recomputed when the list or the filter changes, not in every frame.

use std::sync::Arc;

use crate::state::ManifestRow;
use shipping::LocalTime;

/// The manifests that match every word of a filter.
#[derive(Default)]
pub(super) struct FilteredManifests {
    all: Arc<Vec<ManifestRow>>,
    zone: String,
    filter: String,
    /// Searchable dates of each manifest; filled when a filter is first typed.
    days: Vec<String>,
    places: Vec<usize>,
}

impl FilteredManifests {
    /// Returns the manifests of `all` that match every word.
    pub(super) fn rows<'a>(
        &mut self,
        all: &'a Arc<Vec<ManifestRow>>,
        zone: &str,
        filter: &str,
    ) -> Vec<&'a ManifestRow> {
        let is_same = Arc::ptr_eq(&self.all, all) && self.zone == zone;
        if !is_same {
            self.all = Arc::clone(all);
            zone.clone_into(&mut self.zone);
            self.days.clear();
        }
        if !is_same || self.filter != filter {
            filter.clone_into(&mut self.filter);
            self.refilter();
        }
        self.places.iter().map(|place| &all[*place]).collect()
    }

    fn refilter(&mut self) {
        let words: Vec<String> = { self.filter.split_whitespace() }
            .map(str::to_lowercase)
            .collect();
        if !words.is_empty() && self.days.is_empty() {
            self.days = self.all.iter().map(|row| days(row, &self.zone)).collect();
        }
        let holds = |place: &usize| {
            let row = &self.all[*place];
            let is_found =
                |word: &String| row.search_text.contains(word) || self.days[*place].contains(word);
            words.iter().all(is_found)
        };
        self.places = (0..self.all.len()).filter(holds).collect();
    }
}

/// Returns the dates of booking and pickup as searchable text: `fri 20 nov 2026-11-20 20/11/2026`.
fn days(row: &ManifestRow, zone: &str) -> String {
    let booked = LocalTime::at(row.booked, zone);
    let days = [Some(booked), row.pickup].into_iter().flatten();
    let words = days.map(|day| day.0.strftime("%a %-d %b %Y-%m-%d %d/%m/%Y").to_string());
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}
