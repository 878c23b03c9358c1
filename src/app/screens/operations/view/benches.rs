//! All benches of the workgroup, for a supervisor: who is connected, what each has claimed, and the operations of all.

use std::collections::BTreeMap;

use draft::join_parts;
use egui::{Id, Label, ScrollArea, Ui};
use engine::{ClaimRelease, WorkgroupOverview, describe_claim};
use shipping::{ConsignmentId, LocalTime};

use super::operation_text::{kind_name, state_badge};
use crate::state::{BenchesView, ExportCell, OperationsCommand, Shared};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::export::{Export, all_rows};
use crate::ui::format::{counted, largest_unit, time_or_day};
use crate::ui::lists::focus_rows;
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::{Card, rule};
use widgets::empty_state::empty_state;
use widgets::field::{Field, OnEnter};
use widgets::hold_button::HoldButton;
use widgets::table::{Cell, Column, Rows, Table, TableState};
use widgets::tokens::{Tone, size};
use widgets::{icons, layout, text};
use workgroup::{BenchActivity, BenchRow, Claim, OperationEvent, WaitingDraft};

/// A bench that has not been connected for so many seconds counts as off.
const OFF_AFTER: i64 = 30;

const COLUMNS: [Column; 6] = [
    Column::new("Bench", 110.0).unsorted(),
    Column::new("State", 110.0).unsorted(),
    Column::new("Type", 112.0).unsorted(),
    Column::new("Title", 120.0).grow(1.0).unsorted(),
    Column::new("Number", 120.0).unsorted(),
    Column::new("Since", 58.0).unsorted(),
];

/// State of the view.
#[derive(Default)]
pub(super) struct BenchesPane {
    filter: String,
    table: TableState,
}

impl BenchesPane {
    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let shared = context.shared;
        let view = &shared.operations.benches;
        let empty = WorkgroupOverview::default();
        let overview = view.overview.value().unwrap_or(&empty);
        let room = ui.available_width() - size::GUTTER;
        let left = (room * 0.4).clamp(340.0, 520.0);
        layout::panes(ui, &[left, room - left], |pane, ui| {
            if pane == 0 {
                benches(ui, context, view, overview);
            } else {
                self.operations(ui, context, overview);
            }
        });
    }

    fn operations(&mut self, ui: &mut Ui, context: &Context<'_>, overview: &WorkgroupOverview) {
        let shared = context.shared;
        let rows = self.rows(overview);
        Card::plain().flush().fill_height().body(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            egui::Frame::new()
                .inner_margin(egui::Margin::symmetric(12, 8))
                .show(ui, |ui| {
                    ui.horizontal(|ui| {
                        ui.set_height(size::BUTTON);
                        ui.label(text::title("Operations of all benches"));
                        let shown = Field::new("Filter", &mut self.filter)
                            .id(filter_id())
                            .icon(icons::ICON_SEARCH)
                            .hint("Filter")
                            .key(&Action::FilterOperations.key())
                            .on_enter(OnEnter::Stay)
                            .hide_label()
                            .show(ui);
                        focus_rows(ui, &shown, &mut self.filter, &mut self.table);
                    });
                });
            if context.is_triggered(Action::FilterOperations) {
                ui.memory_mut(|memory| memory.request_focus(filter_id()));
            }
            if rows.is_empty() {
                let advice = "What the benches send is listed here";
                empty_state(ui, icons::ICON_TASK_ALT, "No operations", advice, None);
                return;
            }
            let mut rows = EventRows {
                shared,
                overview,
                rows: &rows,
            };
            Table::new("Operations of all benches", &COLUMNS)
                .column_set(COLUMNS.len())
                .show(ui, &mut self.table, &mut rows);
        });
    }

    /// Returns the operations that the filter lets through.
    fn rows<'a>(&self, overview: &'a WorkgroupOverview) -> Vec<&'a OperationEvent> {
        let filter = self.filter.to_lowercase();
        let words: Vec<&str> = filter.split_whitespace().collect();
        let fits = |event: &&OperationEvent| {
            if words.is_empty() {
                return true;
            }
            let text = format!(
                "{} {} {} {} {}",
                bench_name(overview, &event.bench),
                kind_name(&event.kind),
                state_badge(&event.state).word,
                event.title,
                event.reference
            );
            let text = text.to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        overview.operations.iter().filter(fits).collect()
    }

    /// Returns the list as it is shown, for a file.
    pub(super) fn export(&self, shared: &Shared) -> Option<Export> {
        let overview = shared.operations.benches.overview.value()?;
        let text = |text: &str| ExportCell::Text(text.to_owned());
        let rows: Vec<_> = { self.rows(overview).into_iter() }
            .map(|event| {
                vec![
                    text(bench_name(overview, &event.bench)),
                    text(state_badge(&event.state).word),
                    text(kind_name(&event.kind)),
                    text(&event.title),
                    text(&event.reference),
                    ExportCell::Time(LocalTime::at(event.happened, &shared.session.zone).0),
                ]
            })
            .collect();
        let heads = COLUMNS.map(|column| column.title);
        let count = all_rows(rows.len());
        Some(Export::of_cells(
            "Operations of all benches",
            count,
            heads,
            rows,
        ))
    }
}

