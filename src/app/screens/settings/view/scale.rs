//! The scale at the bench: its reading, its connection, and a test.

use egui::{Label, Role, Ui, WidgetInfo};

use crate::scale::with_kilograms;
use crate::state::{ScaleTest, SettingsCommand, Tone};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::parts::{action_button, choice, list_row, lockable, unsaved_badge};
use devices::scale::{FoundDevice, ScaleConnection, ScaleSettings};
use devices::serial::{DataBits, Parity, SerialSettings};
use devices::telegram::{DigitFormat, ScaleProtocol};
use devices::weight::WeightUnit;
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::Card;
use widgets::field::Field;
use widgets::modal::{Modal, confirm_or_cancel};
use widgets::notice::NoticeBar;
use widgets::tokens::{palette, size};
use widgets::{icons, layout, text};

/// Height of a found device in the list, in points.
const DEVICE_ROW: f32 = 32.0;

const SPEEDS: [u32; 8] = [1_200, 2_400, 4_800, 9_600, 19_200, 38_400, 57_600, 115_200];

/// The usual forms of weights without a unit, each with an example: unit, digits before and after the point.
const DIGITS: [(WeightUnit, u8, u8, &str); 6] = [
    (WeightUnit::Kilogram, 2, 3, "12.345 kg"),
    (WeightUnit::Kilogram, 3, 2, "123.45 kg"),
    (WeightUnit::Kilogram, 4, 1, "1234.5 kg"),
    (WeightUnit::Gram, 5, 0, "12345 g"),
    (WeightUnit::Pound, 2, 2, "12.34 lb"),
    (WeightUnit::Pound, 3, 2, "123.45 lb"),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum ConnectionKind {
    #[default]
    Usb,
    Serial,
    Network,
}

/// The connection as typed. The values of the other kinds of connection stay while the clerk tries one of them.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ScaleDraft {
    name: String,
    kind: ConnectionKind,
    /// Vendor, product and serial number of the USB scale that was chosen.
    usb: Option<(u16, u16, Option<String>)>,
    /// The protocol of a serial or a network scale.
    protocol: ScaleProtocol,
    serial: SerialSettings,
    host: String,
    network_port: String,
    digits: DigitFormat,
}

impl Default for ScaleDraft {
    fn default() -> Self {
        let mut draft = Self {
            name: "Scale".to_owned(),
            kind: ConnectionKind::default(),
            usb: None,
            protocol: ScaleProtocol::MettlerToledo8217,
            serial: SerialSettings::usual(""),
            host: String::new(),
            network_port: String::new(),
            digits: DigitFormat::default(),
        };
        draft.use_usual_line();
        draft
    }
}

/// The problems of the fields; `None` for each field that is right.
#[derive(Debug, Default)]
struct ScaleProblems {
    name: Option<&'static str>,
    usb: Option<&'static str>,
    port: Option<&'static str>,
    host: Option<&'static str>,
    network_port: Option<&'static str>,
}

impl ScaleProblems {
    fn any(&self) -> bool {
        let Self {
            name,
            usb,
            port,
            host,
            network_port,
        } = self;
        { [name, usb, port, host, network_port].into_iter() }.any(Option::is_some)
    }
}

impl ScaleDraft {
    fn of(saved: &ScaleSettings) -> Self {
        let mut draft = Self {
            name: saved.name.clone(),
            digits: saved.digits,
            ..Self::default()
        };
        if saved.protocol != ScaleProtocol::UsbHid {
            draft.protocol = saved.protocol;
        }
        draft.set_connection(&saved.connection);
        draft
    }

    fn set_connection(&mut self, connection: &ScaleConnection) {
        match connection {
            ScaleConnection::Usb {
                vendor,
                product,
                serial,
            } => {
                self.kind = ConnectionKind::Usb;
                self.usb = Some((*vendor, *product, serial.clone()));
            }
            ScaleConnection::Serial(serial) => {
                self.kind = ConnectionKind::Serial;
                self.serial = serial.clone();
            }
            ScaleConnection::Tcp { host, port } => {
                self.kind = ConnectionKind::Network;
                self.host.clone_from(host);
                self.network_port = port.to_string();
            }
        }
    }

