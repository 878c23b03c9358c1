//! The sample data of the practice service: companies, carriers and rates, places, saved locations and items,
//! dangerous goods.
//!
//! All of the data is read once from `assets/practice/` and never changes afterwards. Most references, for
//! example from a rate card to its carrier or from a location to its suburb, are checked when it is loaded.

mod dangerous_goods;
mod place;

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Time;
use jiff::tz::TimeZone;
use rust_decimal::Decimal;
use serde::Deserialize;
use serde::de::DeserializeOwned;

pub(crate) use dangerous_goods::{StoredGood, UnNumber, class_label, class_title};
pub(crate) use place::{Country, Place};

/// The reason why the sample data cannot be used: a mistake in `assets/practice/`, or a machine without
/// time zones.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    /// A file does not contain the expected JSON.
    #[error("sample data {file} cannot be read: {source}")]
    Unreadable {
        file: &'static str,
        source: serde_json::Error,
    },
    /// A line of a table does not have six fields.
    #[error("sample data {file}, line {line} cannot be read")]
    Line { file: &'static str, line: usize },
    #[error("time zone {name} is missing on this machine: {source}")]
    TimeZone { name: String, source: jiff::Error },
    /// A reference to something that does not exist.
    #[error("sample data: {0}")]
    Dangling(String),
}

/// All of the sample data.
#[derive(Debug)]
pub(crate) struct Catalogue {
    pub(crate) companies: Vec<Company>,
    pub(crate) carriers: Vec<Carrier>,
    /// Cost prices are sell prices less this percentage.
    pub(crate) margin_percent: Decimal,
    pub(crate) places: Vec<Place>,
    pub(crate) geography: place::Geography,
    pub(crate) locations: Vec<SavedLocation>,
    pub(crate) items: Vec<SavedItem>,
    pub(crate) goods: dangerous_goods::DangerousGoods,
    tracking: Vec<CarrierTracking>,
    pub(crate) printing: Printing,
    time_zones: HashMap<String, TimeZone>,
}

impl Catalogue {
    pub(crate) fn load() -> Result<Self, CatalogueError> {
        macro_rules! parsed {
            ($file:literal) => {
                read(
                    $file,
                    include_str!(concat!("../../assets/practice/", $file)),
                )?
            };
        }
        macro_rules! list {
            ($file:literal) => {{
                let file: ListFile<_> = parsed!($file);
                file.list
            }};
        }
        let carriers: CarriersFile = parsed!("carriers.json");
        let mut catalogue = Self {
            companies: list!("companies.json"),
            margin_percent: carriers.margin_percent,
            carriers: carriers.carriers,
            places: place::read(include_str!("../../assets/practice/places.csv"))?,
            geography: parsed!("zones.json"),
            locations: list!("locations.json"),
            items: list!("items.json"),
            goods: dangerous_goods::DangerousGoods::new(
                include_str!("../../assets/practice/un-numbers.csv"),
                parsed!("hazchem.json"),
                list!("stored-goods.json"),
            )?,
            tracking: list!("tracking.json"),
            printing: parsed!("printers.json"),
            time_zones: HashMap::new(),
        };
        catalogue.find_time_zones()?;
        catalogue.check()?;
        Ok(catalogue)
    }

    pub(crate) fn company(&self, id: i64) -> Option<&Company> {
        self.companies.iter().find(|company| company.id == id)
    }

    pub(crate) fn carrier(&self, id: i64) -> Option<&Carrier> {
        self.carriers.iter().find(|carrier| carrier.id == id)
    }

    /// Returns how a carrier publishes tracking events.
    pub(crate) fn tracking(&self, carrier_id: i64) -> Option<&CarrierTracking> {
        let mut all = self.tracking.iter();
        all.find(|tracking| tracking.carrier_id == carrier_id)
    }

    /// Finds the suburb with this name and postcode. The case of the name does not matter.
    pub(crate) fn place(&self, suburb: &str, postcode: &str) -> Option<&Place> {
        let (suburb, postcode) = (suburb.trim(), postcode.trim());
        self.places
            .iter()
            .find(|place| place.postcode == postcode && place.suburb.eq_ignore_ascii_case(suburb))
    }

    /// Returns a time zone that the sample data names. All of them were looked up when the data was loaded.
    pub(crate) fn time_zone(&self, name: &str) -> TimeZone {
        self.time_zones.get(name).cloned().unwrap_or(TimeZone::UTC)
    }

    fn find_time_zones(&mut self) -> Result<(), CatalogueError> {
        let named = self.places.iter().map(|place| &place.time_zone);
        let named = named.chain(
            self.geography
                .countries
                .iter()
                .map(|country| &country.time_zone),
        );
        for name in named {
            if !self.time_zones.contains_key(name) {
                let zone = TimeZone::get(name).map_err(|source| CatalogueError::TimeZone {
                    name: name.clone(),
                    source,
                })?;
                self.time_zones.insert(name.clone(), zone);
            }
        }
        Ok(())
    }

