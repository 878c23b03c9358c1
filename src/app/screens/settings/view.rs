//! The Settings screen: services and the bench on the left, the form of the selected one on the right.
//!
//! Invariant: typed input is not lost when the clerk leaves the screen, and only Save saves it.

mod documents;
mod form;
mod order_folder;
mod scale;
mod scanner;
mod workgroup;

use std::collections::HashMap;

use egui::{Align2, Label, Role, ScrollArea, Ui, pos2};

use crate::sounds::ScanSound;
use crate::state::{
    ChosenService, Editing, Environment, SettingsCommand, SettingsView, Shared, ThemeChoice,
};
use crate::ui::actions::Action;
use crate::ui::connection::ConnectionForm;
use crate::ui::parts::{action_button, choice, list_row, lockable, unsaved_badge};
use crate::ui::{Context, ScreenView, environment};
use draft::{ConnectionDraft, ServiceKind, join_parts};
use engine::SetClosing;
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::Card;
use widgets::checkbox::checkbox;
use widgets::field::Field;
use widgets::modal::Modal;
use widgets::radio_card::RadioCard;
use widgets::tokens::{Tone, palette, size};
use widgets::{Icon, icons, layout, paint, text};

/// Height of a row of the list, in points.
const ROW: f32 = 48.0;

/// An item of the list on the left.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Item {
    Practice,
    /// The connection of this name. A new connection has no name yet.
    Connection(String),
    Bench,
    Documents,
    OrderFolder,
    Devices,
    Workgroup,
}

impl Item {
    fn new_connection() -> Self {
        Self::Connection(String::new())
    }
}

/// A row of the list.
struct Row<'a> {
    item: Item,
    icon: Icon,
    tone: Tone,
    name: &'a str,
    words: String,
    open: bool,
    unsaved: bool,
}

/// State of the screen.
#[derive(Default)]
pub(crate) struct SettingsScreen {
    item: Option<Item>,
    /// Forms by the connection's name. The key of a new connection is the empty string.
    forms: HashMap<String, ConnectionForm>,
    /// Name of the connection whose token is being replaced.
    replacing: Option<String>,
    bench: BenchForm,
    documents: documents::DocumentsForm,
    order_folder: order_folder::OrderFolderForm,
    devices: DevicesForm,
    workgroup: workgroup::WorkgroupForm,
    /// Name of the connection whose removal has to be confirmed.
    removing: Option<String>,
    /// Numbers of saved connections and of picked files that this screen has handled.
    seen: (u64, u64),
    focus: bool,
}

impl ScreenView for SettingsScreen {
    fn is_open(&self, _shared: &Shared) -> bool {
        self.removing.is_some() || self.documents.is_open() || self.devices.scale.is_open()
    }

    fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>, _editing: &mut Editing) {
        self.apply_changes(context.shared);
        let item = self.item(&context.shared.settings);
        let machine = &context.shared.settings.machine;
        let can_add = !machine.is_locked(&["connections", ""]);
        if can_add && context.is_triggered(Action::NewConnection) {
            self.pick(Item::new_connection());
        }
        let room = ui.available_width();
        let left = (room * 0.26).clamp(232.0, 300.0);
        let right = (room - left - size::GUTTER).min(860.0);
        layout::panes(ui, &[left, right], |pane, ui| match &item {
            _ if pane == 0 => self.list(ui, context, &item),
            Item::Bench => {
                let area = ScrollArea::vertical().auto_shrink(false);
                area.show(ui, |ui| {
                    ui.spacing_mut().item_spacing.y = size::GUTTER;
                    self.bench.show(ui, context);
                });
            }
            Item::Documents => self.documents.show(ui, context),
            Item::OrderFolder => self.order_folder.show(ui, context),
            Item::Devices => self.devices.show(ui, context),
            Item::Workgroup => self.workgroup.show(ui, context),
            Item::Practice => practice(ui, context),
            Item::Connection(name) => self.form(ui, context, name),
        });
        self.confirm_removal(ui, context);
    }
}

