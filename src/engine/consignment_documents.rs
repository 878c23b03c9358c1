//! The documents of one consignment besides its labels: packing slip, consignment note, commercial invoice and dangerous
//! goods transport document. Each is made from the service's newest record of the consignment.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rust_decimal::Decimal;

use super::paper::{self, counted, joined, kilograms};
use super::save::save_file;
use super::{DocumentTexts, EngineContext, EngineError, Fetch, Reads, blocking};
use draft::Packing;
use printing::document::ColumnKind::{Code, Figures, Words};
use printing::document::{DocumentContent, DocumentPaper, DrawnPdf, Logo, RecordColumn, Table};
use shipping::{
    Consignment, ConsignmentId, ConsignmentItem, DgItem, ItemContents, Location, PackingGroup,
    UnLookupEntry,
};

/// Room to write something that the service does not know.
const TO_WRITE: &str = "______________________";

const INVOICE_DECLARATION: &str =
    "I declare that all information in this invoice is true and correct";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConsignmentDocument {
    PackingSlip,
    ConsignmentNote,
    CommercialInvoice,
    DangerousGoods,
}

impl ConsignmentDocument {
    pub const ALL: [Self; 4] = [
        Self::PackingSlip,
        Self::ConsignmentNote,
        Self::CommercialInvoice,
        Self::DangerousGoods,
    ];

    /// Returns the document's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PackingSlip => "Packing slip",
            Self::ConsignmentNote => "Consignment note",
            Self::CommercialInvoice => "Commercial invoice",
            Self::DangerousGoods => "Dangerous goods document",
        }
    }
}

/// A document of a consignment, with what the customer adds to documents.
#[derive(Debug, Clone)]
pub struct ConsignmentDocumentOrder {
    pub document: ConsignmentDocument,
    pub consignment: ConsignmentId,
    pub texts: DocumentTexts,
}

impl Reads {
    /// Saves a document at the typed path or, without one, where the clerk chooses.
    pub fn save_consignment_document(
        &self,
        order: ConsignmentDocumentOrder,
        (name, typed): (String, Option<PathBuf>),
    ) -> Fetch<Option<PathBuf>> {
        self.job(move |bench| async move {
            let drawn = bench
                .consignment_document(&order, DocumentPaper::A4)
                .await?;
            save_file("Save the document", &name, typed, &drawn.pdf).await
        })
    }
}

impl EngineContext {
    /// Draws a document from the service's newest record of its consignment.
    pub(super) async fn consignment_document(
        &self,
        order: &ConsignmentDocumentOrder,
        size: DocumentPaper,
    ) -> Result<DrawnPdf, EngineError> {
        let consignment = self.client.consignment(order.consignment).await?;
        let (kind, texts) = (order.document, &order.texts);
        self.document_of(kind, consignment, texts, size).await
    }

    /// Draws a document of this consignment.
    pub(super) async fn document_of(
        &self,
        kind: ConsignmentDocument,
        mut of: Consignment,
        texts: &DocumentTexts,
        size: DocumentPaper,
    ) -> Result<DrawnPdf, EngineError> {
        if let Some(message) = kind.not_needed(&of) {
            return Err(EngineError::NotPossible(message));
        }
        if kind == ConsignmentDocument::DangerousGoods {
            self.add_shipping_names(&mut of).await?;
        }
        let packing = match kind {
            ConsignmentDocument::PackingSlip => self.packing_of(of.id).await,
            _ => None,
        };
        let texts = texts.clone();
        blocking(move || consignment_document_pdf(kind, &of, packing.as_ref(), &texts, size)).await
    }