    fn check(&self) -> Result<(), CatalogueError> {
        let geography = &self.geography;
        for place in &self.places {
            exists(geography.zone(&place.zone), &place.suburb, "has no zone")?;
            let country = geography.country(&place.country);
            exists(country, &place.suburb, "has no country")?;
        }
        for country in &geography.countries {
            exists(geography.zone(&country.zone), &country.name, "has no zone")?;
        }
        for carrier in &self.carriers {
            let tracking = self.tracking(carrier.id);
            exists(tracking, &carrier.name, "has no tracking events")?;
        }
        for printer in self.printing.dangling() {
            exists(None::<()>, &format!("printer {printer}"), "is not there")?;
        }
        for location in &self.locations {
            let place = self.place(&location.suburb, &location.postcode);
            exists(place, &location.name, "is nowhere")?;
            let company = self.company(location.company_id);
            exists(company, &location.name, "has no company")?;
        }
        for account in self.companies.iter().flat_map(|company| &company.accounts) {
            exists(
                self.carrier(account.carrier_id),
                &account.name,
                "has no carrier",
            )?;
        }
        for id in self.items.iter().flat_map(|item| &item.goods) {
            exists(
                self.goods.stored(*id),
                &format!("stored goods {id}"),
                "are not there",
            )?;
        }
        Ok(())
    }
}

/// Checks that a reference of `name` leads to something; `lack` says what is wrong otherwise.
fn exists<T>(found: Option<T>, name: &str, lack: &str) -> Result<(), CatalogueError> {
    let missing = || CatalogueError::Dangling(format!("{name} {lack}"));
    found.map(|_| ()).ok_or_else(missing)
}

fn read<T: DeserializeOwned>(file: &'static str, text: &str) -> Result<T, CatalogueError> {
    serde_json::from_str(text).map_err(|source| CatalogueError::Unreadable { file, source })
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Company {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) account_code: String,
    pub(crate) display_name: String,
    pub(crate) parent_company_id: Option<i64>,
    /// Whether every consignment must declare its dangerous goods, or that it has none.
    pub(crate) dangerous_goods: bool,
    pub(crate) accounts: Vec<Account>,
}

/// A file that holds one list, under a name that says what is listed.
#[derive(Deserialize)]
struct ListFile<T> {
    #[serde(
        alias = "carriers",
        alias = "companies",
        alias = "items",
        alias = "locations",
        alias = "stored"
    )]
    list: Vec<T>,
}

/// A carrier's rate card for one company.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Account {
    pub(crate) id: i64,
    pub(crate) carrier_id: i64,
    pub(crate) name: String,
    pub(crate) account_code: String,
    pub(crate) company_carrier_account_id: i64,
    pub(crate) discount_percent: Decimal,
    /// Whether consignments on this rate card are booked as soon as they are created.
    pub(crate) auto_manifest: bool,
}

/// The carriers, with the goods that they take, when they collect, and their rates (explained in the file).
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CarriersFile {
    margin_percent: Decimal,
    carriers: Vec<Carrier>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Carrier {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) abbreviation: String,
    pub(crate) display_name: String,
    /// Countries with domestic service, as three-letter codes.
    pub(crate) countries: Vec<String>,
    /// Countries with international service between them, as three-letter codes.
    pub(crate) overseas: Vec<String>,
    /// Pickups happen from `opens` to `closes` on business days, local to the pickup place.
    pub(crate) opens: Time,
    pub(crate) closes: Time,
    /// Pallet spaces that one pickup can take.
    pub(crate) max_pickup_spaces: i64,
    /// Dangerous goods classes that the carrier takes, as dgClassType numbers. An empty list means none.
    pub(crate) dangerous_goods_classes: Vec<i64>,
    pub(crate) dangerous_goods_fee: Decimal,
    /// Whether the carrier supports the custom value `AreDutiesPaidByRecipient`.
    #[serde(default)]
    pub(crate) duties_by_recipient: bool,
    pub(crate) accepts_consignment_id: bool,
    pub(crate) accepts_item_references: bool,
    pub(crate) max_piece_kg: Decimal,
    pub(crate) max_piece_cm: Decimal,
    /// Packaging types that the carrier takes. An empty list means all.
    pub(crate) item_types: Vec<String>,
    pub(crate) fuel_levy_percent: Decimal,
    pub(crate) cubic_kg_per_m3: Decimal,
    pub(crate) oversize: Oversize,
    /// Price by question id.
    pub(crate) electives: BTreeMap<i64, Decimal>,
    pub(crate) reference_prefix: String,
    pub(crate) pickup_prefix: String,
    pub(crate) services: Vec<Service>,
}

