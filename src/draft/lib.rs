//! A consignment that is being typed. Every field keeps its text as typed, even if the text is not valid, so that any
//! input can be saved.
//!
//! [`Draft::check`] either builds a request or returns every [`Problem`] with its [`Field`]. Invariant: only
//! the clerk changes typed text, and a saved draft can always be read again.

mod check;
mod clone;
mod connection;
pub mod countries;
mod dg_line;
mod edit;
mod field;
mod goods;
mod live_quote;
pub mod number;
pub mod orders;
mod packing;
mod party;
mod pickup;
mod preset;
mod segregation;
mod service_errors;
mod status_change;
pub mod suburbs;
pub mod text;
mod weighing;

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use shipping::{
    CarrierAccountId, CarrierId, CarrierServiceId, CompanyCarrierAccountId, CompanyId,
    ConsignmentId, CountryCode, Dollars, EditForm, LocalTime, PendingConsignmentId, Question,
};

pub use check::{BenchCompany, Check, CheckContext, Problem, Severity};
pub use connection::{
    ConnectionContext, ConnectionDraft, ConnectionField, ConnectionProblem, Secret, ServiceKind,
    ServicePath, TrackingBase, journal_file_stem,
};
pub use dg_line::{DgLine, HAZCHEM, container_rule, un_number};
pub use field::{
    AddressField, ConsignmentFlag, ConsignmentFlags, ContentsField, CustomField, DgField, Field,
    FieldRow, GoodsField, PresetTexts,
};
pub use goods::{
    ContentsLine, DUTIES, GoodsLine, GoodsTotals, ItemSource, PURPOSES, SAVED_FIELDS, SavedItem,
    ScanOutcome,
};
pub use packing::{PackOutcome, Packing, PackingLine, PackingState};
pub use party::{
    AddressMode, Party, PickedLocation, Receiver, Suburb, join_parts, parse_place, split_address,
};
pub use pickup::{PickupContext, PickupDraft, PickupField, PickupReview, UsualHours, carry_over};
pub use preset::Preset;
pub use service_errors::{pickup_field_from_error, problems_from_errors};
pub use status_change::{
    SkippedConsignment, StatusChangeDraft, StatusField, StatusPlan, StatusTarget, refusal_reason,
    settable_statuses,
};
pub use text::reference_list;
pub use weighing::Weighing;

/// The id of a draft, created on the bench: eight Crockford base-32 characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DraftId(String);

