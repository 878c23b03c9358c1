//! Chooses a task, and how each of its runs but the last ends.

use std::time::Duration;

use engine::FaultPoint::{
    self, Answered, HandedOver, JobWritten, PreconditionsChecked, ReconcileChecked, ResultWritten,
    Sending, Written,
};
use storage::OperationKind;

/// One round.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub(super) about: About,
    /// One for each life that is killed.
    pub(super) deaths: Vec<Death>,
}

/// What the clerk is about.
#[derive(Debug, Clone, Copy)]
pub(super) enum About {
    /// An operation at the service.
    Errand(OperationKind),
    /// A pending consignment that is made into a consignment, and deleted then.
    Conversion,
    /// A label on the bench's own printer.
    Label,
}

/// How a life ends.
#[derive(Debug, Clone, Copy)]
pub(super) enum Death {
    /// At the n-th time that it comes to this point.
    At(FaultPoint, u32),
    /// So long after the clerk began to act, wherever it is then.
    After(Duration),
    /// So long after its process began.
    AfterBirth(Duration),
}

impl Death {
    /// Whether a first life that ends so has changed the service; nothing where that is left to chance.
    pub(super) const fn sent(self) -> Option<bool> {
        match self {
            Self::At(Written | PreconditionsChecked | Sending, 1) => Some(false),
            Self::At(Answered | ResultWritten, _) => Some(true),
            _ => None,
        }
    }
}

/// Lives of what the service can be asked for afterwards. A count above 1 is the n-th time in the same life.
const ASKED_FOR: &[&[(FaultPoint, u32)]] = &[
    &[(Written, 1)],
    &[(PreconditionsChecked, 1)],
    &[(Sending, 1)],
    &[(Answered, 1)],
    &[(ResultWritten, 1)],
    &[(Sending, 1), (ReconcileChecked, 1)],
    &[(Sending, 1), (ReconcileChecked, 2)],
    &[(Sending, 1), (ReconcileChecked, 3)],
    &[(Answered, 1), (ReconcileChecked, 1)],
    &[(Answered, 1), (ResultWritten, 1)],
    &[(Written, 1), (PreconditionsChecked, 1)],
    &[(Written, 1), (Sending, 1)],
    &[(PreconditionsChecked, 1), (Answered, 1)],
    &[(PreconditionsChecked, 1), (ResultWritten, 1)],
    &[(Sending, 1), (Sending, 1)],
    &[(Sending, 1), (Answered, 1)],
    &[(Sending, 1), (ReconcileChecked, 1), (ReconcileChecked, 1)],
    &[(Sending, 1), (ReconcileChecked, 1), (ResultWritten, 1)],
    &[(Answered, 1), (ReconcileChecked, 1), (ResultWritten, 1)],
    &[(Answered, 1), (ReconcileChecked, 1), (ReconcileChecked, 1)],
    &[(Written, 1), (Sending, 1), (ReconcileChecked, 1)],
    &[(Sending, 1), (Answered, 1), (ReconcileChecked, 1)],
    &[(Sending, 1), (Sending, 1), (Sending, 1)],
    &[(Written, 1), (PreconditionsChecked, 1), (Sending, 1)],
];

/// Lives of what only the clerk can look into.
const LOOKED_INTO: &[&[(FaultPoint, u32)]] = &[
    &[(Written, 1)],
    &[(PreconditionsChecked, 1)],
    &[(Sending, 1)],
    &[(Answered, 1)],
    &[(ResultWritten, 1)],
    &[(Written, 1), (PreconditionsChecked, 1)],
    &[(Written, 1), (Sending, 1)],
    &[(Written, 1), (Answered, 1)],
    &[(PreconditionsChecked, 1), (PreconditionsChecked, 1)],
    &[(PreconditionsChecked, 1), (Sending, 1)],
    &[(Sending, 1), (PreconditionsChecked, 1)],
    &[(Sending, 1), (Sending, 1)],
    &[(Sending, 1), (Answered, 1)],
    &[(Sending, 1), (ResultWritten, 1)],
    &[(Sending, 1), (Sending, 1), (Sending, 1)],
    &[(Written, 1), (Sending, 1), (Answered, 1)],
    &[(PreconditionsChecked, 1), (Sending, 1), (ResultWritten, 1)],
    &[(Sending, 1), (Sending, 1), (Answered, 1)],
];

