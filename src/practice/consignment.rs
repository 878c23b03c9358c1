//! A consignment as the practice service stores it: checked, priced and complete, with its status and the history
//! of its status changes.
//!
//! Consignments are stored as JSON documents with decimals as text. The field names belong to the store and
//! never appear in an answer of the service.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::catalogue::{Carrier, Place, Service, StatusInfo, catalogue, time_zone};
use super::wire::{FormFields, Options};

/// An item id is the consignment's id times this number, plus the line number, which must be lower than this number.
const LINES: i64 = 10_000;

/// The stored data of a consignment. Status, manifest and history are kept in the store's own tables.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Consignment {
    pub(crate) id: i64,
    pub(crate) company_id: i64,
    pub(crate) created: Timestamp,
    pub(crate) created_by: String,
    pub(crate) is_test: bool,
    pub(crate) tracking_token: String,
    pub(crate) carrier_id: i64,
    pub(crate) service_id: i64,
    pub(crate) account_id: i64,
    pub(crate) company_carrier_account_id: i64,
    pub(crate) carrier_consignment_id: String,
    pub(crate) job: Job,
    pub(crate) price: Price,
    pub(crate) despatch: Timestamp,
    pub(crate) eta: Timestamp,
    /// Time of the last edit.
    #[serde(default)]
    pub(crate) updated: Option<Timestamp>,
    /// The highest line number used so far. Line numbers are never reused.
    #[serde(default)]
    pub(crate) last_line: i64,
    #[serde(default)]
    pub(crate) office: FormFields,
}

impl Consignment {
    /// Returns the printed consignment number: `MS` and the id.
    pub(crate) fn number(&self) -> String {
        format!("MS{}", self.id)
    }

    pub(crate) fn carrier(&self) -> Option<&'static Carrier> {
        catalogue().carrier(self.carrier_id)
    }

    pub(crate) fn service(&self) -> Option<&'static Service> {
        self.carrier()?.service(self.service_id)
    }

    /// Returns the id that the API shows for a line.
    pub(crate) fn item_id(&self, line: &Line) -> i64 {
        self.id * LINES + line.number
    }

    /// Gives a number to each line that has none.
    pub(crate) fn number_lines(&mut self) {
        for line in &mut self.job.lines {
            if line.number == 0 {
                self.last_line += 1;
                line.number = self.last_line;
            }
        }
    }
}

/// The shipment of a consignment or price request: sender, receiver and goods, checked against all rules of
/// the API.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Job {
    pub(crate) company_id: i64,
    pub(crate) from: Party,
    pub(crate) to: Party,
    pub(crate) lines: Vec<Line>,
    pub(crate) international: bool,
    /// The earliest time of despatch.
    pub(crate) not_before: Timestamp,
    pub(crate) customer_reference: Option<String>,
    pub(crate) customer_reference2: Option<String>,
    pub(crate) options: Options,
}

impl Job {
    pub(crate) fn holds_dangerous_goods(&self) -> bool {
        self.lines.iter().any(|line| !line.goods.is_empty())
    }

    pub(crate) fn pieces(&self) -> i64 {
        self.lines.iter().map(|line| line.quantity).sum()
    }

    /// Returns the total weight in kilograms.
    pub(crate) fn weight(&self) -> Decimal {
        let weights = self.lines.iter();
        let weights = weights.map(|line| line.weight * Decimal::from(line.quantity));
        weights.sum()
    }

    /// Returns the total volume in cubic metres.
    pub(crate) fn cubic(&self) -> Decimal {
        let volumes = self.lines.iter().map(Line::cubic);
        volumes.sum()
    }

    pub(crate) fn heaviest(&self) -> Decimal {
        let weights = self.lines.iter().map(|line| line.weight);
        weights.max().unwrap_or_default()
    }

    /// Returns the pallet spaces: from the custom value if there is one, otherwise from the lines.
    pub(crate) fn pallet_spaces(&self) -> Decimal {
        let said = self.custom_value(PALLET_SPACES).map(Value::to_string);
        let said = said.and_then(|text| text.trim_matches('"').trim().parse().ok());
        said.unwrap_or_else(|| self.lines.iter().map(Line::spaces).sum())
    }

    /// Returns true if the receiver pays duties and taxes: the carrier supports that option, and it
    /// was chosen.
    pub(crate) fn duties_by_recipient(&self, carrier: &Carrier) -> bool {
        let chosen = self.custom_value(DUTIES_BY_RECIPIENT);
        carrier.duties_by_recipient && chosen == Some(&Value::Bool(true))
    }

    pub(crate) fn custom_value(&self, name: &str) -> Option<&Value> {
        let mut values = self.options.custom_values.iter();
        let found = values.find(|custom| custom.property_name.as_deref() == Some(name));
        found.map(|custom| &custom.value)
    }
}