impl Carrier {
    pub(crate) fn service(&self, id: i64) -> Option<&Service> {
        self.services.iter().find(|service| service.id == id)
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Oversize {
    pub(crate) over_cm: Decimal,
    pub(crate) fee: Decimal,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Service {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) abbreviation: String,
    pub(crate) display_name: String,
    pub(crate) base: Decimal,
    pub(crate) per_kg: Decimal,
    pub(crate) minimum: Decimal,
    /// Multiplier of the freight by distance band. A band that is missing is not served.
    pub(crate) bands: BTreeMap<String, Decimal>,
    /// Business days in transit by distance band.
    #[serde(default)]
    pub(crate) days: HashMap<String, u32>,
    /// Hours in transit by distance band, for services that fly or drive directly.
    #[serde(default)]
    pub(crate) hours: HashMap<String, u32>,
    pub(crate) deliver_by: Time,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SavedLocation {
    pub(crate) id: i64,
    pub(crate) company_id: i64,
    /// 1 sender, 2 receiver, 3 both.
    pub(crate) location_type: i64,
    pub(crate) name: String,
    pub(crate) abbreviation: String,
    pub(crate) contact: String,
    pub(crate) phone: String,
    pub(crate) email: String,
    pub(crate) address_line1: String,
    pub(crate) address_line2: String,
    pub(crate) suburb: String,
    pub(crate) postcode: String,
    pub(crate) special_instructions: String,
    /// Default pickup time and closing time of the place, in local time.
    pub(crate) default_pickup_time: Time,
    pub(crate) default_closing_time: Time,
    pub(crate) default_pickup_instructions: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SavedItem {
    pub(crate) id: i64,
    pub(crate) company_id: i64,
    pub(crate) item_type: String,
    pub(crate) name: String,
    pub(crate) sku: String,
    pub(crate) quantity: i64,
    pub(crate) weight: Decimal,
    pub(crate) length: Decimal,
    pub(crate) width: Decimal,
    pub(crate) height: Decimal,
    /// Ids of the saved dangerous goods in this item.
    pub(crate) goods: Vec<i64>,
}

/// The tracking of one carrier.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CarrierTracking {
    pub(crate) carrier_id: i64,
    /// The user of the service in whose name the carrier's status changes are recorded.
    pub(crate) user_id: i64,
    pub(crate) user_name: String,
    /// Whether the driver takes a photo at the delivery.
    pub(crate) photo: bool,
    /// Code and text by status id.
    words: BTreeMap<i64, StatusText>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct StatusText {
    pub(crate) code: String,
    pub(crate) words: String,
}

impl CarrierTracking {
    pub(crate) fn status_text(&self, status_id: i64) -> Option<&StatusText> {
        self.words.get(&status_id)
    }
}

/// The content of `printers.json`: the service's own printers, each company's default printers, and the rules for
/// printer tokens.
#[derive(Debug, Deserialize)]
pub(crate) struct Printing {
    pub(crate) printers: Vec<Printer>,
    defaults: Vec<Defaults>,
    pub(crate) rules: Vec<PrintRule>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Printer {
    pub(crate) id: i64,
    pub(crate) company_id: i64,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) disabled: bool,
    /// 0 unknown, 1 online, 2 offline, 3 no handshake.
    pub(crate) status: i64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Defaults {
    company_id: i64,
    item_printer_id: i64,
    a4_printer_id: i64,
}

/// A rule: which labels are printed, and where, when a consignment is created with a printer token.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PrintRule {
    pub(crate) name: String,
    pub(crate) company_id: i64,
    token: String,
    /// Abbreviation of the sender's saved location; none means any sender.
    pub(crate) from: Option<String>,
    #[serde(default)]
    pub(crate) dangerous_goods_only: bool,
    pub(crate) label_type: i64,
    pub(crate) printer_id: i64,
    pub(crate) print_a4: bool,
}

impl PrintRule {
    pub(crate) fn is_for(&self, company_id: i64, token: &str) -> bool {
        self.company_id == company_id && self.token.eq_ignore_ascii_case(token.trim())
    }
}

impl Printing {
    pub(crate) fn printer(&self, id: i64) -> Option<&Printer> {
        self.printers.iter().find(|printer| printer.id == id)
    }

    /// Returns the default printer for a company's item labels.
    pub(crate) fn item_printer(&self, company_id: i64) -> Option<&Printer> {
        self.printer(self.defaults(company_id)?.item_printer_id)
    }

    /// Returns the default printer for a company's A4 pages.
    pub(crate) fn a4_printer(&self, company_id: i64) -> Option<&Printer> {
        self.printer(self.defaults(company_id)?.a4_printer_id)
    }

    fn defaults(&self, company_id: i64) -> Option<&Defaults> {
        let mut all = self.defaults.iter();
        all.find(|defaults| defaults.company_id == company_id)
    }

    /// Returns the ids of printers that a rule or a default names but that do not exist.
    fn dangling(&self) -> impl Iterator<Item = i64> {
        let named = self.defaults.iter();
        let named = named.flat_map(|defaults| [defaults.item_printer_id, defaults.a4_printer_id]);
        let named = named.chain(self.rules.iter().map(|rule| rule.printer_id));
        named.filter(|id| self.printer(*id).is_none())
    }
}
