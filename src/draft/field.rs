//! The fields of a consignment on the Consign screen, in tables with one row for each: where the typed text is, how
//! the form shows it, its maximum length, the service's names for it, and its column in order files. These tables are
//! used for requests, edited consignments, clones, presets, imported orders, limits and the service's refusals.
//!
//! The service's interface names no lengths. The limits here are the bench's own, so that a pasted page is
//! reported at once instead of making a label unreadable.

use serde::{Deserialize, Serialize};

use super::{ContentsLine, CustomValueLine, DgLine, Draft, GoodsLine, Party};
use shipping::ConsignmentRequest;

/// The maximum number of characters in a field without a special limit.
const USUAL: usize = 50;

/// Everything about a field that does not depend on a draft.
#[derive(Debug, Clone, Copy)]
pub struct FieldRow {
    pub label: &'static str,
    /// The name in the list of problems, after the name of the record that the field belongs to.
    pub place: &'static str,
    /// The text that is shown while the field is empty.
    pub hint: &'static str,
    /// The text that is shown after the value.
    pub unit: &'static str,
    /// True for numbers, which are right-aligned.
    pub is_number: bool,
    /// True for ids and references, which use a monospaced font.
    pub is_code: bool,
    /// For a text among the folded options: the name that shows, while they are folded, that a text is typed.
    pub folded: Option<&'static str>,
    /// The message if nothing is typed in a field that is required.
    pub(crate) missing: &'static str,
    pub max_chars: usize,
    /// The service's names for the field, the usual name first.
    pub wire_names: &'static [&'static str],
    /// The column of order files that fills the field. Columns of address fields fill the receiver, except `From`.
    pub column: Option<ColumnNames>,
}

/// The names of a column of order files.
#[derive(Debug, Clone, Copy)]
pub struct ColumnNames {
    /// The name in saved column settings, which never changes.
    pub key: &'static str,
    /// The name in the template and on the screen.
    pub name: &'static str,
    /// Other headers that mean the column, in lower-case letters and digits only.
    pub others: &'static [&'static str],
}

impl ColumnNames {
    pub(crate) const fn new(
        key: &'static str,
        name: &'static str,
        others: &'static [&'static str],
    ) -> Self {
        Self { key, name, others }
    }
}

const fn row(
    label: &'static str,
    max_chars: usize,
    wire_names: &'static [&'static str],
) -> FieldRow {
    FieldRow {
        label,
        place: label,
        hint: "",
        unit: "",
        is_number: false,
        is_code: false,
        folded: None,
        missing: "",
        max_chars,
        wire_names,
        column: None,
    }
}

impl FieldRow {
    const fn place(self, place: &'static str) -> Self {
        Self { place, ..self }
    }

    const fn hint(self, hint: &'static str) -> Self {
        Self { hint, ..self }
    }

    const fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    const fn number(self) -> Self {
        Self {
            is_number: true,
            ..self
        }
    }

    const fn code(self) -> Self {
        Self {
            is_code: true,
            ..self
        }
    }

    const fn missing(self, missing: &'static str) -> Self {
        Self { missing, ..self }
    }

    const fn folded(self, word: &'static str) -> Self {
        Self {
            folded: Some(word),
            ..self
        }
    }

    const fn column(
        self,
        key: &'static str,
        name: &'static str,
        others: &'static [&'static str],
    ) -> Self {
        Self {
            column: Some(ColumnNames::new(key, name, others)),
            ..self
        }
    }
}

