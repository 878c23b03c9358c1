//! A consignment as the practice service keeps it: checked, priced and complete.
//!
//! It is stored as one JSON document (decimals as text), so its field names are the store's own and never go on the wire.

use jiff::Timestamp;
use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::catalogue::{Carrier, Place};

/// More lines than a consignment ever has.
const LINES: i64 = 10_000;

/// Everything but what changes later: status, manifest and history are the store's.
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
    /// When it was last edited; none for what never was.
    #[serde(default)]
    pub(crate) updated: Option<Timestamp>,
    /// The number of the last line that it ever had: numbers of lines are not used again.
    #[serde(default)]
    pub(crate) last_line: i64,
    #[serde(default)]
    pub(crate) office: Office,
}

impl Consignment {
    /// The number on paper: the id after MS.
    pub(crate) fn number(&self) -> String {
        format!("MS{}", self.id)
    }

    /// The id that the interface shows for a line.
    pub(crate) fn item_id(&self, line: &Line) -> i64 {
        self.id * LINES + line.number
    }

    /// Numbers the lines that have no number yet.
    pub(crate) fn number_lines(&mut self) {
        for line in &mut self.job.lines {
            if line.number == 0 {
                self.last_line += 1;
                line.number = self.last_line;
            }
        }
    }
}

/// What the service keeps about a consignment and no create request holds: it is shown in the editable form, and is what
/// that form says when it comes back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Office {
    pub(crate) cost_centre_code: Option<String>,
    pub(crate) handling_notes: Option<String>,
    /// Local times of day: from, to.
    pub(crate) delivery_window: Option<(String, String)>,
}

/// What is to be moved, from where to where, with every rule of the interface met.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Job {
    pub(crate) company_id: i64,
    pub(crate) from: Side,
    pub(crate) to: Side,
    pub(crate) lines: Vec<Line>,
    pub(crate) international: bool,
    /// Not before this moment.
    pub(crate) not_before: Timestamp,
    pub(crate) question_ids: Vec<i64>,
    pub(crate) customer_reference: Option<String>,
    pub(crate) customer_reference2: Option<String>,
    pub(crate) special_instructions: Option<String>,
    /// The code of the receiver's account.
    pub(crate) receiver_account: Option<String>,
    #[serde(default)]
    pub(crate) receiver_account_id: Option<String>,
    pub(crate) sending_tracking_email: bool,
    #[serde(default)]
    pub(crate) printer_token: Option<String>,
    #[serde(default)]
    pub(crate) custom_values: Vec<CustomValue>,
    #[serde(default)]
    pub(crate) staff_member_name: Option<String>,
}

impl Job {
    pub(crate) fn holds_dangerous_goods(&self) -> bool {
        self.lines.iter().any(|line| !line.goods.is_empty())
    }

    pub(crate) fn pieces(&self) -> i64 {
        self.lines.iter().map(|line| line.quantity).sum()
    }

    /// Kilograms in all.
    pub(crate) fn weight(&self) -> Decimal {
        self.lines
            .iter()
            .map(|line| line.weight * Decimal::from(line.quantity))
            .sum()
    }

    /// Cubic metres in all.
    pub(crate) fn cubic(&self) -> Decimal {
        self.lines
            .iter()
            .map(|line| line.cubic() * Decimal::from(line.quantity))
            .sum()
    }

    pub(crate) fn heaviest(&self) -> Decimal {
        self.lines
            .iter()
            .map(|line| line.weight)
            .max()
            .unwrap_or_default()
    }

    /// As a custom value says, or the lines, or counted from what stands on a pallet's floor.
    pub(crate) fn pallet_spaces(&self) -> Decimal {
        let said = self.custom_value(PALLET_SPACES).map(Value::to_string);
        let said = said.and_then(|text| text.trim_matches('"').trim().parse().ok());
        said.unwrap_or_else(|| self.lines.iter().map(Line::spaces).sum())
    }

