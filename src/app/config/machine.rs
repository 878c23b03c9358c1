//! The machine-wide settings: a file by the administrator, below the settings of each user.
//!
//! A user's settings contain only what differs from this file, so that a later change of the file reaches every bench
//! that has no value of its own. Fields can be locked: then the file's value counts, whatever the user's settings say.
//! The file contains no token; see [`super::keyring`].

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::Deserialize as _;
use serde_json::{Value, json};
use toml::de::{DeTable, DeValue};

use super::layers::{CHOICES, difference, fields_of, is_named, named, overlay};
use super::settings::{Settings, upgrade_documents};
use devices::problem::{DeviceKind, DeviceProblem};
use devices::scale::ScaleConnection;
use devices::telegram::ScaleProtocol;
use draft::{ConnectionContext, ConnectionField};
use shipping::parse_secure_address;
use workgroup::DatabaseAddress;

/// Stands for the computer's name in every text of the file, such as `bench.name = "Bench {hostname}"`.
const HOSTNAME: &str = "{hostname}";

/// The machine-wide settings. The default is a computer without such a file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MachineSettings {
    /// The author of the file, for the screens: `IT, Harbour Supplies`.
    set_by: String,
    /// The settings of a user who has changed nothing; `None` without a file.
    base: Option<Value>,
    /// The locked values only.
    locked: Value,
    /// Lists to which users can't add entries.
    closed_lists: Vec<String>,
}

/// A mistake in the file. `Display` names the line and the field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {}{words}", if .field.is_empty() { String::new() } else { format!("{field}: ") })]
pub struct MachineSettingsError {
    pub line: usize,
    /// The path of the field, such as `connections[0].address`. Empty for a mistake in the file's syntax.
    pub field: String,
    pub words: String,
}

/// Why the machine-wide settings of this computer can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MachineFileError {
    #[error("the machine-wide settings {} can't be read ({kind})", path.display())]
    Unreadable { path: PathBuf, kind: ErrorKind },
    #[error("the machine-wide settings {} are wrong: {error}", path.display())]
    Wrong {
        path: PathBuf,
        error: MachineSettingsError,
    },
}