/// Lives of a label on its way to the printer.
const PRINTED: &[&[(FaultPoint, u32)]] = &[
    &[(JobWritten, 1)],
    &[(HandedOver, 1)],
    &[(JobWritten, 1), (JobWritten, 1)],
    &[(JobWritten, 1), (HandedOver, 1)],
    &[(JobWritten, 1), (JobWritten, 1), (JobWritten, 1)],
    &[(JobWritten, 1), (JobWritten, 1), (HandedOver, 1)],
];

/// Lives of a conversion: the second time is the deletion's.
pub(super) fn conversions() -> Vec<Case> {
    let lives: &[&[(FaultPoint, u32)]] = &[
        &[(ResultWritten, 1)],
        &[(PreconditionsChecked, 2)],
        &[(Sending, 2)],
        &[(Answered, 2)],
        &[(ResultWritten, 2)],
        &[(Answered, 1), (Sending, 1)],
        &[(ResultWritten, 1), (Sending, 1)],
        &[(ResultWritten, 1), (Answered, 1)],
    ];
    let case = |deaths: &&[(FaultPoint, u32)]| Case {
        about: About::Conversion,
        deaths: deaths
            .iter()
            .map(|(at, nth)| Death::At(*at, *nth))
            .collect(),
    };
    lives.iter().map(case).collect()
}

/// Every named case, so many times: 180 of them.
pub(super) fn named(times: usize) -> Vec<Case> {
    let case = |about, deaths: &[(FaultPoint, u32)]| Case {
        about,
        deaths: deaths
            .iter()
            .map(|(at, nth)| Death::At(*at, *nth))
            .collect(),
    };
    let mut cases = Vec::new();
    for kind in OperationKind::ALL {
        let lives = if kind.can_be_reconciled() {
            ASKED_FOR
        } else {
            LOOKED_INTO
        };
        let about = About::Errand(*kind);
        cases.extend(lives.iter().map(|deaths| case(about, deaths)));
    }
    cases.extend(PRINTED.iter().map(|deaths| case(About::Label, deaths)));
    let once = cases.len();
    cases.into_iter().cycle().take(once * times).collect()
}

/// Slightly more than the time that a run of a task takes, and the time until a process acts.
const ACTING: Duration = Duration::from_millis(60);
const LOOKING: Duration = Duration::from_millis(700);
const PRINTING: Duration = Duration::from_millis(900);
const BIRTH: Duration = Duration::from_millis(120);

/// Cases with one to three deaths at random times.
pub(super) fn random(seed: u64, count: usize) -> Vec<Case> {
    let mut dice = fastrand::Rng::with_seed(seed);
    let mut case = || {
        let about = match dice.usize(..=OperationKind::ALL.len()) {
            label if label == OperationKind::ALL.len() => About::Label,
            kind => About::Errand(OperationKind::ALL[kind]),
        };
        let lives = [1, 1, 1, 2, 2, 3][dice.usize(..6)];
        let death = |life| {
            let most = match (about, life) {
                (About::Label, _) => PRINTING,
                (_, 0) => ACTING,
                _ => LOOKING,
            };
            if dice.u8(..10) == 0 {
                Death::AfterBirth(BIRTH.mul_f64(dice.f64()))
            } else {
                Death::After(most.mul_f64(dice.f64()))
            }
        };
        let deaths = (0..lives).map(death).collect();
        Case { about, deaths }
    };
    (0..count).map(|_| case()).collect()
}

#[test]
fn there_are_180_named_cases() {
    assert_eq!(named(1).len(), 180);
}
