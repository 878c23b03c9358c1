//! Compares client and service with the same literals: a recording proxy between the two, a notation for
//! literal JSON, and a stage that runs one case at the practice service or at another one.
//!
//! Invariants: a literal is text in a test's source and is never made by one of our types. Requests are
//! compared exactly at any service. Answers are compared exactly at the practice service; at another service
//! only their shape is compared, and values are neither compared nor printed.

mod json;
mod literal;
mod operation;
mod published;
mod stage;
mod surroundings;
mod wiretap;

use std::future::Future;
use std::pin::Pin;

pub(crate) use json::Json;
pub(crate) use stage::Stage;
pub(crate) use surroundings::{Elsewhere, Surroundings};

/// A case ends in one of two ways, or panics: it held, or there was nothing to try it on.
pub(crate) type Held = Result<(), Skipped>;

/// Why a case could not be tried at this service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Skipped(pub(crate) String);

/// How the function of a case ends: with [`Held`], or without a value if the case can always be tried.
pub(crate) trait Ended {
    fn held(self) -> Held;
}

impl Ended for Held {
    fn held(self) -> Held {
        self
    }
}

impl Ended for () {
    fn held(self) -> Held {
        Ok(())
    }
}

/// What a case does to the service that it is tried at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It only looks.
    Reads,
    /// It makes or changes something, or would where the service did not refuse.
    Writes,
    /// It needs what only the practice service has: a clock to set, other users, printers that use no paper.
    Practises,
}

/// One case of the contract.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case {
    /// Area and sentence.
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) play: for<'a> fn(&'a mut Stage) -> Pin<Box<dyn Future<Output = Held> + Send + 'a>>,
}

/// Lists an area's cases, and makes each one a test at the practice service.
macro_rules! cases {
    ($($kind:ident: $($name:ident),+;)+) => {
        /// Every case of this area.
        pub(crate) const CASES: &[$crate::support::contract::Case] = &[$($($crate::support::contract::Case {
            name: concat!(module_path!(), "::", stringify!($name)),
            kind: $crate::support::contract::Kind::$kind,
            play: |stage| Box::pin(async { $crate::support::contract::Ended::held($name(stage).await) }),
        },)+)+];

        $crate::support::contract::play!(at_practice, Plain, $($($name),+),+);
        $crate::support::contract::play!(in_published_shapes, Published, $($($name),+),+);
    };
}
pub(crate) use cases;

/// Makes each case a test at a practice service that answers in these shapes.
macro_rules! play {
    ($module:ident, $shapes:ident, $($name:ident),+) => {
        mod $module {
            $(#[tokio::test]
            async fn $name() {
                let name = concat!("::", stringify!($name));
                let case = super::CASES.iter().find(|case| case.name.ends_with(name)).expect("listed above");
                $crate::contract::play_at_practice(case, practice::AnswerShapes::$shapes).await;
            })+
        }
    };
}
pub(crate) use play;
