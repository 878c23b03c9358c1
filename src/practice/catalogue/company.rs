//! Companies and their rate cards with carriers.

use rust_decimal::Decimal;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub(super) struct CompaniesFile {
    pub(super) companies: Vec<Company>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Company {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) account_code: String,
    pub(crate) display_name: String,
    pub(crate) parent_company_id: Option<i64>,
    /// Whether every consignment must declare its dangerous goods, or that it has none.
    pub(crate) dangerous_goods: bool,
    pub(crate) accounts: Vec<Account>,
}

/// A carrier's rate card for one company.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Account {
    pub(crate) id: i64,
    pub(crate) carrier_id: i64,
    pub(crate) name: String,
    pub(crate) account_code: String,
    pub(crate) company_carrier_account_id: i64,
    #[serde(deserialize_with = "super::decimal::deserialize")]
    pub(crate) discount_percent: Decimal,
    /// Whether consignments on this rate card are booked as soon as they are created.
    pub(crate) auto_manifest: bool,
}
