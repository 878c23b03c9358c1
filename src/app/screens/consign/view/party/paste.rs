//! A pasted address of several lines, which is split into fields and shown for review.
//!
//! Nothing changes until the clerk accepts the address. Text that fits no field is shown, not dropped.

use egui::{Event, Ui};

use super::super::form::{Form, typing_limit};
use super::{ADDRESS, PartyRole, focused, replace_address};
use crate::ui::format::counted;
use draft::{AddressField, Draft, Field as DraftField, Party, split_address};
use widgets::button::Button;
use widgets::field::{Field, OnEnter};
use widgets::modal::Modal;
use widgets::{layout, text};

/// Maximum number of lines that are read. Further lines are counted only, and stay on the clipboard.
const MOST_LINES: usize = 20;
/// Maximum number of unmatched lines that are shown.
const MOST_LEFT: usize = 4;
/// Maximum number of characters that may remain of a line from which a field was filled. The remaining characters are
/// taken for the field's label.
const LABEL: usize = 14;

/// A pasted address that the clerk has not accepted yet.
#[derive(Debug)]
pub(super) struct PastedAddress {
    role: PartyRole,
    /// The draft with the party as it will be if the clerk accepts the address.
    draft: Draft,
    fields: Vec<AddressField>,
    /// Lines that fit no field.
    unmatched: Vec<String>,
    /// Number of lines that were not read.
    unread_lines: usize,
    open: bool,
    /// The field that gets the focus after the dialog has closed and has given the focus back.
    next: Option<DraftField>,
}

/// Takes a pasted block of several lines out of the input before a text field joins the lines into one.
pub(super) fn take_pasted_block(ui: &Ui, draft: &Draft) -> Option<PastedAddress> {
    let block = |event: &Event| match event {
        Event::Paste(text) if text.trim().contains(['\n', '\r']) => Some(text.clone()),
        _ => None,
    };
    let (at, text) = ui.input(|input| {
        let mut events = input.events.iter().enumerate();
        events.find_map(|(at, event)| Some((at, block(event)?)))
    })?;
    let role = focused(ui)?;
    ui.input_mut(|input| input.events.remove(at));
    Some(PastedAddress::parse(role, &text, draft))
}

impl PastedAddress {
    /// Splits a block into the fields of an empty address. Details that were typed before are not kept, because they
    /// belong to somebody else.
    fn parse(role: PartyRole, block: &str, draft: &Draft) -> Self {
        let mut lines = block.trim().lines().map(str::trim);
        let given = |line: &&str| !line.is_empty();
        let head: Vec<&str> = lines.by_ref().filter(given).take(MOST_LINES).collect();
        let unread_lines = lines.filter(given).count();
        let mut draft = draft.clone();
        replace_address(role.party_mut(&mut draft), split_address(&head.join("\n")));
        let texts = ADDRESS.map(|field| role.field(field).text(&draft).trim());
        let left = head.into_iter().filter(|line| is_left(line, &texts));
        let unmatched = left.map(str::to_owned).collect();
        if role.is_abroad(&draft) {
            split_city(role.party_mut(&mut draft));
        }
        Self {
            role,
            fields: role.address_fields(&draft, |_| true),
            draft,
            unmatched,
            unread_lines,
            open: true,
            next: None,
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// Draws the dialog, and puts the address into the form once the clerk has accepted it. Returns true in the frame
    /// after the dialog was closed, when the dialog has given the focus back.
    pub(super) fn show(&mut self, ui: &Ui, form: &mut Form<'_>) -> bool {
        let was_open = self.open;
        let title = match self.role {
            PartyRole::From => "Sender as pasted",
            PartyRole::To => "Receiver as pasted",
        };
        let mut open = self.open;
        let modal = Modal::new("pasted address", title).width(560.0);
        let answer = modal.show(ui, &mut open, |ui, _| self.content(ui));
        let answer = answer.flatten();
        self.open = open && answer.is_none();
        if answer == Some(true) {
            let (role, draft) = (self.role, &mut *form.draft);
            *role.party_mut(draft) = std::mem::take(role.party_mut(&mut self.draft));
            self.next = role.first_missing(draft).or(Some(role.next(draft)));
            ui.ctx().request_repaint();
        }
        if !was_open && let Some(field) = self.next.take() {
            form.focus_field(ui, field);
        }
        !was_open
    }

    /// Draws the content. Returns true once the clerk has accepted the address, and false once it was rejected.
    fn content(&mut self, ui: &mut Ui) -> Option<bool> {
        ui.spacing_mut().item_spacing.y = 10.0;
        let mut answer = None;
        for row in self.fields.chunks(2) {
            layout::row(ui, &[1.0, 1.0], |at, ui| {
                let at = row.get(at).map(|field| self.role.field(*field));
                if let Some(at) = at
                    && let Some(text) = at.text_mut(&mut self.draft)
                {
                    let field = Field::new(at.row().label, text)
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
            let accept = Button::primary("Use this address").key("↵");
            if ui.add(accept).clicked() {
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
            let shown = &self.unmatched[..self.unmatched.len().min(MOST_LEFT)];
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

/// Returns true if no field was filled from a line, or if the rest of the line is longer than a label.
fn is_left(line: &str, texts: &[&str]) -> bool {
    let mut rest = line.to_owned();
    let mut used = false;
    for text in texts.iter().filter(|text| !text.is_empty()) {
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
fn split_city(party: &mut Party) {
    let place = std::mem::take(&mut party.place);
    let place = place.trim();
    let (city, postcode) = match place.rsplit_once([' ', ',']) {
        Some((city, last)) if last.contains(|c: char| c.is_ascii_digit()) => (city, last),
        _ => (place, ""),
    };
    city.trim_matches([' ', ',']).clone_into(&mut party.city);
    postcode.clone_into(&mut party.postcode);
}
