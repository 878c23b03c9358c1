//! The sample data of the practice service: companies, carriers and rates, places, saved locations and items,
//! dangerous goods, printers, and the fixed lists of the API.
//!
//! The data is compiled into the program from `assets/practice/` and never changes. A test checks the references
//! between entries, for example from a rate card to its carrier or from a location to its suburb.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use jiff::civil::{Date, Time, Weekday};
use jiff::tz::TimeZone;
use rust_decimal::Decimal;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::wire::{DangerousGoodRequest, ItemRequest};

/// Returns the sample data, which is loaded at the first call.
///
/// Panics if the data contains a mistake.
pub(crate) fn catalogue() -> &'static Catalogue {
    static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
        let loaded = Catalogue::load();
        // The data is compiled into the program and is the same on every computer. A mistake fails every test of the
        // practice service, so this never happens to a clerk.
        loaded.unwrap_or_else(|mistake| panic!("sample data: {mistake}"))
    });
    &CATALOGUE
}

/// Returns a time zone of the sample data or of a stored consignment, or UTC if the name is not known.
pub(crate) fn time_zone(name: &str) -> TimeZone {
    TimeZone::get(name).unwrap_or(TimeZone::UTC)
}

/// All of the sample data.
#[derive(Debug)]
pub(crate) struct Catalogue {
    pub(crate) companies: Vec<Company>,
    pub(crate) carriers: Vec<Carrier>,
    /// A cost price is the sell price minus this percentage.
    pub(crate) margin_percent: Decimal,
    places: Vec<Place>,
    zones: Vec<Zone>,
    pub(crate) countries: Vec<Country>,
    pub(crate) locations: Vec<SavedLocation>,
    pub(crate) items: Vec<SavedItem>,
    un_numbers: Vec<UnNumber>,
    /// The Hazchem codes that the API defines, by id.
    hazchem_codes: BTreeMap<i64, String>,
    /// The Hazchem codes of each UN number. These pairs are invented for practice.
    hazchem_ties: BTreeMap<i64, Vec<String>>,
    stored_goods: Vec<StoredGood>,
    pub(crate) printers: Vec<Printer>,
    pub(crate) print_rules: Vec<PrintRule>,
    pub(crate) values: Values,
}

/// Expands to the name and the text of a sample data file.
macro_rules! file {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../../assets/practice/", $name)),
        )
    };
}

impl Catalogue {
    fn load() -> Result<Self, String> {
        let values: Values = read(file!("values.json"), None)?;
        let un_numbers = rows::<UnNumberRow>(file!("un-numbers.csv"), b';')?;
        let un_numbers = un_numbers.into_iter().map(|row| row.read(&values));
        let mut places: Vec<Place> = rows(file!("places.csv"), b',')?;
        for (place, id) in places.iter_mut().zip(1001..) {
            place.id = id;
        }
        Ok(Self {
            companies: read(file!("companies.json"), Some("companies"))?,
            carriers: read(file!("carriers.json"), Some("carriers"))?,
            margin_percent: read(file!("carriers.json"), Some("marginPercent"))?,
            places,
            zones: read(file!("zones.json"), Some("zones"))?,
            countries: read(file!("zones.json"), Some("countries"))?,
            locations: read(file!("locations.json"), Some("locations"))?,
            items: read(file!("items.json"), Some("items"))?,
            un_numbers: un_numbers.collect::<Result<_, _>>()?,
            hazchem_codes: read(file!("hazchem.json"), Some("codes"))?,
            hazchem_ties: read(file!("hazchem.json"), Some("ties"))?,
            stored_goods: read(file!("stored-goods.json"), Some("stored"))?,
            printers: read(file!("printers.json"), Some("printers"))?,
            print_rules: read(file!("printers.json"), Some("rules"))?,
            values,
        })
    }

