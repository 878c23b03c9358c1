//! The command palette, in which the clerk finds an action by words of its name and runs it with Enter.

use egui::{Align2, Key, Modifiers, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::field::{Field, OnEnter};
use super::modal::Modal;
use super::picker;
use super::tokens::{palette as colors, size};
use super::{Icon, icons, key_cap, paint, text};

#[derive(Debug, Clone, Copy)]
pub struct PaletteEntry<'a> {
    pub name: &'a str,
    pub icon: Icon,
    /// Label of the key cap; empty for an action without a shortcut.
    pub key: &'a str,
    /// Description of the action, which is searched too.
    pub tooltip: &'a str,
}

impl PaletteEntry<'_> {
    /// Returns whether name and description contain every word of the query.
    pub fn matches(&self, query: &str) -> bool {
        let text = format!("{} {}", self.name, self.tooltip).to_lowercase();
        let query = query.to_lowercase();
        query.split_whitespace().all(|word| text.contains(word))
    }
}

/// State of the palette between frames: the typed text and the highlighted line.
#[derive(Debug, Clone, Default)]
pub struct PaletteState {
    query: String,
    marked: usize,
}

const MAX_RESULTS: usize = 10;

/// Draws the palette while `open`, and returns the index of the picked action. Call in every frame, open or not.
pub fn show(
    ui: &Ui,
    open: &mut bool,
    state: &mut PaletteState,
    entries: &[PaletteEntry<'_>],
) -> Option<usize> {
    if !*open {
        *state = PaletteState::default();
    }
    Modal::new("palette", "")
        .width(560.0)
        .at_top()
        .show(ui, open, |ui, open| {
            let found = find(&state.query, entries);
            let shown = found.len().min(MAX_RESULTS);
            let step = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
            for (key, down) in [(Key::ArrowDown, true), (Key::ArrowUp, false)] {
                if step(key) {
                    state.marked = picker::step(Some(state.marked), shown, down).unwrap_or(0);
                }
            }
            let field = Field::new("Find an action", &mut state.query)
                .icon(icons::ICON_SEARCH)
                .hint("What do you want to do?")
                .on_enter(OnEnter::Stay)
                .hide_label()
                .show(ui);
            if field.changed() {
                state.marked = 0;
            }
            ui.add_space(4.0);
            let mut picked = field
                .entered
                .then(|| found.get(state.marked).copied())
                .flatten();
            ui.spacing_mut().item_spacing.y = 0.0;
            for (at, index) in found.iter().take(MAX_RESULTS).enumerate() {
                if line(ui, &entries[*index], at == state.marked) {
                    picked = Some(*index);
                }
            }
            if found.is_empty() {
                ui.label(text::body("No matching action").color(colors(ui).muted));
            }
            if picked.is_some() {
                *open = false;
            }
            picked
        })?
}

/// Returns the entries that contain every word of the query. Entries whose name starts
/// with the query come first.
fn find(query: &str, entries: &[PaletteEntry<'_>]) -> Vec<usize> {
    let mut found: Vec<usize> = (0..entries.len())
        .filter(|index| entries[*index].matches(query))
        .collect();
    let query = query.to_lowercase();
    found.sort_by_key(|index| {
        !entries[*index]
            .name
            .to_lowercase()
            .starts_with(query.trim())
    });
    found
}

/// Draws the line of an action. Returns whether it was clicked.
pub fn line(ui: &mut Ui, entry: &PaletteEntry<'_>, marked: bool) -> bool {
    let p = colors(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 36.0), Sense::CLICK);
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, marked, entry.name));
    let ink = paint::row_background(ui, &response, marked, size::BUTTON_RADIUS);
    let (y, painter) = (rect.center().y, ui.painter());
    let put = |x: f32, galley| paint::text_at(painter, Align2::LEFT_CENTER, pos2(x, y), galley);
    let icon = paint::icon(ui, entry.icon, size::ICON, ink);
    put(rect.left() + 10.0, icon);
    let mut right = rect.right() - 10.0;
    if !entry.key.is_empty() {
        right -= key_cap::width(ui, entry.key);
        key_cap::paint(ui, painter, pos2(right, y), entry.key);
        right -= size::GRID;
    }
    let left = rect.left() + 38.0;
    let name = text::line(ui, text::strong(entry.name), right - left, ink);
    let left = put(left, name).right() + 12.0;
    if right - left > 60.0 {
        let tooltip = text::small(entry.tooltip);
        put(left, text::line(ui, tooltip, right - left, p.muted));
    }
    response.clicked()
}
