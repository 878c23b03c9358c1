//! The window stays responsive: whatever goes wrong on the way to the service, frames go on and typed text is
//! not lost.

use std::time::{Duration, Instant};

use app::state::{ConsignCommand, DispatchCommand, OperationState, Shared, WindowCommand};
use egui::{Event, Key, Modifiers};
use storage::Journal;

use crate::support::desk::{Home, fill};
use crate::support::front::Front;
use crate::support::practice::CREATE;
use crate::support::trouble::{Fault, FaultTiming, RetryAfter, RetryForm, Troubled as _};
use crate::support::wait::SOON;

/// Generous for a frame of an unoptimised build, and far less than any call that waits for a delayed answer.
const LONGEST_FRAME: Duration = Duration::from_millis(250);
/// How long a delayed answer keeps the clerk waiting.
const LATE_MS: u64 = 1_500;
/// A busy machine may be late once; a program that waits for the service is late each time.
const TRIES: usize = 3;

const TYPED: &str = "Typed meanwhile";

/// A clerk at the window, with a watch on its frames.
struct Watched {
    front: Front,
    longest: Duration,
}

impl Watched {
    fn frame(&mut self) {
        let (front, longest) = (&mut self.front, &mut self.longest);
        *longest = (*longest).max(took(|| front.widgets().step()));
    }

    fn press(&mut self, modifiers: Modifiers, key: Key) {
        self.front.widgets().key_press_modifiers(modifiers, key);
        for _ in 0..4 {
            self.frame();
        }
    }

    /// One letter to a frame.
    fn text(&mut self, text: &str) {
        for letter in text.chars() {
            self.front.widgets().event(Event::Text(letter.to_string()));
            self.frame();
        }
    }

