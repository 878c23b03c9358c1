//! The bench's settings: its name, connections, printers and lists. One small JSON file.
//!
//! The file contains only what differs from the machine-wide settings. Invariants: a settings file written by an older
//! Packbench can still be read, and one written in a newer format is left alone. No secret is stored here: the
//! token, the middleware's token and the integration id are in the keyring under the connection's name.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use thiserror::Error;

use super::layers::difference;
use super::{DataFolder, MachineFileError, MachineSettings, write_private};
use devices::scale::ScaleSettings;
use devices::serial::SerialSettings;
use draft::{ConnectionDraft, Preset, ServiceKind};
use engine::{
    ConsignmentFacts, DocumentKind, DocumentRule, DocumentTexts, PrintMoment, ResultFormat,
};
use printing::profile::PrinterProfile;
use shipping::{
    CarrierId, CompanyId, CompanyLocationId, Compatibility, Dollars, PrinterId, TrackingBases,
};

/// The format of the settings file. Increased by a version whose files an older Packbench would misread.
const FORMAT: u64 = 3;

#[derive(Debug, Error)]
pub enum SettingsError {
    #[error(transparent)]
    Machine(#[from] MachineFileError),
    #[error("the settings file cannot be used ({0})")]
    File(ErrorKind),
    #[error("the settings were written by a newer version of Packbench")]
    Newer,
    /// The content is not valid; the file was renamed to `settings.bad`.
    #[error("the settings could not be read and were set aside as settings.bad")]
    SetAside,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ThemeChoice {
    /// Follows the operating system.
    #[default]
    System,
    Light,
    Dark,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The layer below these settings.
    #[serde(skip)]
    pub machine: Arc<MachineSettings>,
    /// The part of the user's file that locks hide.
    #[serde(skip)]
    pub hidden: Value,
    /// True at the first start of an installation.
    #[serde(skip)]
    pub is_first_start: bool,
    pub bench: BenchSettings,
    /// Six random letters and digits. They make the keys of benches with the same name differ. Empty until the first
    /// start, see [`Settings::ensure_installation_id`].
    #[schemars(skip)]
    pub installation: String,
    pub connections: Vec<ConnectionSettings>,
    /// The service that the bench works with; `None` before the first choice.
    pub chosen: Option<ChosenService>,
    /// The company that the bench works for at the practice service; each connection has its own.
    #[schemars(with = "Option<i64>")]
    pub company: Option<CompanyId>,
    /// Saved locations that new consignments start with at the practice service; each connection has its own.
    #[schemars(with = "Vec<i64>")]
    pub senders: Vec<CompanyLocationId>,
    /// The scale at this bench; `None` without one.
    pub scale: Option<ScaleSettings>,
    /// The watched folders of orders by connection name. The key of the practice service is the empty string.
    pub order_folders: BTreeMap<String, OrderFolderSettings>,
    /// The scanner on a serial port of this bench; `None` without one. Scanners that type need no setting.
    pub scanner: Option<SerialSettings>,
    pub printers: Vec<PrinterProfile>,
    /// The rules that say which documents are printed, on which printer and when.
    pub documents: Vec<DocumentRule>,
    /// Texts and the logo that the customer adds to documents.
    pub document_texts: DocumentTexts,
    pub follow: TrackingScopes,
    pub track: BoardSettings,
    pub updates: UpdateSettings,
    pub workgroup: WorkgroupSettings,
    /// Presets of the administrator. The clerk's own are in the journal.
    #[schemars(with = "Vec<Map<String, Value>>")]
    pub presets: Vec<Preset>,
}

/// The settings that apply to every service. The screens read this record, and change it with
/// `SettingsCommand::SetBench`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BenchSettings {
    /// The bench's name, such as "Bench 4": shown in the top bar, and part of the keys that consignments carry.
    pub name: String,
    /// Name of the person who packs; may be empty.
    pub staff: String,
    /// Packbench asks before sending if the price is more than this percentage above the cheapest; `None` never asks.
    pub dear_percent: Option<u32>,
    /// Prints the label of each new consignment automatically.
    pub auto_print: bool,
    /// Plays a sound for each scan: one for found, another for not found.
    pub scan_sounds: bool,
    /// Sends an order that is packed by scan when its last piece is scanned, if the order has no problem.
    pub send_when_packed: bool,
    pub theme: ThemeChoice,
    /// When carriers close, such as `Tasman Freight 16:30`, or for one pickup place `Tasman Freight, Sydney DC 16:30`. For
    /// other carriers, the time of the last booking counts.
    pub closing_times: Vec<String>,
}

/// The folder from which orders are taken, and what becomes of them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct OrderFolderSettings {
    /// Absolute path of the watched folder.
    pub folder: PathBuf,
    /// The company that the orders belong to; `None` for the company of the token.
    #[schemars(with = "Option<i64>")]
    pub company: Option<CompanyId>,
    /// The saved location that orders without a sender are sent from.
    #[schemars(with = "Option<i64>")]
    pub sender: Option<CompanyLocationId>,
    /// The preset that fills in what orders do not say, such as the carrier choice; empty for none.
    pub preset: String,
    /// Sends orders without problems by itself.
    pub sends: bool,
    /// The highest price, tax included, up to which an order is sent by itself; `None` for any price.
    #[schemars(with = "Option<f64>")]
    pub price_limit: Option<Dollars>,
    /// Absolute path of the folder into which results are written; `None` writes none.
    pub outbox: Option<PathBuf>,
    pub result_format: ResultFormat,
    /// Saves the label of each order beside the results.
    pub saves_labels: bool,
}

