//! The list of all operations: method, path, required permission and envelope. The router reads the list, and
//! so do the tests that check the published definition against it.
//!
//! Some operations are served under a second path, because live services publish a spelling that differs from
//! the specification's. The second path follows the first.

use crate::handlers::{self, Handler};
use crate::permission::Permission;
use crate::wire::Envelope;

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
pub(crate) struct Endpoint {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    pub(crate) operation: Handler,
    /// The permission that the user needs; none for operations that only read.
    pub(crate) permission: Option<Permission>,
    pub(crate) envelope: Envelope,
    /// Whether this is a lookup that the lookup-lag fault affects.
    pub(crate) can_lag: bool,
}

impl Endpoint {
    const fn needs(self, permission: Permission) -> Self {
        Self {
            permission: Some(permission),
            ..self
        }
    }

    const fn with_lag(self) -> Self {
        Self {
            can_lag: true,
            ..self
        }
    }

    const fn answers(self, envelope: Envelope) -> Self {
        Self { envelope, ..self }
    }
}

const fn post(path: &'static str, operation: Handler) -> Endpoint {
    Endpoint {
        method: Method::Post,
        path,
        operation,
        permission: None,
        envelope: Envelope::Object,
        can_lag: false,
    }
}

const fn get(path: &'static str, operation: Handler) -> Endpoint {
    Endpoint {
        method: Method::Get,
        ..post(path, operation)
    }
}

/// All operations.
#[rustfmt::skip]
pub(crate) const ENDPOINTS: &[Endpoint] = &[
    post("/apiv2/authenticate/ping", handlers::ping),
    get("/apiv2/companies/getAll", handlers::companies),
    get("/apiv2/companyLocations", handlers::company_locations),
    get("/apiv2/companyLocations/getAll", handlers::company_locations),
    get("/apiv2/companies/getAvailableCarriersAccountsAndServices", handlers::rate_cards),
    post("/apiv2/routes/returnRoutes", handlers::routes),
    post("/apiv2/routes/returnroutes", handlers::routes),
    post("/apiv2/routes/returnrouteswithcomplexitems", handlers::routes_complex),
    post("/apiv2/consignments/createConsignment", handlers::create).needs(Permission::Create),
    post("/apiv2/consignments/createConsignmentwithComplexItems", handlers::create_complex).needs(Permission::Create),
    get("/apiv2/consignments/getConsignment", handlers::consignment).with_lag(),
    get("/apiv2/consignments/getConsignmentByPendingConsignmentId", handlers::by_pending_id).with_lag(),
    post("/apiv2/consignments/returnConsignments", handlers::by_ids).with_lag(),
    post("/apiv2/consignments/returnConsignmentsByCarrierConsignmentId", handlers::by_carrier_id).with_lag(),
    get("/apiv2/consignments/returnConsignmentsByCarrierConsignmentId", handlers::by_carrier_id_fetched).with_lag(),
    post("/apiv2/consignments/returnConsignmentsByReference1", handlers::by_reference1).with_lag(),
    post("/apiv2/consignments/returnConsignmentsByReference2", handlers::by_reference2).with_lag(),
    post("/apiv2/consignments/returnConsignmentsByPendingConsignmentIds", handlers::by_pending_ids).with_lag(),
    get("/apiv2/consignments/getRecentlyCreatedOrUpdatedConsignments", handlers::recent).with_lag(),
    post("/apiv2/consignments/getAttachments", handlers::attachments),
    get("/apiv2/attachments/getAttachmentsByConsignmentIds", handlers::documents),
    get("/apiv2/consignments/getUnmanifested", handlers::unmanifested).with_lag(),
    get("/apiv2/consignments/getUnmanifestedConsignmentForEdit", handlers::for_edit).with_lag(),
    post("/apiv2/consignments/editUnmanifestedConsignment", handlers::edit).needs(Permission::Edit),
    post("/apiv2/consignments/deleteUnmanifestedConsignments", handlers::delete)
        .needs(Permission::Delete).answers(Envelope::Success),
    post("/apiv2/consignments/updateConsignmentStatuses", handlers::update_statuses)
        .needs(Permission::Statuses).answers(Envelope::Success),
    post("/apiv2/pendingConsignments/createPendingConsignment", handlers::create_pending).needs(Permission::Pending),
    post("/apiv2/pendingConsignments/deletePendingConsignments", handlers::delete_pending)
        .needs(Permission::Pending).answers(Envelope::Success),
    get("/apiv2/labels/getItemPdfFileInfo", handlers::item_labels),
    post("/apiv2/labels/sendLabelsToPrinter", handlers::send_labels).needs(Permission::Labels).answers(Envelope::Success),
    post("/apiv2/labels/groupConsignmentsForPrinting", handlers::group_for_printing),
    post("/apiv2/manifests/groupConsignmentsForManifest", handlers::group_for_manifest),
    post("/apiv2/manifests/groupAllUnmanifestedConsignmentsForManifest", handlers::group_all_for_manifest),
    post("/apiv2/manifests/manifest", handlers::manifest).needs(Permission::Manifest),
    get("/api/DangerousGoods/GetUnNumberInformation", handlers::un_numbers).answers(Envelope::Session),
    // Stands for a user who completes the draft in the service's own web interface. Only the practice service
    // has this path, and no published definition contains it.
    post("/practice/convertPendingConsignment", handlers::convert_pending).needs(Permission::Create),
    // The print jobs that the service's printers would have printed.
    get("/practice/printJobs", handlers::print_jobs),
    // Fault injection.
    get("/practice/troubles", handlers::faults),
    post("/practice/setTrouble", handlers::set_fault),
    post("/practice/clearTroubles", handlers::clear_faults).answers(Envelope::Success),
    // The speed of the simulated carriers.
    post("/practice/setCarrierSpeed", handlers::set_carrier_speed).answers(Envelope::Success),
    post("/practice/deliverAll", handlers::deliver_all).answers(Envelope::Success),
];
