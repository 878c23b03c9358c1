//! Rules that say which documents are printed for a consignment, on which printer, how many copies and when.
//!
//! A label is printed once, and so is a document that the clerk asks for: the first rule for consignments like this counts,
//! or else the first rule for all consignments. When a consignment is sent or booked, every rule that applies prints.

use std::num::NonZeroU8;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ConsignmentDocument;
use super::paper::counted;
use shipping::{CompanyId, Consignment};
use storage::ConsignmentRow;

/// The documents that rules can print, in the order of the screen.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Default,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum DocumentKind {
    /// One label for each item, or for the consignment as a whole: what the service's label file contains.
    #[default]
    ItemLabels,
    PackingSlip,
    ConsignmentNote,
    CommercialInvoice,
    DangerousGoods,
    /// The manifest that the driver signs, and the day sheet.
    Manifest,
}

impl DocumentKind {
    pub const ALL: [Self; 6] = [
        Self::ItemLabels,
        Self::PackingSlip,
        Self::ConsignmentNote,
        Self::CommercialInvoice,
        Self::DangerousGoods,
        Self::Manifest,
    ];

    /// Returns the name in the plural, as the screen offers it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ItemLabels => "Item labels",
            Self::PackingSlip => "Packing slips",
            Self::ConsignmentNote => "Consignment notes",
            Self::CommercialInvoice => "Commercial invoices",
            Self::DangerousGoods => "Dangerous goods documents",
            Self::Manifest => "Manifests",
        }
    }

    /// Returns the name for the middle of a sentence.
    pub const fn name_in_sentence(self) -> &'static str {
        match self {
            Self::ItemLabels => "labels",
            Self::PackingSlip => "packing slips",
            Self::ConsignmentNote => "consignment notes",
            Self::CommercialInvoice => "commercial invoices",
            Self::DangerousGoods => "dangerous goods documents",
            Self::Manifest => "manifests",
        }
    }

    /// Returns the document of a consignment; `None` for labels and manifests.
    pub const fn of_consignment(self) -> Option<ConsignmentDocument> {
        match self {
            Self::PackingSlip => Some(ConsignmentDocument::PackingSlip),
            Self::ConsignmentNote => Some(ConsignmentDocument::ConsignmentNote),
            Self::CommercialInvoice => Some(ConsignmentDocument::CommercialInvoice),
            Self::DangerousGoods => Some(ConsignmentDocument::DangerousGoods),
            Self::ItemLabels | Self::Manifest => None,
        }
    }

    /// Returns the moments that a rule for this document can have, the usual one first. Labels have no moment: Labels
    /// says whether they are printed by themselves.
    pub const fn moments(self) -> &'static [PrintMoment] {
        match self {
            Self::ItemLabels => &[PrintMoment::ByHand],
            Self::Manifest => &[PrintMoment::ByHand, PrintMoment::Booking],
            _ => &[PrintMoment::Send, PrintMoment::Booking, PrintMoment::ByHand],
        }
    }
}

impl From<ConsignmentDocument> for DocumentKind {
    fn from(document: ConsignmentDocument) -> Self {
        match document {
            ConsignmentDocument::PackingSlip => Self::PackingSlip,
            ConsignmentDocument::ConsignmentNote => Self::ConsignmentNote,
            ConsignmentDocument::CommercialInvoice => Self::CommercialInvoice,
            ConsignmentDocument::DangerousGoods => Self::DangerousGoods,
        }
    }
}

/// When a rule prints its document. By hand, every rule can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PrintMoment {
    /// When the consignment has been created.
    Send,
    /// When the consignment has been booked.
    Booking,
    /// Only when the clerk asks for it.
    #[default]
    ByHand,
}

impl PrintMoment {
    /// Returns the name as the screen offers it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Send => "When sent",
            Self::Booking => "When booked",
            Self::ByHand => "By hand",
        }
    }
}

/// A rule: this document of consignments like this is printed on this printer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DocumentRule {
    pub document: DocumentKind,
    /// The name of the printer.
    pub printer: String,
    /// The number of copies; `None` for as many as are set for the printer.
    #[schemars(with = "Option<u8>")]
    pub copies: Option<NonZeroU8>,
    pub when: PrintMoment,
    /// Only for consignments with dangerous goods.
    pub dangerous_goods: bool,
    /// Only for consignments from or to another country.
    pub international: bool,
    /// Only for this carrier, by its name; empty for any.
    pub carrier: String,
    /// Only for this service of the carrier, by its name; empty for any.
    pub service: String,
    /// Only for consignments of this company.
    #[schemars(with = "Option<i64>")]
    pub company: Option<CompanyId>,
    /// Only for consignments from the sender of this name; empty for any.
    pub pickup: String,
}

impl DocumentRule {
    /// Returns the rule that prints all documents of this kind on this printer, at the usual moment.
    pub fn of(document: DocumentKind, printer: &str) -> Self {
        Self {
            document,
            printer: printer.to_owned(),
            when: document.moments()[0],
            ..Self::default()
        }
    }

