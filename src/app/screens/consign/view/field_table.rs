//! The fields of the form, a row for each: its label, its name in the list of problems, and how its text is shown.

use draft::{AddressField, ContentsField, CustomField, DgField, Field, GoodsField};

/// The texts that the form shows with a field, and the style of its value.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FieldRow {
    pub(super) label: &'static str,
    /// Name in the list of problems, after the name of the record that the field belongs to.
    place: &'static str,
    /// Text that is shown while the field is empty.
    pub(super) hint: &'static str,
    /// Text that is shown after the value.
    pub(super) unit: &'static str,
    /// True for numbers, which are right-aligned.
    pub(super) number: bool,
    /// True for ids and references, which use a monospaced font.
    pub(super) mono: bool,
}

const fn row(label: &'static str, place: &'static str) -> FieldRow {
    FieldRow {
        label,
        place,
        hint: "",
        unit: "",
        number: false,
        mono: false,
    }
}

impl FieldRow {
    /// Returns the row of a field.
    pub(super) const fn of(field: Field) -> Self {
        match field {
            Field::From(field) | Field::To(field) => address(field),
            Field::Goods(_, field) => goods(field),
            Field::Dg(_, _, field) => dangerous(field),
            Field::Contents(_, _, field) => contents(field),
            Field::Custom(_, CustomField::Name) => row("name", "").hint("Name"),
            Field::Custom(_, CustomField::Value) => row("value", "").hint("Value"),
            Field::Company => row("Company", "Company"),
            Field::Reference1 => row("Reference", "Reference").mono(),
            Field::Reference2 => row("Second reference", "Second reference").mono(),
            Field::Despatch => row("Despatch", "Despatch").hint("now"),
            Field::Instructions => {
                row("Driver instructions", "Driver instructions").hint("Notes for the driver")
            }
            Field::Questions => row("Options", "Options"),
            Field::ReceiverAccount => row("Receiver pays: account", "Receiver pays").mono(),
            Field::CarrierNumber => row("Carrier con. number", "Carrier consignment number")
                .hint("given by the carrier")
                .mono(),
            Field::Duties => row("The receiver pays duties and taxes", "Duties"),
            Field::PrinterToken => row("Printer token", "Printer token")
                .hint("for printing by the service")
                .mono(),
            Field::Staff => row("Packed by", "Packed by"),
            Field::Customs(_)
            | Field::AllGoods
            | Field::Route
            | Field::Declaration
            | Field::Whole => row("", ""),
        }
    }

    const fn hint(self, hint: &'static str) -> Self {
        Self { hint, ..self }
    }

    const fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    const fn number(self) -> Self {
        Self {
            number: true,
            ..self
        }
    }

    const fn mono(self) -> Self {
        Self { mono: true, ..self }
    }
}

const fn address(field: AddressField) -> FieldRow {
    match field {
        AddressField::Saved => row("Saved location", "location"),
        AddressField::Name => row("Name", "name"),
        AddressField::Contact => row("Contact", "contact"),
        AddressField::Phone => row("Phone", "phone"),
        AddressField::Email => row("E-mail", "e-mail"),
        AddressField::Line1 => row("Address", "address"),
        AddressField::Line2 => row("Address line 2", "address"),
        AddressField::Place => row("Suburb and postcode", "suburb").hint("Ballarat VIC 3350"),
        AddressField::Country => row("Country", "country").hint("Australia"),
        AddressField::City => row("City", "city"),
        AddressField::Province => row("Province", "province"),
        AddressField::Postcode => row("Postcode", "postcode"),
    }
}

const fn goods(field: GoodsField) -> FieldRow {
    match field {
        GoodsField::Type => row("Type", "type"),
        GoodsField::Name => row("Name", "name"),
        GoodsField::Sku => row("SKU", "SKU").mono(),
        GoodsField::SavedId => row("Saved item id", "saved item").hint("item id").mono(),
        GoodsField::Quantity => row("Qty", "quantity").number(),
        GoodsField::Weight => row("Each kg", "kg").number(),
        GoodsField::Length => row("L cm", "length").number(),
        GoodsField::Width => row("W cm", "width").number(),
        GoodsField::Height => row("H cm", "height").number(),
        GoodsField::Spaces => row("Spaces", "spaces").number(),
        GoodsField::References => row("references", "references").hint("Scan or paste").mono(),
    }
}

