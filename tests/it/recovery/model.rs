//! Two benches on one service, over connections that lose messages: in whatever order, nothing is done twice,
//! nothing is assumed that did not happen, and nothing stays open for ever.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use app::state::{OperationDecision, OperationId};
use engine::Request;
use proptest::prelude::*;
use proptest::test_runner::Config;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};
use shipping::ConsignmentId;
use storage::{OperationKind, OperationState};

use super::errands::Errand;
use crate::support::lanes::{Lanes, Site};
use crate::support::wire::{Fault, Wire, answer};

/// What a wire does to the next write.
#[derive(Debug, Clone, Copy)]
enum Luck {
    Good,
    AnswerLost,
    RequestLost,
    Unavailable,
}

#[derive(Debug, Clone)]
enum Step {
    /// One bench does one thing; what it is done to is chosen among what is there.
    Do {
        bench: usize,
        kind: OperationKind,
        pick: usize,
        luck: Luck,
    },
    /// Both do something to the same consignment at once.
    Both {
        kinds: [OperationKind; 2],
        pick: usize,
    },
    /// The clerk sends again, or gives up, what did not happen.
    Decide { bench: usize, again: bool },
    /// A bench is closed and opened again.
    Restart { bench: usize },
}

/// Knows nothing: the service's own disk is what the benches are held against.
struct Reference;

impl ReferenceStateMachine for Reference {
    type State = ();
    type Transition = Step;

    fn init_state() -> BoxedStrategy<()> {
        Just(()).boxed()
    }

    fn transitions((): &()) -> BoxedStrategy<Step> {
        let luck = prop_oneof![
            4 => Just(Luck::Good),
            2 => Just(Luck::AnswerLost),
            1 => Just(Luck::RequestLost),
            1 => Just(Luck::Unavailable),
        ];
        let kind = || {
            prop_oneof![
                1 => Just(OperationKind::Edit),
                1 => Just(OperationKind::Delete),
                3 => Just(OperationKind::Manifest),
            ]
        };
        let any_kind = prop_oneof![2 => Just(OperationKind::Create), 3 => kind()];
        prop_oneof![
            6 => (0..2_usize, any_kind, any::<prop::sample::Index>(), luck).prop_map(
                |(bench, kind, pick, luck)| Step::Do { bench, kind, pick: pick.index(1_000), luck }
            ),
            3 => (kind(), kind(), 0..1_000_usize)
                .prop_map(|(one, other, pick)| Step::Both { kinds: [one, other], pick }),
            2 => (0..2_usize, any::<bool>()).prop_map(|(bench, again)| Step::Decide { bench, again }),
            1 => (0..2_usize).prop_map(|bench| Step::Restart { bench }),
        ]
        .boxed()
    }

    fn apply((): (), _: &Step) {}
}

/// The service and the wires to it, shared by all cases.
struct Ground {
    site: Site,
    wires: [Wire; 2],
    cases: AtomicU64,
}

static GROUND: LazyLock<Ground> = LazyLock::new(|| {
    let site = Site::open();
    let wire = || Wire::before(site.practice.address());
    let wires = [wire(), wire()];
    Ground {
        site,
        wires,
        cases: AtomicU64::new(0),
    }
});

/// A task that was given to a bench.
struct Given {
    bench: usize,
    errand: Errand,
    operation: OperationId,
}

struct Benches {
    case: u64,
    lanes: [Lanes; 2],
    given: Vec<Given>,
    made: Vec<ConsignmentId>,
}

impl Benches {
    fn name(case: u64, bench: usize) -> String {
        format!("Model{case}{}", ["A", "B"][bench])
    }

    fn open(case: u64, bench: usize) -> Lanes {
        let mut lanes = GROUND
            .site
            .bench_at(&Self::name(case, bench), &GROUND.wires[bench].base_url());
        lanes.until("restored", |lanes| lanes.restored.then_some(()));
        lanes
    }

    /// What is asked of a bench, where there is anything that it can be asked of.
    fn errand(&self, kind: OperationKind, pick: usize) -> Option<Errand> {
        let reference = format!("model-{}-{}", self.case, self.given.len());
        if kind == OperationKind::Create {
            return Some(Errand::prepare(&GROUND.site, kind, &reference));
        }
        let id = *self.made.get(pick % self.made.len().max(1))?;
        Errand::about(&GROUND.site, kind, id)
    }

    fn give(&mut self, bench: usize, errand: &Errand) -> usize {
        let before = self.lanes[bench].operations.len();
        self.lanes[bench].ask(errand.request.clone());
        before
    }

    /// Waits until the bench has come to an end with what it was given.
    fn settled(&mut self, bench: usize, before: usize, errand: Errand) {
        let operation = self.lanes[bench].until("settled", |lanes| {
            let newest = lanes.newest().filter(|_| lanes.operations.len() > before)?;
            (!moves(newest.state)).then_some(newest.id)
        });
        let state = self.lanes[bench].operations[&operation].state;
        let happened = errand.happened(&GROUND.site.truth());
        if state == OperationState::Done && errand.subject.kind() != OperationKind::Edit {
            assert_eq!(happened, 1, "believed: {errand:?}");
        }
        if errand.subject.kind() == OperationKind::Create && state != OperationState::Done {
            assert_eq!(happened, 0, "missed: {errand:?}");
        }
        self.given.push(Given {
            bench,
            errand,
            operation,
        });
    }

