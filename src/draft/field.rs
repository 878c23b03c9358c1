//! The fields of the Consign screen that a problem can be at.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    Company,
    /// The sender.
    From(AddressField),
    /// The receiver.
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
    /// A field of a goods line, by its index.
    Goods(usize, GoodsField),
    /// A field of a dangerous good, by the indexes of its line and of the good.
    Dg(usize, usize, DgField),
    /// The customs contents of a line as a whole, by its index.
    Customs(usize),
    /// A field of customs contents, by the indexes of the line and of the contents.
    Contents(usize, usize, ContentsField),
    /// The payer of duties and taxes.
    Duties,
    /// A carrier-specific option, by its index.
    Custom(usize, CustomField),
    PrinterToken,
    /// The person who packs.
    Staff,
    Route,
    Declaration,
    /// The consignment as a whole.
    Whole,
}

/// A field of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddressField {
    /// The saved location.
    Saved,
    Name,
    Contact,
    Phone,
    Email,
    /// The street.
    Line1,
    Line2,
    /// Suburb and postcode.
    Place,
    Country,
    /// City outside Australia.
    City,
    /// Province outside Australia.
    Province,
    /// Postcode outside Australia.
    Postcode,
}

/// A field of a goods line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GoodsField {
    Type,
    Name,
    Sku,
    SavedId,
    Quantity,
    /// Kilograms of one item.
    Weight,
    /// Centimetres of one item, like width and height.
    Length,
    Width,
    Height,
    Spaces,
    /// Delegated references, one for each unit.
    References,
}

/// A field of a dangerous good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DgField {
    /// The stored good's id.
    Stored,
    UnNumber,
    PackingGroup,
    Class,
    /// Container type.
    Container,
    /// Number of containers in each package.
    Containers,
    /// Aggregate quantity.
    Amount,
    FlashPoint,
    Hazchem,
    TechnicalName,
}

/// A field of customs contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContentsField {
    Description,
    Reference1,
    Reference2,
    Reference3,
    /// Marks and numbers on the packages.
    Marks,
    PartNumber,
    /// Units in one item.
    Quantity,
    HarmonisedCode,
    Purpose,
    /// The country of manufacture.
    Country,
    /// Value in Australian dollars.
    Value,
}

/// A field of a carrier-specific option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CustomField {
    Name,
    Value,
}

impl Field {
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
}
