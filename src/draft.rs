//! What the clerk has typed, always representable: every field holds text as it was typed, right or wrong.
//!
//! [`Draft::check`] turns it into a request or says every [`Problem`], each at its [`Field`].
//! What always holds: nothing typed is changed behind the clerk's back, and a draft that was written can be read again.
//! What it must not know: the service, the store, the window.

mod address_block;
mod basket;
mod build;
mod check;
mod clone;
mod connection;
mod contact;
mod containers;
pub mod countries;
mod customs;
mod dangerous;
mod declared;
mod edit;
mod field;
mod goods;
mod lines;
mod member;
mod number;
pub mod orders;
mod pickup;
mod place;
mod preset;
mod problem;
mod receiver;
mod reference_list;
mod refusal;
mod secret;
mod segregation;
mod side;
mod status_change;
mod summary;
mod text;

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::shipping::{
    CarrierAccountId, CarrierId, CarrierServiceId, CompanyCarrierAccountId, CompanyId,
    ConsignmentId, CountryCode, Dollars, EditForm, LocalTime, PendingConsignmentId, Question,
};

pub use address_block::{AddressBlock, address_block};
pub use check::{BenchCompany, Check, CheckContext};
pub use connection::{
    ConnectionDraft, ConnectionField, ConnectionProblem, Known, ServiceKind, ServicePath,
    TrackingBase, plain_name,
};
pub use containers::container_rule;
pub use customs::{ContentsLine, DUTIES, PURPOSES};
pub use dangerous::{DgLine, HAZCHEM, un_number};
pub use field::{AddressField, ContentsField, CustomField, DgField, Field, GoodsField};
pub use goods::{GoodsLine, ItemSource, SavedItem};
pub use lines::{SAVED_FIELDS, Scanned};
pub use pickup::{PickupContext, PickupDraft, PickupField, PickupReview, UsualHours, carry_over};
pub use place::parse_place;
pub use preset::Preset;
pub use problem::{Problem, Severity};
pub use receiver::{Receiver, Suburb};
pub use reference_list::reference_list;
pub use refusal::{refused, refused_pickup};
pub use secret::Secret;
pub use side::{AddressMode, SavedPlace, Side};
pub use status_change::{
    LeftOut, StatusChangeDraft, StatusField, StatusPlan, StatusTarget, settable, why_not,
};
pub use summary::Summary;

/// A draft's own id, made on the bench: eight Crockford characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DraftId(String);

impl DraftId {
    /// A new one; 40 random bits, so that benches of one warehouse don't meet.
    pub fn random() -> Self {
        const CROCKFORD: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
        Self(
            (0..8)
                .map(|_| char::from(CROCKFORD[fastrand::usize(..32)]))
                .collect(),
        )
    }

    /// Its text, as stored.
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

/// How the carrier is chosen.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Routing {
    /// Not chosen yet.
    #[default]
    Unchosen,
    /// The service picks the lowest price.
    Cheapest,
    /// The service picks the earliest arrival.
    Fastest,
    /// The clerk picked a route.
    Chosen(ChosenRoute),
    /// The clerk picked a carrier, and the service what else there is to pick: its cheapest service.
    Carrier(ChosenCarrier),
}

/// A carrier as it was picked without a price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChosenCarrier {
    /// Who carries it.
    pub carrier_id: CarrierId,
    /// "Southern Cross".
    pub carrier: String,
    /// On which account, where the company has several.
    pub account_id: Option<CarrierAccountId>,
    /// The company's link to the account.
    pub company_account_id: Option<CompanyCarrierAccountId>,
    /// The account's name.
    pub account: String,
    /// By which service; its cheapest where none.
    pub service_id: Option<CarrierServiceId>,
    /// The service's name.
    pub service: String,
}

/// How the receiver's account is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum AccountBy {
    /// By its code with the carrier.
    #[default]
    Code,
    /// By the service's id.
    Id,
}

/// A carrier's own option, as typed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CustomLine {
    /// Which option.
    pub name: String,
    /// Its value: text, a number, `true` or `false`.
    pub value: String,
}

/// A draft that is saved at the service, too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedPending {
    /// Its id there.
    pub id: PendingConsignmentId,
    /// `PC` and the id.
    pub number: String,
}

/// The consignment that a draft changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edited {
    /// Its id.
    pub id: ConsignmentId,
    /// `MS` and the id.
    pub number: String,
    /// The editable form as it was fetched.
    pub form: Box<EditForm>,
}

/// A route as it was picked, kept whole so that it can be shown when prices are gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChosenRoute {
    /// Who carries it.
    pub carrier_id: CarrierId,
    /// By which service.
    pub service_id: CarrierServiceId,
    /// On which account.
    pub account_id: Option<CarrierAccountId>,
    /// The company's link to the account.
    pub company_account_id: Option<CompanyCarrierAccountId>,
    /// "Southern Cross".
    pub carrier: String,
    /// "Road".
    pub service: String,
    /// With tax.
    pub price: Option<Dollars>,
    /// The account's name, where the company has several with the carrier.
    #[serde(default)]
    pub account: String,
    /// Arrival on the receiver's clocks.
    pub eta: Option<LocalTime>,
}

