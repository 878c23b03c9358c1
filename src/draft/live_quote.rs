//! Builds a quote request for the middleware's live prices from the typed values.
//!
//! The middleware's quotes cannot contain dangerous goods, so a draft with dangerous goods gets no live prices.

use rust_decimal::Decimal;

use super::field::{GoodsField, RecordField as _};
use super::goods::GoodsLine;
use super::party::parse_place;
use super::party::{AddressMode, Party};
use super::text::non_blank;
use super::{CheckContext, Draft, number};
use shipping::{
    Centimetres, CompanyLocation, Dollars, Kilograms, LocationRequest, Question, Quote,
    QuoteAddress, QuoteItem, ShippingOptions,
};

/// The country of an address that does not name a country.
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
        let despatch = self.read_despatch(context).ok()?;
        let zone = self.despatch_zone(context);
        let despatch = despatch.map(|time| time.in_zone(zone)).transpose().ok()?;
        let warehouse = place(&self.from, locations)?;
        let mut shipping_address = place(&self.to, locations)?;
        shipping_address.address = shipping_address.address1.take();
        let asked = |question| self.questions.contains(&question).then_some(true);
        let items: Option<Vec<_>> = self.goods.iter().map(item).collect();
        Some(Quote {
            warehouse,
            shipping_address,
            shipping_options: ShippingOptions {
                authority_to_leave: asked(Question::AuthorityToLeave),
                residential: asked(Question::Residential),
                despatch_datetime_utc: despatch,
            },
            items: items?,
        })
    }
}

/// Returns the address of a party, with the street in the field that the warehouse uses.
fn place(side: &Party, locations: &[CompanyLocation]) -> Option<QuoteAddress> {
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
        return Some(QuoteAddress {
            country: non_blank(&at.country).or_else(|| Some(HOME.to_owned())),
            postal_code: non_blank(&at.postcode),
            province: non_blank(&at.state),
            city: non_blank(&at.suburb),
            address1: non_blank(&location.address_line1),
            address2: non_blank(&location.address_line2),
            name: non_blank(&location.name),
            ..QuoteAddress::default()
        });
    }
    let saved = side.saved.as_ref()?;
    let LocationRequest { suburb, postcode } = parse_place(&saved.place)?;
    Some(QuoteAddress {
        country: Some(HOME.to_owned()),
        postal_code: Some(postcode),
        city: Some(suburb),
        address1: non_blank(&saved.street),
        name: non_blank(&saved.name),
        ..QuoteAddress::default()
    })
}

fn typed_place(side: &Party) -> Option<QuoteAddress> {
    let rest = QuoteAddress {
        country: non_blank(&side.country).or_else(|| Some(HOME.to_owned())),
        address1: non_blank(&side.line1),
        address2: non_blank(&side.line2),
        name: non_blank(&side.name),
        ..QuoteAddress::default()
    };
    if let Some(city) = non_blank(&side.city).filter(|_| !side.country.trim().is_empty()) {
        return Some(QuoteAddress {
            postal_code: non_blank(&side.postcode),
            province: non_blank(&side.province),
            city: Some(city),
            ..rest
        });
    }
    let LocationRequest { suburb, postcode } = parse_place(&side.place)?;
    Some(QuoteAddress {
        postal_code: Some(postcode),
        city: Some(suburb),
        ..rest
    })
}

/// Converts a line of goods; `None` if it cannot be read. For a saved item, values that are not typed come
/// from the remembered item, or are left to the middleware, which knows the item by its SKU.
fn item(line: &GoodsLine) -> Option<QuoteItem> {
    // The middleware fills a blank field of a saved item with the saved value.
    let is_left_out = |field: GoodsField| line.is_saved() && field.text(line).trim().is_empty();
    let measure = |field| match line.measure(field) {
        None if !is_left_out(field) => None,
        measure => Some(measure),
    };
    let weight = measure(GoodsField::Weight)?;
    let length = measure(GoodsField::Length)?;
    let width = measure(GoodsField::Width)?;
    let height = measure(GoodsField::Height)?;
    let quantity = match line.count() {
        None if is_left_out(GoodsField::Quantity) => 1,
        count => count?,
    };
    let saved = line.remembered_item();
    let sku = non_blank(&line.sku).or_else(|| non_blank(&saved?.sku));
    if line.is_saved() && sku.is_none() {
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