impl SettingsScreen {
    /// Returns the selected item. If no item is selected, selects the open service.
    fn item(&mut self, setup: &SettingsView) -> Item {
        if let Some(Item::Connection(name)) = &self.item
            && !name.is_empty()
            && setup.named(name).is_none()
        {
            self.item = None;
        }
        let open = || match &setup.chosen {
            Some(ChosenService::Connection(name)) if setup.named(name).is_some() => {
                Item::Connection(name.clone())
            }
            _ => Item::Practice,
        };
        self.item.get_or_insert_with(open).clone()
    }

    fn pick(&mut self, item: Item) {
        self.item = Some(item);
        self.replacing = None;
        self.focus = true;
    }

    /// Drops the form of a connection that was saved, and puts a picked file into the form that is shown.
    fn apply_changes(&mut self, shared: &Shared) {
        let setup = &shared.settings;
        let (saved, name) = &setup.saved;
        if self.seen.0 < *saved {
            self.seen.0 = *saved;
            self.forms.remove(name);
            let new = self.forms.get("");
            if new.is_some_and(|form| form.draft.name.trim() == name) {
                self.forms.remove("");
                if self.item == Some(Item::new_connection()) {
                    self.item = Some(Item::Connection(name.clone()));
                }
            }
            self.replacing = None;
        }
        let (picked, path) = &setup.picked;
        if self.seen.1 < *picked {
            self.seen.1 = *picked;
            if self.item == Some(Item::Documents) {
                self.documents.set_logo(shared, path);
            }
            if self.item == Some(Item::OrderFolder) {
                self.order_folder.set_folder(shared, path);
            }
            if let Some(Item::Connection(name)) = &self.item
                && let Some(form) = self.forms.get_mut(name)
            {
                form.draft.authority.clone_from(path);
            }
        }
    }

    /// Returns whether the form of a connection has unsaved input.
    fn is_unsaved(&self, setup: &SettingsView, name: &str) -> bool {
        let Some(form) = self.forms.get(name) else {
            return false;
        };
        let saved = setup.named(name);
        form.draft != saved.map_or_else(ConnectionDraft::default, |saved| saved.draft.clone())
    }

    /// Returns the form of a connection, with unsaved input if there is any.
    fn form_of(&mut self, setup: &SettingsView, name: &str) -> &mut ConnectionForm {
        let saved = setup.named(name).map(|saved| &saved.draft);
        let form = self.forms.entry(name.to_owned()).or_default();
        // A form without input is updated when the saved connection changes.
        if let Some(saved) = saved
            && form.is_untouched()
            && form.draft != *saved
        {
            *form = ConnectionForm::of(saved.clone());
        }
        form
    }