    fn see(&mut self) {
        let creates = self
            .given
            .iter()
            .filter(|given| given.errand.subject.kind() == OperationKind::Create);
        let made = creates.flat_map(|given| {
            let operation = &self.lanes[given.bench].operations[&given.operation];
            operation.consignments.clone()
        });
        self.made = made.collect();
    }
}

fn moves(state: OperationState) -> bool {
    use OperationState::{Ready, Sending, Unknown};
    matches!(state, Ready | Sending | Unknown)
}

fn meet(wire: &Wire, kind: OperationKind, luck: Luck) {
    let line = format!("{} ", Errand::path(kind));
    match luck {
        Luck::Good => {}
        Luck::AnswerLost => wire.fail(&line, Fault::LoseAnswer),
        Luck::RequestLost => wire.fail(&line, Fault::LoseRequest),
        Luck::Unavailable => wire.fail(&line, answer("503 Service Unavailable", "text/plain", "")),
    }
}

impl StateMachineTest for Benches {
    type SystemUnderTest = Self;
    type Reference = Reference;

    fn init_test((): &()) -> Self {
        let case = GROUND.cases.fetch_add(1, Ordering::Relaxed);
        Self {
            case,
            lanes: [Self::open(case, 0), Self::open(case, 1)],
            given: Vec::new(),
            made: Vec::new(),
        }
    }

    fn apply(mut benches: Self, (): &(), step: Step) -> Self {
        match step {
            Step::Do {
                bench,
                kind,
                pick,
                luck,
            } => {
                if let Some(errand) = benches.errand(kind, pick) {
                    meet(&GROUND.wires[bench], kind, luck);
                    let before = benches.give(bench, &errand);
                    benches.settled(bench, before, errand);
                    GROUND.wires[bench].heal();
                }
            }
            Step::Both { kinds, pick } => {
                let errands = kinds.map(|kind| benches.errand(kind, pick));
                if let [Some(one), Some(other)] = errands {
                    let before = [benches.give(0, &one), benches.give(1, &other)];
                    benches.settled(0, before[0], one);
                    benches.settled(1, before[1], other);
                }
            }
            Step::Decide { bench, again } => {
                let lanes = &mut benches.lanes[bench];
                let absent = lanes
                    .operations
                    .values()
                    .find(|operation| operation.state == OperationState::Absent);
                if let Some(id) = absent.map(|operation| operation.id) {
                    let choice = if again {
                        OperationDecision::SendAgain
                    } else {
                        OperationDecision::Discard
                    };
                    let before = lanes.steps(id);
                    lanes.ask(Request::Decide(id, choice));
                    lanes.until("decided", |lanes| {
                        let moving = moves(lanes.operations[&id].state);
                        (lanes.steps(id) > before && !moving).then_some(())
                    });
                }
            }
            Step::Restart { bench } => {
                benches.lanes[bench] = benches.open_again(bench);
            }
        }
        benches.see();
        benches
    }

    fn check_invariants(benches: &Self, (): &()) {
        let truth = GROUND.site.truth();
        for given in &benches.given {
            let happened = given.errand.happened(&truth);
            assert!(happened <= 1, "{happened} times: {:?}", given.errand);
        }
    }

    fn teardown(mut benches: Self, (): ()) {
        for bench in 0..2 {
            let lanes = &mut benches.lanes[bench];
            let open: Vec<_> = lanes
                .operations
                .values()
                .filter(|operation| operation.state.is_open())
                .map(|operation| operation.id)
                .collect();
            for id in open {
                lanes.ask(Request::Decide(id, OperationDecision::Discard));
                lanes.until("nothing is stuck", |lanes| {
                    (!lanes.operations[&id].state.is_open()).then_some(())
                });
            }
        }
        for wire in &GROUND.wires {
            wire.forget();
        }
        let [one, other] = benches.lanes;
        one.close(&GROUND.site.runtime);
        other.close(&GROUND.site.runtime);
    }
}

impl Benches {
    /// Closes a bench in order, then opens it on what it left.
    fn open_again(&mut self, bench: usize) -> Lanes {
        let (case, site) = (self.case, &GROUND.site);
        // In its place meanwhile: a bench of no use.
        let idle = site.bench(&format!("Idle{case}"));
        std::mem::replace(&mut self.lanes[bench], idle).close(&site.runtime);
        Self::open(case, bench)
    }
}

/// Ten thousand, or what `PROPTEST_CASES` says.
fn long_cases() -> u32 {
    let wanted = std::env::var("PROPTEST_CASES").ok();
    wanted
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(10_000)
}

prop_state_machine! {
    #![proptest_config(Config {
        cases: 24,
        failure_persistence: None,
        max_shrink_iters: 60,
        ..Config::default()
    })]

    #[test]
    fn two_benches_do_nothing_twice_and_believe_nothing_wrongly(sequential 10..30 => Benches);
}

prop_state_machine! {
    #![proptest_config(Config {
        cases: long_cases(),
        failure_persistence: None,
        max_shrink_iters: 60,
        ..Config::default()
    })]

    #[test]
    #[ignore = "long run"]
    fn long_run_of_two_benches_on_one_service(sequential 50..51 => Benches);
}