impl DraftId {
    /// Creates an id with 40 random bits, so that two benches of one warehouse hardly
    /// ever create the same id.
    pub fn random() -> Self {
        const CROCKFORD: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
        let letter = || char::from(CROCKFORD[fastrand::usize(..32)]);
        Self(std::iter::repeat_with(letter).take(8).collect())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for DraftId {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Display for DraftId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Routing {
    #[default]
    Unchosen,
    /// The service picks the lowest price.
    Cheapest,
    /// The service picks the earliest arrival.
    Fastest,
    /// The clerk picked a route.
    Chosen(ChosenRoute),
    /// The clerk picked a carrier, and optionally a service. Without a service, the carrier's cheapest
    /// service applies.
    Carrier(ChosenRoute),
}

impl Routing {
    /// Returns the routing for a carrier that was picked without a price.
    fn from_carrier(chosen: ChosenRoute) -> Self {
        if chosen.service_id.is_some() {
            Self::Chosen(chosen)
        } else {
            Self::Carrier(chosen)
        }
    }

    /// Returns the choice in words: `Cheapest`, or the carrier with its service. Empty if nothing is chosen.
    pub fn label(&self) -> String {
        match self {
            Self::Unchosen => String::new(),
            Self::Cheapest => "Cheapest".to_owned(),
            Self::Fastest => "Fastest".to_owned(),
            Self::Chosen(chosen) | Self::Carrier(chosen) => {
                join_parts(&[&chosen.carrier, &chosen.service], " ")
            }
        }
    }

    /// Returns the picked carrier.
    pub const fn chosen(&self) -> Option<&ChosenRoute> {
        match self {
            Self::Chosen(chosen) | Self::Carrier(chosen) => Some(chosen),
            Self::Unchosen | Self::Cheapest | Self::Fastest => None,
        }
    }
}

/// How the receiver's account is identified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum ReceiverAccountKind {
    /// The carrier's code for the account.
    #[default]
    Code,
    /// The service's id of the account.
    Id,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CustomValueLine {
    pub name: String,
    /// Text, a number, `true` or `false`.
    pub value: String,
}

/// The copy of a draft that is saved at the service as a pending consignment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingCopy {
    pub id: PendingConsignmentId,
    /// `PC` followed by the id.
    pub number: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditedConsignment {
    pub id: ConsignmentId,
    /// `MS` followed by the id.
    pub number: String,
    pub form: Box<EditForm>,
}

/// A carrier that the clerk picked, with the account, service and price if they were picked too. Everything is
/// stored, so that the route can be shown after the prices expire.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChosenRoute {
    pub carrier_id: CarrierId,
    /// `None` means the carrier's cheapest service.
    pub service_id: Option<CarrierServiceId>,
    /// Set if the company has several accounts with the carrier.
    pub account_id: Option<CarrierAccountId>,
    pub company_account_id: Option<CompanyCarrierAccountId>,
    pub carrier: String,
    pub service: String,
    /// Including tax; `None` if the carrier was picked without a price.
    pub price: Option<Dollars>,
    /// The account's name, set if the company has several accounts with the carrier.
    #[serde(default)]
    pub account: String,
    /// The estimated arrival in the receiver's time zone.
    pub eta: Option<LocalTime>,
}

impl ChosenRoute {
    /// Returns a route with only a carrier: its only account and its cheapest service apply.
    pub const fn of_carrier(carrier_id: CarrierId, carrier: String) -> Self {
        Self {
            carrier_id,
            service_id: None,
            account_id: None,
            company_account_id: None,
            carrier,
            service: String::new(),
            price: None,
            account: String::new(),
            eta: None,
        }
    }

    /// Returns whether both routes have the same carrier and service and no different accounts. A route
    /// without an account matches any account.
    pub fn is_same(&self, other: &Self) -> bool {
        let accounts = self.account_id.zip(other.account_id);
        (self.carrier_id, self.service_id) == (other.carrier_id, other.service_id)
            && accounts.is_none_or(|(own, others)| own == others)
    }

    /// Finds this route among the offers: the offer on the same account, or the only offer that matches.
    pub fn among<'a>(&self, offers: impl Iterator<Item = &'a Self>) -> Option<&'a Self> {
        let same: Vec<_> = offers.filter(|offer| self.is_same(offer)).collect();
        let first = *same.first()?;
        if same
            .iter()
            .all(|offer| offer.account_id == first.account_id)
        {
            return Some(first);
        }
        let mut same = same.into_iter();
        same.find(|offer| offer.account_id == self.account_id)
    }
}

/// Formats a time as it is typed in the despatch field.
pub fn typed_time(LocalTime(time): LocalTime) -> String {
    let format = if time.second() == 0 {
        "%Y-%m-%d %H:%M"
    } else {
        "%Y-%m-%d %H:%M:%S"
    };
    time.strftime(format).to_string()
}

/// A consignment that is being typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Draft {
    pub id: DraftId,
    /// `None` means the company of the token.
    pub company: Option<CompanyId>,
    pub from: Party,
    pub to: Party,
    pub reference1: String,
    /// The second reference. If it is empty, the bench's key may be sent instead.
    pub reference2: String,
    /// The despatch time as typed, like `15:30` or `2026-11-20 15:30`. Empty means now.
    pub despatch: String,
    pub instructions: String,
    pub questions: BTreeSet<Question>,
    pub receiver_account: String,
    pub receiver_account_by: ReceiverAccountKind,
    pub custom_values: Vec<CustomValueLine>,
    /// For international consignments: whether the receiver pays duties and taxes.
    pub duties_by_recipient: bool,
    /// The person who packs; empty means the bench's setting.
    pub staff: String,
    #[serde(flatten)]
    pub flags: ConsignmentFlags,
    pub printer_token: String,
    /// The carrier's consignment number, if the shipper assigns it.
    pub carrier_number: String,
    pub goods: Vec<GoodsLine>,
    pub routing: Routing,
    /// Whether the clerk declared the dangerous goods that the draft contained at that time; see
    /// [`Draft::is_declared`].
    pub dangerous_goods_declared: bool,
    /// A digest of the dangerous goods that were declared.
    pub declared_goods: u64,
    /// True if the draft is an order of a file. Benches that share orders send it from one bench only.
    pub is_order: bool,
    /// True if the order came from the watched folder, so that its result is written to the outbox folder.
    pub is_from_folder: bool,
    /// True once a clerk has opened an order from the watched folder: from then on, only a person sends it.
    pub was_opened: bool,
    /// The state of packing by scan; `None` unless the order is packed by scan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packing: Option<Packing>,
    /// True if sender and receiver are exchanged, so that the next draft begins with the receiver of this one as its sender.
    pub is_return: bool,
    /// The copy at the service, if the draft is saved there as well.
    pub pending: Option<PendingCopy>,
    /// The consignment that the draft edits; `None` for a new consignment.
    pub edits: Option<EditedConsignment>,
}