/// The fields of one record of a draft.
pub(super) trait RecordField: Copy + 'static {
    type Record;

    /// All fields, in the order of the screen.
    const ALL: &'static [Self];

    fn row(self) -> &'static FieldRow;

    /// Returns the typed text; empty if the field is not a text.
    fn text(self, record: &Self::Record) -> &str;

    /// Returns the typed text for changing; `None` if the field is not a text.
    fn text_mut(self, record: &mut Self::Record) -> Option<&mut String>;

    /// Returns the service's usual name for the field.
    fn wire_name(self) -> &'static str {
        self.row().wire_names[0]
    }

    /// Sets the text. Does nothing if the field is not a text.
    fn set_text(self, record: &mut Self::Record, text: String) {
        if let Some(typed) = self.text_mut(record) {
            *typed = text;
        }
    }

    /// Returns the field with this name at the service, ignoring case.
    fn from_wire_name(name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|field| is_named(field.row().wire_names, name))
    }
}

/// Returns whether the service's names contain this name, ignoring case.
fn is_named(wire_names: &[&str], name: &str) -> bool {
    wire_names
        .iter()
        .any(|wire| wire.eq_ignore_ascii_case(name))
}

/// Declares the fields of a record. A row has the field, the record's member with the typed text (none if the field
/// is not a text), and its [`FieldRow`].
macro_rules! fields {
    ($(#[$about:meta])* pub enum $name:ident of $record:ident {
        $($(#[$doc:meta])* $field:ident $(($member:ident))? = $row:expr;)+
    }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$doc])* $field,)+
        }

        impl RecordField for $name {
            type Record = $record;

            const ALL: &'static [Self] = &[$(Self::$field),+];

            fn row(self) -> &'static FieldRow {
                match self { $(Self::$field => const { &$row }),+ }
            }

            fn text(self, record: &$record) -> &str {
                match self { $(Self::$field => fields!(@text record $($member)?)),+ }
            }

            fn text_mut(self, record: &mut $record) -> Option<&mut String> {
                match self { $(Self::$field => fields!(@mut record $($member)?)),+ }
            }
        }
    };
    (@text $record:ident) => { "" };
    (@text $record:ident $member:ident) => { &$record.$member };
    (@mut $record:ident) => { None };
    (@mut $record:ident $member:ident) => { Some(&mut $record.$member) };
}

fields! {
    /// A field of an address. The service's names begin with `from` or `to`; for a place outside Australia,
    /// they begin with `internationalFrom` or `internationalTo`.
    pub enum AddressField of Party {
        Saved(abbreviation) = row("Saved location", 40, &["Abbreviation", "CompanyLocationId"])
            .missing("Pick a saved location, or type an address")
            .place("location").hint("Name or abbreviation")
            .column("From", "From", &["fromabbreviation", "sender", "senderabbreviation", "pickup", "warehouse",
                "fromlocation", "despatchfrom"]);
        Name(name) = row("Name", 80, &["Name"])
            .missing("Enter the name").place("name")
            .column("ToName", "To name", &["receiver", "receivername", "toname", "company", "companyname", "tocompany",
                "customer", "customername", "deliveryname", "shippingcompany", "shiptoname", "recipient",
                "recipientname", "shippingname", "consignee"]);
        Contact(contact) = row("Contact", 60, &["Contact"])
            .missing("Enter a contact name").place("contact")
            .column("ToContact", "To contact", &["contact", "contactname", "receivercontact", "attention", "attn",
                "deliverycontact", "shiptocontact"]);
        Phone(phone) = row("Phone", 30, &["Phone"])
            .missing("Enter a phone number").place("phone")
            .column("ToPhone", "To phone", &["phone", "telephone", "mobile", "receiverphone", "contactphone",
                "deliveryphone", "shippingphone", "shiptophone", "phonenumber", "tel"]);
        Email(email) = row("E-mail", 254, &["Email"])
            .missing("Enter an e-mail address").place("e-mail")
            .column("ToEmail", "To e-mail", &["email", "receiveremail", "contactemail", "emailaddress", "deliveryemail",
                "shiptoemail"]);
        Line1(line1) = row("Address", 80, &["AddressLine1"])
            .missing("Enter the street").place("address")
            .column("ToLine1", "To address 1", &["address", "address1", "addressline1", "toaddress", "toaddressline1",
                "street", "street1", "receiveraddress", "receiveraddress1", "deliveryaddress", "deliveryaddress1",
                "shippingaddress1", "shippingstreet", "shiptoaddress1", "shippingaddress"]);
        Line2(line2) = row("Address line 2", 80, &["AddressLine2"]).place("address")
            .column("ToLine2", "To address 2", &["address2", "addressline2", "toaddressline2", "street2",
                "receiveraddress2", "deliveryaddress2", "shippingaddress2", "shiptoaddress2"]);
        /// Suburb and postcode.
        Place(place) = row("Suburb and postcode", 100, &["Location", "Location.Suburb", "Location.Postcode"])
            .missing("Enter suburb and postcode, like Ballarat VIC 3350")
            .place("suburb").hint("Ballarat VIC 3350")
            .column("ToSuburb", "To suburb", &["suburb", "city", "town", "tocity", "receiversuburb", "deliverysuburb",
                "shippingcity", "deliverycity", "shiptocity", "locality"]);
        City(city) = row("City", 60, &["City"])
            .missing("Enter the city").place("city");
        Province(province) = row("Province", 40, &["Province"]).place("province")
            .column("ToState", "To state", &["state", "province", "toprovince", "receiverstate", "deliverystate",
                "shippingprovince", "shippingstate", "region", "shiptostate"]);
        Postcode(postcode) = row("Postcode", 16, &["Postcode"]).place("postcode")
            .column("ToPostcode", "To postcode", &["postcode", "zip", "zipcode", "postalcode", "pcode",
                "receiverpostcode", "deliverypostcode", "shippingzip", "shippingpostcode", "shiptopostcode"]);
        Country(country) = row("Country", 60, &["CountryCode"]).place("country").hint("Australia")
            .column("ToCountry", "To country", &["country", "countrycode", "tocountrycode", "receivercountry",
                "deliverycountry", "shippingcountry", "shiptocountry"]);
    }
}

