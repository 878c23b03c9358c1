//! The fields of the Consign screen that a problem can be at. Each record of a draft has a table with one row for
//! each of its fields: where the typed text is, its maximum length, and the service's names for the field. The table of
//! the consignment as a whole is in `options.rs`.
//!
//! The service's interface names no lengths. The limits here are the bench's own, so that a pasted page is
//! reported at once instead of making a label unreadable.

use super::options::{ConsignmentFlag, TEXTS, TextOption};
use super::{ContentsLine, CustomValueLine, DgLine, Draft, GoodsLine, Party};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    Company,
    From(AddressField),
    To(AddressField),
    Reference1,
    Reference2,
    Despatch,
    Instructions,
    /// Options (`questionIds`).
    Questions,
    ReceiverAccount,
    /// The carrier's consignment number, if the shipper assigns it.
    CarrierNumber,
    /// The list of goods as a whole.
    AllGoods,
    Goods(usize, GoodsField),
    /// A field of a DG item, by the index of its line and the index of the item in the line.
    Dg(usize, usize, DgField),
    /// The customs contents of a line as a whole, by its index.
    Customs(usize),
    /// A field of customs contents, by the indexes of the line and of the contents.
    Contents(usize, usize, ContentsField),
    /// The payer of duties and taxes.
    Duties,
    Custom(usize, CustomField),
    PrinterToken,
    /// The person who packs.
    Staff,
    Route,
    Declaration,
    Whole,
}

/// The maximum number of characters in a field without a special limit.
pub(super) const USUAL: usize = 50;

/// The fields of one record of a draft.
pub(super) trait RecordField: Copy + 'static {
    type Record;

    /// All fields, in the order of the screen.
    const ALL: &'static [Self];

    fn max_chars(self) -> usize;

    /// Returns the service's names for the field, the usual name first.
    fn wire_names(self) -> &'static [&'static str];

    /// Returns the service's usual name for the field.
    fn wire_name(self) -> &'static str {
        self.wire_names().first().copied().unwrap_or_default()
    }

    /// Returns the typed text; empty if the field is not a text.
    fn text(self, record: &Self::Record) -> &str;

    /// Returns the typed text for changing; `None` if the field is not a text.
    fn text_mut(self, record: &mut Self::Record) -> Option<&mut String>;

    /// Sets the text. Does nothing if the field is not a text.
    fn set_text(self, record: &mut Self::Record, text: String) {
        if let Some(typed) = self.text_mut(record) {
            *typed = text;
        }
    }

    /// Returns the field with this name at the service, in any case.
    fn from_wire_name(name: &str) -> Option<Self> {
        let is_named = |wire: &&str| wire.eq_ignore_ascii_case(name);
        let mut all = Self::ALL.iter().copied();
        all.find(|field| field.wire_names().iter().any(is_named))
    }
}

/// Declares the fields of a record. A row names the field, the record's member with the typed text (`_` if the field is not
/// a text), the maximum number of characters, and the service's names.
macro_rules! fields {
    ($(#[$about:meta])* pub enum $name:ident of $record:ident {
        $($(#[$doc:meta])* $field:ident $member:tt $most:tt [$($wire:literal)*];)+
    }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$doc])* $field,)+
        }

        impl RecordField for $name {
            type Record = $record;

            const ALL: &'static [Self] = &[$(Self::$field),+];

            fn max_chars(self) -> usize {
                match self { $(Self::$field => $most),+ }
            }

            fn wire_names(self) -> &'static [&'static str] {
                match self { $(Self::$field => &[$($wire),*]),+ }
            }

            fn text(self, record: &$record) -> &str {
                match self { $(Self::$field => fields!(@text record $member)),+ }
            }

            fn text_mut(self, record: &mut $record) -> Option<&mut String> {
                match self { $(Self::$field => fields!(@mut record $member)),+ }
            }
        }
    };
    (@text $record:ident _) => { "" };
    (@text $record:ident $member:ident) => { &$record.$member };
    (@mut $record:ident _) => { None };
    (@mut $record:ident $member:ident) => { Some(&mut $record.$member) };
}