    /// Returns what was ordered and packed of a consignment. A packing slip is also made without a readable journal.
    async fn packing_of(&self, consignment: ConsignmentId) -> Option<Packing> {
        let packing = self.journal(move |journal| journal.packing_of(consignment));
        packing.await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the ordered pieces can't be read");
            None
        })
    }

    /// Looks up proper shipping names and classes that the record lacks: UN number and packing group determine them, and
    /// not every service gives them with a consignment.
    async fn add_shipping_names(&self, of: &mut Consignment) -> Result<(), EngineError> {
        let lacks = |dg: &DgItem| {
            text(dg.proper_shipping_name.as_ref()).is_empty() || dg.dg_class_type.is_none()
        };
        let lacking = dangerous(of).filter(|(_, dg)| lacks(dg));
        let numbers: BTreeSet<_> = lacking.filter_map(|(_, dg)| dg.un_number).collect();
        if numbers.is_empty() {
            return Ok(());
        }
        let numbers: Vec<_> = numbers.into_iter().collect();
        let entries = self.client.un_numbers(&numbers).await?;
        let items = of.items_mut().iter_mut();
        let goods = items.flat_map(|item| &mut item.consignment_item_dg_items);
        for dg in goods.filter(|dg| lacks(dg)) {
            let mut of_number = entries
                .iter()
                .filter(|entry| Some(entry.un_number) == dg.un_number);
            let is_of_group = |entry: &&UnLookupEntry| entry.packing_group == dg.packing_group;
            let entry = of_number
                .clone()
                .find(is_of_group)
                .or_else(|| of_number.next());
            let Some(entry) = entry else { continue };
            if text(dg.proper_shipping_name.as_ref()).is_empty() {
                dg.proper_shipping_name = Some(entry.name.clone());
            }
            if dg.dg_class_type.is_none() {
                dg.dg_class_type = entry.main_class();
                dg.sub_dg_class_types = entry.subsidiary_classes();
            }
        }
        Ok(())
    }
}

impl ConsignmentDocument {
    /// Returns a short name, for a tab.
    pub const fn short_name(self) -> &'static str {
        match self {
            Self::PackingSlip => "Packing slip",
            Self::ConsignmentNote => "Note",
            Self::CommercialInvoice => "Invoice",
            Self::DangerousGoods => "Dangerous goods",
        }
    }

    /// Returns a name such as `Packing slip MS123`, by the consignment's number.
    pub fn name_of(self, number: &str) -> String {
        format!("{} {number}", self.name())
    }

    /// Returns the reason why a consignment needs no such document; `None` if the consignment can have one.
    pub(super) fn not_needed(self, of: &Consignment) -> Option<String> {
        let number = &of.consignment_number;
        match self {
            Self::CommercialInvoice if contents(of).next().is_none() => Some(format!(
                "{number} has no customs contents, which the invoice lists"
            )),
            Self::DangerousGoods if dangerous(of).next().is_none() => {
                Some(format!("{number} has no dangerous goods"))
            }
            _ => None,
        }
    }
}

/// Draws a document of a consignment, and a packing slip with what was ordered and packed if it was packed by scan. Blocks
/// while a logo is read. A logo that can't be used is left out, and the message of the drawn PDF says so.
pub fn consignment_document_pdf(
    kind: ConsignmentDocument,
    of: &Consignment,
    packing: Option<&Packing>,
    texts: &DocumentTexts,
    size: DocumentPaper,
) -> Result<DrawnPdf, EngineError> {
    let (logo, problem) = match &texts.logo {
        Some(path) if kind != ConsignmentDocument::DangerousGoods => match read_logo(path) {
            Ok(logo) => (Some(logo), None),
            Err(problem) => (None, Some(problem)),
        },
        _ => (None, None),
    };
    let content = DocumentContent {
        paper: size,
        logo,
        ..page(kind, of, packing, texts)
    };
    let mut drawn = paper::draw(&content)?;
    let missing = (kind == ConsignmentDocument::DangerousGoods).then(|| missing_facts(of));
    let messages: Vec<_> = problem
        .into_iter()
        .chain(missing.flatten())
        .chain(drawn.message.take())
        .collect();
    drawn.message = (!messages.is_empty()).then(|| messages.join(". "));
    Ok(drawn)
}

/// Reads a logo. The error is a message for the clerk.
pub fn read_logo(path: &Path) -> Result<Logo, String> {
    let read = std::fs::read(path).map_err(|error| error.kind().to_string());
    let logo = read.and_then(|bytes| Logo::from_bytes(&bytes).map_err(|error| error.to_string()));
    logo.map_err(|problem| format!("The logo {} can't be used: {problem}", path.display()))
}

