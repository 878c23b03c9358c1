//! Every widget on one page, in both themes, as pictures for a person to look at.

use egui::ThemePreference;
use widgets::badge::{Badge, dangerous_mark};
use widgets::button::Button;
use widgets::card::{self, Card};
use widgets::checkbox::checkbox;
use widgets::empty_state::empty_state;
use widgets::field::Field;
use widgets::hold_button::HoldButton;
use widgets::notice::NoticeBar;
use widgets::select::Select;
use widgets::table::{Cell, Column, Rows, Table, TableState};
use widgets::tokens::{Tone, palette, size};
use widgets::{command_palette as actions, icons, key_cap, layout, modal::Modal, progress, text};

use super::{bench_in, dialogs, picture_showing};
use crate::support::keyboard::type_keys;

#[derive(Default)]
pub(super) struct Gallery {
    texts: [String; 12],
    ticks: [bool; 3],
    kind: Option<usize>,
    table: TableState,
    palette_open: bool,
    palette: actions::PaletteState,
    dialog_open: bool,
}

const KINDS: [&str; 4] = ["Carton", "Pallet", "Drum", "Satchel"];

pub(super) fn draw(ui: &mut egui::Ui, state: &mut Gallery) {
    let p = palette(ui);
    egui::Frame::new()
        .fill(p.background)
        .inner_margin(16)
        .show(ui, |ui| {
            ui.set_min_size(ui.available_size());
            layout::columns(ui, &[1.0, 1.0], size::GUTTER, |at, ui| {
                ui.spacing_mut().item_spacing.y = size::GUTTER;
                if at == 0 {
                    left(ui, state);
                } else {
                    right(ui, state);
                }
            });
        });
    actions::show(
        ui,
        &mut state.palette_open,
        &mut state.palette,
        &dialogs::ENTRIES,
    );
    Modal::new("cancel", "Cancel MS200431").show(ui, &mut state.dialog_open, |ui, open| {
        ui.label(text::body(
            "The booking was sent to the carrier. Cancelling here does not stop the pickup.",
        ));
        let mut reason = String::new();
        Field::new("Reason", &mut reason)
            .hint("Why it is cancelled")
            .show(ui);
        ui.horizontal(|ui| {
            if ui.add(Button::primary("Cancel it")).clicked() {
                *open = false;
            }
            ui.add(Button::new("Keep it"));
        });
    });
}

fn left(ui: &mut egui::Ui, state: &mut Gallery) {
    ui.horizontal(|ui| {
        ui.label(text::title("New consignment"));
        Badge::new(Tone::Neutral, "draft 3 of 5").show(ui);
        ui.add(Button::new("Preset").icon(icons::ICON_BOLT).key("Ctrl P"));
        ui.add(Button::new("Import…").icon(icons::ICON_FILE_OPEN));
        ui.add(Button::quiet("Quiet").icon(icons::ICON_REFRESH));
        ui.add(Button::icon_only(icons::ICON_CLOSE, "Close"));
    });
    let header = |ui: &mut egui::Ui| {
        key_cap::cap(ui, "Alt 2");
        Badge::new(Tone::Neutral, "Address").show(ui);
    };
    Card::new("To")
        .icon(icons::ICON_LOCATION_ON)
        .show(ui, header, |ui| fields(ui, state));
    Card::plain().show(
        ui,
        |_| {},
        |ui| {
            ui.horizontal_wrapped(|ui| {
                for (tone, word) in [
                    (Tone::Neutral, "1 consignment"),
                    (Tone::Accent, "fastest"),
                    (Tone::Ok, "ready"),
                    (Tone::Warning, "waiting"),
                    (Tone::Bad, "not sent"),
                    (Tone::Unknown, "not known yet"),
                ] {
                    Badge::new(tone, word).show(ui);
                }
                Badge::dangerous("UN 1170").show(ui);
                Badge::new(Tone::Ok, "booked")
                    .icon(icons::ICON_CHECK)
                    .show(ui);
                Badge::new(Tone::Unknown, "PRACTICE").outlined().show(ui);
                dangerous_mark(ui);
            });
            card::rule(ui);
            checkbox(
                ui,
                &mut state.ticks[0],
                "I declare the dangerous goods in this consignment",
            );
            ui.horizontal(|ui| {
                checkbox(ui, &mut state.ticks[1], "Tailgate");
                ui.add_enabled_ui(false, |ui| checkbox(ui, &mut state.ticks[2], "Crane"));
            });
            progress::bar(ui, 31, 120, "labels printed", Tone::Accent);
            ui.label(text::figure("$38.40"));
            HoldButton::new("Hold to book 2 groups")
                .shortcut(egui::KeyboardShortcut::new(
                    egui::Modifiers::CTRL,
                    egui::Key::Enter,
                ))
                .show(ui);
            ui.add_enabled_ui(false, |ui| {
                let send = Button::primary("Send").key("Ctrl ↵").fill_width(ui);
                ui.add(send)
            });
            let send = Button::primary("Send").key("Ctrl ↵").fill_width(ui);
            ui.add(send);
        },
    );
}

