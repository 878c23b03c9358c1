//! Every place on the Consign screen that a problem can be at.

/// A field of the draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    /// Whose it is.
    Company,
    /// The pickup side.
    From(AddressField),
    /// The delivery side.
    To(AddressField),
    /// Reference.
    Reference1,
    /// Second reference.
    Reference2,
    /// Despatch time.
    Despatch,
    /// Instructions to the carrier.
    Instructions,
    /// Options (`questionIds`).
    Questions,
    /// Receiver's account.
    ReceiverAccount,
    /// The carrier's number, given by the shipper.
    CarrierNumber,
    /// The list of goods as a whole.
    AllGoods,
    /// A field of a goods line (from 0).
    Goods(usize, GoodsField),
    /// A field of a dangerous good in a line (both from 0).
    Dg(usize, usize, DgField),
    /// What customs are told of a line (from 0), as a whole.
    Customs(usize),
    /// A field of something inside a line, for customs (both from 0).
    Contents(usize, usize, ContentsField),
    /// Who pays duties and taxes.
    Duties,
    /// A carrier's own option (from 0).
    Custom(usize, CustomField),
    /// The printer token.
    PrinterToken,
    /// Who packs.
    Staff,
    /// The route.
    Route,
    /// The declaration of dangerous goods.
    Declaration,
    /// Nowhere in particular: the consignment as a whole.
    Whole,
}

/// A field of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddressField {
    /// The saved location.
    Saved,
    /// Name.
    Name,
    /// Contact.
    Contact,
    /// Phone.
    Phone,
    /// E-mail.
    Email,
    /// Street.
    Line1,
    /// Second line.
    Line2,
    /// Suburb and postcode.
    Place,
    /// Country.
    Country,
    /// City abroad.
    City,
    /// Province abroad.
    Province,
    /// Postcode abroad.
    Postcode,
}

/// A field of a goods line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GoodsField {
    /// Packaging kind.
    Type,
    /// Description.
    Name,
    /// Stock keeping unit.
    Sku,
    /// The saved item's id.
    SavedId,
    /// How many.
    Quantity,
    /// Kilograms each.
    Weight,
    /// Centimetres.
    Length,
    /// Centimetres.
    Width,
    /// Centimetres.
    Height,
    /// Pallet spaces.
    Spaces,
    /// Delegated references, one a unit.
    References,
}

/// A field of a dangerous good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DgField {
    /// The stored good's id.
    Stored,
    /// UN number.
    UnNumber,
    /// Packing group.
    PackingGroup,
    /// Class.
    Class,
    /// Container type.
    Container,
    /// Containers in each package.
    Containers,
    /// Aggregate quantity.
    Amount,
    /// Flash point.
    FlashPoint,
    /// Hazchem code.
    Hazchem,
    /// Technical name.
    TechnicalName,
}

/// A field of something inside a line of goods, for customs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContentsField {
    /// What it is.
    Description,
    /// First reference.
    Reference1,
    /// Second reference.
    Reference2,
    /// Third reference.
    Reference3,
    /// Marks and numbers.
    Marks,
    /// Part number.
    PartNumber,
    /// Units in one item.
    Quantity,
    /// Harmonised code.
    HarmonisedCode,
    /// Purpose.
    Purpose,
    /// Made in.
    Country,
    /// Value in Australian dollars.
    Value,
}

/// A field of a carrier's own option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CustomField {
    /// Its name.
    Name,
    /// Its value.
    Value,
}

impl Field {
    /// True where a price depends on it: places, goods, time and flags.
    pub(super) fn matters_for_price(self) -> bool {
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
}