/// Makes the pages of a document.
fn page(
    kind: ConsignmentDocument,
    of: &Consignment,
    packing: Option<&Packing>,
    texts: &DocumentTexts,
) -> DocumentContent {
    let content = match kind {
        ConsignmentDocument::PackingSlip => packing_slip(of, packing),
        ConsignmentDocument::ConsignmentNote => consignment_note(of),
        ConsignmentDocument::CommercialInvoice => commercial_invoice(of, texts),
        ConsignmentDocument::DangerousGoods => dangerous_goods(of, texts),
    };
    let letterhead = texts.letterhead.lines().map(str::trim);
    DocumentContent {
        title: kind.name().to_owned(),
        reference: of.consignment_number.clone(),
        letterhead: letterhead
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .collect(),
        stamp: if of.is_test == Some(true) { "TEST" } else { "" }.to_owned(),
        foot: joined(
            &[text(of.from_name.as_ref()), &of.consignment_number],
            " · ",
        ),
        ..content
    }
}

/// A line of a packing slip.
struct SlipLine {
    sku: String,
    goods: String,
    packaging: String,
    /// The ordered pieces; `None` if the consignment was not packed by scan.
    ordered: Option<u64>,
    packed: u64,
}

/// Returns the lines of a packing slip: the items, and the ordered goods of which no piece is packed.
fn slip_lines(of: &Consignment, packing: Option<&Packing>) -> Vec<SlipLine> {
    let line_of = |item: &ConsignmentItem| packing?.find(text(item.sku.as_ref()));
    let mut left: Vec<u64> = { packing.into_iter().flat_map(|packing| &packing.lines) }
        .map(|line| line.expected.into())
        .collect();
    let mut lines = Vec::new();
    for (at, item) in of.items().iter().enumerate() {
        let packed = quantity(item);
        let ordered = packing.map(|_| {
            let Some(line) = line_of(item) else {
                return packed;
            };
            // If several items have the SKU, the last one has the ordered pieces that the others leave.
            let is_last = !of.items()[at + 1..]
                .iter()
                .any(|other| line_of(other) == Some(line));
            let ordered = if is_last {
                left[line]
            } else {
                packed.min(left[line])
            };
            left[line] -= ordered;
            ordered
        });
        lines.push(SlipLine {
            sku: text(item.sku.as_ref()).to_owned(),
            goods: text(item.name.as_ref()).to_owned(),
            packaging: text(item.item_type.as_ref()).to_owned(),
            ordered,
            packed,
        });
    }
    let unpacked = packing.into_iter().flat_map(|packing| &packing.lines);
    lines.extend(
        unpacked
            .zip(left)
            .filter(|(_, left)| *left > 0)
            .map(|(line, ordered)| SlipLine {
                sku: line.sku.clone(),
                goods: line.name.clone(),
                packaging: String::new(),
                ordered: Some(ordered),
                packed: 0,
            }),
    );
    lines
}

/// The goods with their quantities and without prices. A consignment that was packed by scan also has what was ordered.
fn packing_slip(of: &Consignment, packing: Option<&Packing>) -> DocumentContent {
    let lines = slip_lines(of, packing);
    let ordered = |line: &SlipLine| line.ordered.unwrap_or_default().to_string();
    let mut columns: Vec<RecordColumn<'_, SlipLine>> = vec![
        ("SKU", 1.6, Code, &|line| line.sku.clone()),
        ("Goods", 4.2, Words, &|line| line.goods.clone()),
        ("Packaging", 1.4, Words, &|line| line.packaging.clone()),
    ];
    let mut totals = vec![String::new(); 3];
    totals[1] = counted(lines.len(), "line", "lines");
    if packing.is_some() {
        columns.push(("Ordered", 0.9, Figures, &ordered));
        let pieces: u64 = lines.iter().filter_map(|line| line.ordered).sum();
        totals.push(pieces.to_string());
    }
    columns.push(("Packed", 0.9, Figures, &|line| line.packed.to_string()));
    totals.push(pieces(of).to_string());
    DocumentContent {
        facts: vec![
            ("Reference", dashed(text(of.customer_reference.as_ref()))),
            (
                "Second reference",
                dashed(text(of.customer_reference2.as_ref())),
            ),
            ("Deliver to", receiver(of)),
            ("From", sender(of)),
            ("Contact", receiver_contact(of)),
            ("Despatch", despatch(of)),
            ("Carrier", carrier(of)),
            (
                "Instructions",
                dashed(text(of.special_instructions.as_ref())),
            ),
        ],
        tables: vec![Table {
            totals,
            empty_text: "The service lists no goods",
            ..Table::of(&lines, &columns)
        }],
        signatures: vec!["Packed by".to_owned()],
        ..DocumentContent::default()
    }
}

