//! The list of all operations: method, path, required permission and envelope. The router reads the list, and
//! so do the tests that check the published definition against it.
//!
//! Some operations are served under a second path, because live services publish a spelling that differs from
//! the specification's. The second path follows the first.

use crate::handlers::{
    Handler, create, edit, find, manifest, pending, practice_controls, printing, proofs,
    reference_data, routes, statuses,
};
use crate::permission::Permission;
use crate::rules::OperationVariant::{Complex, Simple};
use crate::store::LookupKey;
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
    post("/apiv2/authenticate/ping", reference_data::ping),
    get("/apiv2/companies/getAll", reference_data::companies),
    get("/apiv2/companyLocations", reference_data::company_locations),
    get("/apiv2/companyLocations/getAll", reference_data::company_locations),
    get("/apiv2/companies/getAvailableCarriersAccountsAndServices", reference_data::rate_cards),
    post("/apiv2/routes/returnRoutes", |desk, call| routes::routes(desk, call, Simple)),
    post("/apiv2/routes/returnroutes", |desk, call| routes::routes(desk, call, Simple)),
    post("/apiv2/routes/returnrouteswithcomplexitems", |desk, call| routes::routes(desk, call, Complex)),
    post("/apiv2/consignments/createConsignment", |desk, call| create::create(desk, call, Simple)).needs(Permission::Create),
    post("/apiv2/consignments/createConsignmentwithComplexItems", |desk, call| create::create(desk, call, Complex)).needs(Permission::Create),
    get("/apiv2/consignments/getConsignment", find::consignment).with_lag(),
    get("/apiv2/consignments/getConsignmentByPendingConsignmentId", find::by_pending_id).with_lag(),
    post("/apiv2/consignments/returnConsignments", find::by_ids).with_lag(),
    post("/apiv2/consignments/returnConsignmentsByCarrierConsignmentId", |desk, call| find::by(desk, call, LookupKey::CarrierConsignmentId)).with_lag(),
    get("/apiv2/consignments/returnConsignmentsByCarrierConsignmentId", find::by_carrier_id_fetched).with_lag(),
    post("/apiv2/consignments/returnConsignmentsByReference1", |desk, call| find::by(desk, call, LookupKey::Reference1)).with_lag(),
    post("/apiv2/consignments/returnConsignmentsByReference2", |desk, call| find::by(desk, call, LookupKey::Reference2)).with_lag(),
    post("/apiv2/consignments/returnConsignmentsByPendingConsignmentIds", find::by_pending_ids).with_lag(),
    get("/apiv2/consignments/getRecentlyCreatedOrUpdatedConsignments", find::recent).with_lag(),
    post("/apiv2/consignments/getAttachments", proofs::attachments),
    get("/apiv2/attachments/getAttachmentsByConsignmentIds", proofs::documents),
    get("/apiv2/consignments/getUnmanifested", find::unmanifested).with_lag(),
    get("/apiv2/consignments/getUnmanifestedConsignmentForEdit", edit::for_edit).with_lag(),
    post("/apiv2/consignments/editUnmanifestedConsignment", edit::edit).needs(Permission::Edit),
    post("/apiv2/consignments/deleteUnmanifestedConsignments", edit::delete)
        .needs(Permission::Delete).answers(Envelope::Success),
    post("/apiv2/consignments/updateConsignmentStatuses", statuses::update_statuses)
        .needs(Permission::Statuses).answers(Envelope::Success),
    post("/apiv2/pendingConsignments/createPendingConsignment", pending::create_pending).needs(Permission::Pending),
    post("/apiv2/pendingConsignments/deletePendingConsignments", pending::delete_pending)
        .needs(Permission::Pending).answers(Envelope::Success),
    get("/apiv2/labels/getItemPdfFileInfo", printing::item_labels),
    post("/apiv2/labels/sendLabelsToPrinter", printing::send_labels).needs(Permission::Labels).answers(Envelope::Success),
    post("/apiv2/labels/groupConsignmentsForPrinting", printing::group_for_printing),
    post("/apiv2/manifests/groupConsignmentsForManifest", manifest::group_for_manifest),
    post("/apiv2/manifests/groupAllUnmanifestedConsignmentsForManifest", manifest::group_all_for_manifest),
    post("/apiv2/manifests/manifest", manifest::manifest).needs(Permission::Manifest),
    get("/api/DangerousGoods/GetUnNumberInformation", reference_data::un_numbers).answers(Envelope::Session),
    // Stands for a user who completes the draft in the service's own web interface. Only the practice service
    // has this path, and no published definition contains it.
    post("/practice/convertPendingConsignment", pending::convert_pending).needs(Permission::Create),
    // The print jobs that the service's printers would have printed.
    get("/practice/printJobs", printing::print_jobs),
    // Fault injection.
    get("/practice/troubles", practice_controls::faults),
    post("/practice/setTrouble", practice_controls::set_fault),
    post("/practice/clearTroubles", practice_controls::clear_faults).answers(Envelope::Success),
    // The speed of the simulated carriers.
    post("/practice/setCarrierSpeed", practice_controls::set_carrier_speed).answers(Envelope::Success),
    post("/practice/deliverAll", practice_controls::deliver_all).answers(Envelope::Success),
];
