//! An address that was pasted in one block: its lines, split into fields, to be looked at before they are taken.
//!
//! What always holds: nothing changes until it is taken, and what fits no field is shown, not dropped.

use egui::{Event, Label, Ui};

use super::super::super::kit::button::Button;
use super::super::super::kit::field::{Field, OnEnter};
use super::super::super::kit::modal::Modal;
use super::super::super::kit::tokens::palette;
use super::super::super::kit::{layout, text};
use super::super::super::words::counted;
use super::super::id;
use super::address::{string, words};
use super::saved::cleared;
use super::{Which, limit};
use crate::draft::{AddressBlock, AddressField, Draft, Side, address_block};

/// An address has fewer lines; what comes after them is counted, and left where it was copied from.
const MOST_LINES: usize = 20;
/// How many lines that fit no field are shown.
const MOST_LEFT: usize = 4;
/// How many letters beside what was taken out of a line are no more than its label.
const LABEL: usize = 14;

/// A block that was pasted, on its way into a side.
#[derive(Debug)]
pub(super) struct Pasted {
    pub(super) which: Which,
    /// The fields as they would be.
    side: Side,
    /// It is in another country than the other side.
    abroad: bool,
    /// Lines that fit none of them.
    left: Vec<String>,
    /// How many lines were not even looked at.
    beyond: usize,
    open: bool,
}

/// The fields in their rows, at home and abroad.
const HOME: [AddressField; 8] = [
    AddressField::Name,
    AddressField::Contact,
    AddressField::Phone,
    AddressField::Email,
    AddressField::Line1,
    AddressField::Line2,
    AddressField::Place,
    AddressField::Country,
];
const ABROAD: [AddressField; 10] = [
    AddressField::Name,
    AddressField::Contact,
    AddressField::Phone,
    AddressField::Email,
    AddressField::Line1,
    AddressField::Line2,
    AddressField::City,
    AddressField::Province,
    AddressField::Postcode,
    AddressField::Country,
];
const FIELDS: [AddressField; 12] = [
    AddressField::Saved,
    AddressField::Name,
    AddressField::Contact,
    AddressField::Phone,
    AddressField::Email,
    AddressField::Line1,
    AddressField::Line2,
    AddressField::Place,
    AddressField::Country,
    AddressField::City,
    AddressField::Province,
    AddressField::Postcode,
];

/// The side that has the focus.
pub(super) fn focused(ui: &Ui) -> Option<Which> {
    let focus = ui.memory(egui::Memory::focused)?;
    let has = |which: &Which| FIELDS.iter().any(|field| id(which.field(*field)) == focus);
    [Which::From, Which::To].into_iter().find(has)
}

/// Takes a block of several lines out of the input before a field makes one line of it.
pub(super) fn catch(ui: &Ui, draft: &Draft) -> Option<Pasted> {
    let is_block = |event: &Event| match event {
        Event::Paste(text) => text.trim().contains(['\n', '\r']),
        _ => false,
    };
    if !ui.input(|input| input.events.iter().any(is_block)) {
        return None;
    }
    let which = focused(ui)?;
    let block = ui.input_mut(|input| {
        let at = input.events.iter().position(is_block)?;
        match input.events.remove(at) {
            Event::Paste(text) => Some(text),
            _ => None,
        }
    })?;
    Some(Pasted::read(which, &block, draft))
}

impl Pasted {
    /// The block is somebody else's address: nothing typed of the one before goes with it. The saved location stays, should
    /// the clerk go back to it.
    fn read(which: Which, block: &str, draft: &Draft) -> Self {
        let mut lines = block.trim().lines().map(str::trim);
        let given = |line: &&str| !line.is_empty();
        let head: Vec<&str> = lines.by_ref().filter(given).take(MOST_LINES).collect();
        let beyond = lines.filter(given).count();
        let mut said = address_block(&head.join("\n"));
        let has_place = !said.place.trim().is_empty();
        let fields = fields_of(&mut said);
        let left = head.into_iter().filter(|line| is_left(line, &fields));
        let left = left.map(str::to_owned).collect();
        let mut draft = draft.clone();
        let side = which.of(&mut draft);
        *side = cleared(side);
        for (field, text) in fields {
            if !text.trim().is_empty() {
                *string(side, field) = std::mem::take(text);
            }
        }
        let abroad = which.is_abroad(&draft);
        let mut side = std::mem::take(which.of(&mut draft));
        if abroad && has_place {
            city_of(&mut side);
        }
        Self {
            which,
            side,
            abroad,
            left,
            beyond,
            open: true,
        }
    }

