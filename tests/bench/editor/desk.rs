//! The Consign screen as the program draws it, with an unusually long draft.

use app::state::Editing;
use draft::{DgLine, Draft, GoodsLine};
use egui::{Event, Key, Modifiers, Ui};

use crate::editor::{DANGEROUS, Form, LINES, WRONG, key};
use crate::support::requests::{spirits, type_ballarat};
use crate::support::screens::{Shown, working};

/// Text fields of an address, of the details, of a line and of a dangerous good.
const IN_ADDRESSES: usize = 12;
const IN_DETAILS: usize = 4;
const IN_LINE: usize = 8;
const IN_GOOD: usize = 6;

/// The editor without what is behind it.
pub(crate) struct Desk(Shown);

impl Desk {
    pub(crate) fn new() -> Self {
        let shared = working();
        let mut editing = Editing::of(long());
        editing.show_all = true;
        editing.notice_change();
        editing.refresh_check(&shared.check_context(), true);
        Self(Shown::new(shared, editing))
    }

    pub(crate) fn problems(&self) -> usize {
        self.0.editing.problems().count()
    }
}

impl Form for Desk {
    fn draw(&mut self, ui: &mut Ui) {
        let context = self.0.shared.check_context();
        if self.0.editing.notice_change() {
            self.0.editing.refresh_check(&context, true);
        }
        self.0.draw(ui);
    }

    fn way_in(&self) -> Vec<Event> {
        vec![key(Key::Num3, Modifiers::ALT)]
    }

    fn fields(&self) -> usize {
        IN_ADDRESSES + IN_DETAILS + LINES * IN_LINE + DANGEROUS * IN_GOOD
    }
}

fn long() -> Draft {
    let mut draft = Draft::default();
    for side in [&mut draft.from, &mut draft.to] {
        type_ballarat(side);
    }
    "SO-1".clone_into(&mut draft.reference1);
    draft.goods = (0..LINES).map(line).collect();
    draft
}

fn line(at: usize) -> GoodsLine {
    let text = |text: &str| text.to_owned();
    let good = DgLine {
        hazchem: String::new(),
        ..spirits()
    };
    GoodsLine {
        name: format!("Drip irrigation kit {at}"),
        sku: format!("DRIP-{at}"),
        quantity: text("2"),
        weight: if at < WRONG {
            String::new()
        } else {
            text("7,5")
        },
        length: text("60"),
        width: text("40"),
        height: text("30"),
        dangerous: if at < DANGEROUS {
            vec![good]
        } else {
            Vec::new()
        },
        ..GoodsLine::default()
    }
}
