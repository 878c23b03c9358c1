//! Earlier receivers and known suburbs, which the address fields suggest.

use serde::{Deserialize, Serialize};

use super::party::{AddressMode, Party};
use shipping::CompanyId;

/// An earlier receiver: a full address, as typed or as the service returned it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Receiver {
    /// The company that sent to the receiver, if known.
    pub company: Option<CompanyId>,
    pub name: String,
    /// The person to ask for.
    pub contact: String,
    pub phone: String,
    pub email: String,
    /// The street.
    pub line1: String,
    pub line2: String,
    /// Suburb and postcode in one text.
    pub place: String,
    /// The country as typed; empty for Australia.
    pub country: String,
    /// City outside Australia.
    pub city: String,
    /// Province outside Australia.
    pub province: String,
    /// Postcode outside Australia.
    pub postcode: String,
}

/// A suburb with its postcode.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Suburb {
    pub suburb: String,
    /// Like "VIC"; empty if unknown.
    pub state: String,
    pub postcode: String,
}

impl Party {
    /// Fills in an earlier receiver's address.
    pub fn set_receiver(&mut self, receiver: &Receiver) {
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
