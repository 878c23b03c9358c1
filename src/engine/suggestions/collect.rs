//! Derives suggestions from answers and requests: receivers, suburbs, and the details of saved items.

use jiff::Timestamp;

use super::store::SuggestionStore;
use crate::paper::joined;
use draft::countries::is_australia;
use draft::{Receiver, SavedItem, Suburb};
use shipping::{CompanyLocation, Consignment, ConsignmentItem, ConsignmentRequest, Location};

impl SuggestionStore {
    /// Remembers the places, the receivers and the saved items of consignments that the service returned.
    pub(super) fn remember_consignments(&mut self, consignments: &[Consignment], now: Timestamp) {
        for consignment in consignments {
            self.remember_consignment(consignment, now);
        }
    }

    fn remember_consignment(&mut self, consignment: &Consignment, now: Timestamp) {
        self.remember_places(consignment, now);
        for item in consignment.items() {
            if item.company_item_id.is_some() {
                // The answer does not tell which values were overridden; the quantity is nearly always overridden.
                let overridden = ConsignmentItem {
                    quantity: Some(1),
                    ..ConsignmentItem::default()
                };
                let known = SavedItem {
                    company: consignment.company_id,
                    ..saved_item(item, &overridden, None)
                };
                self.item(known, false, now);
            }
        }
    }

    /// Remembers the places and the receiver. The receiver counts as used at the time of despatch, or at `now` if
    /// that time is unknown.
    fn remember_places(&mut self, consignment: &Consignment, now: Timestamp) {
        let at = consignment.despatch_date_utc.map_or(now, |time| time.0);
        let [from, to] = [&consignment.from_location, &consignment.to_location];
        for place in [from, to].into_iter().flatten() {
            self.learn_place(place, now);
        }
        // A receiver from a saved location is suggested as that location.
        if consignment.to_company_location_id.is_none()
            && let Some(receiver) = receiver_of(consignment)
        {
            self.receiver(receiver, at);
        }
    }

    /// Remembers the details of a consignment that was created here. `request` shows which values were typed
    /// and which were saved at the service.
    pub(super) fn remember_created(
        &mut self,
        request: &ConsignmentRequest,
        consignment: &Consignment,
        now: Timestamp,
    ) {
        self.remember_places(consignment, now);
        for (asked, item) in request.items.iter().zip(consignment.items()) {
            // An SKU sent with typed goods only labels them. It does not refer to a saved item.
            let by_sku = asked.sku.is_some() && asked.name.is_none();
            if asked.company_item_id.is_some() || by_sku {
                let listed = !item.consignment_item_dg_items.is_empty();
                let dangerous = brings_dangerous_goods(request.dgs_declaration, asked, listed);
                let mut known = saved_item(item, asked, dangerous);
                known.id = known.id.or(asked.company_item_id);
                known.company = consignment.company_id.or(request.company_id);
                self.item(known, true, now);
            }
        }
    }

    pub(super) fn remember_location(&mut self, location: &CompanyLocation, now: Timestamp) {
        if !location.is_international {
            self.learn_place(&location.location, now);
        }
    }

    fn learn_place(&mut self, place: &Location, now: Timestamp) {
        if place.suburb.is_empty() || place.postcode.is_empty() || !is_near(&place.country) {
            return;
        }
        let suburb = Suburb {
            suburb: place.suburb.clone(),
            state: place.state.clone(),
            postcode: place.postcode.clone(),
        };
        self.suburb(suburb, now);
    }
}

/// Returns true for Australia and New Zealand, where places are suburbs with postcodes.
fn is_near(country: &str) -> bool {
    is_australia(country)
        || ["NZ", "NZL", "New Zealand"]
            .iter()
            .any(|near| near.eq_ignore_ascii_case(country.trim()))
}

fn receiver_of(consignment: &Consignment) -> Option<Receiver> {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let place = consignment.to_location.clone().unwrap_or_default();
    let code = text(&consignment.to_country_code);
    let country = if code.is_empty() { place.country } else { code };
    let country = if is_australia(&country) {
        String::new()
    } else {
        country
    };
    let abroad = !country.is_empty();
    let near = is_near(&country);
    let receiver = Receiver {
        company: consignment.company_id,
        name: text(&consignment.to_name),
        contact: text(&consignment.to_contact),
        phone: text(&consignment.to_phone),
        email: text(&consignment.to_email),
        line1: text(&consignment.to_address_line1),
        line2: text(&consignment.to_address_line2),
        place: if near {
            joined(&[&place.suburb, &place.state, &place.postcode], " ")
        } else {
            String::new()
        },
        city: if abroad { place.suburb } else { String::new() },
        province: if abroad { place.state } else { String::new() },
        postcode: if abroad {
            place.postcode
        } else {
            String::new()
        },
        country,
        ..Receiver::default()
    };
    // Lists with fewer fields leave out the street. Such a receiver is incomplete.
    let whole = !receiver.name.is_empty() && !receiver.line1.is_empty();
    whole.then_some(receiver)
}

/// Returns whether a saved item includes dangerous goods; `None` if unknown, or if dangerous goods were sent with it.
/// An answer without dangerous goods proves that the item has none only if the request declared none.
pub fn brings_dangerous_goods(
    declared: Option<bool>,
    asked: &ConsignmentItem,
    listed: bool,
) -> Option<bool> {
    if !asked.consignment_item_dg_items.is_empty() {
        return None;
    }
    (listed || declared == Some(false)).then_some(listed)
}

/// Returns the saved item behind an item of an answer, without the values that the request overrode.
fn saved_item(
    item: &ConsignmentItem,
    asked: &ConsignmentItem,
    dangerous: Option<bool>,
) -> SavedItem {
    let size = item.size();
    let typed = asked.size();
    let saved = |text: &Option<String>, asked: &Option<String>| match asked {
        None => text.clone().unwrap_or_default(),
        Some(_) => String::new(),
    };
    SavedItem {
        id: item.company_item_id,
        company: None,
        sku: item.sku.clone().unwrap_or_default(),
        name: saved(&item.name, &asked.name),
        item_type: saved(&item.item_type, &asked.item_type),
        quantity: item.quantity.filter(|_| asked.quantity.is_none()),
        weight: size.weight.filter(|_| typed.weight.is_none()),
        length: size.length.filter(|_| typed.length.is_none()),
        width: size.width.filter(|_| typed.width.is_none()),
        height: size.height.filter(|_| typed.height.is_none()),
        dangerous,
    }
}
