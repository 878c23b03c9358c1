//! The card with references, despatch time and driver instructions. Rarely used options are folded below them:
//! equipment and delivery, who pays, tracking e-mail, printer token, numbers that the shipper assigns,
//! carrier-specific options, and delegated references.

use std::collections::HashSet;

use egui::{Align, Label, Layout, Rect, ScrollArea, Ui, UiBuilder, pos2, vec2};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::form::{FieldOptions, Form, fold_button, take_focus};
use super::id;
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::{counted, day_and_time, zone_name};
use crate::ui::parts;
use draft::{
    ConsignmentFlag, CustomField, CustomValueLine, DUTIES, Draft, Field, GoodsField, GoodsLine,
    ReceiverAccountKind, reference_list,
};
use shipping::{BenchKeyField, LocalTime, Question};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::{Card, rule};
use widgets::checkbox::{checkbox, checkbox_with_key};
use widgets::picker::PickerItem;
use widgets::tokens::{Tone, palette, size};
use widgets::{field, icons, key_cap, layout, text};

/// Below this width the fields are laid out in two rows.
const NARROW_POINTS: f32 = 600.0;
/// Maximum number of carrier-specific options.
const MOST_OPTIONS: usize = 50;
/// The note about a clock change appears this many hours before the change.
const CLOCK_CHANGE_NOTICE_HOURS: i64 = 7 * 24;
/// From this width on the UTC offset is shown in the despatch field, otherwise below it.
const WIDE_DESPATCH: f32 = 210.0;

/// Height of a row of references, in points.
const ROW: f32 = 36.0;
/// Number of lines that are visible at once.
const IN_SIGHT: usize = 5;

/// State of the card that is kept between frames.
#[derive(Debug, Default)]
pub(super) struct DetailsState {
    /// True while the options are unfolded.
    pub(super) open: bool,
    references: ReferencesState,
}

/// State of the list that is kept between frames.
#[derive(Debug, Default)]
struct ReferencesState {
    /// Message about the last scan; empty if there is none.
    message: String,
    /// The line to scroll to.
    scroll_to: Option<usize>,
}

impl DetailsState {
    /// Unfolds the options if they hide a field.
    pub(super) fn unfold(&mut self, field: Field) {
        self.open |= match field {
            Field::Questions | Field::Custom(..) | Field::Goods(_, GoodsField::References) => true,
            field => field.row().folded.is_some(),
        };
        if let Field::Goods(line, GoodsField::References) = field {
            self.references.scroll_to = Some(line);
        }
    }
}

const fn action_of(question: Question) -> Action {
    match question {
        Question::Tailgate => Action::Tailgate,
        Question::Crane => Action::Crane,
        Question::Residential => Action::Residential,
        Question::AuthorityToLeave => Action::AuthorityToLeave,
        Question::HandUnload => Action::HandUnload,
    }
}

/// Switches the options whose actions were triggered.
pub(super) fn toggle_triggered(context: &Context<'_>, draft: &mut Draft) {
    for question in Question::ALL {
        if context.is_triggered(action_of(*question)) {
            toggle(draft, *question);
        }
    }
}

fn toggle(draft: &mut Draft, question: Question) {
    if !draft.questions.remove(&question) {
        draft.questions.insert(question);
    }
}

pub(super) fn card(ui: &mut Ui, form: &mut Form<'_>, state: &mut DetailsState) {
    Card::plain().body(ui, |ui| {
        fields(ui, form);
        if form.draft.is_international() {
            duties(ui, form);
        }
        ui.add_space(4.0);
        rule(ui);
        fold(ui, form.draft, &mut state.open);
        if state.open {
            questions(ui, form);
            options(ui, form);
            carrier_options(ui, form);
            references(ui, form, &mut state.references);
        }
    });
}