/// The check for newer versions, which an administrator sets up.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct UpdateSettings {
    /// `https://…` of a JSON file with the newest `version` and where to `download` it. Without an address there is no
    /// check. Packbench never installs anything by itself.
    pub address: Option<String>,
}

/// The database through which benches of one warehouse share their work. Its password is in the keyring.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct WorkgroupSettings {
    /// `postgresql://user@server:5432/database`. Without an address, the bench works alone.
    pub address: Option<String>,
    /// Path of a PEM file with the company's own certificate authority.
    pub authority: Option<PathBuf>,
}

impl Default for BenchSettings {
    fn default() -> Self {
        Self {
            name: "Bench 1".to_owned(),
            staff: String::new(),
            dear_percent: Some(50),
            auto_print: false,
            scan_sounds: true,
            send_when_packed: false,
            theme: ThemeChoice::default(),
            closing_times: Vec::new(),
        }
    }
}

impl Settings {
    /// Reads the settings file on top of the machine-wide settings; without a file, returns these alone. Renames an
    /// invalid file.
    pub fn read(places: &DataFolder) -> Result<Self, SettingsError> {
        let machine = Arc::new(MachineSettings::read(places.machine_settings())?);
        let path = places.settings();
        let file = match std::fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(upgrade),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(json!({})),
            Err(error) => return Err(SettingsError::File(error.kind())),
        };
        if file.as_ref().is_ok_and(is_newer) {
            return Err(SettingsError::Newer);
        }
        let read = file.and_then(|layer| {
            let settings = machine.below(layer.clone())?;
            Ok(Self {
                hidden: machine.hidden(&layer),
                machine,
                ..settings
            })
        });
        read.map_err(
            |_not_ours| match std::fs::rename(&path, path.with_extension("bad")) {
                Ok(()) => SettingsError::SetAside,
                Err(error) => SettingsError::File(error.kind()),
            },
        )
    }

    /// Sets every locked field to the administrator's value.
    pub fn restore_locked(&mut self) {
        if !self.machine.has_locks() {
            return;
        }
        // What was made of valid settings is valid.
        if let Ok(settings) = self.machine.below(self.machine.layer_of(self)) {
            *self = Self {
                machine: Arc::clone(&self.machine),
                hidden: self.hidden.take(),
                is_first_start: self.is_first_start,
                ..settings
            };
        }
    }

    /// Writes the settings file, completely or not at all.
    pub fn write(&self, places: &DataFolder) -> Result<(), ErrorKind> {
        let mut file = self.machine.layer_of(self);
        file["format"] = json!(FORMAT);
        let bytes =
            serde_json::to_vec_pretty(&file).map_err(|_unwritable| ErrorKind::InvalidData)?;
        write_private(&places.settings(), &bytes).map_err(|error| error.kind())
    }

    /// Gives the installation its identifier and saves it, at the first start. Does nothing if it already has one.
    pub fn ensure_installation_id(&mut self, places: &DataFolder) -> Result<(), ErrorKind> {
        // No vowels, so that the identifier never spells a word.
        const LETTERS: &[u8] = b"0123456789BCDFGHJKLMNPQRSTVWXZ";
        if !self.installation.is_empty() {
            return Ok(());
        }
        self.is_first_start = true;
        self.installation = (0..6)
            .map(|_| char::from(LETTERS[fastrand::usize(..LETTERS.len())]))
            .collect();
        self.write(places)
    }

    /// Returns the first part of this bench's keys: the bench name in letters and digits, and the identifier
    /// of the installation.
    pub fn key_prefix(&self) -> String {
        match self.installation.as_str() {
            "" => self.plain_name(),
            own => format!("{}-{own}", self.plain_name()),
        }
    }

    fn plain_name(&self) -> String {
        let plain = self.bench.name.chars().filter(char::is_ascii_alphanumeric);
        let plain: String = plain.take(12).collect();
        if plain.is_empty() {
            "bench".to_owned()
        } else {
            plain
        }
    }

    /// Returns the rule and the printer for a document. `facts` are those of its consignment; `None` stands for a document
    /// of no consignment in particular. Invariant: a document goes to the printer of its rule, or nowhere. There is no
    /// fallback: a label from the office laser is worse than no label.
    pub fn rule_for(
        &self,
        document: DocumentKind,
        facts: Option<&ConsignmentFacts<'_>>,
    ) -> Result<(&DocumentRule, &PrinterProfile), NoPrinter> {
        let rule = DocumentRule::first(&self.documents, document, facts);
        let rule = rule.ok_or(NoPrinter::NotChosen(document))?;
        let printer = self.printer_of(rule).ok_or_else(|| NoPrinter::Gone {
            document,
            printer: rule.printer.clone(),
        })?;
        Ok((rule, printer))
    }

    /// Returns the rules for other documents than labels that print at this moment, each with its printer.
    pub fn rules_at(&self, moment: PrintMoment) -> Vec<(DocumentRule, PrinterProfile)> {
        let rules = self
            .documents
            .iter()
            .filter(|rule| rule.document != DocumentKind::ItemLabels && rule.when == moment);
        let with_printer = rules.filter_map(|rule| {
            let printer = with_copies(self.printer_of(rule)?, rule);
            Some((rule.clone(), printer))
        });
        with_printer.collect()
    }

    /// Returns the rules for labels of some consignments, each with its printer.
    pub fn special_label_rules(&self) -> Vec<(DocumentRule, PrinterProfile)> {
        let rules = self
            .documents
            .iter()
            .filter(|rule| rule.document == DocumentKind::ItemLabels && !rule.is_for_all());
        let with_printer = rules.filter_map(|rule| {
            let printer = with_copies(self.printer_of(rule)?, rule);
            Some((rule.clone(), printer))
        });
        with_printer.collect()
    }

    /// Returns the rules at this moment whose printer is no longer set up.
    pub fn rules_without_printer(&self, moment: PrintMoment) -> Vec<NoPrinter> {
        let rules = self.documents.iter().filter(|rule| {
            rule.when == moment
                && rule.document != DocumentKind::ItemLabels
                && self.printer_of(rule).is_none()
        });
        let gone = rules.map(|rule| NoPrinter::Gone {
            document: rule.document,
            printer: rule.printer.clone(),
        });
        gone.collect()
    }

    fn printer_of(&self, rule: &DocumentRule) -> Option<&PrinterProfile> {
        let mut printers = self.printers.iter();
        printers.find(|printer| printer.name == rule.printer)
    }

    /// Prints documents of this kind on the printer with this name, except where a rule for some consignments names another.
    pub fn assign_printer(&mut self, document: DocumentKind, name: &str) {
        let is_usual = |rule: &DocumentRule| rule.document == document && rule.is_for_all();
        match self.documents.iter().position(is_usual) {
            Some(place) => name.clone_into(&mut self.documents[place].printer),
            None => self.documents.push(DocumentRule::of(document, name)),
        }
    }

    /// Returns the chosen connection; `None` for the practice service and before the first choice.
    pub fn connection(&self) -> Option<&ConnectionSettings> {
        match self.chosen.as_ref()? {
            ChosenService::Practice => None,
            ChosenService::Connection(name) => self.named(name),
        }
    }

    pub fn named(&self, name: &str) -> Option<&ConnectionSettings> {
        let mut connections = self.connections.iter();
        connections.find(|connection| connection.name == name)
    }

    /// Returns the company that the bench works for at the chosen service.
    pub fn company(&self) -> Option<CompanyId> {
        match self.connection() {
            Some(connection) => connection.company,
            None => self.company,
        }
    }

    /// Returns the id of the chosen service's own printer that the clerk typed last; `None` for the practice
    /// service, which lists its printers.
    pub fn service_printer(&self) -> Option<PrinterId> {
        self.connection()?.service_printer
    }

    /// Returns the watched folder of the chosen service.
    pub fn order_folder(&self) -> Option<&OrderFolderSettings> {
        self.order_folders.get(self.connection_name())
    }

    /// Sets the watched folder of the chosen service; with `None`, removes it.
    pub fn set_order_folder(&mut self, folder: Option<OrderFolderSettings>) {
        let name = self.connection_name().to_owned();
        match folder {
            Some(folder) => drop(self.order_folders.insert(name, folder)),
            None => drop(self.order_folders.remove(&name)),
        }
    }

    /// Returns the name of the chosen connection; empty for the practice service.
    fn connection_name(&self) -> &str {
        self.connection().map_or("", |connection| &connection.name)
    }

    pub fn set_service_printer(&mut self, printer: Option<PrinterId>) {
        if let Some(connection) = self.connection_mut() {
            connection.service_printer = printer;
        }
    }

    /// Returns the saved locations that new consignments start with at the chosen service.
    pub fn default_senders(&self) -> &[CompanyLocationId] {
        match self.connection() {
            Some(connection) => &connection.senders,
            None => &self.senders,
        }
    }

    /// Makes `sender` the sender that new consignments start with, and removes `others` from these default senders.
    pub fn set_default_sender(
        &mut self,
        sender: Option<CompanyLocationId>,
        others: &[CompanyLocationId],
    ) {
        let senders = match self.connection_mut() {
            Some(connection) => &mut connection.senders,
            None => &mut self.senders,
        };
        senders.retain(|one| !others.contains(one));
        senders.extend(sender);
    }

    fn connection_mut(&mut self) -> Option<&mut ConnectionSettings> {
        let name = self.connection()?.name.clone();
        let mut connections = self.connections.iter_mut();
        connections.find(|connection| connection.name == name)
    }

    pub fn set_company(&mut self, company: CompanyId) {
        match self.connection_mut() {
            Some(connection) => connection.company = Some(company),
            None => self.company = Some(company),
        }
    }
}