    #[track_caller]
    fn until(&mut self, what: &str, mut probe: impl FnMut(&Shared) -> bool) {
        let begun = Instant::now();
        while !probe(self.front.shared()) {
            assert!(begun.elapsed() < SOON, "after {SOON:?} still not: {what}");
            self.frame();
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// How long it took, but for the time in which it wanted a core and others had them all.
fn took(work: impl FnOnce()) -> Duration {
    let (begun, waited) = (Instant::now(), waited_for_a_core());
    work();
    let crowded = waited_for_a_core().saturating_sub(waited);
    begun.elapsed().saturating_sub(crowded)
}

/// Of this thread, so far.
fn waited_for_a_core() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat");
    let nanos = told.ok().and_then(|told| {
        let waited = told.split(' ').nth(1)?;
        waited.parse().ok()
    });
    nanos.map(Duration::from_nanos).unwrap_or_default()
}

/// A consignment is typed, and can be sent.
fn typed() -> (Home, practice::RunningService, Watched) {
    let (home, practice) = Home::with_practice();
    let mut front = Front::at_practice(&home, &practice);
    front.type_consignment("SO-48213");
    let watched = Watched {
        front,
        longest: Duration::ZERO,
    };
    (home, practice, watched)
}

fn is_quiet(shared: &Shared) -> bool {
    let on_its_way = [OperationState::Ready, OperationState::Sending];
    let mut operations = shared.operations.list.iter();
    !shared.catalogue.companies.is_loading()
        && !shared.catalogue.locations.is_loading()
        && !shared.dispatch.unmanifested.is_loading()
        && !operations.any(|operation| on_its_way.contains(&operation.state))
}

/// Sends, and refreshes everything, while `fault` affects every call, and types the next consignment
/// meanwhile. Returns how long the longest frame took.
fn met(fault: &Fault) -> Duration {
    let (home, practice, mut watched) = typed();
    practice.trouble().everywhere().set_now(fault.clone());
    let window = watched.front.widgets().state_mut();
    window.push(ConsignCommand::Send.into());
    window.push(DispatchCommand::Refresh.into());
    window.push(WindowCommand::Reconnect.into());
    for _ in 0..2 {
        watched.frame();
    }
    watched.press(Modifiers::COMMAND, Key::N);
    watched.press(Modifiers::ALT, Key::Num2);
    watched.text(TYPED);
    watched.until("all has ended", is_quiet);
    let struck = practice.trouble().struck_now();
    assert!(struck > 0, "{fault:?} has struck");
    practice.trouble().clear_now();
    let journal = Journal::open(&home.places.journal("practice")).expect("a second reader");
    watched.until("it is on disk", |_| {
        let drafts = journal.drafts().expect("drafts");
        drafts.iter().any(|draft| draft.to.search == TYPED)
    });
    let window = watched.front.widgets().state_mut();
    let editing = window.editing_mut().expect("a form");
    assert_eq!(
        editing.draft.to.search, TYPED,
        "{fault:?}: every letter landed"
    );
    watched.longest
}

#[track_caller]
fn frames_go_on(faults: &[Fault]) {
    for fault in faults {
        let mut late = Vec::new();
        for _ in 0..TRIES {
            let longest = met(fault);
            if longest <= LONGEST_FRAME {
                late.clear();
                break;
            }
            late.push(longest);
        }
        assert!(
            late.is_empty(),
            "{fault:?}: a frame took {late:?} in each of the tries"
        );
    }
}

#[test]
fn frames_go_on_and_keys_land_while_answers_are_late_or_lost() {
    let ms = LATE_MS;
    frames_go_on(&[
        Fault::DelayBefore { ms },
        Fault::DelayAfter { ms },
        Fault::CommitLate { ms },
        Fault::FailBefore { reset: true },
        Fault::FailAfter { reset: false },
        Fault::LookupLag { ms },
    ]);
}

#[test]
fn frames_go_on_and_keys_land_while_answers_are_spoilt() {
    let (at, reset) = (40, true);
    frames_go_on(&[
        Fault::Cut { at, reset },
        Fault::Garble,
        Fault::TruncatedJson,
        Fault::WrongContentType,
        Fault::DuplicateIds,
    ]);
}

#[test]
fn frames_go_on_and_keys_land_while_answers_are_huge_or_deep() {
    let bytes = 5 << 20;
    frames_go_on(&[
        Fault::Huge {
            bytes,
            declared: false,
        },
        Fault::Huge {
            bytes,
            declared: true,
        },
        Fault::Deep { levels: 100_000 },
    ]);
}

#[test]
fn frames_go_on_and_keys_land_while_the_service_says_something_else() {
    let when = FaultTiming::Before;
    let (seconds, form) = (1, RetryForm::Seconds);
    let retry_after = Some(RetryAfter { seconds, form });
    let (status, location) = (307, "http://127.0.0.1:9/".to_owned());
    frames_go_on(&[
        Fault::Unauthorised,
        Fault::Forbidden,
        Fault::TooMany { retry_after },
        Fault::Internal { when },
        Fault::Unavailable { when, retry_after },
        Fault::Html { when },
        Fault::Redirect {
            status,
            location,
            when,
        },
    ]);
}

#[test]
fn a_frame_that_waits_for_the_service_would_be_noticed() {
    let (home, practice) = Home::with_practice();
    let trouble = practice.trouble().everywhere().once();
    trouble.set_now(Fault::DelayAfter { ms: 2 * 250 });
    let address = format!("{}/apiv2/companies/getAll", practice.base_url());
    // As a frame would that calls the service by itself.
    let longest = took(|| {
        home.runtime.block_on(async {
            let call = crate::support::practice::client().get(address).send();
            call.await.expect("an answer");
        });
    });
    assert!(longest > LONGEST_FRAME);
}

#[test]
fn the_next_is_typed_and_sent_while_one_is_on_its_way() {
    let (_home, practice, mut watched) = typed();
    let creates = practice.trouble().on(CREATE);
    creates.once().set_now(Fault::DelayAfter { ms: LATE_MS });
    let ask = |watched: &mut Watched, command: ConsignCommand| {
        let window = watched.front.widgets().state_mut();
        window.push(command.into());
        watched.frame();
        watched.frame();
    };
    ask(&mut watched, ConsignCommand::Send);
    let window = watched.front.widgets().state_mut();
    let editing = window.editing_mut().expect("a form");
    fill(&mut editing.draft, "SO-48214");
    ask(&mut watched, ConsignCommand::Send);
    watched.until("both are made", |shared| {
        let list = shared.dispatch.unmanifested.value();
        let last = shared.consign.last_created.as_ref();
        let reference = last.and_then(|last| last.customer_reference.as_deref());
        list.is_some_and(|list| list.len() == 2) && reference == Some("SO-48214")
    });
    let shared = watched.front.shared();
    assert!(
        shared.consign.drafts.is_empty(),
        "neither is offered as unsent"
    );
}

#[test]
fn one_that_is_refused_after_the_next_was_begun_is_among_the_drafts() {
    let (_home, practice, mut watched) = typed();
    let creates = practice.trouble().on(CREATE);
    // Refused, and late: the next is begun by then.
    creates.once().set_now(Fault::DelayAfter { ms: LATE_MS });
    let window = watched.front.widgets().state_mut();
    let editing = window.editing_mut().expect("a form");
    "Ballarat Central VIC 2000".clone_into(&mut editing.draft.to.place);
    window.push(ConsignCommand::Send.into());
    for _ in 0..4 {
        watched.frame();
    }
    watched.text(TYPED);
    watched.until("it is back", |shared| {
        let mut drafts = shared.consign.drafts.iter();
        drafts.any(|draft| draft.reference1 == "SO-48213")
    });
    watched.until("it is said", |shared| {
        let mut notices = shared.notices.shown.iter();
        notices.any(|(_, notice)| notice.headline.contains("not sent"))
    });
    let window = watched.front.widgets().state_mut();
    let editing = window.editing_mut().expect("a form");
    assert_eq!(editing.draft.to.search, TYPED);
}