    /// Sets speed, data bits and parity to those that are usual for the protocol.
    fn use_usual_line(&mut self) {
        let port = self.serial.port.as_str();
        if let ScaleConnection::Serial(usual) = ScaleConnection::usual_serial(self.protocol, port) {
            self.serial = usual;
        }
    }

    fn problems(&self) -> ScaleProblems {
        let (kind, is_empty) = (self.kind, |text: &str| text.trim().is_empty());
        let when = |wrong: bool, message| wrong.then_some(message);
        let port: Option<u16> = self.network_port.trim().parse().ok();
        ScaleProblems {
            name: when(is_empty(&self.name), "Give the scale a name"),
            usb: when(
                kind == ConnectionKind::Usb && self.usb.is_none(),
                "Choose the scale in the list of what is connected",
            ),
            port: when(
                kind == ConnectionKind::Serial && is_empty(&self.serial.port),
                "Choose a port in the list, or enter it",
            ),
            host: when(
                kind == ConnectionKind::Network && is_empty(&self.host),
                "Enter the name or the address",
            ),
            network_port: when(
                kind == ConnectionKind::Network && port.is_none_or(|port| port == 0),
                "Enter a number from 1 to 65535",
            ),
        }
    }

    /// Returns the settings; `None` while a field is wrong.
    fn settings(&self) -> Option<ScaleSettings> {
        if self.problems().any() {
            return None;
        }
        let connection = match self.kind {
            ConnectionKind::Usb => {
                let (vendor, product, serial) = self.usb.clone()?;
                ScaleConnection::Usb {
                    vendor,
                    product,
                    serial,
                }
            }
            ConnectionKind::Serial => ScaleConnection::Serial(trimmed(&self.serial)),
            ConnectionKind::Network => ScaleConnection::Tcp {
                host: self.host.trim().to_owned(),
                port: self.network_port.trim().parse().ok()?,
            },
        };
        Some(ScaleSettings {
            name: self.name.trim().to_owned(),
            protocol: match self.kind {
                ConnectionKind::Usb => ScaleProtocol::UsbHid,
                _ => self.protocol,
            },
            connection,
            digits: self.digits,
        })
    }
}

/// Returns the settings without spaces around the port.
pub(super) fn trimmed(serial: &SerialSettings) -> SerialSettings {
    SerialSettings {
        port: serial.port.trim().to_owned(),
        ..serial.clone()
    }
}

/// Unsaved input about the scale.
#[derive(Default)]
pub(super) struct ScaleForm {
    /// Unsaved input; `None` while everything is as saved.
    typed: Option<ScaleDraft>,
    /// True while the dialog asks whether to remove the scale.
    removing: bool,
}

impl ScaleForm {
    pub(super) const fn is_open(&self) -> bool {
        self.removing
    }

