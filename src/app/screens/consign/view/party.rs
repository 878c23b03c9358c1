//! From and To: each party is a saved location or past receiver, or a full address.
//!
//! Switching between the two loses nothing that was typed. Rarely used fields (a second line, another
//! country) are folded away, and Tab skips them until the clerk asks for them.

mod address;
mod country_field;
mod paste;
mod saved_location;
mod suggestions;

use egui::Ui;

use super::form::Form;
use super::id;
use crate::ui::Context;
use crate::ui::actions::Action;
use draft::{AddressField, AddressMode, Draft, Field, Party};
use widgets::button::Button;
use widgets::card::Card;
use widgets::tokens::size;
use widgets::{key_cap, layout};

/// Label of the button that switches from an address back to a saved location.
const SAVED: &str = "Saved location";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartyRole {
    From,
    To,
}

/// State of both parties that is kept between frames. Arrays are indexed by `Which::index`.
#[derive(Debug, Default)]
pub(super) struct PartiesState {
    second_line: [bool; 2],
    country: [bool; 2],
    pasted: Option<paste::PastedAddress>,
    /// The field that gets the focus once the dialog has closed and returned the focus.
    then: Option<Field>,
}

impl PartyRole {
    const fn index(self) -> usize {
        match self {
            Self::From => 0,
            Self::To => 1,
        }
    }

    const fn field(self, field: AddressField) -> Field {
        match self {
            Self::From => Field::From(field),
            Self::To => Field::To(field),
        }
    }

    const fn party_mut(self, draft: &mut Draft) -> &mut Party {
        match self {
            Self::From => &mut draft.from,
            Self::To => &mut draft.to,
        }
    }

    /// Returns this party and the other one.
    const fn this_and_other(self, draft: &Draft) -> (&Party, &Party) {
        match self {
            Self::From => (&draft.from, &draft.to),
            Self::To => (&draft.to, &draft.from),
        }
    }

    /// Returns true if the consignment crosses a border and this party is not in Australia. Such an address
    /// has a city instead of a suburb.
    fn is_abroad(self, draft: &Draft) -> bool {
        draft.is_international() && self.this_and_other(draft).0.is_abroad()
    }

    /// Returns the field that follows this party.
    const fn next(self, draft: &Draft) -> Field {
        match self {
            Self::From => Self::To.start(&draft.to),
            Self::To => Field::Reference1,
        }
    }

    /// Returns the first field of a party.
    const fn start(self, side: &Party) -> Field {
        self.field(match side.mode {
            AddressMode::Saved => AddressField::Saved,
            AddressMode::Full => AddressField::Name,
        })
    }

    const fn title(self) -> &'static str {
        match self {
            Self::From => "From",
            Self::To => "To",
        }
    }

    const fn action(self) -> Action {
        match self {
            Self::From => Action::Sender,
            Self::To => Action::Receiver,
        }
    }
}

/// Returns the maximum number of characters of a field.
const fn limit(field: AddressField) -> usize {
    match field {
        AddressField::Saved
        | AddressField::Name
        | AddressField::Contact
        | AddressField::Line1
        | AddressField::Line2
        | AddressField::Place
        | AddressField::City => 200,
        AddressField::Email => 254,
        AddressField::Phone => 60,
        AddressField::Country | AddressField::Province => 100,
        AddressField::Postcode => 20,
    }
}

impl PartiesState {
    /// Returns true while a pasted address is shown for review.
    pub(super) fn is_open(&self) -> bool {
        self.pasted
            .as_ref()
            .is_some_and(paste::PastedAddress::is_open)
    }

    /// Unfolds the field of a problem.
    pub(super) fn unfold(&mut self, field: Field) {
        match field {
            Field::From(AddressField::Line2) => self.second_line[0] = true,
            Field::To(AddressField::Line2) => self.second_line[1] = true,
            Field::From(AddressField::Country) => self.country[0] = true,
            Field::To(AddressField::Country) => self.country[1] = true,
            _ => {}
        }
    }

    /// Takes a pasted address of several lines out of the input. Must be called before anything is drawn,
    /// because a field would make one line of it.
    pub(super) fn catch_paste(&mut self, ui: &Ui, draft: &Draft) {
        if self.pasted.is_none() {
            self.pasted = paste::take_pasted_block(ui, draft);
        }
    }

    /// Shows the dialog for a pasted address. Must be called after everything is drawn, because widgets under
    /// a dialog take no focus.
    pub(super) fn show_pasted(&mut self, ui: &Ui, form: &mut Form<'_>) {
        let Some(pasted) = &mut self.pasted else {
            return;
        };
        let (which, was_open) = (pasted.which, pasted.is_open());
        if let Some(side) = pasted.show(ui) {
            *which.party_mut(form.draft) = side;
            let next = which.next(form.draft);
            self.then = which.first_missing(form.draft).or(Some(next));
            ui.ctx().request_repaint();
        }
        if !was_open {
            self.pasted = None;
            if let Some(field) = self.then.take() {
                form.focus_field(ui, field);
            }
        }
    }

    /// Performs an action on the party that has the focus, or on the receiver if neither has.
    pub(super) fn perform(&mut self, ui: &Ui, action: Action, form: &mut Form<'_>) {
        let which = paste::focused(ui).unwrap_or(PartyRole::To);
        match action {
            Action::SwapAddress => swap(ui, form, which),
            Action::International => self.go_abroad(ui, form, which),
            _ => self.add_line(ui, form, which),
        }
    }

