//! Builds a quote request for the middleware's live prices from what is typed.
//!
//! The middleware's quotes cannot contain dangerous goods, so a draft with dangerous goods gets none.

use rust_decimal::Decimal;

use super::field::{GoodsField, RecordField as _};
use super::goods::{GoodsLine, ItemSource};
use super::party::parse_place;
use super::party::{AddressMode, Party};
use super::text::non_blank;
use super::{CheckContext, Draft, build, number};
use shipping::{
    Centimetres, CompanyLocation, Dollars, Kilograms, LocationRequest, Question, Quote, QuoteItem,
    ShippingAddress, ShippingOptions, Warehouse,
};

/// The country of an address that names none.
const HOME: &str = "Australia";

impl Draft {
    /// Builds the request for live prices; `None` while addresses or goods cannot be read, or if there are
    /// dangerous goods. `locations` are the company's saved locations.
    pub fn live_quote(
        &self,
        context: &CheckContext,
        locations: &[CompanyLocation],
    ) -> Option<Quote> {
        if self.has_dangerous_goods() || self.goods.is_empty() {
            return None;
        }
        let despatch = build::despatch(self, context).ok()?;
        let zone = self.despatch_zone(context);
        let despatch = despatch.map(|time| time.in_zone(zone)).transpose().ok()?;
        let (from, to) = (place(&self.from, locations)?, place(&self.to, locations)?);
        let asked = |question| self.questions.contains(&question).then_some(true);
        let items: Option<Vec<_>> = self.goods.iter().map(item).collect();
        Some(Quote {
            warehouse: from,
            shipping_address: ShippingAddress {
                country: to.country,
                postal_code: to.postal_code,
                province: to.province,
                city: to.city,
                address: to.address1,
                address2: to.address2,
                name: to.name,
            },
            shipping_options: ShippingOptions {
                authority_to_leave: asked(Question::AuthorityToLeave),
                residential: asked(Question::Residential),
                despatch_datetime_utc: despatch,
            },
            items: items?,
        })
    }
}

/// Returns the address of a party. The middleware's fields are those of a warehouse.
fn place(side: &Party, locations: &[CompanyLocation]) -> Option<Warehouse> {
    if side.mode == AddressMode::Full {
        return typed_place(side);
    }
    let known = locations.iter().find(|location| match &side.saved {
        Some(saved) => location.id == saved.id,
        None => location
            .abbreviation
            .eq_ignore_ascii_case(side.abbreviation.trim()),
    });
    if let Some(location) = known {
        let at = &location.location;
        return Some(Warehouse {
            country: non_blank(&at.country).or_else(|| Some(HOME.to_owned())),
            postal_code: non_blank(&at.postcode),
            province: non_blank(&at.state),
            city: non_blank(&at.suburb),
            address1: non_blank(&location.address_line1),
            address2: non_blank(&location.address_line2),
            name: non_blank(&location.name),
        });
    }
    let saved = side.saved.as_ref()?;
    let LocationRequest { suburb, postcode } = parse_place(&saved.place)?;
    Some(Warehouse {
        country: Some(HOME.to_owned()),
        postal_code: Some(postcode),
        city: Some(suburb),
        address1: non_blank(&saved.street),
        name: non_blank(&saved.name),
        ..Warehouse::default()
    })
}

fn typed_place(side: &Party) -> Option<Warehouse> {
    let rest = Warehouse {
        country: non_blank(&side.country).or_else(|| Some(HOME.to_owned())),
        address1: non_blank(&side.line1),
        address2: non_blank(&side.line2),
        name: non_blank(&side.name),
        ..Warehouse::default()
    };
    if let Some(city) = non_blank(&side.city).filter(|_| !side.country.trim().is_empty()) {
        return Some(Warehouse {
            postal_code: non_blank(&side.postcode),
            province: non_blank(&side.province),
            city: Some(city),
            ..rest
        });
    }
    let LocationRequest { suburb, postcode } = parse_place(&side.place)?;
    Some(Warehouse {
        postal_code: Some(postcode),
        city: Some(suburb),
        ..rest
    })
}

/// Converts a line of goods; `None` if it cannot be read. For a saved item, values that are not typed come
/// from the remembered item, or are left to the middleware, which knows the item by its SKU.
fn item(line: &GoodsLine) -> Option<QuoteItem> {
    let saved = line.saved.as_ref();
    let is_saved = line.source != ItemSource::Direct;
    let measure = |field: GoodsField| match number::positive(field.text(line)) {
        Some(typed) => Some(Some(typed)),
        None if is_saved && field.text(line).trim().is_empty() => {
            Some(saved.and_then(|saved| saved.measure(field)))
        }
        None => None,
    };
    let weight = measure(GoodsField::Weight)?;
    let length = measure(GoodsField::Length)?;
    let width = measure(GoodsField::Width)?;
    let height = measure(GoodsField::Height)?;
    let remembered = saved.and_then(|saved| saved.quantity);
    let quantity = match number::count(&line.quantity) {
        Some(count) => count,
        None if is_saved && line.quantity.trim().is_empty() => remembered.unwrap_or(1),
        None => return None,
    };
    let sku = non_blank(&line.sku).or_else(|| non_blank(&saved?.sku));
    if is_saved && sku.is_none() {
        return None;
    }
    let values = line.contents.iter();
    let value: Decimal = values
        .filter_map(|contents| number::positive(&contents.value))
        .fold(Decimal::ZERO, |sum, value| {
            sum.checked_add(value).unwrap_or(sum)
        });
    Some(QuoteItem {
        name: non_blank(&line.name).or_else(|| non_blank(&saved?.name)),
        sku,
        quantity,
        weight: weight.map(Kilograms),
        price: (!value.is_zero()).then_some(Dollars(value)),
        length: length.map(Centimetres),
        width: width.map(Centimetres),
        height: height.map(Centimetres),
        ..QuoteItem::default()
    })
}