    /// Returns whether there is unsaved input.
    pub(super) const fn is_unsaved(&self) -> bool {
        self.typed.is_some()
    }

    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        if context.shared.settings.scale.is_some() {
            reading(ui, context);
        }
        self.connection(ui, context);
        self.confirm_removal(ui, context);
    }

    fn connection(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let shared = context.shared;
        let saved = shared.settings.scale.as_ref();
        let saved_draft = saved.map(ScaleDraft::of).unwrap_or_default();
        let is_unsaved = self.is_unsaved();
        let mut draft = self.typed.take().unwrap_or_else(|| saved_draft.clone());
        let can = !shared.settings.machine.is_locked(&["scale"]);
        let mut wanted = None;
        let (title, icon) = if saved.is_some() {
            ("Connection", icons::ICON_CABLE)
        } else {
            ("Scale", icons::ICON_SCALE)
        };
        Card::new(title).icon(icon).show(
            ui,
            |ui| unsaved_badge(ui, is_unsaved),
            |ui| {
                ui.spacing_mut().item_spacing.y = 10.0;
                if saved.is_none() {
                    let words = "Put a piece on the scale, and its weight is filled in. Choose your scale below";
                    text::note(ui, words);
                }
                lockable(ui, shared, &["scale"], |ui| {
                    found_devices(ui, context, &mut draft);
                    ui.add_space(2.0);
                    fields(ui, &mut draft, is_unsaved);
                });
                let settings = draft.settings();
                ui.horizontal(|ui| {
                    let can_save = can && settings.is_some() && settings.as_ref() != saved;
                    let save = Button::primary;
                    if action_button(ui, context, Action::SaveSettings, can_save, save) {
                        wanted = settings;
                    }
                    if saved.is_some() {
                        let remove = Button::new("Remove…").icon(icons::ICON_DELETE);
                        self.removing |= ui.add_enabled(can, remove).clicked();
                    }
                });
            },
        );
        self.typed = Some(draft).filter(|draft| *draft != saved_draft);
        if let Some(settings) = wanted {
            self.typed = None;
            context.push(SettingsCommand::SaveScale(Some(Box::new(settings))));
        }
    }

    fn confirm_removal(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let shared = context.shared;
        let saved = shared.settings.scale.as_ref();
        let name = saved.map_or("", |scale| scale.name.as_str());
        let title = format!("Remove {name}?");
        Modal::new("remove the scale", &title).show(ui, &mut self.removing, |ui, open| {
            text::note(
                ui,
                "Weights are then typed. You can connect the scale again at any time",
            );
            if confirm_or_cancel(ui, open, Button::new("Remove"), true) {
                context.push(SettingsCommand::SaveScale(None));
                self.typed = None;
                *open = false;
            }
        });
    }
}

/// Draws the live reading in large figures, the problem with its mend, and the test.
fn reading(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    let scale = &shared.scale;
    let state = &scale.state;
    let name = scale.name.as_deref().unwrap_or_default();
    Card::new(name).icon(icons::ICON_SCALE).show(
        ui,
        |ui| {
            Badge::new(state.tone(), state.label()).show(ui);
        },
        |ui| {
            ui.spacing_mut().item_spacing.y = size::GRID;
            let p = palette(ui);
            let ink = if state.tone() == Tone::Ok {
                p.text
            } else {
                p.muted
            };
            let weight = state.weight();
            let spoken = format!("{weight}, {}", state.label());
            let figure = text::figure(weight).size(44.0).color(ink);
            ui.add(Label::new(figure))
                .widget_info(|| WidgetInfo::labeled(Role::Label, true, &spoken));
            problem_bar(ui, state.problem());
            ui.horizontal(|ui| {
                if action_button(ui, context, Action::TestScale, true, Button::new) {
                    context.push(SettingsCommand::TestScale);
                }
                let words = match scale.test {
                    ScaleTest::NotStarted => String::new(),
                    ScaleTest::Waiting => "Put something on the scale".to_owned(),
                    ScaleTest::Weighed(weight) => {
                        format!("The scale works: {} would be taken", with_kilograms(weight))
                    }
                };
                if !words.is_empty() {
                    ui.add(Label::new(text::body(words)).wrap());
                }
            });
        },
    );
}

/// Draws what is wrong with a device and what to do about it, if anything is wrong.
pub(super) fn problem_bar(ui: &mut Ui, problem: Option<(String, String)>) {
    if let Some((problem, advice)) = problem {
        NoticeBar::new(Tone::Warning, &problem)
            .what_to_do(&advice)
            .show(ui);
    }
}