/// All of the consignment on one page, for the driver's signature.
fn consignment_note(of: &Consignment) -> DocumentContent {
    let mut totals = vec![String::new(); 5];
    totals[0] = counted(of.items().len(), "line", "lines");
    totals[2] = pieces(of).to_string();
    totals[3] = gross_weight(of);
    DocumentContent {
        facts: vec![
            ("Sender", sender(of)),
            ("Receiver", receiver(of)),
            ("Sender's contact", sender_contact(of)),
            ("Receiver's contact", receiver_contact(of)),
            ("Carrier", carrier(of)),
            (
                "Carrier con. number",
                dashed(text(of.carrier_consignment_id.as_ref())),
            ),
            ("Reference", dashed(text(of.customer_reference.as_ref()))),
            ("Despatch", despatch(of)),
            (
                "Instructions",
                dashed(text(of.special_instructions.as_ref())),
            ),
            (
                "Dangerous goods",
                if of.has_dangerous_goods() {
                    "Yes: see the dangerous goods document"
                } else {
                    "No"
                }
                .to_owned(),
            ),
        ],
        tables: vec![Table {
            totals,
            empty_text: "The service lists no goods",
            ..Table::of(
                of.items(),
                &[
                    ("Goods", 4.0, Words, &|item| {
                        text(item.name.as_ref()).to_owned()
                    }),
                    ("Packaging", 1.4, Words, &|item| {
                        text(item.item_type.as_ref()).to_owned()
                    }),
                    ("Pieces", 0.9, Figures, &|item| quantity(item).to_string()),
                    ("kg", 1.0, Figures, &|item| {
                        item_weight(item)
                            .map(|weight| kilograms(shipping::Kilograms(weight)))
                            .unwrap_or_default()
                    }),
                    ("L × W × H in cm", 1.9, Figures, &dimensions),
                ],
            )
        }],
        code: of.consignment_number.clone(),
        signatures: ["Sender", "Driver", "Receiver"].map(str::to_owned).to_vec(),
        ..DocumentContent::default()
    }
}

/// A line of an invoice. Quantity and value of the contents are those in each piece of an item.
struct InvoiceLine<'a> {
    contents: &'a ItemContents,
    units: Option<u64>,
    value: Option<Decimal>,
}

impl InvoiceLine<'_> {
    /// Returns the value of one unit, to four decimals at most.
    fn unit_value(&self) -> Option<Decimal> {
        let each = self.value?.checked_div(self.units?.into())?;
        Some(each.round_dp(4).normalize())
    }
}