fields! {
    /// A field of an address. The service's names begin with `from` or `to`; for a place outside Australia,
    /// they begin with `internationalFrom` or `internationalTo`.
    pub enum AddressField of Party {
        Saved abbreviation 40 ["Abbreviation" "CompanyLocationId"];
        Name name 80 ["Name"];
        Contact contact 60 ["Contact"];
        Phone phone 30 ["Phone"];
        Email email 254 ["Email"];
        Line1 line1 80 ["AddressLine1"];
        Line2 line2 80 ["AddressLine2"];
        /// Suburb and postcode.
        Place place 100 ["Location" "Location.Suburb" "Location.Postcode"];
        Country country 60 ["CountryCode"];
        City city 60 ["City"];
        Province province 40 ["Province"];
        Postcode postcode 16 ["Postcode"];
    }
}

fields! {
    pub enum GoodsField of GoodsLine {
        Type item_type USUAL ["itemType"];
        Name name 100 ["name"];
        Sku sku USUAL ["sku"];
        SavedId item_id USUAL ["companyItemId"];
        Quantity quantity USUAL ["quantity"];
        /// Kilograms of one item.
        Weight weight USUAL ["weight"];
        /// Centimetres of one item, like width and height.
        Length length USUAL ["length"];
        Width width USUAL ["width"];
        Height height USUAL ["height"];
        Spaces spaces USUAL ["palletSpaces"];
        /// Delegated references, one for each unit.
        References references USUAL ["consignmentItemReferences"];
    }
}

fields! {
    pub enum DgField of DgLine {
        /// The id of the saved DG item.
        Stored stored USUAL ["companyDgItemId"];
        UnNumber un_number USUAL ["unNumber"];
        PackingGroup _ USUAL ["packingGroup"];
        Class _ USUAL ["dgClassType" "subDgClassTypes"];
        Container _ USUAL ["containerType"];
        Containers containers USUAL ["numberOfContainers"];
        Amount amount USUAL ["aggregateQuantity" "isAggregateQuantityWeight"];
        FlashPoint flash_point USUAL ["flashpoint"];
        Hazchem hazchem USUAL ["hazchem" "dgHazchemId"];
        TechnicalName technical_name 200 ["TechnicalOrChemicalGroupNames"];
    }
}

fields! {
    pub enum ContentsField of ContentsLine {
        Description description 200 ["description"];
        Reference1 reference1 USUAL ["reference1"];
        Reference2 reference2 USUAL ["reference2"];
        Reference3 reference3 USUAL ["reference3"];
        Marks marks 100 ["ciMarksAndNumbers"];
        PartNumber part_number USUAL ["partNumber"];
        /// Units in one item.
        Quantity quantity USUAL ["quantity"];
        HarmonisedCode harmonised_code 24 ["harmonizedCode"];
        Purpose purpose USUAL ["purpose"];
        Country country USUAL ["countryOfManufactureCode"];
        /// Value in Australian dollars.
        Value value USUAL ["dollarValue"];
    }
}

fields! {
    pub enum CustomField of CustomValueLine {
        Name name 80 ["propertyName"];
        Value value 200 ["value"];
    }
}

/// The service's names for fields of the consignment as a whole that are no texts.
const OTHER_NAMES: &[(Field, &[&str])] = &[
    (Field::Company, &["companyId"]),
    (Field::Questions, &["questionIds"]),
    (Field::AllGoods, &["items"]),
    (
        Field::Route,
        &[
            "carrierId",
            "carrierServiceId",
            "carrierAccountId",
            "companyCarrierAccountId",
            "defaultRouteSelection",
            "carrierIds",
        ],
    ),
    (Field::Declaration, &["dgsDeclaration"]),
];

/// Returns the field of the consignment as a whole with this name at the service, in any case.
fn whole_field(name: &str) -> Field {
    let texts = TEXTS.iter().map(|option| (option.field, option.wire_names));
    let flags = ConsignmentFlag::ALL.iter();
    let flags = flags.map(|flag| (Field::Questions, flag.wire_names()));
    let mut all = texts.chain(flags).chain(OTHER_NAMES.iter().copied());
    let is_named = |wire: &&str| wire.eq_ignore_ascii_case(name);
    all.find(|(_, names)| names.iter().any(is_named))
        .map_or(Field::Whole, |(field, _)| field)
}