fn filter_id() -> Id {
    Id::unique("filter of all benches' operations")
}

fn bench_name<'a>(overview: &'a WorkgroupOverview, bench: &'a str) -> &'a str {
    let row = overview.benches.iter().find(|row| row.bench == bench);
    row.map_or(bench, |row| &row.name)
}

struct EventRows<'a> {
    shared: &'a Shared,
    overview: &'a WorkgroupOverview,
    rows: &'a [&'a OperationEvent],
}

impl Rows for EventRows<'_> {
    fn count(&self) -> usize {
        self.rows.len()
    }

    fn key(&self, index: usize) -> u64 {
        index as u64
    }

    fn name(&self, index: usize) -> String {
        self.rows.get(index).map_or_else(String::new, |event| {
            format!(
                "{}: {} {}, {}",
                bench_name(self.overview, &event.bench),
                kind_name(&event.kind),
                event.title,
                state_badge(&event.state).word
            )
        })
    }

    fn cell(&mut self, cell: &mut Cell<'_>, index: usize, column: usize) {
        let Some(event) = self.rows.get(index) else {
            return;
        };
        match column {
            0 => cell.text(bench_name(self.overview, &event.bench)),
            1 => cell.badge(&state_badge(&event.state).badge()),
            2 => cell.muted(kind_name(&event.kind)),
            3 => cell.text(&event.title),
            4 => cell.mono(&event.reference),
            _ => {
                let zone = &self.shared.session.zone;
                let today = LocalTime::at(self.shared.now, zone);
                cell.muted(&time_or_day(LocalTime::at(event.happened, zone), today.0));
            }
        }
    }
}

fn benches(
    ui: &mut Ui,
    context: &mut Context<'_>,
    view: &BenchesView,
    overview: &WorkgroupOverview,
) {
    Card::new("Benches").fill_height().show(
        ui,
        |ui| {
            let on = overview.benches.iter().filter(|bench| is_on(bench)).count();
            let connected = format!("{on} of {} connected", overview.benches.len());
            let waiting = context.shared.consign.waiting.len();
            let waiting = (waiting > 0).then(|| counted(waiting, "draft waits", "drafts wait"));
            let parts = [connected, waiting.unwrap_or_default()];
            text::small_note(ui, join_parts(&parts.each_ref().map(String::as_str), " · "));
        },
        |ui| {
            if let Some(problem) = view.overview.problem() {
                text::note(ui, problem.advice());
            }
            let scroll = ScrollArea::vertical().id_salt("benches");
            scroll.auto_shrink(false).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = size::GRID;
                for (at, bench) in overview.benches.iter().enumerate() {
                    if at > 0 {
                        rule(ui);
                    }
                    one_bench(ui, context, view, overview, bench);
                }
            });
        },
    );
}

fn is_on(bench: &BenchRow) -> bool {
    bench.now.duration_since(bench.last_seen).as_secs() < OFF_AFTER
}

fn one_bench(
    ui: &mut Ui,
    context: &mut Context<'_>,
    view: &BenchesView,
    overview: &WorkgroupOverview,
    bench: &BenchRow,
) {
    let is_on = is_on(bench);
    ui.horizontal(|ui| {
        ui.label(text::strong(&bench.name));
        if is_on {
            Badge::new(Tone::Ok, "connected").show(ui);
        } else {
            let ago = largest_unit(bench.now.duration_since(bench.last_seen));
            let words = format!("not connected for {ago}");
            Badge::new(Tone::Warning, &words).show(ui);
        }
    });
    let clerk = match bench.clerk.as_str() {
        "" => String::new(),
        clerk => format!("{clerk} · "),
    };
    text::small_note(ui, format!("{clerk}Packbench {}", bench.version));
    if is_on {
        text::small_note(ui, activity(&bench.activity));
    }
    let mut operations: BTreeMap<_, Vec<&Claim>> = BTreeMap::new();
    for claim in overview
        .claims
        .iter()
        .filter(|one| one.bench == bench.bench)
    {
        let of = (claim.operation.made, claim.operation.id);
        operations.entry(of).or_default().push(claim);
    }
    for claims in operations.values() {
        ui.add(Label::new(text::body(summary(claims))).wrap());
        release(ui, context, view, claims, is_on);
    }
    let unsaved = overview.unsaved_drafts.iter();
    for (_, draft) in unsaved.filter(|(taker, _)| *taker == bench.bench && !is_on) {
        return_draft(ui, context, bench, draft);
    }
}