fn commercial_invoice(of: &Consignment, texts: &DocumentTexts) -> DocumentContent {
    let lines: Vec<_> = { contents(of) }
        .map(|(item, contents)| InvoiceLine {
            contents,
            units: contents
                .quantity
                .map(|inside| u64::from(inside) * quantity(item)),
            value: { contents.dollar_value }
                .and_then(|value| value.0.checked_mul(quantity(item).into())),
        })
        .collect();
    let total: Decimal = lines.iter().filter_map(|line| line.value).sum();
    let unknown = lines.iter().filter(|line| line.value.is_none()).count();
    let reasons: BTreeSet<_> = lines
        .iter()
        .map(|line| text(line.contents.purpose.as_ref()))
        .collect();
    let reasons: Vec<_> = reasons
        .into_iter()
        .filter(|reason| !reason.is_empty())
        .collect();
    let mut totals = vec![String::new(); 6];
    "Total".clone_into(&mut totals[0]);
    totals[5] = format!("{total:.2}");
    let mut notes = Vec::new();
    if unknown > 0 {
        let lines = counted(unknown, "line", "lines");
        notes.push(format!("The total leaves out {lines} without a value"));
    }
    notes.push(or_else(&texts.declaration, INVOICE_DECLARATION));
    let freight = of.consignment_total.total_sell_price;
    let freight = freight.map(|price| ("Freight", format!("{:.2} AUD, not in the total", price.0)));
    let mut facts = vec![
        ("Seller", sender(of)),
        ("Buyer", receiver(of)),
        ("Seller's contact", sender_contact(of)),
        ("Buyer's contact", receiver_contact(of)),
        ("Invoice number", of.consignment_number.clone()),
        ("Invoice date", despatch(of)),
        ("Reason for export", dashed(&reasons.join(", "))),
        ("Terms of sale", or_else(&texts.terms_of_sale, TO_WRITE)),
        ("Reference", dashed(text(of.customer_reference.as_ref()))),
        ("Currency", "Australian dollars (AUD)".to_owned()),
        ("Packages", pieces(of).to_string()),
        ("Gross weight", format!("{} kg", gross_weight(of))),
    ];
    facts.extend(freight);
    DocumentContent {
        facts,
        tables: vec![Table {
            totals,
            ..Table::of(
                &lines,
                &[
                    ("Description", 3.6, Words, &|line| {
                        text(line.contents.description.as_ref()).to_owned()
                    }),
                    ("HS code", 1.3, Code, &|line| {
                        text(line.contents.harmonized_code.as_ref()).to_owned()
                    }),
                    ("Origin", 0.8, Words, &|line| {
                        text(line.contents.country_of_manufacture_code.as_ref()).to_owned()
                    }),
                    ("Units", 0.9, Figures, &|line| {
                        line.units
                            .map_or_else(|| "–".to_owned(), |units| units.to_string())
                    }),
                    ("Unit value", 1.1, Figures, &|line| {
                        line.unit_value()
                            .map_or_else(|| "–".to_owned(), |each| each.to_string())
                    }),
                    ("Value", 1.2, Figures, &|line| money(line.value)),
                ],
            )
        }],
        notes,
        signatures: vec!["Seller".to_owned()],
        ..DocumentContent::default()
    }
}

/// The dangerous goods in the order that the ADG Code and the IMDG Code ask for: UN number, proper shipping name, class
/// with subsidiary hazards, packing group.
fn dangerous_goods(of: &Consignment, texts: &DocumentTexts) -> DocumentContent {
    let lines: Vec<_> = dangerous(of).collect();
    DocumentContent {
        facts: vec![
            ("Consignor", sender(of)),
            ("Consignee", receiver(of)),
            ("Telephone", dashed(text(of.from_phone.as_ref()))),
            (
                "Emergency phone",
                or_else(&texts.emergency_phone, TO_WRITE),
            ),
            ("Carrier", carrier(of)),
            ("Despatch", despatch(of)),
        ],
        tables: vec![Table::of(
            &lines,
            &[
                ("UN", 0.8, Code, &|(_, dg)| dg.un_number.map(|number| format!("UN{number}")).unwrap_or_default()),
                ("Proper shipping name", 3.2, Words, &|(_, dg)| shipping_name(dg)),
                ("Class", 0.8, Words, &|(_, dg)| classes(dg)),
                ("PG", 0.5, Words, &|(_, dg)| packing_group(dg).to_owned()),
                ("Packages", 1.5, Words, &|(item, dg)| packages(item, dg)),
                ("Quantity", 1.0, Figures, &|(_, dg)| amount(dg)),
                ("Flash point", 1.1, Figures, &|(_, dg)| dg.flashpoint.map(|at| format!("{} °C", at.0.normalize())).unwrap_or_default()),
                ("Hazchem", 0.9, Code, &|(_, dg)| text(dg.hazchem.as_ref()).to_owned()),
            ],
        )],
        notes: vec![
            "I hereby declare that the contents of this consignment are fully and accurately described above by the proper \
             shipping name, and are classified, packaged, marked and labelled or placarded, and are in all respects in \
             proper condition for transport according to the applicable international and national government regulations."
                .to_owned(),
        ],
        signatures: vec!["Consignor".to_owned(), "Driver".to_owned()],
        ..DocumentContent::default()
    }
}