fn fields(ui: &mut Ui, form: &mut Form<'_>) {
    let key_place = form.shared.session.key_place;
    // An empty reference field shows a hint if the bench's key will be written to that field.
    let key = |place| FieldOptions {
        hint: (key_place == place).then_some("bench key"),
        ..FieldOptions::default()
    };
    let mut field = |at: usize, ui: &mut Ui| match at {
        0 => drop(form.text_with(ui, Field::Reference1, key(BenchKeyField::FirstReference))),
        1 => drop(form.text_with(ui, Field::Reference2, key(BenchKeyField::SecondReference))),
        2 => despatch(ui, form),
        _ => drop(form.text(ui, Field::Instructions)),
    };
    if ui.available_width() < NARROW_POINTS {
        layout::row(ui, &[1.0, 1.0], &mut field);
        layout::row(ui, &[1.0, 1.0], |at, ui| field(at + 2, ui));
    } else {
        layout::row(ui, &[3.0, 3.0, 4.0, 4.0], field);
    }
}

fn duties(ui: &mut Ui, form: &mut Form<'_>) {
    let words = "The receiver pays duties and taxes";
    let response = checkbox(ui, &mut form.draft.duties_by_recipient, words);
    take_focus(ui, Field::Duties, &response);
    form.track_focus(Field::Duties, &response);
    if let Some(error) = form.error(Field::Duties) {
        field::show_error(ui, &response, error);
    }
}

/// Draws the despatch time in the sender's time zone, with the name of the zone and a note before its clocks change.
fn despatch(ui: &mut Ui, form: &mut Form<'_>) {
    let shared = form.shared;
    let check = shared.check_context();
    let zone = form.draft.despatch_zone(&check);
    let name = zone_name(shared.now, zone);
    let change = clock_change(shared.now, zone);
    let whole = format!("{name}, {}", utc_offset(shared.now, zone));
    let wide = ui.available_width() >= WIDE_DESPATCH;
    let options = FieldOptions {
        unit: Some(if wide { &whole } else { &name }),
        ..FieldOptions::default()
    };
    let shown = form.text_with(ui, Field::Despatch, options);
    if let Some(note) = change.or((!wide).then_some(whole)) {
        ui.spacing_mut().item_spacing.y = 3.0;
        text::small_note(ui, &note);
        ui.ctx().accesskit_node_builder(shown.response.id, |node| {
            if node.description().is_none() {
                node.set_description(note);
            }
        });
    }
}

/// Formats the UTC offset of a zone: `UTC+11`, `UTC+9:30`.
fn utc_offset(at: Timestamp, zone: &str) -> String {
    let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
    let seconds = zone.to_offset(at).seconds();
    let sign = if seconds < 0 { '-' } else { '+' };
    let minutes = seconds.abs() / 60;
    match (minutes / 60, minutes % 60) {
        (hours, 0) => format!("UTC{sign}{hours}"),
        (hours, rest) => format!("UTC{sign}{hours}:{rest:02}"),
    }
}

/// Returns a note if the clocks of `zone` (an IANA name) change within the next seven days.
fn clock_change(now: Timestamp, zone: &str) -> Option<String> {
    let zone = TimeZone::get(zone).ok()?;
    let next = zone.following(now).next()?;
    let hours = next.timestamp().duration_since(now).as_hours();
    let before = zone.to_offset(now);
    if hours > CLOCK_CHANGE_NOTICE_HOURS || next.offset() == before {
        return None;
    }
    let way = if next.offset() > before {
        "forward"
    } else {
        "back"
    };
    let at = LocalTime(before.to_datetime(next.timestamp()));
    Some(format!("Clocks go {way} {}", day_and_time(at)))
}

/// Draws the row that folds and unfolds the options, with a badge for each option that is set.
fn fold(ui: &mut Ui, draft: &Draft, open: &mut bool) {
    ui.horizontal_wrapped(|ui| {
        fold_button(ui, "Options", open);
        key_cap::cap(ui, &Action::Options.key());
        let set = options_set(draft);
        for word in &set {
            Badge::new(Tone::Accent, word).show(ui);
        }
        if set.is_empty() && !*open {
            let words = "tailgate, receiver pays, tracking e-mail, delegated numbers…";
            ui.add(Label::new(text::body(words).color(palette(ui).muted)).truncate());
        }
    });
}

