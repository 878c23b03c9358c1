//! Connections, and the result of testing one.

use std::time::Duration;

use app::state::{
    ChosenService, ConnectionTest, ConnectionView, Permission, PermissionAnswer, ProbeResult,
    Remote, Shared, TokenMode, TokenPlace,
};
use draft::{ConnectionDraft, ConnectionField, ConnectionProblem, ServiceKind};

/// A connection that is saved.
pub(in super::super) fn saved(name: &str, kind: ServiceKind, address: &str) -> ConnectionDraft {
    ConnectionDraft {
        saved_name: Some(name.to_owned()),
        name: name.to_owned(),
        kind: Some(kind),
        address: address.to_owned(),
        ..ConnectionDraft::default()
    }
}

/// Two connections, of which the live one is open.
pub(in super::super) fn put_into(shared: &mut Shared) {
    let view = |draft: ConnectionDraft, token| ConnectionView {
        draft,
        token,
        middleware_token: false,
        integration: false,
    };
    shared.settings.connections = vec![
        view(depot(), TokenPlace::Keyring),
        view(
            saved(
                "Depot test",
                ServiceKind::Test,
                "https://test.ship.example/harbour",
            ),
            TokenPlace::Missing,
        ),
    ];
    shared.settings.chosen = Some(ChosenService::Connection("Depot".to_owned()));
    shared.settings.file_dialog = true;
    "Depot".clone_into(&mut shared.session.connection);
    "https://ship.example/harbour".clone_into(&mut shared.session.service);
    shared.session.environment = app::state::Environment::Live;
}

pub(in super::super) fn depot() -> ConnectionDraft {
    let mut depot = saved("Depot", ServiceKind::Live, "https://ship.example/harbour");
    "https://track.example/v2".clone_into(&mut depot.tracking[2]);
    depot
}

pub(in super::super) fn viewer(draft: &ConnectionDraft) -> Remote<ConnectionTest> {
    let may_not = |what: &str| {
        PermissionAnswer::Denied(format!("You do not have permission to {what} consignments"))
    };
    Remote::ready(ConnectionTest {
        draft: draft.without_secrets(),
        outcome: Ok(ProbeResult {
            took: Duration::from_millis(84),
            abilities: vec![
                (Permission::Delete, may_not("delete")),
                (Permission::Manifest, may_not("manifest")),
                (Permission::Statuses, may_not("update the status of")),
            ],
            mode: TokenMode::Unknown,
            companies: Vec::new(),
        }),
    })
}

pub(in super::super) fn clerk(draft: &ConnectionDraft, mode: TokenMode) -> Remote<ConnectionTest> {
    Remote::ready(ConnectionTest {
        draft: draft.without_secrets(),
        outcome: Ok(ProbeResult {
            took: Duration::from_millis(84),
            abilities: vec![
                (Permission::Delete, PermissionAnswer::NotRefused),
                (Permission::Manifest, PermissionAnswer::NotRefused),
                (
                    Permission::Statuses,
                    PermissionAnswer::Unclear(
                        "The service doesn't offer this operation".to_owned(),
                    ),
                ),
            ],
            mode,
            companies: Vec::new(),
        }),
    })
}

pub(in super::super) fn untrusted(draft: &ConnectionDraft) -> Remote<ConnectionTest> {
    let words = "This computer doesn't trust the service's certificate. If your company has a certificate \
                 authority of its own, choose its file here";
    Remote::ready(ConnectionTest {
        draft: draft.without_secrets(),
        outcome: Err(ConnectionProblem::at(ConnectionField::Authority, words)),
    })
}