impl Default for Draft {
    fn default() -> Self {
        Self {
            id: DraftId::random(),
            company: None,
            from: Party::default(),
            to: Party::default(),
            reference1: String::new(),
            reference2: String::new(),
            despatch: String::new(),
            instructions: String::new(),
            questions: BTreeSet::new(),
            receiver_account: String::new(),
            receiver_account_by: ReceiverAccountKind::default(),
            custom_values: Vec::new(),
            duties_by_recipient: false,
            staff: String::new(),
            flags: ConsignmentFlags::default(),
            printer_token: String::new(),
            carrier_number: String::new(),
            goods: vec![GoodsLine::default()],
            routing: Routing::default(),
            dangerous_goods_declared: false,
            declared_goods: 0,
            is_order: false,
            is_from_folder: false,
            was_opened: false,
            packing: None,
            is_return: false,
            pending: None,
            edits: None,
        }
    }
}

impl Draft {
    /// Creates the next draft on the same bench: keeps the sender and the company only. The next draft after a return
    /// has the sender of the consignment that was returned.
    #[must_use]
    pub fn next(&self) -> Self {
        let from = match &self.to.saved {
            Some(saved) if self.is_return && self.to.mode == AddressMode::Saved => Party {
                saved: Some(saved.clone()),
                ..Party::default()
            },
            _ if self.is_return => self.to.clone(),
            _ => self.from.clone(),
        };
        Self {
            company: self.company,
            from,
            ..Self::default()
        }
    }

    /// Returns whether the draft contains nothing worth saving. The sender and the company do not count, because they
    /// are kept from the draft before.
    pub fn is_blank(&self) -> bool {
        let blank = Self {
            id: self.id.clone(),
            ..self.next()
        };
        *self == blank
    }

    /// Exchanges the sender and the receiver.
    pub fn swap_sides(&mut self) {
        std::mem::swap(&mut self.from, &mut self.to);
        self.is_return = !self.is_return;
    }

    /// Returns the draft's name in a list: the reference, or else the receiver.
    pub fn title(&self) -> &str {
        if self.reference1.trim().is_empty() {
            self.to.title()
        } else {
            self.reference1.trim()
        }
    }

    /// Returns whether any line contains dangerous goods.
    pub fn has_dangerous_goods(&self) -> bool {
        self.goods.iter().any(GoodsLine::has_dangerous_goods)
    }

    /// Returns whether the two parties are in different countries. A country that cannot be read yet counts
    /// as Australia.
    pub fn is_international(&self) -> bool {
        let country = |side: &Party| side.country_code().unwrap_or(CountryCode::AUSTRALIA);
        country(&self.from) != country(&self.to)
    }

    /// Returns whether both parties are in New Zealand, which has its own rules for dangerous goods.
    pub fn is_in_new_zealand(&self) -> bool {
        let there = |side: &Party| side.country_code() == Some(CountryCode::NEW_ZEALAND);
        there(&self.from) && there(&self.to)
    }

    /// Returns the totals of the goods typed so far: pieces, kilograms, cubic metres and pallet spaces.
    pub fn totals(&self) -> GoodsTotals {
        GoodsTotals::of(&self.goods)
    }
}