fn fields(ui: &mut egui::Ui, state: &mut Gallery) {
    let [
        name,
        contact,
        phone,
        address,
        suburb,
        mail,
        qty,
        flash,
        hazchem,
        ..,
    ] = &mut state.texts;
    layout::row(ui, &[2.0, 2.0, 2.0], |at, ui| match at {
        0 => drop(Field::new("Name", name).show(ui)),
        1 => drop(Field::new("Contact", contact).show(ui)),
        _ => drop(Field::new("Phone", phone).hint("02 5550 0114").show(ui)),
    });
    layout::row(ui, &[3.0, 3.0], |at, ui| match at {
        0 => drop(Field::new("Address", address).show(ui)),
        _ => drop(
            Field::new("Suburb and postcode", suburb)
                .icon(icons::ICON_SEARCH)
                .key("F9")
                .show(ui),
        ),
    });
    layout::row(ui, &[1.0, 1.0, 1.0, 1.0, 2.0], |at, ui| match at {
        0 => drop(Field::new("Each", qty).number().unit("kg").show(ui)),
        1 => drop(
            Field::new("Flash point", flash)
                .number()
                .unit("°C")
                .error(Some("Below 23 °C is PG II"))
                .show(ui),
        ),
        2 => drop(Select::new("Type", state.kind, &KINDS).show(ui)),
        3 => drop(
            Select::new("Hazchem", None, &["2YE", "2SE"])
                .error(Some("2YE or 2SE"))
                .show(ui),
        ),
        _ => {
            ui.add_enabled_ui(false, |ui| {
                drop(Field::new("Reference", mail).mono().show(ui));
            });
        }
    });
    let _ = hazchem;
}

struct Listed;

const COLUMNS: [Column; 7] = [
    Column::new("Number", 96.0),
    Column::new("To", 160.0).grow(1.0),
    Column::new("Carrier", 150.0),
    Column::new("Pcs", 52.0).right(),
    Column::new("kg", 66.0).right(),
    Column::new("", 36.0).unsorted(),
    Column::new("Label", 92.0),
];

impl Rows for Listed {
    fn count(&self) -> usize {
        400
    }
    fn key(&self, index: usize) -> u64 {
        index as u64
    }
    fn name(&self, index: usize) -> String {
        format!("MS{}", 200_431 - index)
    }
    fn cell(&mut self, cell: &mut Cell<'_>, index: usize, column: usize) {
        const TO: [&str; 4] = [
            "Ballarat Farm & Garden",
            "Tweed Marine",
            "Aroha Outdoor",
            "Kings Park Nursery and Landscape",
        ];
        match column {
            0 => cell.mono(&format!("MS{}", 200_431 - index)),
            1 => cell.text(TO[index % 4]),
            2 => {
                cell.text("Southern Cross");
                cell.muted("Road");
            }
            3 => cell.text(&(index % 12 + 1).to_string()),
            4 => cell.text(&format!("{}.{}", (index * 37) % 400, index % 10)),
            5 if index.is_multiple_of(3) => cell.dangerous(),
            6 if index % 4 == 1 => cell.badge(&Badge::new(Tone::Warning, "waiting")),
            6 if index % 4 == 3 => cell.badge(&Badge::new(Tone::Bad, "not sent")),
            6 => cell.muted("sent"),
            _ => {}
        }
    }
}

