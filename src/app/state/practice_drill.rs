//! Practice drills: faults of the practice service that a clerk can switch on, and their state.

use super::Remote;

/// A fault that a clerk can practise with. Only the practice service has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Drill {
    /// A create is carried out and its answer lost.
    SendLost,
    /// A create is carried out after the bench has given up waiting.
    SendLate,
    /// A booking is carried out and its answer lost.
    BookingLost,
    /// A booking is carried out and its answer is cut off.
    BookingHalf,
    /// No call is answered.
    Away,
    /// Every answer takes seconds.
    Slow,
    /// Calls are answered with "try again later".
    Busy,
    /// Changes are not visible in lists for a while.
    Lag,
    /// The token is refused.
    Token,
    /// A proxy answers with a sign-in page.
    SignIn,
    /// Answers cannot be parsed.
    Garbled,
}

impl Drill {
    /// All drills, in the order in which they are offered.
    pub const ALL: [Self; 11] = [
        Self::SendLost,
        Self::SendLate,
        Self::BookingLost,
        Self::BookingHalf,
        Self::Away,
        Self::Slow,
        Self::Busy,
        Self::Lag,
        Self::Token,
        Self::SignIn,
        Self::Garbled,
    ];

    /// Returns the clerk's name for the drill. The practice service lists its faults by these names.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SendLost => "The answer to the next Send is lost",
            Self::SendLate => "The next Send goes through late",
            Self::BookingLost => "The answer to the next booking is lost",
            Self::BookingHalf => "The answer to the next booking is cut off",
            Self::Away => "The service can't be reached",
            Self::Slow => "The service answers slowly",
            Self::Busy => "The service is too busy",
            Self::Lag => "Lists lag behind for a minute",
            Self::Token => "The token is refused",
            Self::SignIn => "A sign-in page appears instead of answers",
            Self::Garbled => "Answers can't be read",
        }
    }

    /// Returns a sentence that says what happens.
    pub const fn about(self) -> &'static str {
        match self {
            Self::SendLost => "The consignment is created, but the answer never arrives",
            Self::SendLate => {
                "Packbench stops waiting after a minute, but the consignment is still created"
            }
            Self::BookingLost => "The carrier is booked, but the answer never arrives",
            Self::BookingHalf => "The carrier is booked, but the answer is cut off",
            Self::Away => "The service doesn't respond, and nothing is done",
            Self::Slow => "Every answer takes four seconds",
            Self::Busy => "The service asks you to try again in 20 seconds",
            Self::Lag => "Changes don't show in lists for 60 seconds",
            Self::Token => "As if somebody had replaced the token",
            Self::SignIn => "As if the network asked you to sign in first",
            Self::Garbled => "Everything is carried out, but no answer can be read",
        }
    }

    /// Returns true if the fault occurs only once.
    pub const fn is_once(self) -> bool {
        matches!(
            self,
            Self::SendLost | Self::SendLate | Self::BookingLost | Self::BookingHalf
        )
    }
}

/// A drill that was started, and its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrillStatus {
    pub drill: Drill,
    /// True while the fault can still occur.
    pub is_active: bool,
    /// Number of times that the fault has occurred.
    pub count: u32,
}

/// Settings of the practice service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PracticeSettings {
    /// The user whose permissions apply.
    pub user: PracticeUser,
    /// The speed of the simulated carriers.
    pub speed: CarrierSpeed,
}

/// A user of the practice service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PracticeUser {
    /// May send, print and book.
    #[default]
    Clerk,
    /// May only look.
    Viewer,
    /// May also cancel manifested consignments.
    Supervisor,
}

impl PracticeUser {
    /// All users, in the order in which they are offered.
    pub const ALL: [Self; 3] = [Self::Clerk, Self::Viewer, Self::Supervisor];

    /// Returns the text of the user's button.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clerk => "Clerk",
            Self::Viewer => "Viewer",
            Self::Supervisor => "Supervisor",
        }
    }

    /// Returns the permissions of the user in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Clerk => "Can send, print and book",
            Self::Viewer => "Can view everything but change nothing",
            Self::Supervisor => "Can also cancel manifested consignments",
        }
    }
}

/// The speed of the simulated carriers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CarrierSpeed {
    Still,
    /// A day takes a day.
    RealTime,
    /// An hour takes a minute.
    #[default]
    Brisk,
    /// A day takes a minute.
    Fast,
}

impl CarrierSpeed {
    /// All speeds, the slowest first.
    pub const ALL: [Self; 4] = [Self::Still, Self::RealTime, Self::Brisk, Self::Fast];

    /// Returns the text of the speed's button.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Still => "Stopped",
            Self::RealTime => "Real time",
            Self::Brisk => "1 hour a minute",
            Self::Fast => "1 day a minute",
        }
    }

    /// Returns how many times faster than real time the carriers are.
    pub const fn factor(self) -> u32 {
        match self {
            Self::Still => 0,
            Self::RealTime => 1,
            Self::Brisk => 60,
            Self::Fast => 24 * 60,
        }
    }
}

/// A command for the practice drills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PracticeCommand {
    /// Start a drill, or start it again.
    Start(Drill),
    /// End a drill.
    End(Drill),
    /// End all drills.
    EndAll,
    /// Fetch the state of the drills.
    Refresh,
    /// Use the practice service as this user.
    SetUser(PracticeUser),
    /// Set the speed of the simulated carriers.
    Speed(CarrierSpeed),
    /// Let the carriers deliver all booked consignments at once.
    DeliverAll,
}

/// The practice service.
#[derive(Default)]
pub struct PracticeView {
    /// Settings of the practice service.
    pub settings: PracticeSettings,
    /// Practice drills that were started.
    pub drills: Remote<Vec<DrillStatus>>,
}

impl PracticeView {
    /// Returns the practice drills whose fault can still occur.
    pub fn active_drills(&self) -> impl Iterator<Item = &DrillStatus> {
        let known = self.drills.value().into_iter().flatten();
        known.filter(|drill| drill.is_active)
    }
}