    /// Draws the dialog that asks for confirmation before a connection is removed.
    fn confirm_removal(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let name = self.removing.clone().unwrap_or_default();
        let title = format!("Remove {name}?");
        let mut open = self.removing.is_some();
        Modal::new("remove a connection", &title).show(ui, &mut open, |ui, open| {
            let words = "Its settings and its token are deleted. Its drafts and operations stay on this bench, and are \
                         available again if you add a connection with the same name";
            text::note(ui, words);
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                let keep = ui.add(Button::new("Keep it")).clicked();
                let remove = ui.add(Button::new("Remove")).clicked();
                if remove {
                    context.push(SettingsCommand::Remove(name.clone()));
                }
                *open &= !(keep || remove);
            });
        });
        if !open {
            self.removing = None;
        }
    }

    fn list(&mut self, ui: &mut Ui, context: &mut Context<'_>, picked: &Item) {
        let setup = &context.shared.settings;
        let mut added = false;
        let mut clicked = None;
        Card::new("Services").flush().show(
            ui,
            |ui| {
                let entry = Action::NewConnection.entry();
                let key = Action::NewConnection.key();
                let button = Button::icon_only(entry.icon, entry.name).small();
                let button = ui.add_enabled(!setup.machine.is_locked(&["connections", ""]), button);
                added = button.on_hover_text(key).clicked();
            },
            |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                let rows = self.rows(setup, picked);
                for shown in &rows {
                    if row(ui, shown, *picked == shown.item) {
                        clicked = Some(shown.item.clone());
                    }
                }
            },
        );
        Card::new("This bench").flush().body(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for shown in &self.bench_rows(context.shared) {
                if row(ui, shown, *picked == shown.item) {
                    clicked = Some(shown.item.clone());
                }
            }
        });
        if added {
            clicked = Some(Item::new_connection());
        }
        if let Some(item) = clicked {
            self.pick(item);
        }
    }

    /// Returns the rows of the pages about this bench.
    fn bench_rows<'a>(&self, shared: &'a Shared) -> [Row<'a>; 5] {
        let bench = Row {
            item: Item::Bench,
            icon: icons::ICON_BADGE,
            tone: Tone::Accent,
            name: "Bench & appearance",
            words: shared.bench.name.clone(),
            open: false,
            unsaved: self.bench.is_unsaved(shared),
        };
        let address = &shared.settings.workgroup.address;
        let workgroup = Row {
            item: Item::Workgroup,
            icon: icons::ICON_GROUPS,
            tone: Tone::Accent,
            name: "Workgroup",
            words: match address.rsplit_once('@') {
                Some((_, server)) => server.to_owned(),
                None => "this bench works alone".to_owned(),
            },
            open: false,
            unsaved: self.workgroup.is_unsaved(shared),
        };
        let count = shared.labels.documents.len();
        let documents = Row {
            item: Item::Documents,
            icon: icons::ICON_PRINT,
            tone: Tone::Accent,
            name: "Documents",
            words: match count {
                0 => "nothing is printed".to_owned(),
                1 => "1 rule".to_owned(),
                count => format!("{count} rules"),
            },
            open: false,
            unsaved: self.documents.is_unsaved(shared),
        };
        let order_folder = Row {
            item: Item::OrderFolder,
            icon: icons::ICON_INBOX,
            tone: Tone::Accent,
            name: "Order folder",
            words: order_folder::summary(shared),
            open: false,
            unsaved: self.order_folder.is_unsaved(shared),
        };
        let devices = Row {
            item: Item::Devices,
            icon: icons::ICON_SCALE,
            tone: Tone::Accent,
            name: "Scale and scanner",
            words: devices_summary(&shared.settings),
            open: false,
            unsaved: self.devices.is_unsaved(),
        };
        [bench, documents, order_folder, devices, workgroup]
    }

    /// Returns the rows of all services, with the new connection if one is being set up.
    fn rows<'a>(&self, setup: &'a SettingsView, picked: &Item) -> Vec<Row<'a>> {
        let (tone, icon) = environment::style(Environment::Practice);
        let mut rows = vec![Row {
            item: Item::Practice,
            icon,
            tone,
            name: "Practice",
            words: "PRACTICE · on this machine".to_owned(),
            open: setup.chosen == Some(ChosenService::Practice),
            unsaved: false,
        }];
        for saved in &setup.connections {
            let draft = &saved.draft;
            let kind = draft.kind.unwrap_or(ServiceKind::Live);
            let (tone, icon) = environment::style(Environment::of_kind(kind));
            let address = draft.address.trim_start_matches("https://");
            rows.push(Row {
                item: Item::Connection(draft.name.clone()),
                icon,
                tone,
                name: &draft.name,
                words: format!("{} · {address}", kind.label()),
                open: setup.chosen == Some(ChosenService::Connection(draft.name.clone())),
                unsaved: self.is_unsaved(setup, &draft.name),
            });
        }
        let new = self.is_unsaved(setup, "");
        if new || *picked == Item::new_connection() {
            rows.push(Row {
                item: Item::new_connection(),
                icon: icons::ICON_ADD,
                tone: Tone::Accent,
                name: "New connection",
                words: "not saved yet".to_owned(),
                open: false,
                unsaved: new,
            });
        }
        rows
    }
}

