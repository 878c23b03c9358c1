//! A pasted address of several lines, which is split into fields and shown for review.
//!
//! Nothing changes until the clerk accepts the address. Text that fits no field is shown, not dropped.

use egui::{Event, Ui};

use super::super::field_table::{FieldRow, typing_limit};
use super::saved_location::cleared;
use super::{PartyRole, ShownFields, address_fields, focused};
use crate::ui::format::counted;
use draft::{AddressField, Draft, Party, split_address};
use widgets::button::Button;
use widgets::field::{Field, OnEnter};
use widgets::modal::Modal;
use widgets::{layout, text};

/// Maximum number of lines that are read. Further lines are counted only, and stay on the clipboard.
const MOST_LINES: usize = 20;
/// Maximum number of lines without a field that are shown.
const MOST_LEFT: usize = 4;
/// A line from which a field was filled may leave up to this many characters: they are taken
/// for the field's label.
const LABEL: usize = 14;

/// A pasted address on its way into a party.
#[derive(Debug)]
pub(super) struct PastedAddress {
    pub(super) role: PartyRole,
    /// The draft with the party as it will be if the clerk accepts the address.
    draft: Draft,
    fields: Vec<AddressField>,
    /// Lines that fit no field.
    unmatched: Vec<String>,
    /// Number of lines that were not read.
    unread_lines: usize,
    open: bool,
}

/// Takes a pasted block of several lines out of the input before a field makes one line of it.
pub(super) fn take_pasted_block(ui: &Ui, draft: &Draft) -> Option<PastedAddress> {
    let is_block = |event: &Event| match event {
        Event::Paste(text) => text.trim().contains(['\n', '\r']),
        _ => false,
    };
    if !ui.input(|input| input.events.iter().any(is_block)) {
        return None;
    }
    let role = focused(ui)?;
    let block = ui.input_mut(|input| {
        let at = input.events.iter().position(is_block)?;
        match input.events.remove(at) {
            Event::Paste(text) => Some(text),
            _ => None,
        }
    })?;
    Some(PastedAddress::parse(role, &block, draft))
}

impl PastedAddress {
    /// Splits a block into the fields of an empty address, because other details that were typed belong to
    /// somebody else. The saved location is kept, in case the clerk goes back to it.
    fn parse(role: PartyRole, block: &str, draft: &Draft) -> Self {
        let mut lines = block.trim().lines().map(str::trim);
        let given = |line: &&str| !line.is_empty();
        let head: Vec<&str> = lines.by_ref().filter(given).take(MOST_LINES).collect();
        let beyond = lines.filter(given).count();
        let mut said = split_address(&head.join("\n"));
        let has_place = !said.place.trim().is_empty();
        let fields = fields_of(&mut said);
        let left = head.into_iter().filter(|line| is_left(line, &fields));
        let left = left.map(str::to_owned).collect();
        let mut draft = draft.clone();
        let party = role.party_mut(&mut draft);
        *party = cleared(party);
        for (field, text) in fields {
            if let Some(to) = role.field(field).text_mut(&mut draft) {
                *to = std::mem::take(text);
            }
        }
        let is_abroad = role.is_abroad(&draft);
        if is_abroad && has_place {
            split_city(role.party_mut(&mut draft));
        }
        let all = ShownFields {
            second_line: true,
            country: true,
        };
        Self {
            role,
            draft,
            fields: address_fields(all, is_abroad),
            unmatched: left,
            unread_lines: beyond,
            open: true,
        }
    }

    /// Returns true while the dialog is open.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// Draws the dialog. Returns the party once the clerk has accepted it.
    pub(super) fn show(&mut self, ui: &Ui) -> Option<Party> {
        let title = match self.role {
            PartyRole::From => "Sender as pasted",
            PartyRole::To => "Receiver as pasted",
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
            std::mem::take(self.role.party_mut(&mut self.draft))
        })
    }

    /// Draws the content. Returns whether the clerk accepted or rejected the address, once they have decided.
    fn content(&mut self, ui: &mut Ui) -> Option<bool> {
        ui.spacing_mut().item_spacing.y = 10.0;
        let mut answer = None;
        for row in self.fields.chunks(2) {
            layout::row(ui, &[1.0, 1.0], |at, ui| {
                let Some(at) = row.get(at).map(|field| self.role.field(*field)) else {
                    return;
                };
                if let Some(text) = at.text_mut(&mut self.draft) {
                    let field = Field::new(FieldRow::of(at).label, text)
                        .limit(typing_limit(at))
                        .on_enter(OnEnter::Stay);
                    if field.show(ui).entered {
                        answer = Some(true);
                    }
                }
            });
        }
        self.left_over(ui);
        ui.horizontal(|ui| {
            if ui
                .add(Button::primary("Use this address").key("↵"))
                .clicked()
            {
                answer = Some(true);
            }
            if ui.add(Button::quiet("Discard").key("Esc")).clicked() {
                answer = Some(false);
            }
        });
        answer
    }

    fn left_over(&self, ui: &mut Ui) {
        if !self.unmatched.is_empty() {
            let shown: Vec<_> = self.unmatched.iter().take(MOST_LEFT).cloned().collect();
            text::warning(ui, &format!("Not used: {}", shown.join(" / ")));
        }
        let unseen = self.unread_lines + self.unmatched.len().saturating_sub(MOST_LEFT);
        if unseen > 0 {
            let lines = counted(unseen, "more line", "more lines");
            let words = format!("{lines} left out, but still on the clipboard");
            text::warning(ui, &words);
        }
    }
}

/// Returns the parts of a block, each with its field.
fn fields_of(said: &mut Party) -> [(AddressField, &mut String); 8] {
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

/// Returns true if no part of a line went into a field, or if more than a label is left over.
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

/// Splits the place into city and postcode, for an address outside Australia.
fn split_city(side: &mut Party) {
    let place = std::mem::take(&mut side.place);
    let place = place.trim();
    let (city, postcode) = match place.rsplit_once([' ', ',']) {
        Some((city, last)) if last.contains(|c: char| c.is_ascii_digit()) => (city, last),
        _ => (place, ""),
    };
    city.trim_matches([' ', ',']).clone_into(&mut side.city);
    postcode.clone_into(&mut side.postcode);
}
