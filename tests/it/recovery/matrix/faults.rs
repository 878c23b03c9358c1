//! The faults by name. Times suit a client that waits [`WAITS`] for a write and then checks for it three
//! times.

use std::time::Duration;

use practice::{Fault, FaultTiming, RetryAfter, RetryForm};

/// How long the client waits for a write's answer.
pub(super) const WAITS: Duration = Duration::from_millis(300);

/// When the client checks for a write, counted from its timeout.
pub(super) const LOOKS: [u64; 3] = [60, 200, 600];

/// Later than the client waits; sooner than its last look.
const LATE_MS: u64 = 600;

/// The faults that affect a task.
#[derive(Debug, Clone, Copy)]
pub(super) enum Strike {
    /// The write, once.
    Write(Fixed),
    /// The write's answer is lost by its last byte.
    LastByte,
    /// The write's answer is lost, and lookups show things as they were for a while.
    Lag,
    /// The write's answer is lost, and lists hold each row twice.
    Twice,
    /// The write is answered, and from then on every call is refused for its token.
    RefusedAfter,
    /// The write's answer is lost, and from then on every call is refused for its token.
    LostThenRefused,
}

/// A fault that needs no more than its kind.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fixed {
    DropAfter,
    ResetAfter,
    DropBefore,
    ResetBefore,
    CommitLate,
    AnswerLate,
    BeginLate,
    FirstByte,
    InTheHeaders,
    InTheBody,
    Garble,
    Truncated,
    ContentType,
    Unauthorised,
    Forbidden,
    TooMany,
    Internal(FaultTiming),
    Unavailable(FaultTiming),
    Redirect(u16, FaultTiming),
    Html(FaultTiming),
    Huge,
    Deep,
}

use FaultTiming::{After, Before};
use Fixed::{Internal, Redirect, Unavailable};
use Strike::Write;

/// Every one.
pub(super) const FAULTS: &[(&str, Strike)] = &[
    ("done, then the connection ends", Write(Fixed::DropAfter)),
    (
        "done, then the connection is reset",
        Write(Fixed::ResetAfter),
    ),
    (
        "the connection ends, nothing done",
        Write(Fixed::DropBefore),
    ),
    (
        "the connection is reset, nothing done",
        Write(Fixed::ResetBefore),
    ),
    (
        "done late, after the client gave up",
        Write(Fixed::CommitLate),
    ),
    ("done at once, answered too late", Write(Fixed::AnswerLate)),
    (
        "not begun before the client gave up",
        Write(Fixed::BeginLate),
    ),
    ("done, answer lost, lookups lag", Strike::Lag),
    ("done, reset after the first byte", Write(Fixed::FirstByte)),
    ("done, reset in the headers", Write(Fixed::InTheHeaders)),
    ("done, reset in the body", Write(Fixed::InTheBody)),
    ("done, the last byte is missing", Strike::LastByte),
    ("done, the answer is garbled", Write(Fixed::Garble)),
    ("done, the JSON is cut off", Write(Fixed::Truncated)),
    ("done, the content type is wrong", Write(Fixed::ContentType)),
    ("401, nothing done", Write(Fixed::Unauthorised)),
    ("403, nothing done", Write(Fixed::Forbidden)),
    ("429 with Retry-After, nothing done", Write(Fixed::TooMany)),
    ("500, nothing done", Write(Internal(Before))),
    ("500, done", Write(Internal(After))),
    ("503, nothing done", Write(Unavailable(Before))),
    ("503, done", Write(Unavailable(After))),
    ("302, nothing done", Write(Redirect(302, Before))),
    ("307, nothing done", Write(Redirect(307, Before))),
    ("308, done", Write(Redirect(308, After))),
    ("a page with 200, nothing done", Write(Fixed::Html(Before))),
    ("a page with 200, done", Write(Fixed::Html(After))),
    ("done, the answer is huge", Write(Fixed::Huge)),
    ("done, the answer is deep", Write(Fixed::Deep)),
    ("done, answer lost, each row twice", Strike::Twice),
    ("done and answered, then 401 for all", Strike::RefusedAfter),
    (
        "done, answer lost, then 401 for all",
        Strike::LostThenRefused,
    ),
];

impl Fixed {
    /// Returns the fault. A redirect leads back to `address`, so that following it would repeat the write.
    pub(super) fn fault(self, address: &str) -> Fault {
        let retry_after = Some(RetryAfter {
            seconds: 1,
            form: RetryForm::Seconds,
        });
        let cut = |at| Fault::Cut { at, reset: true };
        match self {
            Self::DropAfter => Fault::FailAfter { reset: false },
            Self::ResetAfter => Fault::FailAfter { reset: true },
            Self::DropBefore => Fault::FailBefore { reset: false },
            Self::ResetBefore => Fault::FailBefore { reset: true },
            Self::CommitLate => Fault::CommitLate { ms: LATE_MS },
            Self::AnswerLate => Fault::DelayAfter { ms: LATE_MS },
            Self::BeginLate => Fault::DelayBefore { ms: LATE_MS },
            Self::FirstByte => cut(1),
            Self::InTheHeaders => cut(40),
            Self::InTheBody => cut(150),
            Self::Garble => Fault::Garble,
            Self::Truncated => Fault::TruncatedJson,
            Self::ContentType => Fault::WrongContentType,
            Self::Unauthorised => Fault::Unauthorised,
            Self::Forbidden => Fault::Forbidden,
            Self::TooMany => Fault::TooMany { retry_after },
            Self::Internal(when) => Fault::Internal { when },
            Self::Unavailable(when) => Fault::Unavailable { when, retry_after },
            Self::Redirect(status, when) => Fault::Redirect {
                status,
                location: address.to_owned(),
                when,
            },
            Self::Html(when) => Fault::Html { when },
            Self::Huge => Fault::Huge {
                bytes: 6 << 20,
                declared: false,
            },
            Self::Deep => Fault::Deep { levels: 100_000 },
        }
    }
}