fn row(ui: &mut Ui, row: &Row<'_>, picked: bool) -> bool {
    let p = palette(ui);
    let response = list_row(ui, ROW, Role::Tab, row.name, picked);
    let rect = response.rect;
    let said = match (row.open, row.unsaved) {
        (true, true) => "open, not saved",
        (true, false) => "open",
        (false, true) => "not saved",
        (false, false) => "",
    };
    ui.ctx()
        .accesskit_node_builder(response.id, |node| node.set_description(said));
    let ink = row.tone.ink(p);
    let icon = paint::icon(ui, row.icon, 20.0, ink);
    let at = pos2(rect.left() + 12.0, rect.center().y);
    paint::text_at(ui.painter(), Align2::LEFT_CENTER, at, icon);
    let mut right = rect.right() - 10.0;
    for (shown, badge) in [
        (row.open, Badge::new(Tone::Accent, "open").outlined()),
        (row.unsaved, Badge::new(Tone::Warning, "not saved")),
    ] {
        if !shown {
            continue;
        }
        right -= badge.size(ui).x;
        badge.paint(ui, ui.painter(), pos2(right, rect.top() + 15.0));
        right -= 4.0;
    }
    let left = rect.left() + 42.0;
    let name = text::line(ui, text::strong(row.name), right - left, p.text);
    ui.painter()
        .galley(pos2(left, rect.top() + 5.0), name, p.text);
    let room = rect.right() - 10.0 - left;
    let words = text::line(ui, text::small(&row.words), room, p.muted);
    ui.painter()
        .galley(pos2(left, rect.top() + 26.0), words, p.muted);
    response.clicked()
}

/// Draws the description of the practice service.
fn practice(ui: &mut Ui, context: &mut Context<'_>) {
    let open = context.shared.settings.chosen == Some(ChosenService::Practice);
    Card::new("Practice").icon(icons::ICON_SCHOOL).show(
        ui,
        |ui| {
            environment::badge(Environment::Practice).show(ui);
        },
        |ui| {
            let words = "A whole shipping service inside this program: invented carriers, real suburbs, real rules and real \
                         labels. Nothing is booked with anyone. Your work there is saved";
            ui.add(Label::new(text::body(words)).wrap());
            ui.add_space(4.0);
            if open {
                Badge::new(Tone::Accent, "open").show(ui);
            } else if action_button(ui, context, Action::UseConnection, true, Button::primary) {
                context.push(SettingsCommand::Practise);
            }
        },
    );
}

/// Returns the devices in a few words, for the list of pages.
fn devices_summary(settings: &SettingsView) -> String {
    let scale = settings.scale.as_ref().map(|scale| scale.name.as_str());
    let scanner = settings.scanner.as_ref().map_or("", |_| "scanner");
    match join_parts(&[scale.unwrap_or_default(), scanner], ", ") {
        none if none.is_empty() => "no scale, weights are typed".to_owned(),
        devices => devices,
    }
}

/// State of the page about the scale and the scanner.
#[derive(Default)]
struct DevicesForm {
    scale: scale::ScaleForm,
    scanner: scanner::ScannerForm,
    /// True once the attached devices were listed for this page.
    is_listed: bool,
}

impl DevicesForm {
    /// Returns whether there is unsaved input.
    const fn is_unsaved(&self) -> bool {
        self.scale.is_unsaved() || self.scanner.is_unsaved()
    }

    fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        if !std::mem::replace(&mut self.is_listed, true)
            || context.is_triggered(Action::RefreshScales)
        {
            context.push(SettingsCommand::ListDevices);
        }
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = size::GUTTER;
            self.scale.show(ui, context);
            ui.push_id("scanner", |ui| self.scanner.show(ui, context));
            scans(ui, context);
        });
    }
}