impl MachineSettings {
    /// Reads the file at `path`. Without a file there are no machine-wide settings.
    pub fn read(path: &Path) -> Result<Self, MachineFileError> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => {
                let (path, kind) = (path.to_owned(), error.kind());
                return Err(MachineFileError::Unreadable { path, kind });
            }
        };
        Self::parse(&text, &host_name()).map_err(|mut errors| MachineFileError::Wrong {
            path: path.to_owned(),
            error: errors.swap_remove(0),
        })
    }

    /// Parses the text of a file for the computer `host`. Returns at least one error if the file is wrong.
    pub fn parse(text: &str, host: &str) -> Result<Self, Vec<MachineSettingsError>> {
        let lines = Lines::of(text)?;
        let mut file: Value = toml::from_str(text).map_err(|error| vec![syntax(text, &error)])?;
        fill_in(&mut file, host);
        upgrade_documents(&mut file);
        let set_by = take(&mut file, "set_by").unwrap_or_else(|| json!("your administrator"));
        let locked = take(&mut file, "locked").unwrap_or_else(|| json!([]));
        let mut errors = Vec::new();
        let mut wrong = |field: &str, words: &str| {
            errors.push(MachineSettingsError {
                line: lines.line(field),
                field: field.to_owned(),
                words: words.to_owned(),
            });
        };
        let mut base = json!(Settings::default());
        overlay(&mut base, file.clone());
        let settings: Settings = match serde_path_to_error::deserialize(base) {
            Ok(settings) => settings,
            Err(error) => {
                wrong(&error.path().to_string(), &error.inner().to_string());
                return Err(errors);
            }
        };
        let base = json!(settings);
        for field in not_in(&file, &base, "") {
            wrong(
                &field,
                "there is no such setting, or it can't have this value",
            );
        }
        if file.get("installation").is_some() {
            wrong("installation", "each installation makes its own");
        }
        check_settings(&settings, &mut wrong);
        let set = fields_of(&file, &base);
        let (mut locks, mut closed_lists) = (json!({}), Vec::new());
        let paths: Vec<String> = Vec::deserialize(&locked).unwrap_or_else(|error| {
            wrong("locked", &error.to_string());
            Vec::new()
        });
        for (at, path) in paths.iter().enumerate() {
            // The name of an older Packbench.
            let path = match path.as_str() {
                "label_printer" => "documents",
                path => path,
            };
            match part_at(&set, path) {
                None => wrong(
                    &format!("locked[{at}]"),
                    &format!("{path} is not set in this file, so it can't be locked"),
                ),
                Some(part) => {
                    if part[path].as_array().is_some_and(|list| is_named(list)) {
                        closed_lists.push(path.to_owned());
                    }
                    overlay(&mut locks, part);
                }
            }
        }
        let Value::String(set_by) = set_by else {
            wrong("set_by", "a text is expected");
            return Err(errors);
        };
        if !errors.is_empty() {
            return Err(errors);
        }
        Ok(Self {
            set_by,
            base: Some(base),
            locked: locks,
            closed_lists,
        })
    }

    /// Returns the JSON schema of the file, with a description of each field.
    pub fn schema() -> String {
        let mut schema = schemars::schema_for!(Settings);
        let fields = schema
            .pointer_mut("/properties")
            .and_then(Value::as_object_mut);
        if let Some(fields) = fields {
            let about = "Who set these settings, shown beside locked fields";
            fields.insert(
                "set_by".to_owned(),
                json!({ "type": "string", "description": about }),
            );
            let about =
                "Fields that users can't change: bench.theme, connections, or connections.NAME";
            let list =
                json!({ "type": "array", "items": { "type": "string" }, "description": about });
            fields.insert("locked".to_owned(), list);
        }
        format!("{:#}", schema.to_value())
    }

    /// Returns who set the locked fields, for the screens.
    pub fn set_by(&self) -> &str {
        &self.set_by
    }

    pub(super) fn has_locks(&self) -> bool {
        !self.locked.is_null()
    }

    /// Returns true if users can't change this field: `["bench", "theme"]`, `["printers", "Zebra"]`. For an entry of a
    /// list, returns true if any of its fields is locked, or if users can't add an entry of this name.
    pub fn is_locked(&self, path: &[&str]) -> bool {
        let mut part = &self.locked;
        for step in path {
            let next = match part {
                Value::Array(list) => named(list, &json!(step)),
                part => part.get(step),
            };
            let Some(next) = next else {
                // A new entry.
                return path.len() == 2 && self.closed_lists.iter().any(|list| list == path[0]);
            };
            part = next;
        }
        true
    }

    /// Returns the settings that a user's layer makes.
    pub(super) fn below(&self, user: Value) -> serde_json::Result<Settings> {
        let mut all = self.base();
        overlay(&mut all, user);
        upgrade_documents(&mut all);
        self.enforce(&mut all);
        serde_json::from_value(all)
    }

    /// Returns the part of a user's layer that the locks hide; null without such a part.
    pub(super) fn hidden(&self, layer: &Value) -> Value {
        let base = self.base();
        let mut hidden = Value::Null;
        for list in &self.closed_lists {
            let known = base[list].as_array().map_or(&[][..], Vec::as_slice);
            let own = layer[list].as_array().into_iter().flatten();
            let own = own.filter(|entry| named(known, &entry["name"]).is_none());
            let mut own: Vec<_> = own.cloned().collect();
            // The documents of an older Packbench's printer became rules when the layer was read.
            let printers = own.iter_mut().filter_map(Value::as_object_mut);
            printers.for_each(|printer| drop(printer.remove("documents")));
            if !own.is_empty() {
                hidden[list] = Value::Array(own);
            }
        }
        for (field, locked) in self.locked.as_object().into_iter().flatten() {
            match (locked, &layer[field]) {
                (Value::Object(_), own @ Value::Object(_)) => {
                    hidden[field] = fields_of(locked, own);
                }
                // A list that is locked as a whole.
                (Value::Array(list), Value::Array(own)) if !is_named(list) || !is_named(own) => {
                    hidden[field] = json!(own);
                }
                _ => {}
            }
        }
        hidden
    }

    /// Returns a user's layer, which contains only what differs from these settings, and what the locks hide, so that
    /// it is there again without them.
    pub(super) fn layer_of(&self, settings: &Settings) -> Value {
        let mut all = json!(settings);
        self.enforce(&mut all);
        let mut layer = difference(&self.base(), &all).unwrap_or_else(|| json!({}));
        if !settings.hidden.is_null() {
            overlay(&mut layer, settings.hidden.clone());
        }
        layer
    }

    fn base(&self) -> Value {
        let base = self.base.clone();
        base.unwrap_or_else(|| json!(Settings::default()))
    }

    fn enforce(&self, all: &mut Value) {
        if !self.has_locks() {
            return;
        }
        overlay(all, self.locked.clone());
        let base = self.base();
        for list in &self.closed_lists {
            let known = base[list].as_array().map_or(&[][..], Vec::as_slice);
            if let Some(entries) = all[list].as_array_mut() {
                entries.retain(|entry| named(known, &entry["name"]).is_some());
            }
        }
    }
}