/// Draws a draft that a broken bench took over and did not save, with the button that gives it back.
fn return_draft(ui: &mut Ui, context: &mut Context<'_>, bench: &BenchRow, draft: &WaitingDraft) {
    let title = match draft.title.as_str() {
        "" => "A draft",
        title => title,
    };
    let words = format!("{title} was taken over and not saved");
    ui.add(Label::new(text::body(words)).wrap());
    text::small_note(
        ui,
        "Only if this bench stays off: otherwise it saves the draft at its next start",
    );
    ui.push_id(&draft.id, |ui| {
        let hold = HoldButton::new("Hold to let any bench take it over");
        if hold.secondary().show(ui).completed {
            context.push(OperationsCommand::ReturnDraft {
                bench: bench.bench.clone(),
                id: draft.id.clone(),
            });
        }
    });
}

/// Returns how much a bench has to do, and its printers: "2 open operations · 3 drafts · Zebra: ready".
fn activity(of: &BenchActivity) -> String {
    let count = |count: i32, one, many| {
        let count = usize::try_from(count).unwrap_or_default();
        (count > 0).then(|| counted(count, one, many))
    };
    let parts = [
        count(of.open_operations, "open operation", "open operations"),
        count(of.drafts, "draft", "drafts"),
        count(of.labels, "label to print", "labels to print"),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    let mut parts = if parts.is_empty() {
        vec!["Nothing waiting".to_owned()]
    } else {
        parts
    };
    parts.extend(of.printers.iter().cloned());
    parts.join(" · ")
}

/// Returns what an operation has claimed: "MS71 is being booked on Bench 9 by Mia, and 3 more".
fn summary(claims: &[&Claim]) -> String {
    let first = claims.first().map(|claim| describe_claim(claim));
    let more = match claims.len() {
        0 | 1 => String::new(),
        count => format!(", and {} more", count - 1),
    };
    first.unwrap_or_default() + &more
}

/// Draws the release of what a bench has claimed: the service is asked first.
fn release(
    ui: &mut Ui,
    context: &mut Context<'_>,
    view: &BenchesView,
    claims: &[&Claim],
    is_on: bool,
) {
    let Some(first) = claims.first() else { return };
    let ids = claims.iter().filter_map(|claim| claim.key.consignment_id());
    let release = ClaimRelease {
        bench: first.bench.clone(),
        operation: first.operation.clone(),
        consignments: ids.map(ConsignmentId::new).collect(),
    };
    if view.asked_for.as_ref() != Some(&release) {
        let button = Button::new("Ask the service what became of it").small();
        if ui.add(button).clicked() {
            let command = OperationsCommand::AskAboutClaims(Box::new(release));
            context.push(command);
        }
        return;
    }
    if let Some(problem) = view.asked.problem() {
        text::note(ui, problem.advice());
    }
    let Some(found) = view.asked.value().filter(|_| !view.asked.is_loading()) else {
        return;
    };
    for id in &release.consignments {
        let one = found.iter().find(|one| one.id == *id);
        let words = one.map_or_else(
            || format!("MS{id} is no longer at the service"),
            |one| {
                let status = one
                    .status()
                    .map_or("of unknown status", |status| &status.name);
                let manifest = match one.manifest_id.filter(|id| id.get() != 0) {
                    Some(manifest) => format!(", on manifest {manifest}"),
                    None => String::new(),
                };
                format!("{} is {status}{manifest}", one.consignment_number)
            },
        );
        ui.add(Label::new(text::body(words)).wrap());
    }
    let count = release.consignments.len().max(1);
    let words = format!(
        "Hold to release {}",
        counted(count, "consignment", "consignments")
    );
    let advice = if is_on {
        "This bench is connected and usually releases them itself. Look there first"
    } else {
        "Only if this bench stays off, and you know from the service what became of its operation"
    };
    text::small_note(ui, advice);
    if HoldButton::new(&words).secondary().show(ui).completed {
        context.push(OperationsCommand::ReleaseClaims(Box::new(release)));
    }
}