    fn go_abroad(&mut self, ui: &Ui, form: &mut Form<'_>, which: PartyRole) {
        which.party_mut(form.draft).mode = AddressMode::Full;
        self.country[which.index()] = true;
        form.focus_field(ui, which.field(AddressField::Country));
    }

    fn add_line(&mut self, ui: &Ui, form: &mut Form<'_>, which: PartyRole) {
        which.party_mut(form.draft).mode = AddressMode::Full;
        self.second_line[which.index()] = true;
        form.focus_field(ui, which.field(AddressField::Line2));
    }
}

impl PartyRole {
    /// Returns the first required field of an address that is empty.
    fn first_missing(self, draft: &Draft) -> Option<Field> {
        let side = self.this_and_other(draft).0;
        let wanted = [
            (AddressField::Name, &side.name),
            (AddressField::Contact, &side.contact),
            (AddressField::Phone, &side.phone),
            (AddressField::Email, &side.email),
            (AddressField::Line1, &side.line1),
        ];
        let missing = wanted.iter().find(|(_, text)| text.trim().is_empty());
        let no_place = side.place.trim().is_empty() && !self.is_abroad(draft);
        let place = no_place.then_some(AddressField::Place);
        let field = missing.map(|(field, _)| *field).or(place)?;
        Some(self.field(field))
    }
}

fn swap(ui: &Ui, form: &mut Form<'_>, which: PartyRole) {
    let side = which.party_mut(form.draft);
    side.mode = match side.mode {
        AddressMode::Saved => AddressMode::Full,
        AddressMode::Full => AddressMode::Saved,
    };
    *form.focus_widget = Some(id(which.start(side)));
    ui.ctx().request_repaint();
}

/// Draws both parties side by side, with more room for an address than for a saved location. Two addresses
/// are stacked in a narrow window.
pub(super) fn both(
    ui: &mut Ui,
    context: &Context<'_>,
    form: &mut Form<'_>,
    state: &mut PartiesState,
) {
    let is_full = |side: &Party| side.mode == AddressMode::Full;
    let weight = |side: &Party| if is_full(side) { 7.0 } else { 3.0 };
    let weights = [weight(&form.draft.from), weight(&form.draft.to)];
    if is_full(&form.draft.from) && is_full(&form.draft.to) && ui.available_width() < 760.0 {
        card(ui, context, form, state, PartyRole::From);
        card(ui, context, form, state, PartyRole::To);
        return;
    }
    layout::columns(ui, &weights, size::GUTTER, |at, ui| {
        let which = if at == 0 {
            PartyRole::From
        } else {
            PartyRole::To
        };
        card(ui, context, form, state, which);
    });
}

fn card(
    ui: &mut Ui,
    context: &Context<'_>,
    form: &mut Form<'_>,
    state: &mut PartiesState,
    which: PartyRole,
) {
    let icon = which.action().entry().icon;
    let mode = which.party_mut(form.draft).mode;
    let (line, country) = (
        address::shows_second_line(form, state, which),
        address::shows_country(form, state, which),
    );
    let mut asked = None;
    ui.push_id(which.title(), |ui| {
        Card::new(which.title()).icon(icon).show(
            ui,
            |ui| {
                key_cap::cap(ui, &which.action().key());
                if mode == AddressMode::Full {
                    asked = full_head(ui, which, line, country);
                } else if head_button(ui, which, Action::SwapAddress, "Type an address") {
                    asked = Some(Action::SwapAddress);
                }
            },
            |ui| match mode {
                AddressMode::Saved => saved_location::show(ui, context, form, which),
                AddressMode::Full => address::show(ui, context, form, state, which),
            },
        );
    });
    match asked {
        Some(Action::SwapAddress) => swap(ui, form, which),
        Some(Action::International) => state.go_abroad(ui, form, which),
        Some(_) => state.add_line(ui, form, which),
        None => {}
    }
}

/// Draws the buttons of an address: back to a saved location, another country, a second line.
fn full_head(ui: &mut Ui, which: PartyRole, line: bool, country: bool) -> Option<Action> {
    let mut asked = None;
    let mut offer = |ui: &mut Ui, action, words| {
        if head_button(ui, which, action, words) {
            asked = Some(action);
        }
    };
    offer(ui, Action::SwapAddress, SAVED);
    if !country {
        offer(ui, Action::International, "Abroad");
    }
    if !line {
        offer(ui, Action::SecondLine, "Address line 2");
    }
    asked
}

/// Draws a button in the head of a card, with only its icon if there is little room. Tab skips the button,
/// because it has a key.
fn head_button(ui: &mut Ui, which: PartyRole, action: Action, words: &str) -> bool {
    let entry = action.entry();
    // The accessible names must differ from those of the fields that the buttons reveal.
    let does = match action {
        Action::SwapAddress if words == SAVED => "pick a saved location",
        Action::SwapAddress => "type an address",
        Action::International => "another country",
        _ => "add address line 2",
    };
    let name = format!("{}: {does}", which.title());
    let button = if ui.available_width() > 190.0 {
        Button::quiet(words).accessible_name(&name)
    } else {
        Button::icon_only(entry.icon, &name)
    };
    let tooltip = format!("{} ({})", entry.tooltip, action.key());
    ui.add(button.small().skip_in_tab_order())
        .on_hover_text(tooltip)
        .clicked()
}

/// Returns the id of a party's first field.
pub(super) fn start_of(action: Action, draft: &Draft) -> egui::Id {
    id(match action {
        Action::Sender => PartyRole::From.start(&draft.from),
        _ => PartyRole::To.start(&draft.to),
    })
}