/// The row of the receiver's saved location, which may also be a past receiver.
const RECEIVER: FieldRow = row(
    "Saved location or past receiver",
    40,
    &["Abbreviation", "CompanyLocationId"],
)
.missing("Pick a saved location, or type an address")
.place("location")
.hint("Name, abbreviation or suburb")
.column(
    "To",
    "To",
    &[
        "toabbreviation",
        "receiverabbreviation",
        "tolocation",
        "receivercode",
        "customercode",
        "locationcode",
    ],
);

fields! {
    pub enum GoodsField of GoodsLine {
        Type(item_type) = row("Type", USUAL, &["itemType"])
            .missing("Choose a packaging type").place("type")
            .column("ItemType", "Item type", &["type", "packaging", "packagetype", "unit", "packagingtype", "packtype"]);
        Name(name) = row("Name", 100, &["name"])
            .missing("Enter a description").place("name")
            .column("ItemName", "Item name", &["item", "description", "itemdescription", "goods", "product",
                "productname", "lineitemname", "contents"]);
        Sku(sku) = row("SKU", USUAL, &["sku"])
            .missing("Enter the SKU of the saved item").code()
            .column("Sku", "SKU", &["itemsku", "productcode", "stockcode", "lineitemsku", "itemcode", "partnumber"]);
        SavedId(item_id) = row("Saved item id", USUAL, &["companyItemId"])
            .missing("Enter the id of the saved item").place("saved item").hint("item id").code();
        Quantity(quantity) = row("Qty", USUAL, &["quantity"])
            .missing("Enter a quantity of 1 or more").place("quantity").number()
            .column("Quantity", "Quantity", &["qty", "count", "pieces", "itemquantity", "lineitemquantity", "cartons",
                "noofitems"]);
        /// Kilograms of one item.
        Weight(weight) = row("Each kg", USUAL, &["weight"])
            .missing("Enter the weight of one in kg").place("kg").number()
            .column("Weight", "Weight kg", &["weight", "kg", "kgs", "weightkg", "weighteach", "itemweight", "eachkg",
                "unitweight", "kilograms"]);
        /// Centimetres of one item, like width and height.
        Length(length) = row("L cm", USUAL, &["length"])
            .missing("Enter the length in cm").place("length").number()
            .column("Length", "Length cm", &["length", "l", "lcm", "lengthcm", "itemlength"]);
        Width(width) = row("W cm", USUAL, &["width"])
            .missing("Enter the width in cm").place("width").number()
            .column("Width", "Width cm", &["width", "w", "wcm", "widthcm", "itemwidth"]);
        Height(height) = row("H cm", USUAL, &["height"])
            .missing("Enter the height in cm").place("height").number()
            .column("Height", "Height cm", &["height", "h", "hcm", "heightcm", "itemheight"]);
        Spaces(spaces) = row("Spaces", USUAL, &["palletSpaces"]).place("spaces").number();
        /// Delegated references, one for each unit.
        References(references) = row("references", USUAL, &["consignmentItemReferences"]).hint("Scan or paste").code();
    }
}