/// Draws the list of devices that are connected to this computer. The chosen one fills the fields below.
fn found_devices(ui: &mut Ui, context: &mut Context<'_>, draft: &mut ScaleDraft) {
    let shared = context.shared;
    let devices = &shared.settings.devices;
    ui.horizontal(|ui| {
        ui.label(text::strong("Connected to this computer"));
        let (entry, key) = (Action::RefreshScales.entry(), Action::RefreshScales.key());
        let refresh = Button::new(entry.name).icon(entry.icon).key(&key).small();
        let refresh = ui.add_enabled(!devices.is_loading(), refresh);
        if refresh.on_hover_text(entry.tooltip).clicked() {
            context.push(SettingsCommand::ListDevices);
        }
    });
    let found = devices.value().map_or(&[][..], Vec::as_slice);
    if devices.value().is_none() {
        return text::note(ui, "Looking for scales…");
    }
    if found.is_empty() {
        let words = "No scale or serial port found. Plug the scale in and refresh the list. A network scale isn't listed: \
                     choose Network below";
        text::note(ui, words);
    }
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for device in found {
            let connection = device.to_connection(draft.protocol);
            if device_row(ui, device, is_chosen(draft, &connection)) {
                draft.set_connection(&connection);
            }
        }
    });
}

/// Returns whether the fields name this device, whatever the settings of a serial line are.
fn is_chosen(draft: &ScaleDraft, connection: &ScaleConnection) -> bool {
    match connection {
        ScaleConnection::Usb {
            vendor,
            product,
            serial,
        } => {
            draft.kind == ConnectionKind::Usb
                && draft.usb == Some((*vendor, *product, serial.clone()))
        }
        ScaleConnection::Serial(serial) => {
            draft.kind == ConnectionKind::Serial && draft.serial.port == serial.port
        }
        ScaleConnection::Tcp { .. } => false,
    }
}

pub(super) fn device_row(ui: &mut Ui, device: &FoundDevice, is_chosen: bool) -> bool {
    let (icon, name, place) = match device {
        FoundDevice::UsbScale { description, .. } => {
            (icons::ICON_SCALE, description.as_str(), "USB scale")
        }
        FoundDevice::SerialPort { port, description } => {
            (icons::ICON_USB, description.as_str(), port.as_str())
        }
    };
    let spoken = format!("{name}, {place}");
    let response = list_row(ui, DEVICE_ROW, Role::RadioButton, &spoken, is_chosen);
    let p = palette(ui);
    let ink = if ui.is_enabled() { p.text } else { p.muted };
    let rect = response.rect;
    let at = egui::pos2(rect.left() + 10.0, rect.center().y);
    let icon = widgets::paint::icon(ui, icon, size::ICON, p.muted);
    widgets::paint::text_at(ui.painter(), egui::Align2::LEFT_CENTER, at, icon);
    let line = text::line(
        ui,
        text::body(format!("{name} · {place}")),
        rect.width() - 48.0,
        ink,
    );
    let at = egui::pos2(rect.left() + 36.0, rect.center().y);
    widgets::paint::text_at(ui.painter(), egui::Align2::LEFT_CENTER, at, line);
    response.clicked()
}

/// Draws the fields of the connection. Problems are shown once something was typed.
fn fields(ui: &mut Ui, draft: &mut ScaleDraft, shows_problems: bool) {
    let problems = if shows_problems {
        draft.problems()
    } else {
        ScaleProblems::default()
    };
    layout::row(ui, &[1.0, 1.0], |column, ui| {
        if column == 0 {
            let kinds = [
                (ConnectionKind::Usb, "USB"),
                (ConnectionKind::Serial, "Serial port"),
                (ConnectionKind::Network, "Network"),
            ];
            choice(ui, "Connection", &mut draft.kind, &kinds);
        } else {
            Field::new("Name", &mut draft.name)
                .limit(40)
                .error(problems.name)
                .show(ui);
        }
    });
    match draft.kind {
        ConnectionKind::Usb => usb_fields(ui, draft, &problems),
        ConnectionKind::Serial => {
            protocol_fields(ui, draft);
            serial_fields(ui, &mut draft.serial, problems.port);
            text::small_note(ui, "These are in the scale's own menu or manual");
        }
        ConnectionKind::Network => {
            protocol_fields(ui, draft);
            network_fields(ui, draft, &problems);
        }
    }
}