fn is_newer(file: &Value) -> bool {
    file["format"]
        .as_u64()
        .is_some_and(|format| format > FORMAT)
}

/// Upgrades the settings of an older Packbench, which wrote every value, and those of the bench beside the others. Leaves
/// out default values, because the user may never have chosen them.
fn upgrade(file: Value) -> Value {
    let mut file = with_chosen_service(file);
    let Some(fields) = file.as_object_mut() else {
        return file;
    };
    if !fields.get("bench").is_some_and(Value::is_string) {
        return file;
    }
    let of_bench = [
        ("bench", "name"),
        ("staff", "staff"),
        ("dear_percent", "dear_percent"),
        ("auto_print", "auto_print"),
        ("theme", "theme"),
    ];
    let bench = of_bench
        .into_iter()
        .filter_map(|(old, new)| Some((new.to_owned(), fields.remove(old)?)));
    let bench: Map<_, _> = bench.collect();
    fields.insert("bench".to_owned(), Value::Object(bench));
    difference(&json!(Settings::default()), &file).unwrap_or_else(|| json!({}))
}

/// Upgrades the printers of an older Packbench: each profile had the documents that it printed, and the printer for labels
/// was a setting of its own. Takes both out of the settings, and makes rules of them.
pub(super) fn upgrade_documents(settings: &mut Value) {
    const PAPERS: [&str; 4] = [
        "packing_slip",
        "consignment_note",
        "commercial_invoice",
        "dangerous_goods",
    ];
    let mut assigned = Vec::new();
    let printers = settings.get_mut("printers").and_then(Value::as_array_mut);
    for printer in printers.into_iter().flatten() {
        let documents = printer
            .as_object_mut()
            .and_then(|one| one.remove("documents"));
        for document in documents.iter().filter_map(Value::as_array).flatten() {
            let documents: &[&str] = match document.as_str() {
                Some("manifest") => &["manifest"],
                Some("papers") => &PAPERS,
                // The printer for labels is in `label_printer`.
                _ => &[],
            };
            for document in documents.iter().map(|name| json!(name)) {
                // Of several printers, the first one printed the document.
                if assigned.iter().all(|(known, _)| *known != document) {
                    assigned.push((document, printer["name"].clone()));
                }
            }
        }
    }
    let label_printer = settings
        .as_object_mut()
        .and_then(|all| all.remove("label_printer"));
    let label_printer = label_printer.filter(Value::is_string);
    assigned.extend(label_printer.map(|name| (json!("item_labels"), name)));
    if assigned.is_empty() {
        return;
    }
    let known = settings["documents"].take();
    let mut rules = known.as_array().cloned().unwrap_or_default();
    for (document, printer) in assigned {
        rules.retain(|rule| rule["document"] != document);
        rules.push(json!({ "document": document, "printer": printer }));
    }
    settings["documents"] = Value::Array(rules);
}