    /// Finds the suburb with this name and postcode. The case of the name does not matter.
    pub(crate) fn place(&self, suburb: &str, postcode: &str) -> Option<&Place> {
        let (suburb, postcode) = (suburb.trim(), postcode.trim());
        let mut all = self.places.iter();
        all.find(|place| place.postcode == postcode && place.suburb.eq_ignore_ascii_case(suburb))
    }

    pub(crate) fn zone(&self, code: &str) -> Option<&Zone> {
        self.zones.iter().find(|zone| zone.code == code)
    }

    pub(crate) fn country(&self, code: &str) -> Option<&Country> {
        let mut all = self.countries.iter();
        all.find(|country| country.code.eq_ignore_ascii_case(code))
    }

    /// Finds a country by its code of three or two letters, or by its name.
    pub(crate) fn country_by_code_or_name(&self, text: &str) -> Option<&Country> {
        let text = text.trim();
        self.countries.iter().find(|country| {
            let spellings = [&country.code, &country.short_code, &country.name];
            let mut spellings = spellings.into_iter();
            spellings.any(|spelling| spelling.eq_ignore_ascii_case(text))
        })
    }

    /// Returns the name that the rates use for the distance band between two places.
    pub(crate) fn band(&self, from: &Place, to: &Place) -> &'static str {
        let region = |place: &Place| self.zone(&place.zone).map(|zone| zone.region.as_str());
        if from.country != to.country {
            "overseas"
        } else if from.zone == to.zone {
            "local"
        } else if region(from) == region(to) {
            "near"
        } else {
            "far"
        }
    }

    pub(crate) fn is_holiday(&self, country: &str, date: Date) -> bool {
        let country = self.country(country);
        country.is_some_and(|country| country.holidays.contains(&date))
    }

    pub(crate) fn is_business_day(&self, country: &str, date: Date) -> bool {
        !matches!(date.weekday(), Weekday::Saturday | Weekday::Sunday)
            && !self.is_holiday(country, date)
    }

    /// Returns the Hazchem codes of a UN number. If there is only one code, it is set automatically. If there are
    /// several, the request must name one.
    pub(crate) fn hazchem_codes(&self, un_number: i64) -> &[String] {
        let codes = self.hazchem_ties.get(&un_number);
        codes.map(Vec::as_slice).unwrap_or_default()
    }

    pub(crate) fn hazchem_by_id(&self, id: i64) -> Option<&str> {
        self.hazchem_codes.get(&id).map(String::as_str)
    }

    /// Returns the id of a Hazchem code, or none if the API does not define the code in exactly this spelling.
    pub(crate) fn hazchem_id(&self, code: &str) -> Option<i64> {
        let mut codes = self.hazchem_codes.iter();
        let found = codes.find(|(_, known)| *known == code);
        found.map(|(id, _)| *id)
    }
}

/// Defines lookups of records by their id.
macro_rules! by_id {
    ($($record:ident: $type:ident in $list:ident;)+) => {
        impl Catalogue {
            $(
                pub(crate) fn $record(&self, id: i64) -> Option<&$type> {
                    self.$list.iter().find(|record| record.id == id)
                }
            )+
        }
    };
}

by_id! {
    company: Company in companies;
    carrier: Carrier in carriers;
    location: SavedLocation in locations;
    printer: Printer in printers;
    stored_good: StoredGood in stored_goods;
    un_number: UnNumber in un_numbers;
}

/// Reads a JSON file, or one member of it.
fn read<T: DeserializeOwned>(
    (file, text): (&str, &str),
    member: Option<&str>,
) -> Result<T, String> {
    let whole = serde_json::from_str::<Value>(text);
    let part = whole.map(|mut whole| match member {
        Some(member) => whole[member].take(),
        None => whole,
    });
    let read = part.and_then(serde_json::from_value);
    read.map_err(|error| format!("{file}: {error}"))
}