/// The custom value for pallet spaces, as named in the API's sample of a pending consignment.
const PALLET_SPACES: &str = "palletSpaces";
/// A carrier-specific option for international consignments.
pub(crate) const DUTIES_BY_RECIPIENT: &str = "AreDutiesPaidByRecipient";

/// A party (sender or receiver) with its full address.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Party {
    pub(crate) company_location_id: Option<i64>,
    pub(crate) name: String,
    pub(crate) contact: String,
    pub(crate) phone: String,
    pub(crate) email: String,
    pub(crate) address_line1: String,
    pub(crate) address_line2: String,
    pub(crate) place: Place,
}

/// A line of `quantity` identical pieces.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Line {
    /// The number within the consignment, from 1; 0 if not yet assigned.
    #[serde(default)]
    pub(crate) number: i64,
    pub(crate) company_item_id: Option<i64>,
    pub(crate) item_type: String,
    pub(crate) name: String,
    pub(crate) sku: Option<String>,
    pub(crate) quantity: i64,
    /// Weight of one piece in kilograms.
    pub(crate) weight: Decimal,
    /// Dimensions of one piece in centimetres.
    pub(crate) length: Decimal,
    pub(crate) width: Decimal,
    pub(crate) height: Decimal,
    pub(crate) pallet_spaces: Option<Decimal>,
    pub(crate) goods: Vec<DangerousGood>,
    pub(crate) contents: Vec<CustomsContent>,
    /// The references in the request. Once the consignment is created, there is one reference for each piece.
    pub(crate) references: Vec<String>,
    /// Whether other goods may be stacked on top. No create request contains this.
    #[serde(default)]
    pub(crate) stackable: Option<bool>,
}

impl Line {
    /// Returns the volume of all pieces in cubic metres.
    fn cubic(&self) -> Decimal {
        let each = self.length * self.width * self.height / Decimal::from(1_000_000);
        each * Decimal::from(self.quantity)
    }

    pub(crate) fn longest_side(&self) -> Decimal {
        self.length.max(self.width).max(self.height)
    }

    /// Returns the pallet spaces as sent, or else an estimate by the packaging type.
    fn spaces(&self) -> Decimal {
        let estimate = match self.item_type.as_str() {
            "Pallet" | "Skid" | "Crate" | "Pack" => Decimal::from(self.quantity),
            _ => Decimal::ZERO,
        };
        self.pallet_spaces.unwrap_or(estimate)
    }
}

/// A dangerous good inside a piece.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct DangerousGood {
    pub(crate) company_dg_item_id: Option<i64>,
    pub(crate) un_number: i64,
    pub(crate) proper_shipping_name: String,
    pub(crate) packing_group: i64,
    pub(crate) container_type: i64,
    pub(crate) aggregate_quantity: Decimal,
    pub(crate) by_weight: bool,
    pub(crate) number_of_containers: i64,
    pub(crate) marine_pollutant: bool,
    pub(crate) temperature_controlled: bool,
    pub(crate) empty_container: bool,
    pub(crate) class: i64,
    pub(crate) sub_classes: Vec<i64>,
    pub(crate) technical_names: Vec<String>,
    pub(crate) hazchem: Option<String>,
    pub(crate) flashpoint: Option<Decimal>,
}

/// Customs details of the contents of a piece.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct CustomsContent {
    pub(crate) description: String,
    pub(crate) references: [Option<String>; 3],
    pub(crate) marks_and_numbers: Option<String>,
    pub(crate) part_number: Option<String>,
    pub(crate) quantity: i64,
    pub(crate) harmonized_code: Option<String>,
    pub(crate) purpose: String,
    pub(crate) country_of_manufacture: String,
    /// The value in Australian dollars.
    pub(crate) dollar_value: Decimal,
}

/// A price and its parts, in whole cents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Price {
    pub(crate) freight: Decimal,
    pub(crate) fuel_levy: Decimal,
    pub(crate) automatic: Vec<Surcharge>,
    pub(crate) elective: Vec<Surcharge>,
    pub(crate) tax: Decimal,
    pub(crate) tax_percent: Decimal,
    pub(crate) fuel_levy_percent: Decimal,
    pub(crate) margin_percent: Decimal,
}

impl Price {
    pub(crate) fn before_tax(&self) -> Decimal {
        let surcharges = self.automatic.iter().chain(&self.elective);
        let surcharges: Decimal = surcharges.map(|surcharge| surcharge.amount).sum();
        self.freight + self.fuel_levy + surcharges
    }

