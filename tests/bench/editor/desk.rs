//! The Consign screen as the program draws it, with an unusually long draft.

use app::state::{Commands, Editing, Environment, Shared, ThemeChoice, WindowStage};
use app::ui::{self, Screens};
use draft::{AddressMode, DgLine, Draft, GoodsLine};
use egui::{Event, Key, Modifiers, Ui, UiBuilder};
use jiff::Timestamp;
use shipping::{ContainerType, DgClass, PackingGroup};

use crate::editor::{DANGEROUS, Form, LINES, WRONG, key};

/// Text fields of an address, of the details, of a line and of a dangerous good.
const IN_ADDRESSES: usize = 12;
const IN_DETAILS: usize = 4;
const IN_LINE: usize = 8;
const IN_GOOD: usize = 6;

/// The editor without what is behind it.
pub(crate) struct Desk {
    shared: Shared,
    editing: Editing,
    commands: Commands,
    screens: Screens,
    ready: bool,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let now: Timestamp = "2026-11-20T03:05:00Z".parse().expect("a moment");
        let mut shared = Shared::new(now, Environment::Practice);
        shared.stage = WindowStage::Working;
        let mut editing = Editing::of(long());
        editing.show_all = true;
        editing.notice_change();
        editing.refresh_check(&shared.check_context(), true);
        Self {
            shared,
            editing,
            commands: Commands::default(),
            screens: Screens::default(),
            ready: false,
        }
    }

    pub(crate) fn problems(&self) -> usize {
        self.editing.problems().count()
    }
}

impl Form for Desk {
    fn draw(&mut self, ui: &mut Ui) {
        if !self.ready {
            ui::install(ui.ctx(), ThemeChoice::Light);
            self.ready = true;
            return;
        }
        let context = self.shared.check_context();
        if self.editing.notice_change() {
            self.editing.refresh_check(&context, true);
        }
        let mut whole = ui.new_child(UiBuilder::new().max_rect(ui.ctx().content_rect()));
        self.screens.show(
            &mut whole,
            &self.shared,
            &mut self.editing,
            &mut self.commands,
        );
        drop(self.commands.take());
    }

    fn way_in(&self) -> Vec<Event> {
        vec![key(Key::Num3, Modifiers::ALT)]
    }

    fn fields(&self) -> usize {
        IN_ADDRESSES + IN_DETAILS + LINES * IN_LINE + DANGEROUS * IN_GOOD
    }
}

fn long() -> Draft {
    let text = |text: &str| text.to_owned();
    let mut draft = Draft::default();
    for side in [&mut draft.from, &mut draft.to] {
        side.mode = AddressMode::Full;
        side.name = text("Ballarat Farm & Garden");
        side.contact = text("J. Okafor");
        side.phone = text("03 5550 0199");
        side.email = text("stores@bfg.example");
        side.line1 = text("8 Creswick Road");
        side.place = text("Ballarat Central VIC 3350");
    }
    draft.reference1 = text("SO-1");
    draft.goods = (0..LINES).map(line).collect();
    draft
}

fn line(at: usize) -> GoodsLine {
    let text = |text: &str| text.to_owned();
    let good = DgLine {
        un_number: text("1170"),
        packing_group: Some(PackingGroup::II),
        class: Some(DgClass::FlammableLiquid),
        container: Some(ContainerType::Bottle),
        containers: text("12"),
        amount: text("12"),
        litres: true,
        flash_point: text("13"),
        ..DgLine::default()
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