/// Returns a word for each option that is set.
fn options_set(draft: &Draft) -> Vec<String> {
    let typed = |text: &str| !text.trim().is_empty();
    let questions = draft.questions.iter().map(|question| question.label());
    let flags = draft.flags.iter().map(|flag| flag.row().label);
    let texts = Field::texts().filter(|field| typed(field.text(draft)));
    let values = draft.custom_values.iter();
    let values = values.filter(|line| typed(&line.name)).count();
    let references = draft.goods.iter().flat_map(GoodsLine::references).count();
    let counts = [
        (values, "carrier option", "carrier options"),
        (references, "item reference", "item references"),
    ];
    let counts = counts.into_iter().filter(|(count, ..)| *count > 0);
    questions
        .chain(flags)
        .chain(texts.filter_map(|field| field.row().folded))
        .map(str::to_owned)
        .chain(counts.map(|(count, one, many)| counted(count, one, many)))
        .collect()
}

/// Draws a small heading above a part of the options.
fn heading(ui: &mut Ui, words: &str) {
    ui.add(Label::new(text::small(words).color(palette(ui).muted)).truncate());
}

fn questions(ui: &mut Ui, form: &mut Form<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(20.0, 4.0);
        for (at, question) in Question::ALL.iter().enumerate() {
            let mut on = form.draft.questions.contains(question);
            let key = action_of(*question).key();
            let response = checkbox_with_key(ui, &mut on, question.label(), &key);
            if response.changed() {
                toggle(form.draft, *question);
            }
            if at == 0 {
                take_focus(ui, Field::Questions, &response);
            }
        }
        for flag in ConsignmentFlag::ALL {
            checkbox(
                ui,
                form.draft.flags.value_mut(*flag),
                flag.row().checkbox_label,
            );
        }
    });
    if let Some(error) = form.error(Field::Questions) {
        ui.add(Label::new(text::small(error).color(palette(ui).bad)).wrap());
    }
}

/// Draws the options that are text fields, each in a cell. The receiver's account is either a code or an id, so a
/// choice between the two is drawn beside its field.
fn options(ui: &mut Ui, form: &mut Form<'_>) {
    let is_narrow = ui.available_width() < NARROW_POINTS;
    let mut cells = Vec::new();
    for field in Field::texts().filter(|field| field.row().folded.is_some()) {
        cells.push((Some(field), 3.0));
        if field == Field::ReceiverAccount {
            cells.push((None, 2.0));
        }
    }
    for row in cells.chunks(if is_narrow { 2 } else { 5 }) {
        let weights: Vec<f32> = row.iter().map(|(_, weight)| *weight).collect();
        layout::row(ui, &weights, |at, ui| {
            if let Some(field) = row[at].0 {
                option_text(ui, form, field);
            } else {
                let kinds = [
                    (ReceiverAccountKind::Code, "Code"),
                    (ReceiverAccountKind::Id, "Id"),
                ];
                let kind = &mut form.draft.receiver_account_by;
                parts::choice(ui, "Entered as", kind, &kinds);
            }
        });
    }
}

fn option_text(ui: &mut Ui, form: &mut Form<'_>, field: Field) {
    let hint = match (field, form.draft.receiver_account_by) {
        (Field::ReceiverAccount, ReceiverAccountKind::Id) => "id at the service",
        (Field::ReceiverAccount, ReceiverAccountKind::Code) => "code at the carrier",
        (Field::Staff, _) => &form.shared.bench.staff,
        _ => field.row().hint,
    };
    form.text_with(ui, field, FieldOptions::hint(hint));
}