fn contents(of: &Consignment) -> impl Iterator<Item = (&ConsignmentItem, &ItemContents)> {
    let items = of.items().iter();
    items.flat_map(|item| {
        item.consignment_item_contents
            .iter()
            .map(move |contents| (item, contents))
    })
}

fn dangerous(of: &Consignment) -> impl Iterator<Item = (&ConsignmentItem, &DgItem)> {
    let items = of.items().iter();
    items.flat_map(|item| {
        item.consignment_item_dg_items
            .iter()
            .map(move |dg| (item, dg))
    })
}

/// Returns a message about facts of the goods that must be written by hand; `None` if there are none.
fn missing_facts(of: &Consignment) -> Option<String> {
    let missing = |(_, dg): (_, &DgItem)| {
        let facts = [
            (dg.un_number.is_none(), "UN number"),
            (
                text(dg.proper_shipping_name.as_ref()).is_empty(),
                "proper shipping name",
            ),
            (dg.dg_class_type.is_none(), "class"),
            (dg.aggregate_quantity.is_none(), "quantity"),
            (
                dg.is_aggregate_quantity_weight.is_none(),
                "unit of the quantity",
            ),
        ];
        let missing = facts.iter().filter(|(is_missing, _)| *is_missing);
        let missing: Vec<_> = missing.map(|(_, fact)| *fact).collect();
        let goods = dg
            .un_number
            .map_or_else(|| "Goods".to_owned(), |number| format!("UN{number}"));
        (!missing.is_empty()).then(|| format!("{goods} without {}", missing.join(", ")))
    };
    let goods: BTreeSet<_> = dangerous(of).filter_map(missing).collect();
    let goods: Vec<_> = goods.into_iter().collect();
    (!goods.is_empty()).then(|| format!("Write by hand what is missing: {}", goods.join("; ")))
}

/// Returns the name with the technical names, and what else must be said about the goods. A name that neither the record
/// nor the service's list has must be written by hand.
fn shipping_name(dg: &DgItem) -> String {
    let name = match text(dg.proper_shipping_name.as_ref()) {
        "" => TO_WRITE,
        name => name,
    };
    let technical = dg.technical_or_chemical_group_names.join(", ");
    let mut name = if technical.is_empty() {
        name.to_owned()
    } else {
        format!("{name} ({technical})")
    };
    for (applies, words) in [
        (dg.is_empty_dg_container, "EMPTY UNCLEANED"),
        (dg.is_temperature_controlled, "TEMPERATURE CONTROLLED"),
        (dg.is_marine_pollutant, "MARINE POLLUTANT"),
    ] {
        if applies == Some(true) {
            name = joined(&[&name, words], ", ");
        }
    }
    name
}

/// Returns the class with its subsidiary hazards: `3 (6.1, 8)`.
fn classes(dg: &DgItem) -> String {
    // The number is the first word of the label.
    let number = |class: shipping::DgClass| class.label().split(' ').next().unwrap_or_default();
    let subsidiary: Vec<_> = dg
        .sub_dg_class_types
        .iter()
        .map(|class| number(*class))
        .collect();
    let class = dg.dg_class_type.map(number).unwrap_or_default();
    if subsidiary.is_empty() {
        class.to_owned()
    } else {
        format!("{class} ({})", subsidiary.join(", "))
    }
}

const fn packing_group(dg: &DgItem) -> &'static str {
    match dg.packing_group {
        Some(PackingGroup::None) | None => "",
        Some(group) => group.label(),
    }
}