const fn dangerous(field: DgField) -> FieldRow {
    match field {
        DgField::Stored => row("Saved DG id", "saved DG id").number().mono(),
        DgField::UnNumber => row("UN number", "UN number").mono(),
        DgField::PackingGroup => row("Packing group", "packing group"),
        DgField::Class => row("Class", "class"),
        DgField::Container => row("Packaging type", "packaging type"),
        DgField::Containers => row("Inner packagings", "inner packagings").number(),
        DgField::Amount => row("Amount", "amount").number(),
        DgField::FlashPoint => row("Flash point", "flash point").unit("°C").number(),
        DgField::Hazchem => row("Hazchem", "Hazchem").hint("if known").mono(),
        DgField::TechnicalName => row("Technical name", "technical name"),
    }
}

const fn contents(field: ContentsField) -> FieldRow {
    match field {
        ContentsField::Description => row("Description", "description"),
        ContentsField::Reference1 => row("Reference", "reference"),
        ContentsField::Reference2 => row("Reference 2", "reference"),
        ContentsField::Reference3 => row("Reference 3", "reference"),
        ContentsField::Marks => row("Marks and numbers", "marks"),
        ContentsField::PartNumber => row("Part number", "part number"),
        ContentsField::Quantity => row("Units per item", "units").number(),
        ContentsField::HarmonisedCode => row("HS code", "HS code").mono(),
        ContentsField::Purpose => row("Purpose", "purpose"),
        ContentsField::Country => row("Country of origin", "country of origin"),
        ContentsField::Value => row("Value per item", "value").unit("AUD").number(),
    }
}

/// Returns the accessible name of a field whose label alone does not tell it from others:
/// `Line 1, DG item 2: Amount`.
pub(super) fn accessible_name(field: Field, label: &str) -> Option<String> {
    Some(match field {
        Field::From(_) => format!("From: {}", label.to_lowercase()),
        Field::To(_) => format!("To: {}", label.to_lowercase()),
        Field::Goods(line, _) => format!("Line {}: {label}", line + 1),
        Field::Dg(line, good, _) => format!("Line {}, DG item {}: {label}", line + 1, good + 1),
        Field::Contents(line, at, _) => {
            format!("Line {}, contents {}: {label}", line + 1, at + 1)
        }
        Field::Custom(at, _) => format!("Option {}: {label}", at + 1),
        _ => return None,
    })
}

/// Returns the name of a field in the list of problems; empty if the problem is not at one field.
pub(super) fn place_label(field: Field) -> String {
    let place = FieldRow::of(field).place;
    match field {
        Field::From(_) => format!("From, {place}"),
        Field::To(_) => format!("To, {place}"),
        Field::Goods(line, _) => format!("Line {}, {place}", line + 1),
        Field::Dg(line, ..) => format!("Line {}, dangerous goods, {place}", line + 1),
        Field::Customs(line) => format!("Line {}, customs", line + 1),
        Field::Contents(line, ..) => format!("Line {}, customs, {place}", line + 1),
        Field::Custom(..) => "Carrier's options".to_owned(),
        _ => place.to_owned(),
    }
}

/// Returns the maximum number of characters that the form takes. Of the fields of a record it takes more than can be
/// sent, so that the clerk can choose what to shorten.
pub(super) fn typing_limit(field: Field) -> usize {
    match field {
        // Enough for all the references that a carrier would accept.
        Field::Goods(_, GoodsField::References) => 20_000,
        Field::From(_)
        | Field::To(_)
        | Field::Goods(..)
        | Field::Dg(..)
        | Field::Contents(..)
        | Field::Custom(..)
        | Field::Instructions => 2 * field.max_chars(),
        _ => field.max_chars(),
    }
}