/// Draws the carrier-specific options (`customValues`): pairs of a name and a value.
fn carrier_options(ui: &mut Ui, form: &mut Form<'_>) {
    if !form.draft.custom_values.is_empty() {
        heading(ui, "Carrier-specific options");
    }
    let mut removed = None;
    for at in 0..form.draft.custom_values.len() {
        ui.push_id(("custom", at), |ui| {
            layout::row(ui, &[7.0, 6.0, 1.0], |cell, ui| match cell {
                0 => carrier_option(ui, form, Field::Custom(at, CustomField::Name)),
                1 => carrier_option(ui, form, Field::Custom(at, CustomField::Value)),
                _ => {
                    ui.horizontal(|ui| {
                        ui.set_height(size::FIELD);
                        let name = format!("Remove carrier option {}", at + 1);
                        let button = Button::icon_only(icons::ICON_CLOSE, &name).small();
                        if ui.add(button).clicked() {
                            removed = Some(at);
                        }
                    });
                }
            });
        });
    }
    if let Some(at) = removed {
        form.draft.custom_values.remove(at);
        let next = match form.draft.custom_values.len() {
            0 => Field::PrinterToken,
            left => Field::Custom(at.min(left - 1), CustomField::Name),
        };
        form.focus_field(ui, next);
    }
    let add = Button::quiet("Add carrier-specific option")
        .icon(icons::ICON_ADD)
        .small();
    let count = form.draft.custom_values.len();
    if ui.add_enabled(count < MOST_OPTIONS, add).clicked() {
        form.draft.custom_values.push(CustomValueLine::default());
        form.focus_field(ui, Field::Custom(count, CustomField::Name));
    }
}

/// Draws the name or the value of a carrier-specific option. Suggests the only option that the service's interface
/// documents, with its values.
fn carrier_option(ui: &mut Ui, form: &mut Form<'_>, at: Field) {
    let known: &[(&str, &str)] = match at {
        Field::Custom(_, CustomField::Name) => &[(DUTIES, "true or false")],
        Field::Custom(line, _) if form.draft.custom_values[line].name.trim() == DUTIES => {
            &[("true", ""), ("false", "")]
        }
        _ => &[],
    };
    let offer = |typed: &str| {
        let typed = typed.trim().to_lowercase();
        let fits = |text: &str| text.to_lowercase().contains(&typed);
        let known = known.iter().filter(|(text, _)| fits(text));
        known
            .map(|(text, detail)| (PickerItem::new(*text, *detail), *text))
            .collect()
    };
    form.suggest(ui, at, offer);
}

/// Returns the references field of the next line that has fewer references than pieces.
///
/// Searches from `line` to the end, then from the beginning. If no line lacks references, returns `line`.
pub(super) fn next_incomplete(draft: &Draft, line: usize) -> Field {
    let is_short = |at: &usize| {
        let goods = &draft.goods[*at];
        pieces(goods).is_some_and(|of| goods.references().count() < of)
    };
    let mut order = (line..draft.goods.len()).chain(0..line.min(draft.goods.len()));
    let next = order.find(is_short).unwrap_or(line);
    Field::Goods(next, GoodsField::References)
}

/// Returns the number of pieces of a line, if its quantity is known.
fn pieces(line: &GoodsLine) -> Option<usize> {
    line.count()?.try_into().ok()
}

/// Draws the delegated references of the goods: one for each piece, scanned one after another or pasted as a list.
/// Only visible lines are drawn. A reference that the goods already have is reported and not added again.
fn references(ui: &mut Ui, form: &mut Form<'_>, state: &mut ReferencesState) {
    heading(
        ui,
        "Item references, one per piece: scan them or paste a list",
    );
    let lines = form.draft.goods.len();
    let height = ROW * f32::from(u8::try_from(lines.min(IN_SIGHT)).unwrap_or(u8::MAX));
    let mut area = ScrollArea::vertical()
        .id_salt("references")
        .max_height(height)
        .min_scrolled_height(height)
        .auto_shrink([false, true]);
    let led_to = state.scroll_to.take();
    if let Some(line) = led_to {
        area = area.vertical_scroll_offset(top_of(line.saturating_sub(1)));
    }
    let shown = area.show_viewport(ui, |ui, seen| {
        ui.set_height(top_of(lines));
        let origin = ui.min_rect().min;
        // One more row is drawn at both ends, because Tab and Shift+Tab only reach rows that are drawn.
        for line in 0..lines {
            let top = top_of(line);
            if top + 2.0 * ROW < seen.top() || top - ROW > seen.bottom() {
                continue;
            }
            let rect = Rect::from_min_size(
                pos2(origin.x, origin.y + top),
                vec2(ui.available_width(), ROW),
            );
            let builder = UiBuilder::new().max_rect(rect).id_salt(("line", line));
            reference_row(&mut ui.new_child(builder), form, state, line);
        }
    });
    if led_to.is_some() {
        ui.scroll_to_rect(shown.inner_rect, None);
    }
    if !state.message.is_empty() {
        let words = text::small(&state.message).color(palette(ui).warning);
        let shown = ui.add(Label::new(words).wrap());
        ui.ctx().accesskit_node_builder(shown.id, |node| {
            node.set_live(egui::accesskit::Live::Polite);
        });
    }
}