impl ChosenRoute {
    /// The same carrier and service, and no other account: one that names none may be on any.
    pub fn is_same(&self, other: &Self) -> bool {
        let accounts = self.account_id.zip(other.account_id);
        (self.carrier_id, self.service_id) == (other.carrier_id, other.service_id)
            && accounts.is_none_or(|(own, others)| own == others)
    }

    /// Which of these it is: the one on its account, or the only one that can be meant.
    pub fn among<'a>(&self, offers: impl Iterator<Item = &'a Self>) -> Option<&'a Self> {
        let mut same = offers.filter(|offer| self.is_same(offer));
        let first = same.next()?;
        let rest = same.find(|offer| offer.account_id != first.account_id);
        match rest {
            None => Some(first),
            Some(other) => [first, other]
                .into_iter()
                .chain(same)
                .find(|offer| offer.account_id == self.account_id),
        }
    }
}

/// A consignment in the making.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Draft {
    /// Its own id.
    pub id: DraftId,
    /// Whose it will be; the token's company where none.
    pub company: Option<CompanyId>,
    /// Pickup.
    pub from: Side,
    /// Delivery.
    pub to: Side,
    /// The shipper's reference.
    pub reference1: String,
    /// The second reference; the bench's key goes there when it is empty.
    pub reference2: String,
    /// Despatch as typed: empty for now, `15:30`, `2026-11-20 15:30`.
    pub despatch: String,
    /// Instruction to the carrier.
    pub instructions: String,
    /// Surcharge groups and flags.
    pub questions: BTreeSet<Question>,
    /// Receiver pays: their account.
    pub receiver_account: String,
    /// Whether that is a code or an id.
    pub receiver_account_by: AccountBy,
    /// Carrier's own options.
    pub custom_values: Vec<CustomLine>,
    /// International: the receiver pays duties and taxes.
    pub duties_by_recipient: bool,
    /// Who packs; the bench's own where empty.
    pub staff: String,
    /// Send the receiver a tracking e-mail.
    pub tracking_email: bool,
    /// Steers printing rules at the service.
    pub printer_token: String,
    /// The carrier's number, where the shipper gives it.
    pub carrier_number: String,
    /// The goods; a line each.
    pub goods: Vec<GoodsLine>,
    /// The carrier.
    pub routing: Routing,
    /// The clerk declared the dangerous goods that were in it then: see [`Draft::is_declared`].
    pub dangerous_goods_declared: bool,
    /// Which goods these were, as a digest of them.
    pub declared_goods: u64,
    /// Where it is saved at the service, too.
    pub pending: Option<SavedPending>,
    /// What it changes, where it is no new consignment.
    pub edits: Option<Edited>,
}

impl Default for Draft {
    fn default() -> Self {
        Self {
            id: DraftId::random(),
            company: None,
            from: Side::default(),
            to: Side::default(),
            reference1: String::new(),
            reference2: String::new(),
            despatch: String::new(),
            instructions: String::new(),
            questions: BTreeSet::new(),
            receiver_account: String::new(),
            receiver_account_by: AccountBy::default(),
            custom_values: Vec::new(),
            duties_by_recipient: false,
            staff: String::new(),
            tracking_email: false,
            printer_token: String::new(),
            carrier_number: String::new(),
            goods: vec![GoodsLine::default()],
            routing: Routing::default(),
            dangerous_goods_declared: false,
            declared_goods: 0,
            pending: None,
            edits: None,
        }
    }
}

impl Draft {
    /// The next one on the same bench: the sender and company stay, all else is new.
    #[must_use]
    pub fn next(&self) -> Self {
        Self {
            company: self.company,
            from: self.from.clone(),
            ..Self::default()
        }
    }

    /// True while nothing worth keeping is typed (a kept sender is not).
    pub fn is_blank(&self) -> bool {
        let blank = Self {
            id: self.id.clone(),
            company: self.company,
            from: self.from.clone(),
            ..Self::default()
        };
        *self == blank
    }

    /// What to call it in a list: the reference, else the receiver.
    pub fn title(&self) -> &str {
        if self.reference1.trim().is_empty() {
            self.to.title()
        } else {
            self.reference1.trim()
        }
    }

    /// True where any line holds dangerous goods.
    pub fn holds_dangerous_goods(&self) -> bool {
        self.goods.iter().any(GoodsLine::holds_dangerous_goods)
    }

    /// True where the two sides are in different countries. A country that can't be read yet counts as Australia.
    pub fn is_international(&self) -> bool {
        let country = |side: &Side| side.country_code().unwrap_or(CountryCode::AUSTRALIA);
        country(&self.from) != country(&self.to)
    }

    /// True where it stays within New Zealand, which has rules of its own for dangerous goods.
    pub fn is_in_new_zealand(&self) -> bool {
        let there = |side: &Side| side.country_code() == Some(CountryCode::NEW_ZEALAND);
        there(&self.from) && there(&self.to)
    }

    /// Pieces, kilograms, cubic metres and spaces of what is typed so far.
    pub fn summary(&self) -> Summary {
        Summary::of(&self.goods)
    }
}