fn usb_fields(ui: &mut Ui, draft: &ScaleDraft, problems: &ScaleProblems) {
    let words = match (&draft.usb, problems.usb) {
        (_, Some(problem)) => return text::warning(ui, problem),
        (None, None) => "Choose the scale in the list above".to_owned(),
        (Some((vendor, product, None)), None) => format!("USB scale {vendor:04x}:{product:04x}"),
        (Some((vendor, product, Some(serial))), None) => {
            format!("USB scale {vendor:04x}:{product:04x}, serial number {serial}")
        }
    };
    text::note(ui, words);
}

fn protocol_fields(ui: &mut Ui, draft: &mut ScaleDraft) {
    let protocols = { ScaleProtocol::ALL.into_iter() }
        .filter(|protocol| *protocol != ScaleProtocol::UsbHid)
        .map(|protocol| (protocol, protocol.name()));
    let protocols: Vec<_> = protocols.collect();
    layout::row(ui, &[1.0, 1.0], |column, ui| {
        if column == 0 {
            if choice(ui, "Protocol", &mut draft.protocol, &protocols) {
                draft.use_usual_line();
            }
        } else if draft.protocol == ScaleProtocol::MettlerToledo8217 {
            digits_field(ui, &mut draft.digits);
        }
    });
}

/// Draws the choice of the form in which the scale sends weights, since its messages have no unit.
fn digits_field(ui: &mut Ui, digits: &mut DigitFormat) {
    let forms = DIGITS.map(|(unit, whole_digits, decimals, example)| {
        let form = DigitFormat {
            unit,
            whole_digits,
            decimals,
        };
        (form, example.to_owned())
    });
    let mut forms = forms.to_vec();
    if forms.iter().all(|(form, _)| form != digits) {
        // An administrator may have set another form.
        let DigitFormat {
            unit,
            whole_digits,
            decimals,
        } = *digits;
        let example = format!(
            "{whole_digits} digits and {decimals} decimals, {}",
            unit.symbol()
        );
        forms.push((*digits, example));
    }
    choice(ui, "Weights look like", digits, &forms);
}

/// Draws the port of a device with the settings of its line.
pub(super) fn serial_fields(
    ui: &mut Ui,
    serial: &mut SerialSettings,
    port_problem: Option<&'static str>,
) {
    layout::row(ui, &[2.0, 1.0, 1.0, 1.0], |column, ui| match column {
        0 => {
            let hint = if cfg!(windows) {
                "COM3"
            } else {
                "/dev/ttyUSB0"
            };
            Field::new("Port", &mut serial.port)
                .hint(hint)
                .limit(200)
                .error(port_problem)
                .show(ui);
        }
        1 => {
            let mut speeds = SPEEDS.map(|speed| (speed, speed.to_string())).to_vec();
            if !SPEEDS.contains(&serial.baud_rate) {
                speeds.push((serial.baud_rate, serial.baud_rate.to_string()));
            }
            choice(ui, "Speed (baud)", &mut serial.baud_rate, &speeds);
        }
        2 => {
            let options = [(DataBits::Seven, "7"), (DataBits::Eight, "8")];
            choice(ui, "Data bits", &mut serial.data_bits, &options);
        }
        _ => {
            let options = [
                (Parity::None, "None"),
                (Parity::Even, "Even"),
                (Parity::Odd, "Odd"),
            ];
            choice(ui, "Parity", &mut serial.parity, &options);
        }
    });
}

fn network_fields(ui: &mut Ui, draft: &mut ScaleDraft, problems: &ScaleProblems) {
    layout::row(ui, &[3.0, 1.0], |column, ui| {
        if column == 0 {
            Field::new("Address", &mut draft.host)
                .hint("scale-4 or 192.168.1.40")
                .limit(200)
                .error(problems.host)
                .show(ui);
        } else {
            Field::new("Network port", &mut draft.network_port)
                .hint("4001")
                .limit(5)
                .error(problems.network_port)
                .show(ui);
        }
    });
}