fields! {
    pub enum DgField of DgLine {
        /// The id of the saved DG item.
        Stored(stored) = row("Saved DG id", USUAL, &["companyDgItemId"]).place("saved DG id").number().code();
        UnNumber(un_number) = row("UN number", USUAL, &["unNumber"])
            .missing("Enter the UN number, four digits").code();
        PackingGroup = row("Packing group", USUAL, &["packingGroup"])
            .missing("Pick the packing group").place("packing group");
        Class = row("Class", USUAL, &["dgClassType", "subDgClassTypes"]).place("class");
        Container = row("Packaging type", USUAL, &["containerType"])
            .missing("Choose the packaging type").place("packaging type");
        Containers(containers) = row("Inner packagings", USUAL, &["numberOfContainers"])
            .missing("Enter the number of inner packagings in each package")
            .place("inner packagings").number();
        Amount(amount) = row("Amount", USUAL, &["aggregateQuantity", "isAggregateQuantityWeight"])
            .missing("Enter the amount, greater than 0")
            .place("amount").number();
        FlashPoint(flash_point) = row("Flash point", USUAL, &["flashpoint"]).place("flash point").unit("°C").number();
        Hazchem(hazchem) = row("Hazchem", USUAL, &["hazchem", "dgHazchemId"])
            .missing("Enter the Hazchem code: New Zealand requires it").hint("if known").code();
        TechnicalName(technical_name) = row("Technical name", 200, &["TechnicalOrChemicalGroupNames"])
            .missing("Enter a technical or chemical group name: this UN number requires it")
            .place("technical name");
    }
}

fields! {
    pub enum ContentsField of ContentsLine {
        Description(description) = row("Description", 200, &["description"])
            .missing("Enter a description for customs").place("description")
            .column("Contents", "Customs contents", &["customsdescription", "contentsdescription",
                "commercialdescription"]);
        /// Units in one item.
        Quantity(quantity) = row("Units per item", USUAL, &["quantity"])
            .missing("Enter the number of units in one item").place("units").number()
            .column("ContentsUnits", "Customs units", &["customsquantity", "contentsquantity", "unitsinside"]);
        /// Value in Australian dollars.
        Value(value) = row("Value per item", USUAL, &["dollarValue"])
            .missing("Enter the value in Australian dollars").place("value").unit("AUD").number()
            .column("ContentsValue", "Customs value", &["customsvalueaud", "declaredvalue", "dollarvalue", "unitvalue",
                "valueaud"]);
        Purpose(purpose) = row("Purpose", USUAL, &["purpose"])
            .missing("Choose the reason for sending").place("purpose")
            .column("ContentsPurpose", "Customs purpose", &["purpose", "reasonforexport", "reasonforsending"]);
        Country(country) = row("Country of origin", USUAL, &["countryOfManufactureCode"])
            .missing("Choose the country of origin").place("country of origin")
            .column("MadeIn", "Made in", &["countryoforigin", "origin", "countryofmanufacture", "madeincountry"]);
        HarmonisedCode(harmonised_code) = row("HS code", 24, &["harmonizedCode"]).code()
            .column("HarmonisedCode", "Harmonised code", &["harmonizedcode", "hscode", "hstariffnumber",
                "tariffcode"]);
        Reference1(reference1) = row("Reference", USUAL, &["reference1"]).place("reference");
        Reference2(reference2) = row("Reference 2", USUAL, &["reference2"]).place("reference");
        Reference3(reference3) = row("Reference 3", USUAL, &["reference3"]).place("reference");
        Marks(marks) = row("Marks and numbers", 100, &["ciMarksAndNumbers"]).place("marks");
        PartNumber(part_number) = row("Part number", USUAL, &["partNumber"]).place("part number");
    }
}