/// Upgrades the settings of the oldest Packbench. They had no `chosen`, and at most one connection; with `null` as
/// connection, the bench used the practice service.
fn with_chosen_service(mut file: Value) -> Value {
    let Some(fields) = file.as_object_mut() else {
        return file;
    };
    if fields.contains_key("chosen") {
        return file;
    }
    match fields.remove("connection") {
        None => {}
        Some(Value::Null) => drop(fields.insert("chosen".to_owned(), json!("practice"))),
        Some(mut connection) => {
            let name = connection["name"].clone();
            if let (Some(connection), Some(company)) =
                (connection.as_object_mut(), fields.remove("company"))
            {
                connection.insert("company".to_owned(), company);
            }
            fields.insert("connections".to_owned(), json!([connection]));
            fields.insert("chosen".to_owned(), json!({ "connection": name }));
        }
    }
    file
}

/// The service that the bench works with.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChosenService {
    Practice,
    /// The connection with this name.
    Connection(String),
}

/// A connection to one of the user's own services.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionSettings {
    /// Never changes: the keyring entries and the journal file are named after it.
    pub name: String,
    pub kind: ServiceKind,
    /// `https://…`
    pub address: String,
    /// The company that the bench works for at this service.
    #[serde(default)]
    #[schemars(with = "Option<i64>")]
    pub company: Option<CompanyId>,
    /// Id of the service's own printer that the clerk typed last.
    #[serde(default)]
    #[schemars(with = "Option<i64>")]
    pub service_printer: Option<PrinterId>,
    /// Saved locations that new consignments start with as sender; at most one for each company.
    #[serde(default)]
    #[schemars(with = "Vec<i64>")]
    pub senders: Vec<CompanyLocationId>,
    /// Where this deployment departs from the specification.
    #[serde(default)]
    pub dialect: Compatibility,
    #[serde(default)]
    pub tracking: TrackingBases,
    #[serde(default)]
    pub middleware: Option<MiddlewareSettings>,
    /// Path of a PEM file with the company's own certificate authority.
    #[serde(default)]
    pub authority: Option<PathBuf>,
    /// Proxy to use instead of the system's proxy: `http://host:port`.
    #[serde(default)]
    pub proxy: Option<String>,
}