    pub(crate) fn total(&self) -> Decimal {
        self.before_tax() + self.tax
    }

    /// Returns the cost price that belongs to the sell price `price`.
    pub(crate) fn cost_of(&self, price: Decimal) -> Decimal {
        cents(price * (Decimal::ONE_HUNDRED - self.margin_percent) / Decimal::ONE_HUNDRED)
    }
}

/// Rounds to whole cents. Half a cent is rounded away from zero.
pub(crate) fn cents(amount: Decimal) -> Decimal {
    amount.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero)
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Surcharge {
    /// The question id of an elective surcharge; none for an automatic one.
    pub(crate) question_id: Option<i64>,
    pub(crate) name: String,
    pub(crate) amount: Decimal,
}

/// The number of a status in the API. The names and rules are in `assets/practice/values.json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Status(pub(crate) i64);

impl Status {
    pub(crate) const UNMANIFESTED: Self = Self(2);
    pub(crate) const MANIFESTED: Self = Self(3);
    pub(crate) const IN_TRANSIT: Self = Self(5);
    pub(crate) const DELAYED: Self = Self(6);
    pub(crate) const COMPLETE: Self = Self(7);
    pub(crate) const DAMAGED: Self = Self(9);
    pub(crate) const CANCELLED: Self = Self(10);
    pub(crate) const ON_FOR_DELIVERY: Self = Self(13);
    pub(crate) const PICKED_UP: Self = Self(15);
    pub(crate) const SCANNED_INTO_DEPOT: Self = Self(16);
    pub(crate) const DELIVERY_ATTEMPTED: Self = Self(17);
    pub(crate) const PARTIAL_DELIVERY: Self = Self(19);
    pub(crate) const DELIVERY_TIME_SCHEDULED: Self = Self(20);
    pub(crate) const PARTIAL_ON_FOR_DELIVERY: Self = Self(23);
    pub(crate) const FAILED_PICKUP: Self = Self(27);
    pub(crate) const FAILED_DELIVERY: Self = Self(28);

    /// Returns the name and rules of the status. A status that the service does not know is named by its number.
    pub(crate) fn info(self) -> StatusInfo {
        let mut known = catalogue().values.statuses.iter();
        let found = known.find(|info| info.id == self.0).cloned();
        found.unwrap_or_else(|| StatusInfo {
            id: self.0,
            name: format!("Status {}", self.0),
            description: "Unknown status".to_owned(),
            ..StatusInfo::default()
        })
    }
}

/// One change of status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StatusEvent {
    pub(crate) status: Status,
    pub(crate) at: Timestamp,
    pub(crate) by: String,
    pub(crate) by_user_id: i64,
    /// The IANA time zone of the place of the event; none means the sender's.
    pub(crate) zone: Option<String>,
    /// Whether the event concerns only some of the pieces.
    pub(crate) partial: bool,
    /// The carrier's own code and text for the event.
    pub(crate) carrier_status: Option<String>,
    pub(crate) carrier_words: Option<String>,
    /// Additional information, such as who signed.
    pub(crate) information: Option<String>,
    /// The reference of the piece concerned; none means all pieces.
    pub(crate) item_reference: Option<String>,
}

impl StatusEvent {
    /// Creates an event without details, in the sender's time zone.
    pub(crate) fn new(status: Status, at: Timestamp, by: &str, by_user_id: i64) -> Self {
        Self {
            status,
            at,
            by: by.to_owned(),
            by_user_id,
            zone: None,
            partial: false,
            carrier_status: None,
            carrier_words: None,
            information: None,
            item_reference: None,
        }
    }
}

/// A consignment with its current status, manifest and history.
#[derive(Debug, Clone)]
pub(crate) struct ConsignmentRecord {
    pub(crate) consignment: Consignment,
    pub(crate) status: Status,
    pub(crate) manifest_id: Option<i64>,
    /// Time when the manifest was booked.
    pub(crate) booked: Option<Timestamp>,
    /// The status changes, oldest first.
    pub(crate) history: Vec<StatusEvent>,
}

impl ConsignmentRecord {
    /// Returns the event that completed the consignment, if its status is complete.
    pub(crate) fn completion(&self) -> Option<&StatusEvent> {
        let done = |event: &&StatusEvent| event.status == Status::COMPLETE && !event.partial;
        let last = self.history.iter().rev().find(done);
        last.filter(|_| self.status == Status::COMPLETE)
    }

    /// Returns the time zone in which an event is shown: the zone of the event's place, or else the sender's.
    pub(crate) fn zone_of(&self, event: &StatusEvent) -> TimeZone {
        let sender = &self.consignment.job.from.place.time_zone;
        time_zone(event.zone.as_ref().unwrap_or(sender))
    }
}
