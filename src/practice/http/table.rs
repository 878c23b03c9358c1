//! The list of all operations: method, path, required permission and envelope. The router reads the list, and
//! so do the tests that check the published definition against it.
//!
//! Some operations are served under a second path, because live services publish a spelling that differs from
//! the specification's. The second path follows the first.

use crate::practice::desk::{self, Operation};
use crate::practice::permission::Permission;
use crate::practice::wire::Envelope;

/// The HTTP methods of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Get,
    Post,
}

impl Method {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
        }
    }
}

/// One operation and the path that it is served at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Served {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    pub(crate) operation: Operation,
    /// The permission that the user needs; none for operations that only read.
    pub(crate) permission: Option<Permission>,
    pub(crate) envelope: Envelope,
    /// Whether this is a lookup that the lookup-lag fault affects.
    pub(crate) lags: bool,
}

impl Served {
    const fn needs(self, permission: Permission) -> Self {
        Self {
            permission: Some(permission),
            ..self
        }
    }

    const fn lags(self) -> Self {
        Self { lags: true, ..self }
    }

    const fn answers(self, envelope: Envelope) -> Self {
        Self { envelope, ..self }
    }
}

const fn post(path: &'static str, operation: Operation) -> Served {
    Served {
        method: Method::Post,
        path,
        operation,
        permission: None,
        envelope: Envelope::Object,
        lags: false,
    }
}

const fn get(path: &'static str, operation: Operation) -> Served {
    Served {
        method: Method::Get,
        ..post(path, operation)
    }
}

/// All operations.
#[rustfmt::skip]
pub(crate) const OPERATIONS: &[Served] = &[
    post("/apiv2/authenticate/ping", desk::ping),
    get("/apiv2/companies/getAll", desk::companies),
    get("/apiv2/companyLocations", desk::company_locations),
    get("/apiv2/companyLocations/getAll", desk::company_locations),
    get("/apiv2/companies/getAvailableCarriersAccountsAndServices", desk::rate_cards),
    post("/apiv2/routes/returnRoutes", desk::routes),
    post("/apiv2/routes/returnroutes", desk::routes),
    post("/apiv2/routes/returnrouteswithcomplexitems", desk::routes_complex),
    post("/apiv2/consignments/createConsignment", desk::create).needs(Permission::Create),
    post("/apiv2/consignments/createConsignmentwithComplexItems", desk::create_complex).needs(Permission::Create),
    get("/apiv2/consignments/getConsignment", desk::consignment).lags(),
    get("/apiv2/consignments/getConsignmentByPendingConsignmentId", desk::by_pending_id).lags(),
    post("/apiv2/consignments/returnConsignments", desk::by_ids).lags(),
    post("/apiv2/consignments/returnConsignmentsByCarrierConsignmentId", desk::by_carrier_id).lags(),
    get("/apiv2/consignments/returnConsignmentsByCarrierConsignmentId", desk::by_carrier_id_fetched).lags(),
    post("/apiv2/consignments/returnConsignmentsByReference1", desk::by_reference1).lags(),
    post("/apiv2/consignments/returnConsignmentsByReference2", desk::by_reference2).lags(),
    post("/apiv2/consignments/returnConsignmentsByPendingConsignmentIds", desk::by_pending_ids).lags(),
    get("/apiv2/consignments/getRecentlyCreatedOrUpdatedConsignments", desk::recent).lags(),
    post("/apiv2/consignments/getAttachments", desk::attachments),
    get("/apiv2/attachments/getAttachmentsByConsignmentIds", desk::documents),
    get("/apiv2/consignments/getUnmanifested", desk::unmanifested).lags(),
    get("/apiv2/consignments/getUnmanifestedConsignmentForEdit", desk::for_edit).lags(),
    post("/apiv2/consignments/editUnmanifestedConsignment", desk::edit).needs(Permission::Edit),
    post("/apiv2/consignments/deleteUnmanifestedConsignments", desk::delete)
        .needs(Permission::Delete).answers(Envelope::Success),
    post("/apiv2/consignments/updateConsignmentStatuses", desk::update_statuses)
        .needs(Permission::Statuses).answers(Envelope::Success),
    post("/apiv2/pendingConsignments/createPendingConsignment", desk::create_pending).needs(Permission::Pending),
    post("/apiv2/pendingConsignments/deletePendingConsignments", desk::delete_pending)
        .needs(Permission::Pending).answers(Envelope::Success),
    get("/apiv2/labels/getItemPdfFileInfo", desk::item_labels),
    post("/apiv2/labels/sendLabelsToPrinter", desk::send_labels).needs(Permission::Labels).answers(Envelope::Success),
    post("/apiv2/labels/groupConsignmentsForPrinting", desk::group_for_printing),
    post("/apiv2/manifests/groupConsignmentsForManifest", desk::group),
    post("/apiv2/manifests/groupAllUnmanifestedConsignmentsForManifest", desk::group_all),
    post("/apiv2/manifests/manifest", desk::manifest).needs(Permission::Manifest),
    get("/api/DangerousGoods/GetUnNumberInformation", desk::un_numbers).answers(Envelope::Session),
    // Stands for a user who completes the draft in the service's own web interface. Only the practice service
    // has this path, and no published definition contains it.
    post("/practice/convertPendingConsignment", desk::convert_pending).needs(Permission::Create),
    // The print jobs that the service's printers would have printed.
    get("/practice/printJobs", desk::print_jobs),
    // Fault injection.
    get("/practice/troubles", desk::troubles),
    post("/practice/setTrouble", desk::set_trouble),
    post("/practice/clearTroubles", desk::clear_troubles).answers(Envelope::Success),
    // The speed of the simulated carriers.
    post("/practice/setCarrierSpeed", desk::set_carrier_speed).answers(Envelope::Success),
    post("/practice/deliverAll", desk::deliver_all).answers(Envelope::Success),
];
