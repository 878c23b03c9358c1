//! The program behind its screens, on a practice service, driven by drawing, pressing and typing.

use std::time::Duration;

use app::Core;
use app::state::{Command, Operation, ThemeChoice};
use app::ui::{self, Screens};
use draft::{ChosenRoute, Routing};
use egui::{Event, Key, Modifiers};
use egui_kittest::{Harness, HarnessBuilder};
use practice::RunningService;
use printing::profile::PrinterProfile;
use serde_json::{Value, json};
use shipping::{CarrierId, ConsignmentId, ManifestGroup};
use tokio::runtime::Handle;

use crate::support::desk::{Desk, Home};
use crate::support::practice::client;
use crate::support::recorder::Recorder;
use crate::support::wait::{SOON, until};

/// The program under its screens.
pub(crate) struct Window {
    pub(crate) desk: Desk,
    screens: Screens,
    commands: Vec<Command>,
}

pub(crate) type Screen = Harness<'static, Window>;

pub(crate) fn window(desk: Desk, size: [f32; 2], theme: ThemeChoice) -> Screen {
    let mut ready = false;
    let draw = move |ui: &mut egui::Ui, window: &mut Window| {
        if !ready {
            ui::install(ui.ctx(), theme);
            ready = true;
            return;
        }
        window.desk.turn();
        let core = &mut window.desk.core;
        core.shared.bench.theme = theme;
        window
            .screens
            .show(ui, &core.shared, &mut core.editing, &mut window.commands);
        for command in window.commands.drain(..) {
            core.push(command);
            ui.ctx().request_repaint();
        }
    };
    let mut harness = HarnessBuilder::default()
        .with_size(size)
        .with_max_steps(80)
        .allow_missing_glyphs()
        .build_ui_state(
            draw,
            Window {
                desk,
                screens: Screens::default(),
                commands: Vec::new(),
            },
        );
    harness.run();
    harness
}

/// Draws frames until `probe` answers.
#[track_caller]
pub(crate) fn wait<T>(
    screen: &mut Screen,
    what: &str,
    mut probe: impl FnMut(&Core) -> Option<T>,
) -> T {
    let found = until(what, SOON, || {
        screen.run();
        probe(&screen.state().desk.core)
    });
    screen.run();
    found
}

pub(super) fn text(screen: &mut Screen, text: &str) {
    screen.event(Event::Text(text.to_owned()));
    screen.run();
}

/// Holds a key with its modifiers long enough to be meant.
pub(super) fn hold(screen: &mut Screen, modifiers: Modifiers, key: Key) {
    screen.key_down_modifiers(modifiers, key);
    screen.run_steps(80);
    screen.key_up_modifiers(modifiers, key);
    screen.run();
}

/// A carrier without a price, as a clerk picks it.
pub(crate) fn by(carrier: i64, name: &str) -> Routing {
    let id = CarrierId::new(carrier);
    Routing::Carrier(ChosenRoute::of_carrier(id, name.to_owned()))
}

/// Sends one with this carrier.
pub(crate) fn send_by(desk: &mut Desk, reference: &str, routing: Routing) -> ConsignmentId {
    desk.type_consignment(reference);
    desk.core.editing.draft.routing = routing;
    desk.send();
    desk.until(&format!("{reference} is created"), |core| {
        let made = core.shared.consign.last_created.as_ref()?;
        (made.customer_reference.as_deref() == Some(reference)).then_some(made.id)
    })
}

/// The groups, once they came.
pub(crate) fn groups(desk: &mut Desk) -> Vec<ManifestGroup> {
    desk.until("grouped", |core| {
        let groups = &core.shared.dispatch.groups;
        (!groups.is_loading()).then(|| groups.value().cloned())?
    })
}

/// A printer at a recorder's port: its language and paper, and what goes there, as settings spell them.
pub(crate) fn printer(name: &str, port: u16, kind: [&str; 2]) -> PrinterProfile {
    let profile = json!({
        "name": name, "destination": {"socket": {"host": "127.0.0.1", "port": port}},
        "language": kind[0], "dots_per_mm": 8, "media": kind[1],
    });
    serde_json::from_value(profile).expect("a profile")
}

/// A printer for manifests.
pub(crate) fn office_printer(port: u16) -> PrinterProfile {
    printer("Office", port, ["pdf", "a4"])
}

/// Puts a printer for labels and one for manifests into the settings.
pub(crate) fn with_office(home: &mut Home) -> (Recorder, Recorder) {
    let (labels, office) = (Recorder::start(), Recorder::start());
    home.settings.printers = vec![
        printer("Zebra", labels.port(), ["zpl", "a6"]),
        office_printer(office.port()),
    ];
    home.settings
        .assign_printer(engine::DocumentKind::ItemLabels, "Zebra");
    home.settings
        .assign_printer(engine::DocumentKind::Manifest, "Office");
    (labels, office)
}

/// The newest booking, once it is in none of these: being sent.
pub(crate) fn booking_of(core: &Core, ids: &[ConsignmentId]) -> Option<Operation> {
    let mut all = core.shared.operations.list.iter();
    all.find(|one| one.kind == app::state::OperationKind::Manifest && one.consignments == ids)
        .cloned()
}

/// The practice service past the bench: what somebody else does there.
pub(crate) struct There {
    runtime: Handle,
    address: String,
    token: String,
}

impl There {
    pub(crate) fn of(home: &Home, practice: &RunningService) -> Self {
        Self {
            runtime: home.runtime.handle().clone(),
            address: practice.base_url(),
            token: practice.token().to_owned(),
        }
    }

    fn ask(&self, path: &str, body: &Value) -> Value {
        let request = client()
            .post(format!("{}{path}", self.address))
            .header("token", &self.token)
            .header("content-type", "application/json")
            .timeout(Duration::from_secs(20))
            .body(body.to_string());
        let answer = self.runtime.block_on(async {
            let reply = request.send().await.expect("a reply");
            reply.bytes().await.expect("a body")
        });
        let mut answer: Value = serde_json::from_slice(&answer).expect("JSON");
        assert_eq!(answer["errors"], Value::Null, "{answer}");
        answer["object"].take()
    }

    /// Somebody else books these; answers on which manifest.
    pub(super) fn book(&self, ids: &[ConsignmentId]) -> i64 {
        let ids: Vec<_> = ids.iter().map(|id| id.get()).collect();
        let group = "/apiv2/manifests/groupConsignmentsForManifest";
        let groups = self.ask(group, &json!(ids));
        let results = self.ask("/apiv2/manifests/manifest", &groups);
        results[0]["id"].as_i64().expect("a manifest")
    }
}

/// The consignments as the service holds them.
pub(crate) fn held(home: &Home, practice: &RunningService, ids: &[ConsignmentId]) -> Vec<Value> {
    let ids: Vec<_> = ids.iter().map(|id| id.get()).collect();
    let path = "/apiv2/consignments/returnConsignments";
    let found = There::of(home, practice).ask(path, &json!({ "ids": ids }));
    found.as_array().expect("consignments").clone()
}