/// Draws the settings for scans of every scanner.
fn scans(ui: &mut Ui, context: &mut Context<'_>) {
    const SOUNDS: [(&str, ScanSound); 2] = [
        ("Play “found”", ScanSound::Found),
        ("Play “not found”", ScanSound::NotFound),
    ];
    Card::new("Scans").icon(icons::ICON_VOLUME_UP).body(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 10.0;
        let mut has_sounds = context.shared.bench.scan_sounds;
        let toggled = lockable(ui, context.shared, &["bench", "scan_sounds"], |ui| {
            checkbox(ui, &mut has_sounds, "Sounds for scans").changed()
        });
        if toggled {
            context.set_bench(|bench| bench.scan_sounds = has_sounds);
        }
        ui.horizontal(|ui| {
            for (name, sound) in SOUNDS {
                let play = Button::new(name).icon(icons::ICON_VOLUME_UP).small();
                if ui.add(play).clicked() {
                    context.push(SettingsCommand::PlaySound(sound));
                }
            }
        });
        let words = "Short and high: found or counted. Low and twice: not found or wrong, so look at the screen";
        text::small_note(ui, words);
        let mut sends = context.shared.bench.send_when_packed;
        let toggled = lockable(ui, context.shared, &["bench", "send_when_packed"], |ui| {
            let words = "Send an order when its last piece is scanned";
            checkbox(ui, &mut sends, words).changed()
        });
        if toggled {
            context.set_bench(|bench| bench.send_when_packed = sends);
        }
        let words = "For orders that are packed by scan and have no problem. Otherwise Ctrl+Enter sends them";
        text::small_note(ui, words);
    });
}

/// Unsaved input in the form of the bench.
#[derive(Default)]
struct BenchForm {
    /// Name of the bench, name of the packer, and closing times, a line each; `None` while all are as saved.
    typed: Option<(String, String, String)>,
}

impl BenchForm {
    /// Returns whether there is unsaved input.
    fn is_unsaved(&self, shared: &Shared) -> bool {
        let typed = self.typed.as_ref();
        typed.is_some_and(|(bench, staff, closings)| {
            bench.trim() != shared.bench.name
                || staff.trim() != shared.bench.staff
                || lines(closings) != shared.bench.closing_times
        })
    }

    fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let shared = context.shared;
        let unsaved = self.is_unsaved(shared);
        let closings = shared.bench.closing_times.join("\n");
        let saved = (
            shared.bench.name.clone(),
            shared.bench.staff.clone(),
            closings,
        );
        let typed = self.typed.take().filter(|_| unsaved);
        let (mut bench, mut staff, mut closings) = typed.unwrap_or_else(|| saved.clone());
        let wrong = closing_problem(&closings);
        let mut wanted = false;
        Card::new("This bench").icon(icons::ICON_BADGE).show(
            ui,
            |ui| unsaved_badge(ui, unsaved),
            |ui| {
                ui.spacing_mut().item_spacing.y = 10.0;
                let empty = bench.trim().is_empty();
                layout::row(ui, &[1.0, 1.0], |at, ui| {
                    if at == 0 {
                        lockable(ui, shared, &["bench", "name"], |ui| {
                            Field::new("Bench", &mut bench)
                                .hint("Bench 4")
                                .limit(40)
                                .error(empty.then_some("Give the bench a name"))
                                .show(ui);
                        });
                    } else {
                        lockable(ui, shared, &["bench", "staff"], |ui| {
                            Field::new("Packed by", &mut staff)
                                .hint("optional")
                                .limit(60)
                                .show(ui);
                        });
                    }
                });
                let words = "The bench name is part of each consignment's key. The packer is sent with it as the staff \
                             member";
                text::small_note(ui, words);
                lockable(ui, shared, &["bench", "closing_times"], |ui| {
                    Field::new("Closing times of carriers", &mut closings)
                        .lines(2)
                        .limit(2_000)
                        .hint("Tasman Freight 16:30")
                        .error(wrong.as_deref())
                        .show(ui);
                });
                let words = "A line each, such as Tasman Freight, Sydney DC 16:30. Other carriers close as last booked";
                text::small_note(ui, words);
                let can = unsaved && !empty && wrong.is_none();
                ui.horizontal(|ui| {
                    wanted = action_button(ui, context, Action::SaveSettings, can, Button::primary);
                });
            },
        );
        if wanted {
            context.set_bench(|settings| {
                bench.trim().clone_into(&mut settings.name);
                staff.trim().clone_into(&mut settings.staff);
                settings.closing_times = lines(&closings);
            });
        }
        self.typed = Some((bench, staff, closings)).filter(|typed| *typed != saved);
        sender(ui, context);
        prices(ui, context);
        colours(ui, context);
    }
}