/// Reads a table whose first line names the fields.
fn rows<T: DeserializeOwned>((file, text): (&str, &str), delimiter: u8) -> Result<Vec<T>, String> {
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.delimiter(delimiter).from_reader(text.as_bytes());
    let rows = reader.deserialize().collect::<Result<_, _>>();
    rows.map_err(|error| format!("{file}: {error}"))
}

/// Declares the record types of the sample data. The files write the field names in camel case.
macro_rules! records {
    ($($(#[$meta:meta])* $name:ident { $($(#[$of_field:meta])* $field:ident: $type:ty,)+ })+) => {
        $(
            #[derive(Debug, Deserialize)]
            #[serde(rename_all = "camelCase")]
            $(#[$meta])*
            pub(crate) struct $name {
                $($(#[$of_field])* pub(crate) $field: $type,)+
            }
        )+
    };
}

records! {
    /// The fixed lists of the API and the lists that live services publish. Most entries are found by their number.
    Values {
        statuses: Vec<StatusInfo>,
        /// The option that each question id asks for.
        questions: BTreeMap<i64, String>,
        item_types: BTreeMap<i64, String>,
        label_types: BTreeMap<i64, String>,
        packing_groups: BTreeMap<i64, String>,
        container_types: BTreeMap<i64, String>,
        /// Label and name of each dangerous goods class. The first entry is class number [`Values::FIRST_CLASS`].
        classes: Vec<String>,
        /// Reasons for sending that the practice service accepts, in upper or lower case.
        purposes: Vec<String>,
        /// The states and territories of Australia, numbered from 1.
        states: Vec<State>,
    }

    /// Name and rules of a status.
    #[derive(Clone, Default)]
    #[serde(default)]
    StatusInfo {
        id: i64,
        name: String,
        description: String,
        /// Whether nothing more happens to the goods after this status.
        #[serde(rename = "final")]
        is_final: bool,
        /// Whether an office user should look at the consignment.
        important: bool,
        /// Whether only the service sets this status, and no user.
        by_system: bool,
    }

    State {
        code: String,
        name: String,
    }

    Company {
        id: i64,
        name: String,
        account_code: String,
        display_name: String,
        parent_company_id: Option<i64>,
        /// Whether every consignment must declare either that it has dangerous goods or that it has none.
        dangerous_goods: bool,
        /// The default printers for item labels and for A4 pages.
        item_printer_id: i64,
        a4_printer_id: i64,
        accounts: Vec<Account>,
    }

    /// A carrier's rate card for one company.
    Account {
        id: i64,
        carrier_id: i64,
        name: String,
        account_code: String,
        company_carrier_account_id: i64,
        discount_percent: Decimal,
        /// Whether consignments on this rate card are booked as soon as they are created.
        auto_manifest: bool,
    }

    /// A carrier: the goods that it accepts, pickup hours, tracking and rates. `carriers.json` explains the rates.
    Carrier {
        id: i64,
        name: String,
        abbreviation: String,
        display_name: String,
        /// Countries with domestic service, as three-letter codes.
        countries: Vec<String>,
        /// Countries between which the carrier has international service, as three-letter codes.
        overseas: Vec<String>,
        /// Pickups happen from `opens` to `closes` on business days, in the local time of the pickup place.
        opens: Time,
        closes: Time,
        /// Pallet spaces that one pickup can take.
        max_pickup_spaces: i64,
        /// Dangerous goods classes that the carrier accepts, as dgClassType numbers. An empty list means none.
        dangerous_goods_classes: Vec<i64>,
        dangerous_goods_fee: Decimal,
        /// Whether the carrier supports the custom value `AreDutiesPaidByRecipient`.
        #[serde(default)]
        duties_by_recipient: bool,
        accepts_consignment_id: bool,
        accepts_item_references: bool,
        max_piece_kg: Decimal,
        max_piece_cm: Decimal,
        /// Packaging types that the carrier accepts. An empty list means all.
        item_types: Vec<String>,
        fuel_levy_percent: Decimal,
        cubic_kg_per_m3: Decimal,
        oversize: Oversize,
        /// The price of each option, by question id.
        electives: BTreeMap<i64, Decimal>,
        reference_prefix: String,
        pickup_prefix: String,
        tracking: CarrierTracking,
        services: Vec<Service>,
    }

    Oversize {
        over_cm: Decimal,
        fee: Decimal,
    }

    Service {
        id: i64,
        name: String,
        abbreviation: String,
        display_name: String,
        base: Decimal,
        per_kg: Decimal,
        minimum: Decimal,
        /// Multiplier of the freight by distance band. The carrier does not serve a band that is missing.
        bands: BTreeMap<String, Decimal>,
        /// Business days in transit by distance band.
        #[serde(default)]
        days: HashMap<String, u32>,
        /// Hours in transit by distance band, for services that fly or drive directly.
        #[serde(default)]
        hours: HashMap<String, u32>,
        deliver_by: Time,
    }

    /// How a carrier publishes its status changes.
    CarrierTracking {
        /// The user of the service in whose name the carrier's status changes are recorded.
        user_id: i64,
        user_name: String,
        /// Whether the driver takes a photo at the delivery.
        photo: bool,
        /// The carrier's own code and text for each status id.
        words: BTreeMap<i64, StatusText>,
    }

    StatusText {
        code: String,
        words: String,
    }

    Zone {
        code: String,
        region: String,
        factor: Decimal,
        extra_days: u32,
    }

    Country {
        /// A code of three letters.
        code: String,
        /// A code of two letters.
        short_code: String,
        name: String,
        zone: String,
        time_zone: String,
        tax_percent: Decimal,
        #[serde(default)]
        holidays: Vec<Date>,
    }

    /// A saved location. Answers have the same fields, but a place instead of the suburb and postcode.
    #[derive(Serialize)]
    SavedLocation {
        id: i64,
        company_id: i64,
        /// 1 sender, 2 receiver, 3 both.
        location_type: i64,
        name: String,
        abbreviation: String,
        contact: String,
        phone: String,
        email: String,
        address_line1: String,
        address_line2: String,
        #[serde(skip_serializing)]
        suburb: String,
        #[serde(skip_serializing)]
        postcode: String,
        special_instructions: String,
        /// Default pickup time and closing time of the place, in local time.
        default_pickup_time: Time,
        default_closing_time: Time,
        default_pickup_instructions: String,
    }

    /// A saved item, which supplies the fields that a request leaves out.
    SavedItem {
        id: i64,
        company_id: i64,
        #[serde(flatten)]
        item: ItemRequest,
    }

    /// A stored dangerous good, which supplies the fields that a request leaves out.
    StoredGood {
        id: i64,
        company_id: i64,
        #[serde(flatten)]
        good: DangerousGoodRequest,
    }

    /// A line such as `1230;METHANOL;3;6.1;II;`: number, name, class, subsidiary classes, packing groups, and G for a
    /// generic name.
    UnNumberRow {
        un_number: i64,
        name: String,
        class: String,
        subsidiary_classes: String,
        packing_groups: String,
        symbol: String,
    }

    /// A printer of the service. Answers list it with the same fields.
    #[derive(Serialize)]
    Printer {
        id: i64,
        company_id: i64,
        name: String,
        description: String,
        disabled: bool,
        /// 0 unknown, 1 online, 2 offline, 3 no handshake.
        status: i64,
    }

    /// A rule for which labels are printed on which printer when a consignment is created with a printer token.
    PrintRule {
        name: String,
        company_id: i64,
        token: String,
        /// Abbreviation of the sender's saved location; none means any sender.
        from: Option<String>,
        #[serde(default)]
        dangerous_goods_only: bool,
        label_type: i64,
        printer_id: i64,
        print_a4: bool,
    }
}

/// A suburb, or a place abroad, which has the id 0. Suburbs have ids from 1001 in the order of `places.csv`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place {
    #[serde(default)]
    pub(crate) id: i64,
    pub(crate) suburb: String,
    pub(crate) postcode: String,
    pub(crate) state: String,
    /// A code of three letters.
    pub(crate) country: String,
    pub(crate) zone: String,
    /// The IANA name of the time zone.
    pub(crate) time_zone: String,
}

/// A UN number: an entry of 49 CFR 172.101.
#[derive(Debug)]
pub(crate) struct UnNumber {
    /// The UN number.
    pub(crate) id: i64,
    /// The proper shipping name.
    pub(crate) name: String,
    /// The class as a dgClassType number.
    pub(crate) dg_class: i64,
    pub(crate) sub_classes: Vec<i64>,
    /// Packing groups 1 to 3, or 4 for none.
    pub(crate) packing_groups: Vec<i64>,
    /// Whether the name is generic (symbol G in the regulation's table), so that a technical name must be added.
    pub(crate) requires_technical_name: bool,
}

impl Values {
    /// The first dgClassType number of the API's enumeration.
    const FIRST_CLASS: usize = 2;

    fn class(&self, class_type: i64) -> Option<&str> {
        let index = usize::try_from(class_type).ok()?;
        let class = self.classes.get(index.checked_sub(Self::FIRST_CLASS)?)?;
        Some(class)
    }

    /// Returns the class or division of a dgClassType number, such as `2.1`, or none if the number is not in
    /// the enumeration.
    pub(crate) fn class_label(&self, class_type: i64) -> Option<&str> {
        self.class(class_type)?.split(' ').next()
    }

    /// Returns the title of a class as the API's enumeration writes it, such as `Class 2.1 Flammable Gas`.
    pub(crate) fn class_title(&self, class_type: i64) -> String {
        format!("Class {}", self.class(class_type).unwrap_or_default())
    }

    /// Returns the dgClassType number of a label such as `2.1`.
    fn class_type(&self, label: &str) -> Result<i64, String> {
        let mut numbers = (2..).take(self.classes.len());
        let found = numbers.find(|number| self.class_label(*number) == Some(label));
        found.ok_or_else(|| format!("{label} is not a class"))
    }

    /// Returns the name of a packaging type that was sent by name or by number.
    pub(crate) fn item_type(&self, sent: &str) -> Option<&str> {
        let number: Option<i64> = sent.parse().ok();
        let by_number = number.and_then(|number| self.item_types.get(&number));
        let mut names = self.item_types.values();
        let found = by_number.or_else(|| names.find(|name| name.eq_ignore_ascii_case(sent)));
        found.map(String::as_str)
    }
}

impl Company {
    /// Returns whether the company has a rate card of the carrier.
    pub(crate) fn is_linked_to(&self, carrier_id: i64) -> bool {
        let mut accounts = self.accounts.iter();
        accounts.any(|account| account.carrier_id == carrier_id)
    }
}

impl Carrier {
    pub(crate) fn service(&self, id: i64) -> Option<&Service> {
        self.services.iter().find(|service| service.id == id)
    }
}

impl Place {
    pub(crate) fn is_abroad(&self) -> bool {
        self.id == 0
    }
}

impl UnNumberRow {
    fn read(self, values: &Values) -> Result<UnNumber, String> {
        let sub_classes = self.subsidiary_classes.split_whitespace();
        let sub_classes = sub_classes.map(|label| values.class_type(label));
        let packing_groups = self.packing_groups.split(' ').map(|group| match group {
            "I" => Ok(1),
            "II" => Ok(2),
            "III" => Ok(3),
            "-" => Ok(4),
            other => Err(format!("{other} is not a packing group")),
        });
        Ok(UnNumber {
            id: self.un_number,
            dg_class: values.class_type(&self.class)?,
            sub_classes: sub_classes.collect::<Result<_, _>>()?,
            packing_groups: packing_groups.collect::<Result<_, _>>()?,
            requires_technical_name: self.symbol == "G",
            name: self.name,
        })
    }
}
