//! From and To: each party is a saved location or past receiver, or a full address.
//!
//! Switching between the two forms loses nothing that was typed. Rarely used fields (a second line, another country)
//! are hidden, and Tab skips them until the clerk unfolds them.

mod paste;
mod suggestions;

use std::collections::HashSet;

use egui::{Id, Label, Ui};

use super::form::{FieldOptions, Form};
use super::id;
use crate::state::{Notice, Shared};
use crate::ui::actions::Action;
use crate::ui::unreadable;
use draft::{AddressField, AddressMode, Draft, Field, Party, Receiver};
use paste::PastedAddress;
pub(super) use suggestions::suggest_countries;
use suggestions::{PartySuggestion, SuggestionSources, suggest_suburbs};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::Card;
use widgets::tokens::{Tone, palette, size};
use widgets::{icons, key_cap, layout, text};

/// Above this width three fields are laid out in a row, otherwise two.
const WIDE_POINTS: f32 = 500.0;
/// The fields of a full address, in the order in which clerks read an address: name, contact details, place.
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
const ROLES: [PartyRole; 2] = [PartyRole::From, PartyRole::To];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PartyRole {
    From,
    To,
}

/// State of both parties that is kept between frames.
#[derive(Debug, Default)]
pub(super) struct PartiesState {
    /// The rarely used fields that the clerk has unfolded.
    unfolded: HashSet<Field>,
    pasted: Option<PastedAddress>,
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

    /// Returns the fields of an address that are shown. `is_unfolded` returns whether the clerk has unfolded a rarely
    /// used field.
    fn address_fields(
        self,
        draft: &Draft,
        is_unfolded: impl Fn(AddressField) -> bool,
    ) -> Vec<AddressField> {
        let is_abroad = self.is_abroad(draft);
        let is_shown = |field: &AddressField| match field {
            AddressField::Line2 | AddressField::Country => is_unfolded(*field),
            AddressField::City | AddressField::Province | AddressField::Postcode => is_abroad,
            AddressField::Place => !is_abroad,
            _ => true,
        };
        ADDRESS.into_iter().filter(is_shown).collect()
    }