/// Returns `2 × Carton, each 4 × Bottle`.
fn packages(item: &ConsignmentItem, dg: &DgItem) -> String {
    let outer = format!("{} × {}", quantity(item), text(item.item_type.as_ref()));
    match (dg.number_of_containers, dg.container_type) {
        (Some(count), Some(kind)) => format!("{outer}, each {count} × {}", kind.label()),
        _ => outer,
    }
}

fn amount(dg: &DgItem) -> String {
    let unit = match dg.is_aggregate_quantity_weight {
        Some(true) => " kg",
        Some(false) => " L",
        None => "",
    };
    let amount = dg.aggregate_quantity.map(|amount| amount.0.normalize());
    amount
        .map(|amount| format!("{amount}{unit}"))
        .unwrap_or_default()
}

fn quantity(item: &ConsignmentItem) -> u64 {
    item.quantity.unwrap_or(1).into()
}

fn pieces(of: &Consignment) -> u64 {
    of.items().iter().map(quantity).sum()
}

/// The weight of all pieces of an item.
fn item_weight(item: &ConsignmentItem) -> Option<Decimal> {
    let each = item.size().weight?.0;
    each.checked_mul(quantity(item).into())
}

fn gross_weight(of: &Consignment) -> String {
    let weight = of.items().iter().filter_map(item_weight).sum();
    kilograms(shipping::Kilograms(weight))
}

fn dimensions(item: &ConsignmentItem) -> String {
    let size = item.size();
    let sides = [size.length, size.width, size.height];
    if sides.iter().any(Option::is_none) {
        return String::new();
    }
    let sides = sides
        .into_iter()
        .flatten()
        .map(|side| side.0.normalize().to_string());
    sides.collect::<Vec<_>>().join(" × ")
}

fn money(amount: Option<Decimal>) -> String {
    amount.map_or_else(|| "–".to_owned(), |amount| format!("{amount:.2}"))
}

fn sender_contact(of: &Consignment) -> String {
    contact(of.from_contact.as_ref(), of.from_phone.as_ref())
}

fn receiver_contact(of: &Consignment) -> String {
    contact(of.to_contact.as_ref(), of.to_phone.as_ref())
}

fn contact(name: Option<&String>, phone: Option<&String>) -> String {
    dashed(&joined(&[text(name), text(phone)], " · "))
}

fn sender(of: &Consignment) -> String {
    address(
        [
            of.from_name.as_ref(),
            of.from_address_line1.as_ref(),
            of.from_address_line2.as_ref(),
        ],
        of.from_location.as_ref(),
        of.from_country_code.as_ref(),
        of.is_international,
    )
}

fn receiver(of: &Consignment) -> String {
    address(
        [
            of.to_name.as_ref(),
            of.to_address_line1.as_ref(),
            of.to_address_line2.as_ref(),
        ],
        of.to_location.as_ref(),
        of.to_country_code.as_ref(),
        of.is_international,
    )
}

fn address(
    lines: [Option<&String>; 3],
    place: Option<&Location>,
    country: Option<&String>,
    is_international: bool,
) -> String {
    let [name, first, second] = lines.map(text);
    let suburb = place.map_or_else(String::new, |place| {
        joined(&[&place.suburb, &place.state, &place.postcode], " ")
    });
    let country = match text(country) {
        _ if !is_international => "",
        "" => place.map_or("", |place| place.country.trim()),
        code => code,
    };
    joined(&[name, first, second, &suburb, country], ", ")
}

fn carrier(of: &Consignment) -> String {
    dashed(&joined(&[of.carrier_name(), of.service_name()], " · "))
}

fn despatch(of: &Consignment) -> String {
    of.despatch_date_local.map_or_else(
        || "–".to_owned(),
        |at| at.0.strftime("%-d %b %Y").to_string(),
    )
}

/// Returns the text or, if it is empty, the other text.
fn or_else(text: &str, other: &str) -> String {
    match text.trim() {
        "" => other.to_owned(),
        text => text.to_owned(),
    }
}

fn text(of: Option<&String>) -> &str {
    of.map_or("", |text| text.trim())
}

fn dashed(text: &str) -> String {
    if text.is_empty() { "–" } else { text }.to_owned()
}