/// Returns the name of this computer.
pub(crate) fn host_name() -> String {
    gethostname::gethostname().to_string_lossy().into_owned()
}

fn take(file: &mut Value, field: &str) -> Option<Value> {
    file.as_object_mut()?.remove(field)
}

/// Fills in the computer's name.
fn fill_in(value: &mut Value, host: &str) {
    match value {
        Value::String(text) if text.contains(HOSTNAME) => *text = text.replace(HOSTNAME, host),
        Value::Array(list) => list.iter_mut().for_each(|value| fill_in(value, host)),
        Value::Object(fields) => fields.values_mut().for_each(|value| fill_in(value, host)),
        _ => {}
    }
}

/// Returns a copy of `set` that contains only the part at `path`: a field (`bench.theme`), or a list entry by its name
/// (`connections.Harbour Supplies`). Returns `None` if `set` has no such part.
fn part_at(set: &Value, path: &str) -> Option<Value> {
    let (first, rest) = match path.split_once('.') {
        Some((first, rest)) => (first, Some(rest)),
        None => (path, None),
    };
    let part = set.get(first)?;
    let part = match (part, rest) {
        (part, None) => part.clone(),
        // A choice is locked as a whole.
        (_, Some(_)) if CHOICES.contains(&first) => return None,
        (Value::Array(list), Some(name)) => json!([named(list, &json!(name))?]),
        (part, Some(field)) => json!({ field: part.get(field)? }),
    };
    Some(json!({ first: part }))
}

/// Returns the paths of values of a file that the settings did not take over.
fn not_in(file: &Value, settings: &Value, at: &str) -> Vec<String> {
    match (file, settings) {
        (Value::Object(file), Value::Object(known)) => {
            let dot = if at.is_empty() { "" } else { "." };
            let fields = file.iter().flat_map(|(field, value)| {
                let at = format!("{at}{dot}{field}");
                match known.get(field) {
                    Some(known) => not_in(value, known, &at),
                    None => vec![at],
                }
            });
            fields.collect()
        }
        (Value::Array(file), Value::Array(known)) if file.len() == known.len() => {
            let entries = file.iter().zip(known).enumerate();
            let entries = entries.flat_map(|(number, (value, known))| {
                not_in(value, known, &format!("{at}[{number}]"))
            });
            entries.collect()
        }
        (Value::Number(file), Value::Number(known)) if file.as_f64() == known.as_f64() => {
            Vec::new()
        }
        (file, known) if file == known => Vec::new(),
        _ => vec![at.to_owned()],
    }
}