    /// True while it is to be looked at.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// Draws the dialog; answers the side once it was taken.
    pub(super) fn show(&mut self, ui: &Ui) -> Option<Side> {
        let title = match self.which {
            Which::From => "Sender as pasted",
            Which::To => "Receiver as pasted",
        };
        let mut open = self.open;
        let taken =
            Modal::new("pasted address", title)
                .width(560.0)
                .show(ui, &mut open, |ui, open| {
                    let taken = self.content(ui);
                    *open &= taken != Some(false);
                    taken == Some(true)
                });
        self.open = open;
        taken.unwrap_or_default().then(|| {
            self.open = false;
            std::mem::take(&mut self.side)
        })
    }

    /// Answers whether it was taken or left.
    fn content(&mut self, ui: &mut Ui) -> Option<bool> {
        ui.spacing_mut().item_spacing.y = 10.0;
        let mut answer = None;
        let fields: &[AddressField] = if self.abroad { &ABROAD } else { &HOME };
        for row in fields.chunks(2) {
            layout::row(ui, &[1.0, 1.0], |at, ui| {
                let shown = Field::new(words(row[at]).0, string(&mut self.side, row[at]))
                    .limit(limit(row[at]))
                    .on_enter(OnEnter::Stay)
                    .show(ui);
                if shown.entered {
                    answer = Some(true);
                }
            });
        }
        self.left_over(ui);
        ui.horizontal(|ui| {
            if ui
                .add(Button::primary("Take this address").key("↵"))
                .clicked()
            {
                answer = Some(true);
            }
            if ui.add(Button::quiet("Leave it").key("Esc")).clicked() {
                answer = Some(false);
            }
        });
        answer
    }

    fn left_over(&self, ui: &mut Ui) {
        let p = palette(ui);
        if !self.left.is_empty() {
            let shown = self.left.iter().take(MOST_LEFT).map(String::as_str);
            let shown: Vec<&str> = shown.collect();
            let words = format!("Fits no field: {}", shown.join(" / "));
            ui.add(Label::new(text::small(words).color(p.warning)).wrap());
        }
        let unseen = self.beyond + self.left.len().saturating_sub(MOST_LEFT);
        if unseen > 0 {
            let lines = counted(unseen, "more line", "more lines");
            let words = format!("{lines} left out: they stay on the clipboard");
            ui.add(Label::new(text::small(words).color(p.warning)).wrap());
        }
    }
}

/// What a block says, by field.
fn fields_of(said: &mut AddressBlock) -> [(AddressField, &mut String); 8] {
    [
        (AddressField::Name, &mut said.name),
        (AddressField::Contact, &mut said.contact),
        (AddressField::Phone, &mut said.phone),
        (AddressField::Email, &mut said.email),
        (AddressField::Line1, &mut said.line1),
        (AddressField::Line2, &mut said.line2),
        (AddressField::Place, &mut said.place),
        (AddressField::Country, &mut said.country),
    ]
}

/// True where nothing of a line went into a field, or not all that matters.
fn is_left(line: &str, fields: &[(AddressField, &mut String)]) -> bool {
    let mut rest = line.to_owned();
    let mut used = false;
    for (_, text) in fields {
        let text = text.trim();
        if text.is_empty() {
            continue;
        }
        if text.contains(line) {
            return false;
        }
        if rest.contains(text) {
            rest = rest.replace(text, " ");
            used = true;
        }
    }
    let letters = rest.chars().filter(|c| c.is_alphanumeric()).count();
    letters > if used { LABEL } else { 0 }
}

/// Abroad the line with the place is a city and its postcode.
fn city_of(side: &mut Side) {
    let place = std::mem::take(&mut side.place);
    let place = place.trim();
    let (city, postcode) = match place.rsplit_once([' ', ',']) {
        Some((city, last)) if last.contains(|c: char| c.is_ascii_digit()) => (city, last),
        _ => (place, ""),
    };
    city.trim_matches([' ', ',']).clone_into(&mut side.city);
    postcode.clone_into(&mut side.postcode);
}
