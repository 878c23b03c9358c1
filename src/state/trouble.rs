//! Rehearsing a bad day: the situations that a clerk can call up in practice, and what is known of each.

/// Something that goes wrong on a bad day. In practice only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Situation {
    /// A create is made and its answer lost.
    SendLost,
    /// A create is made after it was given up.
    SendLate,
    /// A booking is made and its answer lost.
    BookingLost,
    /// A booking is made and its answer breaks off.
    BookingHalf,
    /// Nothing answers.
    Away,
    /// Everything takes seconds.
    Slow,
    /// Told to come again later.
    Busy,
    /// What was changed is not seen yet.
    Lag,
    /// The token is not accepted.
    Token,
    /// A proxy wants somebody to sign in.
    SignIn,
    /// Nothing can be read.
    Garbled,
}

impl Situation {
    /// All, in the order in which they are offered.
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

    /// In a clerk's words; the service lists it by them too.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SendLost => "The answer to the next Send is lost",
            Self::SendLate => "The next Send goes through too late",
            Self::BookingLost => "The answer to the next booking is lost",
            Self::BookingHalf => "The next booking is answered half",
            Self::Away => "The service is away",
            Self::Slow => "The service answers slowly",
            Self::Busy => "The service is too busy",
            Self::Lag => "Lists lag behind for a minute",
            Self::Token => "The token is refused",
            Self::SignIn => "A sign-in page comes in place of answers",
            Self::Garbled => "Answers arrive garbled",
        }
    }

    /// What happens then.
    pub const fn about(self) -> &'static str {
        match self {
            Self::SendLost => "The consignment is made, and nobody says so",
            Self::SendLate => "It is given up after a minute, and made all the same",
            Self::BookingLost => "The carrier knows, and nobody says so",
            Self::BookingHalf => "The carrier knows, and the answer breaks off",
            Self::Away => "Nothing is done, nothing answers",
            Self::Slow => "Every answer takes four seconds",
            Self::Busy => "It asks to come again in 20 seconds",
            Self::Lag => "What is changed from now on is not in them for 60 seconds",
            Self::Token => "As when somebody else has changed it",
            Self::SignIn => "As when the network wants you to sign in first",
            Self::Garbled => "All is done, and no answer can be read",
        }
    }

    /// True where it strikes once and is over then.
    pub const fn is_once(self) -> bool {
        matches!(
            self,
            Self::SendLost | Self::SendLate | Self::BookingLost | Self::BookingHalf
        )
    }
}

/// A situation that was called up, and what became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rehearsed {
    /// Which.
    pub situation: Situation,
    /// It may strike still.
    pub on: bool,
    /// How often it has struck.
    pub struck: u32,
}

/// How the practice service is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Practice {
    /// As whom.
    pub user: PracticeUser,
    /// How fast its carriers go.
    pub speed: CarrierSpeed,
}

/// As whom the practice service is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PracticeUser {
    /// Sends, prints and books.
    #[default]
    Clerk,
    /// Looks only.
    Viewer,
    /// Also cancels what is manifested.
    Supervisor,
}

impl PracticeUser {
    /// All, in the order in which they are offered.
    pub const ALL: [Self; 3] = [Self::Clerk, Self::Viewer, Self::Supervisor];

    /// On its button.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clerk => "Clerk",
            Self::Viewer => "Viewer",
            Self::Supervisor => "Supervisor",
        }
    }

    /// The permissions of this user, in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Clerk => "Sends, prints and books",
            Self::Viewer => "Looks at everything and changes nothing",
            Self::Supervisor => "Also cancels what is manifested",
        }
    }
}

/// How fast the carriers of the practice service go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CarrierSpeed {
    /// Nothing moves.
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
    /// All, the slowest first.
    pub const ALL: [Self; 4] = [Self::Still, Self::RealTime, Self::Brisk, Self::Fast];

    /// On its button.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Still => "Stopped",
            Self::RealTime => "Real time",
            Self::Brisk => "1 hour a minute",
            Self::Fast => "1 day a minute",
        }
    }

    /// How many times faster than real time.
    pub const fn factor(self) -> u32 {
        match self {
            Self::Still => 0,
            Self::RealTime => 1,
            Self::Brisk => 60,
            Self::Fast => 24 * 60,
        }
    }
}

/// On troubles. In practice only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PracticeCommand {
    /// Call a situation up; where it is over, anew.
    Call(Situation),
    /// End one.
    End(Situation),
    /// End all.
    AllWell,
    /// See how they stand.
    Look,
    /// Use the practice service as this user.
    Become(PracticeUser),
    /// Have carriers go at this speed.
    Speed(CarrierSpeed),
    /// Have carriers deliver at once what they were booked for.
    DeliverAll,
}