impl ConnectionSettings {
    /// Returns these settings as a form shows them, without secrets.
    pub fn to_draft(&self) -> ConnectionDraft {
        let middleware = self.middleware.clone();
        let middleware = middleware.map(|one| (one.address, one.platform));
        let (middleware_address, platform) = middleware.unwrap_or_default();
        let authority = self.authority.as_ref();
        let authority = authority.map(|path| path.display().to_string());
        let mut draft = ConnectionDraft {
            saved_name: Some(self.name.clone()),
            name: self.name.clone(),
            kind: Some(self.kind),
            address: self.address.clone(),
            company: self.company,
            compatibility: self.dialect.clone(),
            middleware_address,
            platform,
            authority: authority.unwrap_or_default(),
            proxy: self.proxy.clone().unwrap_or_default(),
            ..ConnectionDraft::default()
        };
        draft.set_tracking(&self.tracking);
        draft
    }
}

/// Settings of the integration middleware, which provides live prices. Its token and integration id are in
/// the keyring.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MiddlewareSettings {
    /// `https://…`
    pub address: String,
    /// Last segment of the middleware's path: `/live-pricing/<platform>`.
    pub platform: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TrackingScopes {
    /// Syncs with the service regularly, without a request by the clerk.
    pub by_itself: bool,
    /// Tracking scopes by connection name. The key of the practice service is the empty string.
    pub at: BTreeMap<String, TrackingScope>,
}