fn top_of(line: usize) -> f32 {
    line as f32 * ROW
}

fn reference_row(ui: &mut Ui, form: &mut Form<'_>, state: &mut ReferencesState, line: usize) {
    let goods = &form.draft.goods[line];
    let words = format!("{} {}", line + 1, goods.name.trim());
    let (count, of) = (goods.references().count(), pieces(goods));
    let height = ui.max_rect().height() - 6.0;
    ui.add_space(3.0);
    layout::row(ui, &[4.0, 9.0, 2.0], |cell, ui| {
        let room = vec2(ui.available_width(), height);
        let middle = Layout::left_to_right(Align::Center);
        match cell {
            0 => drop(ui.allocate_ui_with_layout(room, middle, |ui| {
                ui.add(Label::new(text::body(&words)).truncate());
            })),
            1 => scanned(ui, form, state, line, count),
            _ => drop(ui.allocate_ui_with_layout(room, middle, |ui| counter(ui, count, of))),
        }
    });
}

fn counter(ui: &mut Ui, count: usize, of: Option<usize>) {
    let words = match of {
        Some(of) => format!("{count} of {of}"),
        None => count.to_string(),
    };
    let tone = match of {
        Some(of) if count == of && count > 0 => Tone::Ok,
        Some(_) if count > 0 => Tone::Warning,
        _ => Tone::Neutral,
    };
    let name = format!("References: {words}");
    Badge::new(tone, &words).name(&name).show(ui);
}

/// Draws the field that references are scanned into. Enter ends a reference. Once the line has all its references,
/// Enter also moves the focus to the next line.
fn scanned(
    ui: &mut Ui,
    form: &mut Form<'_>,
    state: &mut ReferencesState,
    line: usize,
    count: usize,
) {
    let here = Field::Goods(line, GoodsField::References);
    let shown = form.text(ui, here);
    if shown.changed() {
        state.message.clear();
    }
    let is_done = shown.entered || shown.response.lost_focus();
    if is_done && let Some(message) = remove_duplicates(&mut form.draft.goods, line) {
        state.message = message;
    }
    if shown.entered {
        let references = &mut form.draft.goods[line].references;
        if !references.is_empty() && !references.ends_with(char::is_whitespace) {
            // A space separates this reference from the next scan.
            references.push(' ');
        }
        field::cursor_to_end(ui.ctx(), id(here));
        let goods = &form.draft.goods[line];
        let (now, of) = (goods.references().count(), pieces(goods));
        let nothing_new = now == count && state.message.is_empty() && now == 0;
        if of.is_some_and(|of| now >= of) || nothing_new {
            // After the last line the focus leaves the list.
            let next = line + 1;
            if next < form.draft.goods.len() {
                state.scroll_to = Some(next);
                form.focus_field(ui, Field::Goods(next, GoodsField::References));
            } else {
                form.focus_field(ui, Field::Goods(0, GoodsField::Name));
            }
        }
    }
    if let Some(error) = form.error(here) {
        shown.response.on_hover_text(error);
    }
}

/// Removes references that are already in the goods. Returns a message about the last duplicate, if there is one.
fn remove_duplicates(goods: &mut [GoodsLine], line: usize) -> Option<String> {
    let typed = std::mem::take(&mut goods[line].references);
    let mut known: HashSet<&str> = goods.iter().flat_map(GoodsLine::references).collect();
    let list = reference_list(&typed);
    let (new, duplicates): (Vec<_>, Vec<_>) = list.partition(|reference| known.insert(*reference));
    let last = duplicates.last();
    let message = last.map(|one| format!("{one} is already in the list, so it wasn't added again"));
    // Without duplicates the text stays exactly as typed.
    goods[line].references = match &message {
        None => typed,
        Some(_) => new
            .into_iter()
            .flat_map(|reference| [reference, " "])
            .collect(),
    };
    message
}
