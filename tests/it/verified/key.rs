//! Number 6: the bench's key in a reference that the shipper chooses, or in none.

use app::config::Settings;
use app::state::{
    ConsignCommand, Operation, OperationDecision, OperationKind, OperationState, OperationsCommand,
};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use practice::RunningService;
use shipping::{BenchKeyField, ConsignmentId};

use crate::connections::settings_journey::{new_settings, save};
use crate::connections::wizard::type_connection;
use crate::support::desk::{Desk, Home, fill};
use crate::support::front::Front;
use crate::support::lanes::{QUICK, client};
use crate::support::wire::{Fault, Wire};

const CREATE: &str = "/consignments/createConsignment";

struct Bench {
    home: Home,
    practice: RunningService,
    wire: Wire,
}

impl Bench {
    fn new() -> Self {
        let (home, practice, wire) = Home::with_wire();
        Self {
            home,
            practice,
            wire,
        }
    }

    fn open(&self, key: BenchKeyField) -> Desk {
        let mut service = Home::service(self.wire.base_url(), self.practice.token());
        service.compatibility.key = key;
        self.home.open(&service)
    }

    /// A new bench with a typed consignment, the answer to which will be lost.
    fn losing_answers(key: BenchKeyField) -> (Self, Desk) {
        let bench = Self::new();
        let mut desk = bench.open(key);
        bench.wire.fail(CREATE, Fault::LoseAnswer);
        desk.type_consignment("");
        (bench, desk)
    }

    /// Both references of the first consignment, as the service has them.
    fn references(&self) -> [Option<String>; 2] {
        let client = client(&self.practice.base_url(), self.practice.token(), QUICK);
        let id = ConsignmentId::new(200_001);
        let one = self
            .home
            .runtime
            .block_on(client.consignment(id))
            .expect("it is there");
        [one.customer_reference, one.customer_reference2]
            .map(|one| one.filter(|text| !text.is_empty()))
    }
}

/// Waits until the create is so.
fn until(desk: &mut Desk, state: OperationState) -> Operation {
    desk.until_operation(OperationKind::Create, state)
}

fn is_key(reference: Option<&String>) -> bool {
    reference.is_some_and(|text| text.starts_with("Bench") && text.contains('-'))
}

#[test]
fn n6_the_key_goes_into_the_first_reference_and_a_lost_answer_is_found_by_it() {
    let (bench, mut desk) = Bench::losing_answers(BenchKeyField::FirstReference);
    desk.core.editing.draft.reference2 = "PO-77".to_owned();
    desk.send();
    let done = until(&mut desk, OperationState::Done);
    assert_eq!(done.message, "It went through: MS200001");
    let [first, second] = bench.references();
    assert!(is_key(first.as_ref()), "{first:?}");
    assert_eq!(first.as_ref(), Some(&done.key));
    assert_eq!(second.as_deref(), Some("PO-77"), "the shipper's own");
    assert_eq!(bench.wire.count(CREATE), 1);
}

#[test]
fn n6_without_a_key_a_lost_answer_is_compared_and_the_clerk_is_asked() {
    let (bench, mut desk) = Bench::losing_answers(BenchKeyField::Nowhere);
    desk.send();
    let asked = until(&mut desk, OperationState::Conflict);
    assert_eq!(
        asked.message,
        "MS200001 has the same receiver, pieces and weight. Is it this one?"
    );
    assert_eq!(bench.references(), [None, None], "no key was sent");
    desk.ask(OperationsCommand::Decide(
        asked.id,
        OperationDecision::Adopt(ConsignmentId::new(200_001)),
    ));
    let done = until(&mut desk, OperationState::Done);
    assert_eq!(done.reference, "MS200001");
    assert_eq!(bench.wire.count(CREATE), 1);
}

#[test]
fn n6_without_a_key_another_order_is_not_taken_for_the_lost_one() {
    let bench = Bench::new();
    let mut desk = bench.open(BenchKeyField::Nowhere);
    desk.type_consignment("SO-1");
    desk.send();
    until(&mut desk, OperationState::Done);
    // The second never arrives.
    bench.wire.fail(CREATE, Fault::LoseRequest);
    fill(&mut desk.core.editing.draft, "SO-2");
    desk.send();
    let absent = until(&mut desk, OperationState::Absent);
    assert_eq!(absent.key, "SO-2", "looked for by what the clerk typed");
}

#[test]
fn n6_a_key_that_was_sent_is_looked_for_after_the_setting_was_changed() {
    let bench = Bench::new();
    let mut desk = bench.open(BenchKeyField::FirstReference);
    bench.wire.fail(CREATE, Fault::LoseAnswer);
    bench.wire.fail("/consignments/return", Fault::LoseRequest);
    desk.type_consignment("");
    desk.send();
    until(&mut desk, OperationState::Unknown);
    drop(desk);
    bench.wire.heal();
    let mut desk = bench.open(BenchKeyField::Nowhere);
    let done = until(&mut desk, OperationState::Done);
    assert_eq!(done.message, "It went through: MS200001");
}

/// What a field shows while nothing is typed there.
fn hint(front: &mut Front, field: &str) -> Option<String> {
    let field = front.widgets().get_by_label(field);
    let node = field.accesskit_node();
    node.placeholder().map(str::to_owned)
}

#[test]
fn n6_the_place_of_the_key_is_chosen_in_settings() {
    let (home, practice, mut front) = new_settings();
    front.keys("<Ctrl+N>");
    type_connection(&mut front, "Depot", &practice.base_url(), practice.token());
    front.focus("The bench's key");
    front.keys("First");
    save(&mut front);
    front.keys("<Alt+U>");
    front.until_open("Depot");
    let saved = front.until("it is written", |_| {
        let settings = Settings::read(&home.places).ok()?;
        settings.connection().cloned()
    });
    assert_eq!(saved.dialect.key, BenchKeyField::FirstReference);
    front.keys("<F2>");
    assert_eq!(hint(&mut front, "Reference").as_deref(), Some("bench key"));
    assert_ne!(
        hint(&mut front, "Second reference").as_deref(),
        Some("bench key")
    );
    front.type_consignment("");
    front.ask(ConsignCommand::Send);
    let sent = front.until("it is made", |shared| shared.consign.last_created.clone());
    let references = [sent.customer_reference, sent.customer_reference2];
    assert!(is_key(references[0].as_ref()), "{references:?}");
    assert_eq!(references[1], None);
}
