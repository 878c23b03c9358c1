//! A row as the journal stores it: JSON with short names and without empty values, a tenth of the size of the
//! service's record. Rows of older versions, which stored the service's own record, can be read too.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{RowPlace, UnmanifestedRow, UnmanifestedRowBuilder};
use shipping::{
    CarrierId, CarrierServiceId, CompanyId, Consignment, ConsignmentId, CubicMetres, Dollars,
    Kilograms, LocalTime,
};

type Text<'a> = Cow<'a, str>;

#[derive(Serialize, Deserialize)]
struct StoredRow<'a> {
    /// Required: the service's own record has no field `i`, so it is not mistaken for this form.
    #[serde(rename = "i")]
    id: ConsignmentId,
    #[serde(rename = "o", default, skip_serializing_if = "Option::is_none")]
    company: Option<CompanyId>,
    #[serde(rename = "n", borrow, default, skip_serializing_if = "no_text")]
    number: Text<'a>,
    #[serde(rename = "c", borrow, default, skip_serializing_if = "no_text")]
    carrier_number: Text<'a>,
    #[serde(rename = "r", borrow, default, skip_serializing_if = "no_text")]
    reference: Text<'a>,
    #[serde(rename = "s", borrow, default, skip_serializing_if = "no_text")]
    reference2: Text<'a>,
    #[serde(rename = "k", borrow, default, skip_serializing_if = "no_text")]
    tracking_token: Text<'a>,
    #[serde(rename = "f", borrow, default, skip_serializing_if = "no_text")]
    from: Text<'a>,
    #[serde(rename = "fs", borrow, default)]
    from_spot: [Text<'a>; 5],
    #[serde(rename = "t", borrow, default, skip_serializing_if = "no_text")]
    to: Text<'a>,
    #[serde(rename = "ts", borrow, default)]
    to_spot: [Text<'a>; 5],
    #[serde(rename = "ai", default, skip_serializing_if = "Option::is_none")]
    carrier_id: Option<CarrierId>,
    #[serde(rename = "a", borrow, default, skip_serializing_if = "no_text")]
    carrier: Text<'a>,
    #[serde(rename = "bi", default, skip_serializing_if = "Option::is_none")]
    service_id: Option<CarrierServiceId>,
    #[serde(rename = "b", borrow, default, skip_serializing_if = "no_text")]
    service: Text<'a>,
    #[serde(rename = "p")]
    pieces: i64,
    #[serde(rename = "w", default, skip_serializing_if = "Option::is_none")]
    weight: Option<Kilograms>,
    #[serde(rename = "v", default, skip_serializing_if = "Option::is_none")]
    volume: Option<CubicMetres>,
    #[serde(rename = "m", default, skip_serializing_if = "Option::is_none")]
    price: Option<Dollars>,
    #[serde(rename = "d", default, skip_serializing_if = "Option::is_none")]
    despatch: Option<LocalTime>,
    #[serde(rename = "e", default, skip_serializing_if = "Option::is_none")]
    eta: Option<LocalTime>,
    #[serde(rename = "g", default, skip_serializing_if = "no")]
    dangerous: bool,
    #[serde(rename = "x", default, skip_serializing_if = "no")]
    international: bool,
    #[serde(rename = "z", default, skip_serializing_if = "no")]
    important: bool,
    #[serde(rename = "q", default, skip_serializing_if = "no")]
    is_test: bool,
}

fn no_text(text: &str) -> bool {
    text.is_empty()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks it so")]
fn no(flag: &bool) -> bool {
    !flag
}

fn place_parts(spot: &RowPlace) -> [Text<'_>; 5] {
    [
        &*spot.suburb,
        &spot.state,
        &spot.postcode,
        &spot.country,
        &spot.zone,
    ]
    .map(Text::Borrowed)
}

/// Returns the JSON of a row; `None` if it can't be serialized.
pub(crate) fn to_json(row: &UnmanifestedRow) -> Option<String> {
    let kept = StoredRow {
        id: row.id,
        company: row.company,
        number: (&*row.number).into(),
        carrier_number: (&*row.carrier_number).into(),
        reference: (&*row.reference).into(),
        reference2: (&*row.reference2).into(),
        tracking_token: (&*row.tracking_token).into(),
        from: (&*row.from).into(),
        from_spot: place_parts(&row.from_place),
        to: (&*row.to).into(),
        to_spot: place_parts(&row.to_place),
        carrier_id: row.carrier_id,
        carrier: (&*row.carrier).into(),
        service_id: row.service_id,
        service: (&*row.service).into(),
        pieces: row.pieces,
        weight: row.weight,
        volume: row.volume,
        price: row.price,
        despatch: row.despatch,
        eta: row.eta,
        dangerous: row.dangerous,
        international: row.international,
        important: row.important,
        is_test: row.is_test,
    };
    serde_json::to_string(&kept).ok()
}

impl UnmanifestedRowBuilder {
    /// Reads a stored row. Returns `None` if this version can't read it, or if it is no longer unmanifested.
    pub(crate) fn row_from_json(&mut self, body: &str) -> Option<UnmanifestedRow> {
        match serde_json::from_str::<StoredRow<'_>>(body) {
            Ok(kept) => Some(self.row_from_stored(kept)),
            Err(_older) => serde_json::from_str::<Consignment>(body)
                .ok()
                .filter(Consignment::is_unmanifested)
                .map(|one| self.row(&one)),
        }
    }

    fn row_from_stored(&mut self, kept: StoredRow<'_>) -> UnmanifestedRow {
        let boxed = |text: Text<'_>| -> Box<str> { text.into() };
        let mut spot = |words: [Text<'_>; 5]| {
            let [suburb, state, postcode, country, zone] = words.map(boxed);
            self.shared(RowPlace {
                suburb,
                state,
                postcode,
                country,
                zone,
            })
        };
        let (from_spot, to_spot): (Arc<RowPlace>, Arc<RowPlace>) =
            (spot(kept.from_spot), spot(kept.to_spot));
        UnmanifestedRow {
            id: kept.id,
            company: kept.company,
            number: boxed(kept.number),
            carrier_number: boxed(kept.carrier_number),
            reference: boxed(kept.reference),
            reference2: boxed(kept.reference2),
            tracking_token: boxed(kept.tracking_token),
            from: self.text(&kept.from),
            from_place: from_spot,
            to: boxed(kept.to),
            to_place: to_spot,
            carrier_id: kept.carrier_id,
            carrier: self.text(&kept.carrier),
            service_id: kept.service_id,
            service: self.text(&kept.service),
            pieces: kept.pieces,
            weight: kept.weight,
            volume: kept.volume,
            price: kept.price,
            despatch: kept.despatch,
            eta: kept.eta,
            dangerous: kept.dangerous,
            international: kept.international,
            important: kept.important,
            is_test: kept.is_test,
        }
    }
}