    /// Returns whether the rule is for all consignments.
    pub fn is_for_all(&self) -> bool {
        !self.dangerous_goods
            && !self.international
            && self.carrier.is_empty()
            && self.service.is_empty()
            && self.company.is_none()
            && self.pickup.is_empty()
    }

    /// Returns whether the rule is for consignments like this. Names are compared without regard to case.
    pub fn applies_to(&self, facts: &ConsignmentFacts<'_>) -> bool {
        let is_same = |wanted: &str, found: &str| wanted.is_empty() || is_same_name(wanted, found);
        (!self.dangerous_goods || facts.has_dangerous_goods)
            && (!self.international || facts.is_international)
            && is_same(&self.carrier, facts.carrier)
            && is_same(&self.service, facts.service)
            && is_same(&self.pickup, facts.pickup)
            && self
                .company
                .is_none_or(|company| facts.company == Some(company))
    }

    /// Returns the rule that says where one document is printed. `facts` are those of its consignment; `None` stands for a
    /// consignment that is not known yet, or for no consignment in particular.
    pub fn first<'a>(
        rules: &'a [Self],
        document: DocumentKind,
        facts: Option<&ConsignmentFacts<'_>>,
    ) -> Option<&'a Self> {
        let rules = rules.iter().filter(|rule| rule.document == document);
        let is_special =
            |rule: &&Self| !rule.is_for_all() && facts.is_some_and(|facts| rule.applies_to(facts));
        let special = rules.clone().find(is_special);
        special.or_else(|| rules.clone().find(|rule| rule.is_for_all()))
    }

    /// Returns the rule as a sentence. `company` is the name of the rule's company.
    pub fn sentence(&self, company: Option<&str>) -> String {
        let mut about = Vec::new();
        if self.dangerous_goods {
            about.push("with dangerous goods".to_owned());
        }
        if self.international {
            about.push("from or to another country".to_owned());
        }
        match (self.carrier.trim(), self.service.trim()) {
            ("", "") => {}
            ("", service) => about.push(format!("by the service {service}")),
            (carrier, "") => about.push(format!("by {carrier}")),
            (carrier, service) => about.push(format!("by {carrier} {service}")),
        }
        about.extend(company.map(|company| format!("of {company}")));
        match self.pickup.trim() {
            "" => {}
            pickup => about.push(format!("from {pickup}")),
        }
        let about = match (about.is_empty(), self.document) {
            (true, _) => String::new(),
            (false, DocumentKind::Manifest) => format!(" {}", about.join(", ")),
            (false, _) => format!(" of consignments {}", about.join(", ")),
        };
        let copies = self.copies.map_or_else(String::new, |copies| {
            let copies = counted(usize::from(copies.get()), "copy", "copies");
            format!(" in {copies}")
        });
        let when = match self.when {
            PrintMoment::Send => " when the consignment is sent",
            PrintMoment::Booking => " when the consignment is booked",
            PrintMoment::ByHand if self.document == DocumentKind::ItemLabels => "",
            PrintMoment::ByHand => " by hand",
        };
        let (document, printer) = (self.document.name(), &self.printer);
        format!("{document}{about} are printed on {printer}{copies}{when}")
    }
}

/// Compares names without regard to case.
pub(super) fn is_same_name(one: &str, other: &str) -> bool {
    one.trim().to_lowercase() == other.trim().to_lowercase()
}

/// The values of a consignment that rules compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ConsignmentFacts<'a> {
    pub has_dangerous_goods: bool,
    pub is_international: bool,
    pub carrier: &'a str,
    pub service: &'a str,
    pub company: Option<CompanyId>,
    /// The sender's name.
    pub pickup: &'a str,
}

impl<'a> ConsignmentFacts<'a> {
    /// Returns what is known of a manifest.
    pub fn of_carrier(carrier: &'a str) -> Self {
        Self {
            carrier,
            ..Self::default()
        }
    }
}

impl<'a> From<&'a Consignment> for ConsignmentFacts<'a> {
    fn from(of: &'a Consignment) -> Self {
        Self {
            has_dangerous_goods: of.has_dangerous_goods(),
            is_international: of.is_international,
            carrier: of.carrier_name(),
            service: of.service_name(),
            company: of.company_id,
            pickup: of.from_name.as_deref().unwrap_or_default(),
        }
    }
}

impl<'a> From<&'a ConsignmentRow> for ConsignmentFacts<'a> {
    fn from(of: &'a ConsignmentRow) -> Self {
        Self {
            has_dangerous_goods: of.dangerous == Some(true),
            is_international: of.international,
            carrier: &of.carrier,
            service: &of.service,
            company: of.company,
            pickup: &of.from,
        }
    }
}

/// Texts and the logo that the customer adds to every document of a consignment.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DocumentTexts {
    /// Path of the customer's logo, a PNG or SVG file.
    pub logo: Option<PathBuf>,
    /// The customer's own address block, one line for each line on paper.
    pub letterhead: String,
    /// The declaration on commercial invoices; the usual one if empty.
    pub declaration: String,
    /// The terms of sale on commercial invoices, such as `DAP`; room to write them if empty.
    pub terms_of_sale: String,
    /// The emergency telephone on dangerous goods documents; room to write it if empty.
    pub emergency_phone: String,
}
