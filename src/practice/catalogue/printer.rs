//! The service's own printers, each company's default printers, and the rules for printer tokens.

use serde::Deserialize;

/// The content of `printers.json`.
#[derive(Debug, Deserialize)]
pub(crate) struct Printing {
    pub(crate) printers: Vec<Printer>,
    defaults: Vec<Defaults>,
    pub(crate) rules: Vec<PrintRule>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Printer {
    pub(crate) id: i64,
    pub(crate) company_id: i64,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) disabled: bool,
    /// 0 unknown, 1 online, 2 offline, 3 no handshake.
    pub(crate) status: i64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Defaults {
    company_id: i64,
    item_printer_id: i64,
    a4_printer_id: i64,
}

/// A rule: which labels are printed, and where, when a consignment is created with a printer token.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PrintRule {
    pub(crate) name: String,
    pub(crate) company_id: i64,
    token: String,
    /// Abbreviation of the sender's saved location; none means any sender.
    pub(crate) from: Option<String>,
    #[serde(default)]
    pub(crate) dangerous_goods_only: bool,
    pub(crate) label_type: i64,
    pub(crate) printer_id: i64,
    pub(crate) print_a4: bool,
}

impl PrintRule {
    pub(crate) fn is_for(&self, company_id: i64, token: &str) -> bool {
        self.company_id == company_id && self.token.eq_ignore_ascii_case(token.trim())
    }
}

impl Printing {
    pub(crate) fn printer(&self, id: i64) -> Option<&Printer> {
        self.printers.iter().find(|printer| printer.id == id)
    }

    /// Returns the default printer for a company's item labels.
    pub(crate) fn item_printer(&self, company_id: i64) -> Option<&Printer> {
        let defaults = self.defaults(company_id)?;
        self.printer(defaults.item_printer_id)
    }

    /// Returns the default printer for a company's A4 pages.
    pub(crate) fn a4_printer(&self, company_id: i64) -> Option<&Printer> {
        let defaults = self.defaults(company_id)?;
        self.printer(defaults.a4_printer_id)
    }

    fn defaults(&self, company_id: i64) -> Option<&Defaults> {
        let mut all = self.defaults.iter();
        all.find(|defaults| defaults.company_id == company_id)
    }

    /// Returns the ids of printers that a rule or a default names but that do not exist.
    pub(super) fn dangling(&self) -> impl Iterator<Item = i64> {
        let defaults = self.defaults.iter();
        let defaults =
            defaults.flat_map(|defaults| [defaults.item_printer_id, defaults.a4_printer_id]);
        let named = defaults.chain(self.rules.iter().map(|rule| rule.printer_id));
        named.filter(|id| self.printer(*id).is_none())
    }
}