impl Default for TrackingScopes {
    fn default() -> Self {
        Self {
            by_itself: true,
            at: BTreeMap::new(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TrackingScope {
    /// The company whose consignments are tracked.
    pub whose: CompanyScope,
    /// Also tracks the companies below that company.
    pub children: bool,
    /// Tracks only this carrier; `None` tracks all carriers.
    #[schemars(with = "Option<i64>")]
    pub carrier: Option<CarrierId>,
}

impl Default for TrackingScope {
    fn default() -> Self {
        Self {
            whose: CompanyScope::default(),
            children: true,
            carrier: None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CompanyScope {
    /// The company that the bench currently works for.
    #[default]
    Bench,
    /// The token's own company.
    Token,
    Company(#[schemars(with = "i64")] CompanyId),
}

impl TrackingScope {
    /// Returns the company whose consignments are requested from the service; `None` stands for the token's own
    /// company. `bench` is the company that the bench works for.
    pub const fn company(&self, bench: Option<CompanyId>) -> Option<CompanyId> {
        match self.whose {
            CompanyScope::Bench => bench,
            CompanyScope::Token => None,
            CompanyScope::Company(company) => Some(company),
        }
    }
}

/// Largest threshold, in hours.
const MOST_HOURS: u16 = 999;
/// Longest period of the board, in days.
const MOST_DAYS: u16 = 366;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "Map<String, Value>")]
pub struct BoardSettings {
    /// Number of past days that the board covers.
    pub days: u16,
    /// Includes the companies below the bench's company.
    pub children: bool,
    /// Hours after the ETA from which a consignment is late.
    pub late_hours: u16,
    /// Hours after despatch from which a consignment is reported as not collected.
    pub not_collected_hours: u16,
    /// Hours without a scan after which a consignment is reported.
    pub no_scan_hours: u16,
}

impl Default for BoardSettings {
    fn default() -> Self {
        Self {
            days: 14,
            children: true,
            late_hours: 0,
            not_collected_hours: 24,
            no_scan_hours: 48,
        }
    }
}

impl BoardSettings {
    /// Returns the settings with every number clamped to its range.
    #[must_use]
    pub fn within_limits(self) -> Self {
        Self {
            days: self.days.clamp(1, MOST_DAYS),
            children: self.children,
            late_hours: self.late_hours.min(MOST_HOURS),
            not_collected_hours: self.not_collected_hours.min(MOST_HOURS),
            no_scan_hours: self.no_scan_hours.min(MOST_HOURS),
        }
    }
}

/// Uses the default for every invalid value, because somebody may have edited the file by hand.
impl From<Map<String, Value>> for BoardSettings {
    fn from(file: Map<String, Value>) -> Self {
        let number = |name: &str, default: u16| {
            let number = file.get(name).and_then(Value::as_u64);
            let number = number.and_then(|number| u16::try_from(number).ok());
            number.unwrap_or(default)
        };
        let default = Self::default();
        let children = file.get("children").and_then(Value::as_bool);
        Self {
            days: number("days", default.days),
            children: children.unwrap_or(default.children),
            late_hours: number("late_hours", default.late_hours),
            not_collected_hours: number("not_collected_hours", default.not_collected_hours),
            no_scan_hours: number("no_scan_hours", default.no_scan_hours),
        }
    }
}

/// Returns the printer with the number of copies of a rule.
pub(crate) fn with_copies(printer: &PrinterProfile, rule: &DocumentRule) -> PrinterProfile {
    PrinterProfile {
        copies: rule.copies.unwrap_or(printer.copies),
        ..printer.clone()
    }
}

/// Why a document has no printer. `Display` gives the headline, [`NoPrinter::advice`] says what to do.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NoPrinter {
    #[error("No printer is chosen for {}", .0.name_in_sentence())]
    NotChosen(DocumentKind),
    #[error("{printer}, which prints {}, is no longer set up", document.name_in_sentence())]
    Gone {
        document: DocumentKind,
        printer: String,
    },
}

impl NoPrinter {
    pub fn advice(&self) -> &'static str {
        "Choose one in Settings, under Documents, or set one up on Labels. Nothing was printed"
    }
}