fn right(ui: &mut egui::Ui, state: &mut Gallery) {
    NoticeBar::new(Tone::Bad, "The service refused the consignment")
        .what_to_do("Correct the suburb and send it again")
        .detail("errorCode 1021: no such suburb: Balarat")
        .action("Go to suburb")
        .dismissable()
        .show(ui);
    NoticeBar::new(Tone::Unknown, "The reply was lost")
        .what_to_do("Checking 2 of 5, next in 18 s. Don't book it any other way")
        .show(ui);
    NoticeBar::new(Tone::Warning, "The list is from 13:58")
        .action("Try again")
        .show(ui);
    NoticeBar::new(Tone::Ok, "MS200431 is sent").show(ui);
    ui.allocate_ui(egui::vec2(ui.available_width(), 330.0), |ui| {
        Card::new("Unmanifested").flush().fill_height().show(
            ui,
            |ui| {
                ui.add(Button::new("Print 5").icon(icons::ICON_PRINT).small());
                ui.add(Button::new("View").opens().small());
            },
            |ui| {
                Table::new("Unmanifested", &COLUMNS)
                    .ticks()
                    .show(ui, &mut state.table, &mut Listed)
            },
        );
    });
    Card::new("Jobs")
        .icon(icons::ICON_PRINT)
        .tone(Tone::Unknown)
        .show(
            ui,
            |ui| drop(Badge::new(Tone::Unknown, "not known yet").show(ui)),
            |ui| {
                empty_state(
                    ui,
                    icons::ICON_INVENTORY_2,
                    "Nothing to print",
                    "Labels wait here once a consignment is sent",
                    Some(Button::new("Consign").icon(icons::ICON_ADD).key("F2")),
                )
            },
        );
}

fn filled() -> Gallery {
    let mut state = Gallery {
        kind: Some(0),
        ticks: [true, true, false],
        ..Gallery::default()
    };
    let texts = [
        "Ballarat Farm & Garden",
        "J. Okafor",
        "",
        "8 Creswick Road",
        "Ballarat Central VIC 3350",
        "SO-48213",
        "11.5",
        "13",
    ];
    for (slot, text) in state.texts.iter_mut().zip(texts) {
        text.clone_into(slot);
    }
    state.table.selection.tick_only(1);
    state.table.selection.toggle(3);
    state.table.sort = Some(widgets::table::Sort {
        column: 0,
        descending: true,
    });
    state
}

#[test]
fn the_kit_is_drawn_in_both_themes() {
    for (name, choice) in [
        ("light", ThemePreference::Light),
        ("dark", ThemePreference::Dark),
    ] {
        let mut harness = bench_in(choice, [1440.0, 900.0], filled(), draw);
        harness.run();
        for _ in 0..5 {
            type_keys(&mut harness, "<Tab>");
        }
        picture_showing(
            &mut harness,
            &format!("kit-{name}"),
            &["1 consignment", "not sent", "not known yet"],
        );
        harness.state_mut().palette_open = true;
        harness.run();
        picture_showing(
            &mut harness,
            &format!("kit-palette-{name}"),
            &["Find an action"],
        );
        harness.state_mut().palette_open = false;
        harness.state_mut().dialog_open = true;
        harness.run();
        picture_showing(
            &mut harness,
            &format!("kit-dialog-{name}"),
            &["Cancel MS200431"],
        );
    }
}