/// Checks what no type can: the connections as the form of Settings does, and names that must exist.
fn check_settings(settings: &Settings, wrong: &mut impl FnMut(&str, &str)) {
    for (at, connection) in settings.connections.iter().enumerate() {
        let others = settings.connections.iter().enumerate();
        let others = others.filter(|(other, _)| *other != at);
        let names: Vec<&str> = others.map(|(_, other)| other.name.as_str()).collect();
        let mut draft = connection.to_draft();
        draft.saved_name = None;
        // The tokens are in the keyring.
        let problems = draft.check(ConnectionContext {
            names: &names,
            token: true,
            middleware_token: true,
            integration: true,
        });
        for problem in problems {
            let field = match problem.field {
                ConnectionField::Name => ".name",
                ConnectionField::Address => ".address",
                ConnectionField::Proxy => ".proxy",
                ConnectionField::Tracking(_) => ".tracking",
                ConnectionField::MiddlewareAddress | ConnectionField::Platform => ".middleware",
                ConnectionField::Path(_) => ".dialect.paths",
                _ => "",
            };
            wrong(&format!("connections[{at}]{field}"), &problem.message);
        }
    }
    for (at, printer) in settings.printers.iter().enumerate() {
        let mut same = settings
            .printers
            .iter()
            .filter(|other| other.name == printer.name);
        if printer.name.trim().is_empty() {
            wrong(&format!("printers[{at}].name"), "a printer needs a name");
        } else if same.nth(1).is_some() {
            wrong(
                &format!("printers[{at}].name"),
                "another printer has this name",
            );
        }
    }
    if let Some(super::ChosenService::Connection(name)) = &settings.chosen
        && settings.named(name).is_none()
    {
        wrong("chosen", &format!("there is no connection {name}"));
    }
    for (at, rule) in settings.documents.iter().enumerate() {
        let mut printers = settings.printers.iter();
        if printers.all(|printer| printer.name != rule.printer) {
            let words = format!("there is no printer {}", rule.printer);
            wrong(&format!("documents[{at}].printer"), &words);
        }
    }
    if let Some(address) = &settings.updates.address
        && parse_secure_address(address).is_err()
    {
        wrong("updates.address", "an address with https:// is expected");
    }
    if let Some(address) = &settings.workgroup.address
        && let Err(error) = address.parse::<DatabaseAddress>()
    {
        wrong("workgroup.address", &error.to_string());
    }
    if let Some(scale) = &settings.scale {
        let is_usb = matches!(scale.connection, ScaleConnection::Usb { .. });
        if is_usb != (scale.protocol == ScaleProtocol::UsbHid) {
            let problem = DeviceProblem::WrongProtocol.message(DeviceKind::Scale);
            wrong("scale", &problem);
        }
    }
    if let Some(scanner) = &settings.scanner
        && scanner.port.trim().is_empty()
    {
        wrong("scanner.port", "name the scanner's port");
    }
    if settings.bench.name.trim().is_empty() {
        wrong("bench.name", "give the bench a name");
    }
}

fn syntax(text: &str, error: &toml::de::Error) -> MachineSettingsError {
    MachineSettingsError {
        line: line_at(text, error.span().map_or(0, |span| span.start)),
        field: String::new(),
        words: error.message().to_owned(),
    }
}

fn line_at(text: &str, place: usize) -> usize {
    let before = text.get(..place).unwrap_or(text);
    before.matches('\n').count() + 1
}

/// Finds the lines of fields.
struct Lines<'a> {
    text: &'a str,
    table: DeTable<'a>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Result<Self, Vec<MachineSettingsError>> {
        let table = DeTable::parse(text).map_err(|error| vec![syntax(text, &error)])?;
        let table = table.into_inner();
        Ok(Self { text, table })
    }

    /// Returns the line of the field at this path, or of the last part of the path that the file has.
    fn line(&self, path: &str) -> usize {
        let mut place = 0;
        let mut value: Option<&DeValue<'_>> = None;
        for step in path.split(['.', '[']) {
            let step = step.trim_end_matches(']');
            let next = match (value, step.parse::<usize>()) {
                (None, _) => self
                    .table
                    .get_key_value(step)
                    .map(|(key, value)| (key.span(), value)),
                (Some(DeValue::Array(list)), Ok(at)) => {
                    list.get(at).map(|value| (value.span(), value))
                }
                (Some(DeValue::Table(table)), _) => table
                    .get_key_value(step)
                    .map(|(key, value)| (key.span(), value)),
                _ => None,
            };
            let Some((span, inner)) = next else { break };
            (place, value) = (span.start, Some(inner.get_ref()));
        }
        line_at(self.text, place)
    }
}
