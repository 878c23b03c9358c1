//! Whom the bench sent to before, and the suburbs that it knows: what the type-aheads of an address offer.

use serde::{Deserialize, Serialize};

use super::side::{AddressMode, Side};
use crate::shipping::CompanyId;

/// A receiver that was sent to before: a full address, as typed or as the service told it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Receiver {
    /// The company that sent to them, where that is known.
    pub company: Option<CompanyId>,
    /// Name.
    pub name: String,
    /// Person to ask for.
    pub contact: String,
    /// Their phone.
    pub phone: String,
    /// Their e-mail.
    pub email: String,
    /// Street.
    pub line1: String,
    /// Second line.
    pub line2: String,
    /// Suburb and postcode, in one.
    pub place: String,
    /// Country, as typed; empty for Australia.
    pub country: String,
    /// City abroad.
    pub city: String,
    /// Province abroad.
    pub province: String,
    /// Postcode abroad.
    pub postcode: String,
}

/// A suburb with its postcode.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Suburb {
    /// "Ballarat Central".
    pub suburb: String,
    /// "VIC"; empty where it is not known.
    pub state: String,
    /// "3350".
    pub postcode: String,
}

impl Side {
    /// Puts a receiver there that was sent to before.
    pub fn take(&mut self, receiver: &Receiver) {
        let Receiver {
            company: _,
            name,
            contact,
            phone,
            email,
            line1,
            line2,
            place,
            country,
            city,
            province,
            postcode,
        } = receiver.clone();
        *self = Self {
            mode: AddressMode::Full,
            name,
            contact,
            phone,
            email,
            line1,
            line2,
            place,
            country,
            city,
            province,
            postcode,
            ..Self::default()
        };
    }
}
