//! The action items that the list shows. Recomputed only when something has changed, not in every frame.

use super::words;
use crate::state::{Matter, Shared};

/// The inputs of the list: it is recomputed when one of them changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Wanted {
    version: u64,
    filter: String,
    all: bool,
    shown: Option<Matter>,
}

/// The filtered rows, in order.
#[derive(Debug, Default)]
pub(super) struct Index {
    wanted: Option<Wanted>,
    rows: Vec<Matter>,
}

impl Index {
    /// Returns the rows to show.
    pub(super) fn rows(&self) -> &[Matter] {
        &self.rows
    }

    /// Recomputes the rows if the action items, the filter or the selected item have changed. The selected
    /// item stays in the list when it is no longer open, so that the clerk sees its result.
    pub(super) fn refresh(&mut self, shared: &Shared, filter: &str, all: bool) {
        let wanted = Wanted {
            version: shared.matters.version(),
            filter: filter.to_lowercase(),
            all,
            shown: shared.matter.of,
        };
        if self.wanted.as_ref() == Some(&wanted) {
            return;
        }
        let open = shared.matters.open().len();
        let needles: Vec<&str> = wanted.filter.split_whitespace().collect();
        let fits = |matter: &Matter| {
            needles.is_empty() || {
                let text = text(shared, *matter);
                needles.iter().all(|word| text.contains(word))
            }
        };
        let matters = shared.matters.all().iter().enumerate();
        self.rows = matters
            .filter(|(at, matter)| all || *at < open || Some(**matter) == wanted.shown)
            .map(|(_, matter)| *matter)
            .filter(fits)
            .collect();
        self.wanted = Some(wanted);
    }
}

/// Returns the text of an action item that the filter searches, in lower case.
fn text(shared: &Shared, matter: Matter) -> String {
    let word = words::look(shared, matter).map_or("", |look| look.word);
    let text = match matter {
        Matter::Operation(id) => shared.operation(id).map(|operation| {
            let heading = words::heading(operation);
            let ids = operation.consignments.iter().map(|id| format!("ms{id}"));
            let ids = ids.collect::<Vec<_>>().join(" ");
            format!(
                "{heading} {} {} {ids} {word}",
                operation.reference, operation.key
            )
        }),
        Matter::Job(id) => shared.job(id).map(|job| {
            let heading = words::job_heading(job);
            format!("{heading} {} print {word}", job.printer)
        }),
    };
    text.unwrap_or_default().to_lowercase()
}