    /// Returns the first required field of an address that is empty.
    fn first_missing(self, draft: &Draft) -> Option<Field> {
        let is_required = |field: &AddressField| {
            !matches!(
                field,
                AddressField::City | AddressField::Province | AddressField::Postcode
            )
        };
        let shown = self.address_fields(draft, |_| false).into_iter();
        let mut fields = shown.filter(is_required).map(|field| self.field(field));
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

/// Returns the party that has the focus.
fn focused(ui: &Ui) -> Option<PartyRole> {
    let focus = ui.memory(egui::Memory::focused)?;
    let fields = || ADDRESS.into_iter().chain([AddressField::Saved]);
    let has_focus = |role: &PartyRole| fields().any(|field| id(role.field(field)) == focus);
    ROLES.into_iter().find(has_focus)
}

/// Replaces the address of a party. The saved location is kept, in case the clerk goes back to it.
fn replace_address(party: &mut Party, address: Party) {
    *party = Party {
        mode: AddressMode::Full,
        saved: party.saved.take(),
        abbreviation: std::mem::take(&mut party.abbreviation),
        ..address
    };
}

fn fill_in(party: &mut Party, receiver: &Receiver) {
    let mut address = Party::default();
    address.set_receiver(receiver);
    replace_address(party, address);
}

impl PartiesState {
    /// Returns true while the dialog with a pasted address is open.
    pub(super) fn is_open(&self) -> bool {
        self.pasted.as_ref().is_some_and(PastedAddress::is_open)
    }

    /// Marks a field as unfolded, so that its problem can be shown.
    pub(super) fn unfold(&mut self, field: Field) {
        self.unfolded.insert(field);
    }

    /// Removes a pasted address of several lines from the input. Must be called before anything is drawn, because a
    /// text field would join its lines into one.
    pub(super) fn catch_paste(&mut self, ui: &Ui, draft: &Draft) {
        if self.pasted.is_none() {
            self.pasted = paste::take_pasted_block(ui, draft);
        }
    }

    /// Shows the dialog for a pasted address. Must be called after everything is drawn, because widgets under a
    /// dialog get no focus.
    pub(super) fn show_pasted(&mut self, ui: &Ui, form: &mut Form<'_>) {
        self.pasted.take_if(|pasted| pasted.show(ui, form));
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

    /// Returns the fields of a party's address that are shown.
    fn shown_fields(&self, form: &Form<'_>, role: PartyRole) -> Vec<AddressField> {
        role.address_fields(form.draft, |field| {
            let at = role.field(field);
            self.unfolded.contains(&at)
                || !at.text(form.draft).is_empty()
                || form.error(at).is_some()
        })
    }
}

/// Draws both parties side by side, with more room for an address than for a saved location. Two addresses
/// are stacked in a narrow window.
pub(super) fn both(ui: &mut Ui, form: &mut Form<'_>, state: &mut PartiesState) {
    let is_full = ROLES.map(|role| role.party(form.draft).mode == AddressMode::Full);
    if is_full == [true, true] && ui.available_width() < 760.0 {
        for role in ROLES {
            card(ui, form, state, role);
        }
        return;
    }
    let weights = is_full.map(|is_full| if is_full { 7.0 } else { 3.0 });
    layout::columns(ui, &weights, size::GUTTER, |at, ui| {
        card(ui, form, state, ROLES[at]);
    });
}

fn card(ui: &mut Ui, form: &mut Form<'_>, state: &mut PartiesState, role: PartyRole) {
    let mode = role.party(form.draft).mode;
    let shown = state.shown_fields(form, role);
    let mut asked = None;
    ui.push_id(role.title(), |ui| {
        let card = Card::new(role.title()).icon(role.action().entry().icon);
        card.show(
            ui,
            |ui| {
                key_cap::cap(ui, &role.action().key());
                asked = head_buttons(ui, role, mode, &shown);
            },
            |ui| match mode {
                AddressMode::Saved => saved_location(ui, form, role),
                AddressMode::Full => address(ui, form, &shown, role),
            },
        );
    });
    if let Some(action) = asked {
        state.perform(ui, action, form, role);
    }
}

/// Draws the buttons in the head of a card. They switch between a saved location and an address, or unfold fields of
/// the address. In a narrow card they show only icons. Tab skips the buttons, because each has a shortcut.
fn head_buttons(
    ui: &mut Ui,
    role: PartyRole,
    mode: AddressMode,
    shown: &[AddressField],
) -> Option<Action> {
    let mut asked = None;
    // The purposes are accessible names, which must differ from the names of the fields that the buttons
    // reveal.
    let mut button = |action: Action, text: &str, purpose: &str| {
        let name = format!("{}: {purpose}", role.title());
        let button = if ui.available_width() > 190.0 {
            Button::quiet(text).accessible_name(&name)
        } else {
            Button::icon_only(action.entry().icon, &name)
        };
        let response = ui.add(button.small().skip_in_tab_order());
        if response.on_hover_text(action.tip()).clicked() {
            asked = Some(action);
        }
    };
    if mode == AddressMode::Saved {
        button(Action::SwapAddress, "Type an address", "type an address");
        return asked;
    }
    let purpose = "pick a saved location";
    button(Action::SwapAddress, "Saved location", purpose);
    if !shown.contains(&AddressField::Country) {
        button(Action::International, "International", "another country");
    }
    if !shown.contains(&AddressField::Line2) {
        button(Action::SecondLine, "Address line 2", "add address line 2");
    }
    asked
}

/// Returns the id of a party's first field.
pub(super) fn start_of(action: Action, draft: &Draft) -> Id {
    id(match action {
        Action::Sender => PartyRole::From.start(draft),
        _ => PartyRole::To.start(draft),
    })
}

fn address(ui: &mut Ui, form: &mut Form<'_>, fields: &[AddressField], role: PartyRole) {
    let is_wide = ui.available_width() > WIDE_POINTS;
    let weights: &[f32] = if is_wide {
        &[5.0, 4.0, 5.0]
    } else {
        &[1.0, 1.0]
    };
    // In a narrow row, a street does not fit into half of the width.
    let is_alone = |field: AddressField| !is_wide && field == AddressField::Line1;
    for group in fields.chunk_by(|one, next| is_alone(*one) == is_alone(*next)) {
        let weights = if is_alone(group[0]) { &[1.0] } else { weights };
        for row in group.chunks(weights.len()) {
            layout::row(ui, weights, |at, ui| {
                if let Some(field) = row.get(at) {
                    address_field(ui, form, role, *field);
                }
            });
        }
    }
}

fn address_field(ui: &mut Ui, form: &mut Form<'_>, role: PartyRole, field: AddressField) {
    let (at, shared) = (role.field(field), form.shared);
    match field {
        AddressField::Name if role == PartyRole::To => {
            let sources = SuggestionSources::new(shared, role);
            let offer = |typed: &str| sources.suggest_receivers(typed);
            let (_, picked) = form.type_ahead(ui, at, FieldOptions::default(), offer);
            if let Some(PartySuggestion::Receiver(receiver)) = picked {
                fill_in(role.party_mut(form.draft), receiver);
                let next = role.next(form.draft);
                form.focus_field(ui, next);
            }
        }
        // One field takes suburb and postcode: a known suburb, or any text.
        AddressField::Place => {
            let suburbs = &shared.catalogue.suburbs;
            form.suggest(ui, at, |typed| suggest_suburbs(suburbs, typed));
        }
        AddressField::Country => {
            if form.suggest(ui, at, suggest_countries) {
                // Picking a country adds or removes fields, so Tab would go to a wrong field in this frame.
                let next = if role.is_abroad(form.draft) {
                    AddressField::City
                } else {
                    AddressField::Place
                };
                form.focus_field(ui, role.field(next));
            }
        }
        _ => drop(form.text(ui, at)),
    }
}

/// Draws the field for a saved location, a past receiver, or an abbreviation as typed.
fn saved_location(ui: &mut Ui, form: &mut Form<'_>, role: PartyRole) {
    let sources = SuggestionSources::new(form.shared, role);
    let options = FieldOptions {
        icon: Some(icons::ICON_SEARCH),
        ..FieldOptions::default()
    };
    let at = role.field(AddressField::Saved);
    let (_, picked) = form.type_ahead(ui, at, options, |typed| sources.suggest(typed));
    if let Some(suggestion) = picked {
        pick(ui, form, role, suggestion);
    }
    let party = role.party(form.draft);
    let abbreviation = party.abbreviation.trim();
    if let Some(place) = &party.saved {
        heading(ui, &place.name, &place.abbreviation, Tone::Neutral);
        for line in [&place.street, &place.place, &place.contact] {
            if !line.is_empty() {
                text::note(ui, line);
            }
        }
    } else if abbreviation.is_empty() {
        waiting(ui, form.shared);
    } else {
        heading(ui, abbreviation, "as typed", Tone::Accent);
        text::note(ui, "The service looks up this abbreviation when you send");
    }
}

/// Applies the picked suggestion, and moves the focus to the next field to fill in.
fn pick(ui: &Ui, form: &mut Form<'_>, role: PartyRole, offer: PartySuggestion<'_>) {
    let party = role.party_mut(form.draft);
    let typed = party.search.trim().to_owned();
    match offer {
        PartySuggestion::Location(place) => {
            party.set_location(place);
            party.abbreviation.clear();
        }
        PartySuggestion::Receiver(receiver) => fill_in(party, receiver),
        PartySuggestion::Abbreviation => {
            party.saved = None;
            party.abbreviation = typed;
            party.search.clear();
        }
        PartySuggestion::LocationId(id) => {
            party.set_location_id(id);
            party.abbreviation.clear();
        }
        PartySuggestion::NewAddress => {
            if party.name.trim() == typed {
                party.mode = AddressMode::Full;
                party.search.clear();
            } else {
                // A new name means a different receiver. The old address is removed, because otherwise the previous
                // receiver's phone number would be sent with the parcel.
                let name = typed;
                replace_address(
                    party,
                    Party {
                        name,
                        ..Party::default()
                    },
                );
            }
            return form.focus_field(ui, role.field(AddressField::Contact));
        }
    }
    let next = role.next(form.draft);
    form.focus_field(ui, next);
}

fn waiting(ui: &mut Ui, shared: &Shared) {
    let locations = &shared.catalogue.locations;
    let unread = &shared.catalogue.unreadable.locations;
    let words = match (locations.value(), locations.problem()) {
        (Some(places), _) if places.is_empty() && unread.records.is_empty() => {
            "No location is saved yet: type an address".to_owned()
        }
        (Some(_), _) => "Type a few letters, then Enter".to_owned(),
        (None, Some(problem)) => {
            let why = Notice::failed("", problem).advice;
            format!(
                "Couldn't load the saved locations: {why}. For now, type an abbreviation or an address"
            )
        }
        (None, None) => "Loading the saved locations…".to_owned(),
    };
    text::small_note(ui, words);
    if let Some(words) = unreadable::headline(unread, "saved locations") {
        let ink = palette(ui).warning;
        let label = Label::new(text::small(words).color(ink)).wrap();
        ui.add(label).on_hover_text(unreadable::detail(unread));
    }
}

fn heading(ui: &mut Ui, name: &str, badge: &str, tone: Tone) {
    ui.spacing_mut().item_spacing.y = 1.0;
    ui.add_space(2.0);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.label(text::strong(name));
        if !badge.is_empty() {
            Badge::new(tone, badge).show(ui);
        }
    });
}
