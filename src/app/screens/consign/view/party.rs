//! From and To: each party is a saved location or past receiver, or a full address.
//!
//! Switching between the two loses nothing that was typed. Rarely used fields (a second line, another
//! country) are folded away, and Tab skips them until the clerk asks for them.

mod paste;
mod saved_location;
mod suggestions;

use std::sync::Arc;

use egui::Ui;

use super::form::{FieldOptions, Form};
use super::id;
use crate::ui::Context;
use crate::ui::actions::Action;
use draft::{AddressField, AddressMode, Draft, Field, Party};
pub(super) use suggestions::suggest_countries;
use suggestions::{PartySuggestion, suburb_label, suggest_suburbs};
use widgets::button::Button;
use widgets::card::Card;
use widgets::tokens::size;
use widgets::{key_cap, layout};

/// Above this width three fields are laid out in a row, otherwise two.
const WIDE_POINTS: f32 = 500.0;
/// The fields of a full address, in the order in which clerks say it: the name, how to reach them, the place.
const ADDRESS: [AddressField; 11] = [
    AddressField::Name,
    AddressField::Contact,
    AddressField::Phone,
    AddressField::Email,
    AddressField::Line1,
    AddressField::Line2,
    AddressField::Country,
    AddressField::City,
    AddressField::Province,
    AddressField::Postcode,
    AddressField::Place,
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartyRole {
    From,
    To,
}

/// State of both parties that is kept between frames. Arrays are indexed by the party's role.
#[derive(Debug, Default)]
pub(super) struct PartiesState {
    second_line: [bool; 2],
    country: [bool; 2],
    pasted: Option<paste::PastedAddress>,
    /// The field that gets the focus once the dialog has closed and returned the focus.
    then: Option<Field>,
}

/// The fields of an address that are folded away until they are wanted.
#[derive(Debug, Clone, Copy)]
struct ShownFields {
    second_line: bool,
    country: bool,
}

impl PartyRole {
    const fn field(self, field: AddressField) -> Field {
        match self {
            Self::From => Field::From(field),
            Self::To => Field::To(field),
        }
    }

    const fn party(self, draft: &Draft) -> &Party {
        match self {
            Self::From => &draft.from,
            Self::To => &draft.to,
        }
    }

    const fn party_mut(self, draft: &mut Draft) -> &mut Party {
        match self {
            Self::From => &mut draft.from,
            Self::To => &mut draft.to,
        }
    }

    /// Returns true if the consignment crosses a border and this party is not in Australia. Such an address
    /// has a city instead of a suburb.
    fn is_abroad(self, draft: &Draft) -> bool {
        draft.is_international() && self.party(draft).is_abroad()
    }

    /// Returns the field that follows this party.
    const fn next(self, draft: &Draft) -> Field {
        match self {
            Self::From => Self::To.start(draft),
            Self::To => Field::Reference1,
        }
    }

    /// Returns the first field of this party.
    const fn start(self, draft: &Draft) -> Field {
        self.field(match self.party(draft).mode {
            AddressMode::Saved => AddressField::Saved,
            AddressMode::Full => AddressField::Name,
        })
    }

    /// Returns the first required field of an address that is empty.
    fn first_missing(self, draft: &Draft) -> Option<Field> {
        let is_abroad = self.is_abroad(draft);
        let required = |field: &AddressField| match field {
            AddressField::Place => !is_abroad,
            AddressField::Line2
            | AddressField::Country
            | AddressField::City
            | AddressField::Province
            | AddressField::Postcode => false,
            _ => true,
        };
        let mut fields = ADDRESS
            .into_iter()
            .filter(required)
            .map(|field| self.field(field));
        fields.find(|field| field.text(draft).trim().is_empty())
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

/// Returns the fields of an address that are shown.
fn address_fields(shown: ShownFields, is_abroad: bool) -> Vec<AddressField> {
    let is_shown = |field: &AddressField| match field {
        AddressField::Line2 => shown.second_line,
        AddressField::Country => shown.country,
        AddressField::City | AddressField::Province | AddressField::Postcode => is_abroad,
        AddressField::Place => !is_abroad,
        _ => true,
    };
    ADDRESS.into_iter().filter(is_shown).collect()
}

/// Returns the party that has the focus.
fn focused(ui: &Ui) -> Option<PartyRole> {
    let focus = ui.memory(egui::Memory::focused)?;
    let fields = || ADDRESS.into_iter().chain([AddressField::Saved]);
    let has_focus = |role: &PartyRole| fields().any(|field| id(role.field(field)) == focus);
    [PartyRole::From, PartyRole::To].into_iter().find(has_focus)
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
        let (role, field) = match field {
            Field::From(field) => (PartyRole::From, field),
            Field::To(field) => (PartyRole::To, field),
            _ => return,
        };
        match field {
            AddressField::Line2 => self.second_line[role as usize] = true,
            AddressField::Country => self.country[role as usize] = true,
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
        let (role, was_open) = (pasted.role, pasted.is_open());
        if let Some(party) = pasted.show(ui) {
            *role.party_mut(form.draft) = party;
            let next = role.next(form.draft);
            self.then = role.first_missing(form.draft).or(Some(next));
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
    pub(super) fn perform_on_focused(&mut self, ui: &Ui, action: Action, form: &mut Form<'_>) {
        let role = focused(ui).unwrap_or(PartyRole::To);
        self.perform(ui, action, form, role);
    }

    fn perform(&mut self, ui: &Ui, action: Action, form: &mut Form<'_>, role: PartyRole) {
        let party = role.party_mut(form.draft);
        let unfolded = match action {
            Action::SwapAddress => {
                party.mode = match party.mode {
                    AddressMode::Saved => AddressMode::Full,
                    AddressMode::Full => AddressMode::Saved,
                };
                form.focus.next_widget = Some(id(role.start(form.draft)));
                return ui.ctx().request_repaint();
            }
            Action::International => AddressField::Country,
            _ => AddressField::Line2,
        };
        party.mode = AddressMode::Full;
        self.unfold(role.field(unfolded));
        form.focus_field(ui, role.field(unfolded));
    }

    /// Returns which of the folded fields of an address are shown.
    fn shown_fields(&self, form: &Form<'_>, role: PartyRole) -> ShownFields {
        let party = role.party(form.draft);
        ShownFields {
            second_line: self.second_line[role as usize]
                || !party.line2.is_empty()
                || form.error(role.field(AddressField::Line2)).is_some(),
            country: self.country[role as usize] || !party.country.is_empty(),
        }
    }
}

/// Draws both parties side by side, with more room for an address than for a saved location. Two addresses
/// are stacked in a narrow window.
pub(super) fn both(
    ui: &mut Ui,
    context: &Context<'_>,
    form: &mut Form<'_>,
    state: &mut PartiesState,
) {
    let roles = [PartyRole::From, PartyRole::To];
    let is_full = roles.map(|role| role.party(form.draft).mode == AddressMode::Full);
    if is_full == [true, true] && ui.available_width() < 760.0 {
        for role in roles {
            card(ui, context, form, state, role);
        }
        return;
    }
    let weights = is_full.map(|is_full| if is_full { 7.0 } else { 3.0 });
    layout::columns(ui, &weights, size::GUTTER, |at, ui| {
        card(ui, context, form, state, roles[at]);
    });
}

fn card(
    ui: &mut Ui,
    context: &Context<'_>,
    form: &mut Form<'_>,
    state: &mut PartiesState,
    role: PartyRole,
) {
    let mode = role.party(form.draft).mode;
    let shown = state.shown_fields(form, role);
    let mut asked = None;
    ui.push_id(role.title(), |ui| {
        let card = Card::new(role.title()).icon(role.action().entry().icon);
        card.show(
            ui,
            |ui| {
                key_cap::cap(ui, &role.action().key());
                asked = head_buttons(ui, role, mode, shown);
            },
            |ui| match mode {
                AddressMode::Saved => saved_location::show(ui, context, form, role),
                AddressMode::Full => address(ui, context, form, shown, role),
            },
        );
    });
    if let Some(action) = asked {
        state.perform(ui, action, form, role);
    }
}

/// Draws the buttons in the head of a card: to the other way of giving the party, and for the folded fields of an
/// address. With little room they show only their icons. Tab skips the buttons, because they have keys.
fn head_buttons(
    ui: &mut Ui,
    role: PartyRole,
    mode: AddressMode,
    shown: ShownFields,
) -> Option<Action> {
    let mut asked = None;
    // The purposes are accessible names, which must differ from the names of the fields that the buttons
    // reveal.
    let mut button = |action: Action, text: &str, purpose: &str| {
        let entry = action.entry();
        let name = format!("{}: {purpose}", role.title());
        let button = if ui.available_width() > 190.0 {
            Button::quiet(text).accessible_name(&name)
        } else {
            Button::icon_only(entry.icon, &name)
        };
        let tooltip = format!("{} ({})", entry.tooltip, action.key());
        let response = ui.add(button.small().skip_in_tab_order());
        if response.on_hover_text(tooltip).clicked() {
            asked = Some(action);
        }
    };
    if mode == AddressMode::Saved {
        button(Action::SwapAddress, "Type an address", "type an address");
        return asked;
    }
    button(
        Action::SwapAddress,
        "Saved location",
        "pick a saved location",
    );
    if !shown.country {
        button(Action::International, "Abroad", "another country");
    }
    if !shown.second_line {
        button(Action::SecondLine, "Address line 2", "add address line 2");
    }
    asked
}

/// Returns the id of a party's first field.
pub(super) fn start_of(action: Action, draft: &Draft) -> egui::Id {
    id(match action {
        Action::Sender => PartyRole::From.start(draft),
        _ => PartyRole::To.start(draft),
    })
}

/// Draws a full address.
fn address(
    ui: &mut Ui,
    context: &Context<'_>,
    form: &mut Form<'_>,
    shown: ShownFields,
    role: PartyRole,
) {
    let fields = address_fields(shown, role.is_abroad(form.draft));
    let is_wide = ui.available_width() > WIDE_POINTS;
    let weights: &[f32] = if is_wide {
        &[5.0, 4.0, 5.0]
    } else {
        &[1.0, 1.0]
    };
    // A street does not fit into half of a narrow row.
    let is_alone = |field: AddressField| !is_wide && field == AddressField::Line1;
    for group in fields.chunk_by(|one, next| is_alone(*one) == is_alone(*next)) {
        let weights = if is_alone(group[0]) { &[1.0] } else { weights };
        for row in group.chunks(weights.len()) {
            layout::row(ui, weights, |at, ui| match row.get(at) {
                Some(AddressField::Name) if role == PartyRole::To => name(ui, context, form, role),
                Some(AddressField::Place) => place(ui, context, form, role),
                Some(AddressField::Country) => country(ui, form, role),
                Some(field) => drop(form.text(ui, role.field(*field))),
                None => {}
            });
        }
    }
}

/// Draws the name field, with past receivers as suggestions.
fn name(ui: &mut Ui, context: &Context<'_>, form: &mut Form<'_>, role: PartyRole) {
    let sources = saved_location::suggestion_sources(context, role);
    let options = FieldOptions {
        sources: Some(saved_location::stamp(context)),
        ..FieldOptions::default()
    };
    let offer = |typed: &str| sources.suggest_receivers(typed);
    let (_, picked) = form.type_ahead(ui, role.field(AddressField::Name), options, offer);
    if let Some(PartySuggestion::Receiver(receiver)) = picked {
        saved_location::fill_in(role.party_mut(form.draft), receiver);
        let next = role.next(form.draft);
        form.focus_field(ui, next);
    }
}

/// Draws suburb and postcode in one field: a known suburb, or any text.
fn place(ui: &mut Ui, context: &Context<'_>, form: &mut Form<'_>, role: PartyRole) {
    let suburbs = &context.shared.catalogue.suburbs;
    let options = FieldOptions {
        sources: Some(Arc::as_ptr(suburbs).addr() as u64),
        ..FieldOptions::default()
    };
    let offer = |typed: &str| suggest_suburbs(suburbs, typed);
    let (_, picked) = form.type_ahead(ui, role.field(AddressField::Place), options, offer);
    if let Some(suburb) = picked {
        role.party_mut(form.draft).place = suburb_label(suburb);
    }
}

/// Draws the country, which is folded away while it is Australia.
fn country(ui: &mut Ui, form: &mut Form<'_>, role: PartyRole) {
    let at = role.field(AddressField::Country);
    let (_, picked) = form.type_ahead(ui, at, FieldOptions::default(), suggest_countries);
    if let Some(name) = picked {
        name.clone_into(&mut role.party_mut(form.draft).country);
        // Picking a country adds or removes fields, so Tab would go to a wrong field in this frame.
        let next = if role.is_abroad(form.draft) {
            AddressField::City
        } else {
            AddressField::Place
        };
        form.focus_field(ui, role.field(next));
    }
}