    /// Whether the receiver pays duties and taxes: where the carrier knows that option, and it was chosen.
    pub(crate) fn duties_by_recipient(&self, carrier: &Carrier) -> bool {
        let chosen = self.custom_value(DUTIES_BY_RECIPIENT);
        carrier.duties_by_recipient && chosen == Some(&Value::Bool(true))
    }

    pub(crate) fn custom_value(&self, name: &str) -> Option<&Value> {
        let mut values = self.custom_values.iter();
        values
            .find(|custom| custom.property_name == name)
            .map(|custom| &custom.value)
    }
}

/// The custom value of the interface's pending sample.
const PALLET_SPACES: &str = "palletSpaces";
/// A carrier's own option for international consignments.
pub(crate) const DUTIES_BY_RECIPIENT: &str = "AreDutiesPaidByRecipient";

/// A carrier-specific option.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CustomValue {
    pub(crate) property_name: String,
    pub(crate) value: Value,
}

/// One end of a job, in full.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Side {
    pub(crate) company_location_id: Option<i64>,
    pub(crate) name: String,
    pub(crate) contact: String,
    pub(crate) phone: String,
    pub(crate) email: String,
    pub(crate) address_line1: String,
    pub(crate) address_line2: String,
    pub(crate) place: Place,
}

/// `quantity` identical pieces.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Line {
    /// Within the consignment, from 1; 0 before it has one.
    #[serde(default)]
    pub(crate) number: i64,
    pub(crate) company_item_id: Option<i64>,
    pub(crate) item_type: String,
    pub(crate) name: String,
    pub(crate) sku: Option<String>,
    pub(crate) quantity: i64,
    /// Kilograms of one piece.
    pub(crate) weight: Decimal,
    /// Centimetres of one piece.
    pub(crate) length: Decimal,
    pub(crate) width: Decimal,
    pub(crate) height: Decimal,
    pub(crate) pallet_spaces: Option<Decimal>,
    pub(crate) goods: Vec<Good>,
    pub(crate) contents: Vec<Content>,
    /// One for each piece once the consignment is made; before that, what was delegated.
    pub(crate) references: Vec<String>,
    /// Whether something may stand on it; not said by any create request.
    #[serde(default)]
    pub(crate) stackable: Option<bool>,
}

impl Line {
    /// Cubic metres of one piece.
    pub(crate) fn cubic(&self) -> Decimal {
        self.length * self.width * self.height / Decimal::from(1_000_000)
    }

    fn spaces(&self) -> Decimal {
        let counted = matches!(
            self.item_type.as_str(),
            "Pallet" | "Skid" | "Crate" | "Pack"
        );
        let estimate = if counted {
            Decimal::from(self.quantity)
        } else {
            Decimal::ZERO
        };
        self.pallet_spaces.unwrap_or(estimate)
    }
}

/// A dangerous good inside a piece.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Good {
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

/// What customs are told about a piece.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Content {
    pub(crate) description: String,
    pub(crate) references: [Option<String>; 3],
    pub(crate) marks_and_numbers: Option<String>,
    pub(crate) part_number: Option<String>,
    pub(crate) quantity: i64,
    pub(crate) harmonized_code: Option<String>,
    pub(crate) purpose: String,
    pub(crate) country_of_manufacture: String,
    /// Australian dollars.
    pub(crate) dollar_value: Decimal,
}

/// A price in whole cents, part by part.
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
        self.freight
            + self.fuel_levy
            + surcharges
                .map(|surcharge| surcharge.amount)
                .sum::<Decimal>()
    }

    pub(crate) fn total(&self) -> Decimal {
        self.before_tax() + self.tax
    }

    /// What the house pays for what it sells at `price`.
    pub(crate) fn cost_of(&self, price: Decimal) -> Decimal {
        cents(price * (Decimal::ONE_HUNDRED - self.margin_percent) / Decimal::ONE_HUNDRED)
    }
}

/// Whole cents, halves away from zero.
pub(crate) fn cents(amount: Decimal) -> Decimal {
    amount.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero)
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Surcharge {
    /// The question id of an elective one.
    pub(crate) question_id: Option<i64>,
    pub(crate) name: String,
    pub(crate) amount: Decimal,
}