fn lines(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Returns the problem of the first closing time that can't be understood.
fn closing_problem(text: &str) -> Option<String> {
    let mut lines = lines(text).into_iter();
    let wrong = lines.find(|line| line.parse::<SetClosing>().is_err())?;
    Some(format!(
        "“{wrong}” needs a carrier and a time, such as Tasman Freight 16:30"
    ))
}

/// Draws the choice of the saved location that new consignments start with as sender.
fn sender(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    let locations = shared.catalogue.locations.value().into_iter().flatten();
    let locations = locations.filter(|one| one.is_pickup());
    let mut options = vec![(None, "Sender of the previous consignment")];
    options.extend(locations.map(|one| (Some(one.id), one.name.as_str())));
    // A location that no longer exists counts as none.
    let known = |sender: &Option<_>| options.iter().any(|(id, _)| id == sender);
    let mut sender = Some(shared.catalogue.sender).filter(known).flatten();
    let card = Card::new("Sender").icon(icons::ICON_WAREHOUSE);
    card.body(ui, |ui| {
        let path = ["connections", shared.session.connection.as_str(), "senders"];
        let picked = lockable(ui, shared, &path, |ui| {
            choice(ui, "New consignments start with", &mut sender, &options)
        });
        if picked {
            context.push(SettingsCommand::PickSender(sender));
        }
        let words = "Also used for the next consignment after a return. Saved for each company";
        text::small_note(ui, words);
    });
}

/// Draws the choice of the price above which Packbench asks before sending.
fn prices(ui: &mut Ui, context: &mut Context<'_>) {
    const LIMITS: [(Option<u32>, &str); 6] = [
        (Some(10), "More than 10 % above the cheapest"),
        (Some(25), "More than 25 % above the cheapest"),
        (Some(50), "More than 50 % above the cheapest"),
        (Some(100), "More than 100 % above the cheapest"),
        (Some(200), "More than 200 % above the cheapest"),
        (None, "Never ask"),
    ];
    let mut limit = context.shared.bench.dear_percent;
    Card::new("Prices").icon(icons::ICON_SELL).body(ui, |ui| {
        // An administrator may have set another limit.
        let other = limit.filter(|_| LIMITS.iter().all(|(known, _)| *known != limit));
        let other = other.map(|percent| format!("More than {percent} % above the cheapest"));
        let mut limits = LIMITS.to_vec();
        limits.extend(other.as_deref().map(|words| (limit, words)));
        let picked = lockable(ui, context.shared, &["bench", "dear_percent"], |ui| {
            choice(ui, "Ask before sending", &mut limit, &limits)
        });
        if picked {
            context.set_bench(|bench| bench.dear_percent = limit);
        }
        let words = "You are asked once if the chosen or fastest route costs more. Send all skips such drafts and tells \
                     you";
        text::small_note(ui, words);
    });
}

/// The colour schemes, each with its icon, name and description.
const THEMES: [(ThemeChoice, Icon, &str, &str); 3] = [
    (
        ThemeChoice::System,
        icons::ICON_DESKTOP_WINDOWS,
        "Match system",
        "follows this computer",
    ),
    (
        ThemeChoice::Light,
        icons::ICON_LIGHT_MODE,
        "Light",
        "for a bright hall",
    ),
    (
        ThemeChoice::Dark,
        icons::ICON_DARK_MODE,
        "Dark",
        "for a night shift",
    ),
];

fn colours(ui: &mut Ui, context: &mut Context<'_>) {
    let card = Card::new("Colours").icon(icons::ICON_CONTRAST);
    card.body(ui, |ui| {
        lockable(ui, context.shared, &["bench", "theme"], |ui| {
            layout::row(ui, &[1.0, 1.0, 1.0], |at, ui| {
                let (theme, icon, name, words) = THEMES[at];
                let chosen = context.shared.bench.theme == theme;
                let pressed = RadioCard::new(icon, name, words).chosen(chosen).show(ui);
                if pressed.clicked() && !chosen {
                    context.set_bench(|bench| bench.theme = theme);
                }
            });
        });
    });
}