fields! {
    pub enum CustomField of CustomValueLine {
        Name(name) = row("name", 80, &["propertyName"])
            .missing("Enter the option's name").hint("Name");
        Value(value) = row("value", 200, &["value"])
            .missing("Enter the option's value").hint("Value");
    }
}

/// A text that is typed for the consignment as a whole.
pub(crate) struct TextOption {
    pub(crate) field: Field,
    pub(crate) row: FieldRow,
    pub(crate) reuse: Reuse,
    pub(crate) value: fn(&Draft) -> &String,
    pub(crate) value_mut: fn(&mut Draft) -> &mut String,
    pub(crate) kept: fn(&PresetTexts) -> &String,
    pub(crate) kept_mut: fn(&mut PresetTexts) -> &mut String,
    /// The request's field; `None` if the text is converted before it is sent.
    pub(crate) request: Option<fn(&mut ConsignmentRequest) -> &mut Option<String>>,
}

/// Whether an option's text is meant for other consignments, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reuse {
    /// The text belongs to one consignment, so clones and presets leave it out.
    Once,
    Clone,
    /// Clones and presets keep the text. Contains its name in the description of a preset.
    Preset(&'static str),
}

/// Declares the fields of a consignment as a whole, in the order of the screen, and with them [`Field`]. The row of a
/// text has the field, the draft's member, the request's member (`_` if the text is converted before it is sent), its
/// reuse, and its [`FieldRow`]. Other fields have their [`FieldRow`] only.
macro_rules! consignment_fields {
    (
        texts {
            $($(#[$doc:meta])*
            $text:ident($member:ident) => $request:tt, $reuse:ident $(($preset_label:literal))? = $row:expr;)+
        }
        others { $($(#[$other_doc:meta])* $other:ident = $other_row:expr;)+ }
    ) => {
        /// A field of the Consign screen for which a problem can be reported.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Field {
            $($(#[$doc])* $text,)+
            $($(#[$other_doc])* $other,)+
            From(AddressField),
            To(AddressField),
            Goods(usize, GoodsField),
            /// A field of a DG item, by the index of its line and the index of the item in the line.
            Dg(usize, usize, DgField),
            /// The customs contents of a line as a whole, by its index.
            Customs(usize),
            /// A field of customs contents, by the indexes of the line and of the contents.
            Contents(usize, usize, ContentsField),
            Custom(usize, CustomField),
        }

        /// The texts of a preset; those that presets leave out are empty.
        #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
        #[serde(default)]
        pub struct PresetTexts {
            $(#[serde(skip_serializing_if = "String::is_empty")]
            pub $member: String,)+
        }

        pub(crate) const TEXTS: &[TextOption] = &[$(TextOption {
            field: Field::$text,
            row: $row,
            reuse: Reuse::$reuse $(($preset_label))?,
            value: |draft| &draft.$member,
            value_mut: |draft| &mut draft.$member,
            kept: |texts| &texts.$member,
            kept_mut: |texts| &mut texts.$member,
            request: consignment_fields!(@request $request),
        }),+];

        const OTHERS: &[(Field, FieldRow)] = &[$((Field::$other, $other_row)),+];
    };
    (@request _) => { None };
    (@request $request:ident) => { Some(|request| &mut request.$request) };
}

consignment_fields! {
    texts {
        Reference1(reference1) => customer_reference, Once = row("Reference", USUAL, &["customerReference"]).code()
            .column("Reference", "Reference", &["ref", "reference1", "ordernumber", "orderno", "order", "orderid",
                "orderref", "orderreference", "ordernr", "customerreference", "salesorder", "salesordernumber", "name",
                "invoicenumber"]);
        Reference2(reference2) => customer_reference2, Once =
            row("Second reference", USUAL, &["customerReference2"]).code()
            .column("Reference2", "Reference 2", &["ref2", "secondreference", "customerreference2", "ponumber",
                "purchaseorder", "po"]);
        Despatch(despatch) => _, Once = row("Despatch", 40, &["dispatchDateTimeUtc", "dispatchDateTimeLocal",
            "despatchDateTimeUtc", "despatchDateTimeLocal"]).hint("now");
        Instructions(instructions) => special_instructions, Preset("Instructions") =
            row("Driver instructions", 250, &["specialInstructions"]).hint("Notes for the driver")
            .column("Instructions", "Instructions", &["instruction", "specialinstructions", "deliveryinstructions",
                "notes", "comments", "comment"]);
        ReceiverAccount(receiver_account) => _, Clone =
            row("Receiver pays: account", 40, &["receiverAccountCode", "receiverAccountId"])
            .place("Receiver pays").code().folded("Receiver pays")
            .column("ReceiverAccount", "Receiver account", &["receiveraccountcode", "receiverpays",
                "receiverpaysaccount", "accountcode"]);
        /// The carrier's consignment number, if the shipper assigns it.
        CarrierNumber(carrier_number) => carrier_consignment_id, Once =
            row("Carrier con. number", 40, &["carrierConsignmentId"]).place("Carrier consignment number")
            .hint("given by the carrier").code().folded("Carrier con. number");
        /// The person who packs.
        Staff(staff) => staff_member_name, Once = row("Packed by", 80, &["staffMemberName"]).folded("Packed by");
        PrinterToken(printer_token) => printer_token, Preset("Printer token") =
            row("Printer token", 100, &["printerToken"])
            .hint("service printers").code().folded("Printer token");
    }
    others {
        Company = row("Company", USUAL, &["companyId"]);
        /// Options (`questionIds`) and flags.
        Questions = row("Options", USUAL, &["questionIds"]);
        /// The list of goods as a whole.
        AllGoods = row("", USUAL, &["items"]).missing("Add at least one goods line");
        /// The payer of duties and taxes.
        Duties = row("The receiver pays duties and taxes", USUAL, &[]).place("Duties");
        Route = row("", USUAL, &["carrierId", "carrierServiceId", "carrierAccountId", "companyCarrierAccountId",
            "defaultRouteSelection", "carrierIds"]).missing("Choose a route");
        Declaration = row("", USUAL, &["dgsDeclaration"]);
        Whole = row("", USUAL, &[]);
    }
}

/// Returns the texts that presets keep, each with its name in the description of a preset.
pub(crate) fn preset_texts() -> impl Iterator<Item = (&'static TextOption, &'static str)> {
    TEXTS.iter().filter_map(|option| match option.reuse {
        Reuse::Preset(label) => Some((option, label)),
        Reuse::Once | Reuse::Clone => None,
    })
}

/// Everything about an optional boolean of a consignment that does not depend on a draft.
#[derive(Debug, Clone, Copy)]
pub struct FlagRow {
    pub label: &'static str,
    pub checkbox_label: &'static str,
    /// The service's names, the name in requests and in the editable form first.
    pub wire_names: &'static [&'static str],
    pub column: ColumnNames,
}

/// Declares the optional booleans. A row has the flag, its member in [`ConsignmentFlags`], the request's member, the
/// label (which is also the column's name in order files), the label of the checkbox, the service's names, and other
/// names of the column.
macro_rules! flags {
    ($($(#[$doc:meta])* $flag:ident($member:ident) => $request:ident =
        $label:literal, $checkbox_label:literal, $wire_names:expr, $column_names:expr;)+
    ) => {
        /// An optional boolean of a consignment.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ConsignmentFlag {
            $($(#[$doc])* $flag,)+
        }

        /// The flags that are set. Drafts and presets store them among their own fields.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
        #[serde(default)]
        pub struct ConsignmentFlags {
            $($(#[$doc])* pub $member: bool,)+
        }

        impl ConsignmentFlags {
            pub fn value_mut(&mut self, flag: ConsignmentFlag) -> &mut bool {
                match flag { $(ConsignmentFlag::$flag => &mut self.$member),+ }
            }
        }

        impl ConsignmentFlag {
            /// All flags, in the order of the screen.
            pub const ALL: &'static [Self] = &[$(Self::$flag),+];

            pub const fn row(self) -> &'static FlagRow {
                match self { $(Self::$flag => const { &FlagRow {
                    label: $label,
                    checkbox_label: $checkbox_label,
                    wire_names: $wire_names,
                    column: ColumnNames::new(stringify!($flag), $label, $column_names),
                } }),+ }
            }

            pub(crate) fn request(self, request: &mut ConsignmentRequest) -> &mut Option<bool> {
                match self { $(Self::$flag => &mut request.$request),+ }
            }
        }
    };
}

flags! {
    /// Whether the receiver gets a tracking e-mail.
    TrackingEmail(tracking_email) => sending_tracking_email = "Tracking e-mail", "Send a tracking e-mail",
        &["sendingTrackingEmail", "sendTrackingEmail"], &["sendtrackingemail", "sendingtrackingemail", "asn"];
}

impl ConsignmentFlags {
    pub fn is_set(mut self, flag: ConsignmentFlag) -> bool {
        *self.value_mut(flag)
    }

    pub fn iter(self) -> impl Iterator<Item = ConsignmentFlag> {
        let all = ConsignmentFlag::ALL.iter().copied();
        all.filter(move |flag| self.is_set(*flag))
    }
}

/// Returns the field of the whole consignment that has this name at the service, ignoring case.
fn whole_field(name: &str) -> Field {
    let texts = TEXTS
        .iter()
        .map(|option| (option.field, option.row.wire_names));
    let flags = ConsignmentFlag::ALL.iter();
    let flags = flags.map(|flag| (Field::Questions, flag.row().wire_names));
    let others = OTHERS.iter().map(|(field, row)| (*field, row.wire_names));
    let mut all = texts.chain(flags).chain(others);
    let found = all.find(|(_, wire_names)| is_named(wire_names, name));
    found.map_or(Field::Whole, |(field, _)| field)
}

impl Field {
    /// Returns the texts that are typed for the consignment as a whole, in the order of the screen.
    pub fn texts() -> impl Iterator<Item = Self> {
        TEXTS.iter().map(|option| option.field)
    }

    pub fn row(self) -> &'static FieldRow {
        match self {
            Self::To(AddressField::Saved) => const { &RECEIVER },
            Self::From(field) | Self::To(field) => field.row(),
            Self::Goods(_, field) => field.row(),
            Self::Dg(_, _, field) => field.row(),
            Self::Contents(_, _, field) => field.row(),
            Self::Custom(_, field) => field.row(),
            _ => {
                let mut others = OTHERS.iter();
                let other = || others.find(|(field, _)| *field == self).map(|(_, row)| row);
                let text = self.text_option().map(|option| &option.row);
                text.or_else(other)
                    .unwrap_or(const { &row("", USUAL, &[]) })
            }
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

    /// Returns the field for one of the service's `memberNames`, ignoring case, with or without an index;
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
