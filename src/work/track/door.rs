//! What a number of the board counts, and so what its door opens: one definition for both.
//!
//! What always holds: a number is how many rows its door opens. It must not know how rows are kept or shown.

use std::sync::Arc;

use jiff::civil::Date;

use crate::shipping::{CarrierId, CompanyId, Course, Mishap, StatusId};

/// Which consignments are looked at.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TrackScope {
    /// What changed or was despatched in the last so many days, and all that is open still, however old.
    pub days: u16,
    /// Of one carrier only.
    pub carrier: Option<CarrierId>,
    /// Of these companies only; of all where none are named.
    pub companies: Option<Arc<[CompanyId]>>,
    /// Where the bench is (IANA): its days begin at midnight there; UTC's where it is empty or not known.
    pub zone: Arc<str>,
}

impl Default for TrackScope {
    fn default() -> Self {
        Self {
            days: 14,
            carrier: None,
            companies: None,
            zone: Arc::default(),
        }
    }
}

/// From when on something counts as wrong; all are settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Thresholds {
    /// Late so many hours after its ETA.
    pub late_hours: u16,
    /// Not collected so many hours after its despatch time (or its booking, where that is later).
    pub not_collected_hours: u16,
    /// Nothing heard of for so many hours while it is with the carrier.
    pub no_scan_hours: u16,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            late_hours: 0,
            not_collected_hours: 24,
            no_scan_hours: 48,
        }
    }
}

/// Why somebody has to look at a consignment; the worst first. A consignment has one at the most: its worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Exception {
    /// The carrier cannot find it.
    Lost,
    /// It is damaged.
    Damaged,
    /// It could not be delivered.
    DeliveryFailed,
    /// It could not be picked up.
    PickupFailed,
    /// It went back to its sender.
    Returned,
    /// Its ETA is past, and it is not delivered.
    Late,
    /// Booked, and the carrier did not come.
    NotCollected,
    /// With the carrier, and nothing heard for long.
    NoScan,
    /// The carrier says that it is delayed.
    Delayed,
    /// The carrier tells no more of it.
    TrackingExpired,
}

impl From<Mishap> for Exception {
    fn from(mishap: Mishap) -> Self {
        match mishap {
            Mishap::Lost => Self::Lost,
            Mishap::Damaged => Self::Damaged,
            Mishap::DeliveryFailed => Self::DeliveryFailed,
            Mishap::PickupFailed => Self::PickupFailed,
            Mishap::Returned => Self::Returned,
            Mishap::Delayed => Self::Delayed,
            Mishap::TrackingExpired => Self::TrackingExpired,
        }
    }
}

impl Exception {
    /// All, the worst first.
    pub const ALL: [Self; 10] = [
        Self::Lost,
        Self::Damaged,
        Self::DeliveryFailed,
        Self::PickupFailed,
        Self::Returned,
        Self::Late,
        Self::NotCollected,
        Self::NoScan,
        Self::Delayed,
        Self::TrackingExpired,
    ];

    /// In a word or two, as a pill says it.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Lost => "lost",
            Self::Damaged => "damaged",
            Self::DeliveryFailed => "delivery failed",
            Self::PickupFailed => "pickup failed",
            Self::Returned => "returned",
            Self::Late => "late",
            Self::NotCollected => "not collected",
            Self::NoScan => "no scan",
            Self::Delayed => "delayed",
            Self::TrackingExpired => "tracking expired",
        }
    }
}

/// How long ago something that is open was despatched, in whole days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AgeBand {
    /// Less than a day, or not yet.
    Today,
    /// One day.
    OneDay,
    /// Two or three.
    ToThree,
    /// Four to seven.
    ToSeven,
    /// Eight to fourteen.
    ToFourteen,
    /// More.
    Older,
}

impl AgeBand {
    /// All, the youngest first.
    pub const ALL: [Self; 6] = [
        Self::Today,
        Self::OneDay,
        Self::ToThree,
        Self::ToSeven,
        Self::ToFourteen,
        Self::Older,
    ];

    /// As a label says it.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Today => "Today",
            Self::OneDay => "1 day",
            Self::ToThree => "2–3 days",
            Self::ToSeven => "4–7 days",
            Self::ToFourteen => "8–14 days",
            Self::Older => "Older",
        }
    }
}

/// How it went against the ETA.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arrival {
    /// Delivered by its ETA.
    OnTime,
    /// Delivered after it, or not delivered and past it.
    Late,
    /// Lost, damaged, returned, or delivery failed.
    Failed,
}

/// What a number counts, of what is in the scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Door {
    /// Everything of the scope.
    #[default]
    All,
    /// So far along.
    Course(Course),
    /// Of this status.
    Status(StatusId),
    /// Of this carrier; of none that is named.
    Carrier(Option<CarrierId>),
    /// Of this company; of none that is named.
    Company(Option<CompanyId>),
    /// Open, and despatched so long ago.
    Age(AgeBand),
    /// Unmanifested, and to be despatched today or before.
    DueToday,
    /// With this exception.
    Exception(Exception),
    /// With any exception.
    Exceptions,
    /// Lost, damaged, returned, pickup or delivery failed.
    WentWrong,
    /// How what was due in the days of the scope went, also where it came before them: of one carrier, on one day (of its ETA,
    /// in the receiver's place), or of all.
    Arrived {
        /// Of which carrier; of all where none is named.
        carrier: Option<CarrierId>,
        /// Due on which day.
        day: Option<Date>,
        /// How.
        how: Arrival,
    },
}
