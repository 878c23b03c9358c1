//! The action items that the list shows. Recomputed only when something has changed, not in every frame.

use super::operation_text;
use crate::state::{ActionItem, Shared};

/// The inputs of the list: it is recomputed when one of them changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct FilterInputs {
    version: u64,
    filter: String,
    all: bool,
    shown: Option<ActionItem>,
}

/// The filtered rows, in order.
#[derive(Debug, Default)]
pub(super) struct FilteredItems {
    inputs: Option<FilterInputs>,
    rows: Vec<ActionItem>,
}

impl FilteredItems {
    /// Returns the rows to show.
    pub(super) fn rows(&self) -> &[ActionItem] {
        &self.rows
    }

    /// Recomputes the rows if the action items, the filter or the selected item have changed. The selected
    /// item stays in the list when it is no longer open, so that the clerk sees its result.
    pub(super) fn refresh(&mut self, shared: &Shared, filter: &str, all: bool) {
        let wanted = FilterInputs {
            version: shared.operations.action_items.version(),
            filter: filter.to_lowercase(),
            all,
            shown: shared.operations.action_item.of,
        };
        if self.inputs.as_ref() == Some(&wanted) {
            return;
        }
        let open = shared.operations.action_items.open().len();
        let needles: Vec<&str> = wanted.filter.split_whitespace().collect();
        let fits = |matter: &ActionItem| {
            needles.is_empty() || {
                let text = text(shared, *matter);
                needles.iter().all(|word| text.contains(word))
            }
        };
        let matters = shared.operations.action_items.all().iter().enumerate();
        self.rows = matters
            .filter(|(at, matter)| all || *at < open || Some(**matter) == wanted.shown)
            .map(|(_, matter)| *matter)
            .filter(fits)
            .collect();
        self.inputs = Some(wanted);
    }
}

/// Returns the text of an action item that the filter searches, in lower case.
fn text(shared: &Shared, matter: ActionItem) -> String {
    let Some(summary) = operation_text::summary(shared, matter) else {
        return String::new();
    };
    let more = match matter {
        ActionItem::Operation(id) => shared.operations.by_id(id).map(|operation| {
            let ids = operation.consignments.iter().map(|id| format!("ms{id}"));
            let ids = ids.collect::<Vec<_>>().join(" ");
            format!("{} {} {ids}", operation.reference, operation.key)
        }),
        ActionItem::Job(_) => Some(format!("{} print", summary.title)),
    };
    let (heading, word) = (summary.heading, summary.state.word);
    format!("{heading} {} {word}", more.unwrap_or_default()).to_lowercase()
}