impl Field {
    pub fn max_chars(self) -> usize {
        match self {
            Self::From(field) | Self::To(field) => field.max_chars(),
            Self::Goods(_, field) => field.max_chars(),
            Self::Dg(_, _, field) => field.max_chars(),
            Self::Contents(_, _, field) => field.max_chars(),
            Self::Custom(_, field) => field.max_chars(),
            _ => self.text_option().map_or(USUAL, |option| option.max_chars),
        }
    }

    /// Returns the text that is typed in the field; empty if the field is not a text.
    pub fn text(self, draft: &Draft) -> &str {
        let line = |at: usize| draft.goods.get(at);
        let text = match self {
            Self::From(field) => Some(field.text(&draft.from)),
            Self::To(field) => Some(field.text(&draft.to)),
            Self::Goods(at, field) => line(at).map(|line| field.text(line)),
            Self::Dg(at, good, field) => line(at)
                .and_then(|line| line.dangerous.get(good))
                .map(|good| field.text(good)),
            Self::Contents(at, inside, field) => line(at)
                .and_then(|line| line.contents.get(inside))
                .map(|inside| field.text(inside)),
            Self::Custom(at, field) => { draft.custom_values.get(at) }.map(|line| field.text(line)),
            _ => { self.text_option() }.map(|option| (option.value)(draft).as_str()),
        };
        text.unwrap_or_default()
    }

    /// Returns the row of a text of the consignment as a whole.
    pub(super) fn text_option(self) -> Option<&'static TextOption> {
        TEXTS.iter().find(|option| option.field == self)
    }

    /// Returns the text that is typed in the field, for the form to change; `None` if the field is not a
    /// text, or belongs to a line that no longer exists.
    pub fn text_mut(self, draft: &mut Draft) -> Option<&mut String> {
        match self {
            Self::From(field) => field.text_mut(&mut draft.from),
            Self::To(field) => field.text_mut(&mut draft.to),
            Self::Goods(at, field) => field.text_mut(draft.goods.get_mut(at)?),
            Self::Dg(at, good, field) => {
                field.text_mut(draft.goods.get_mut(at)?.dangerous.get_mut(good)?)
            }
            Self::Contents(at, inside, field) => {
                field.text_mut(draft.goods.get_mut(at)?.contents.get_mut(inside)?)
            }
            Self::Custom(at, field) => field.text_mut(draft.custom_values.get_mut(at)?),
            _ => self.text_option().map(|option| (option.value_mut)(draft)),
        }
    }

    /// Returns whether the price depends on this field: locations, goods, time and flags.
    pub(super) fn affects_price(self) -> bool {
        match self {
            Self::From(field) | Self::To(field) => matches!(
                field,
                AddressField::Saved
                    | AddressField::Place
                    | AddressField::Country
                    | AddressField::City
                    | AddressField::Province
                    | AddressField::Postcode
            ),
            Self::Despatch
            | Self::Questions
            | Self::AllGoods
            | Self::Dg(..)
            | Self::Customs(_)
            | Self::Contents(..) => true,
            Self::Goods(_, field) => !matches!(field, GoodsField::References),
            _ => false,
        }
    }

    pub fn line(self) -> Option<usize> {
        match self {
            Self::Goods(line, _)
            | Self::Dg(line, ..)
            | Self::Customs(line)
            | Self::Contents(line, ..) => Some(line),
            _ => None,
        }
    }

    #[must_use]
    pub fn in_line(self, line: usize) -> Self {
        match self {
            Self::Goods(_, field) => Self::Goods(line, field),
            Self::Dg(_, good, field) => Self::Dg(line, good, field),
            Self::Customs(_) => Self::Customs(line),
            Self::Contents(_, inside, field) => Self::Contents(line, inside, field),
            other => other,
        }
    }

    /// Returns the field for one of the service's `memberNames`, in any case and with or without an index;
    /// [`Field::Whole`] if the name is unknown.
    pub fn from_member_name(name: &str) -> Self {
        let lower = name.trim().to_ascii_lowercase();
        if let Some((line, field)) = indexed(&lower, "items") {
            return item_field(line, field);
        }
        if let Some((line, field)) = indexed(&lower, "customvalues") {
            let field = CustomField::from_wire_name(field).unwrap_or(CustomField::Name);
            return Self::Custom(line, field);
        }
        let abroad = lower.strip_prefix("international");
        let is_abroad = |field: &AddressField| {
            matches!(
                field,
                AddressField::City | AddressField::Province | AddressField::Postcode
            )
        };
        for (prefix, party) in [("from", Self::From as fn(_) -> _), ("to", Self::To)] {
            let own = abroad.unwrap_or(&lower).strip_prefix(prefix);
            let field = own.and_then(AddressField::from_wire_name);
            if let Some(field) = field.filter(|field| is_abroad(field) == abroad.is_some()) {
                return party(field);
            }
        }
        match lower.as_str() {
            "customvalues" => Self::Custom(0, CustomField::Name),
            // The receiver's country is more often the reason than the sender's.
            "isinternational" => Self::To(AddressField::Country),
            name => whole_field(name),
        }
    }
}

/// Splits `items[2].quantity` into 2 and `quantity`. An index that is not a number counts as 0.
fn indexed<'a>(name: &'a str, list: &str) -> Option<(usize, &'a str)> {
    let (index, field) = name
        .strip_prefix(list)?
        .strip_prefix('[')?
        .split_once(']')?;
    Some((index.parse().unwrap_or(0), field.trim_start_matches('.')))
}

fn item_field(line: usize, field: &str) -> Field {
    let own = field.strip_prefix("pending").unwrap_or(field);
    if let Some((good, field)) = indexed(own, "consignmentitemdgitems") {
        let field = DgField::from_wire_name(field).unwrap_or(DgField::UnNumber);
        return Field::Dg(line, good, field);
    }
    if let Some((inside, field)) = indexed(own, "consignmentitemcontents") {
        return ContentsField::from_wire_name(field).map_or(Field::Customs(line), |field| {
            Field::Contents(line, inside, field)
        });
    }
    match own {
        "consignmentitemdgitems" => Field::Declaration,
        "consignmentitemcontents" => Field::Customs(line),
        _ => {
            let name = own.strip_prefix("standarditem.").unwrap_or(own);
            let field = if name.starts_with("consignmentitemreferences") {
                Some(GoodsField::References)
            } else {
                GoodsField::from_wire_name(name)
            };
            Field::Goods(line, field.unwrap_or(GoodsField::Name))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_services_names_lead_to_our_fields() {
        for (name, field) in [
            ("fromLocation", "From(Place)"),
            ("toContact", "To(Contact)"),
            ("fromAbbreviation", "From(Saved)"),
            ("toCountryCode", "To(Country)"),
            ("internationalToCity", "To(City)"),
            ("internationalFromPostcode", "From(Postcode)"),
            ("internationalFromProvince", "From(Province)"),
            ("isInternational", "To(Country)"),
            ("carrierId", "Route"),
            ("companyCarrierAccountId", "Route"),
            ("receiverAccountId", "ReceiverAccount"),
            ("staffMemberName", "Staff"),
            ("printerToken", "PrinterToken"),
            ("dgsDeclaration", "Declaration"),
            ("companyId", "Company"),
            ("somethingNew", "Whole"),
            ("items[x", "Whole"),
            ("items[2].quantity", "Goods(2, Quantity)"),
            ("items[1].standardItem.weight", "Goods(1, Weight)"),
            ("items[1].companyItemId", "Goods(1, SavedId)"),
            ("items[1].sku", "Goods(1, Sku)"),
            (
                "items[0].consignmentItemReferences[1].carrierItemReference",
                "Goods(0, References)",
            ),
            (
                "items[0].consignmentItemDgItems[3].hazchem",
                "Dg(0, 3, Hazchem)",
            ),
            (
                "items[0].consignmentItemDgItems[0].companyDgItemId",
                "Dg(0, 0, Stored)",
            ),
            (
                "items[1].pendingConsignmentItemDgItems[0].unNumber",
                "Dg(1, 0, UnNumber)",
            ),
            ("items[0].consignmentItemDgItems", "Declaration"),
            (
                "items[0].consignmentItemContents[1].purpose",
                "Contents(0, 1, Purpose)",
            ),
            (
                "items[0].pendingConsignmentItemContents[1].dollarValue",
                "Contents(0, 1, Value)",
            ),
            ("items[0].consignmentItemContents", "Customs(0)"),
            ("customValues[2].value", "Custom(2, Value)"),
            ("customValues[0].propertyName", "Custom(0, Name)"),
        ] {
            let found = format!("{:?}", Field::from_member_name(name));
            assert_eq!(found, field, "{name}");
        }
    }
}
