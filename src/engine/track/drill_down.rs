//! Scope, thresholds and drill-downs of the Track board. A drill-down is the filter behind a count.
//! Invariant: a count equals the number of rows that its drill-down lists.

use std::sync::Arc;

use jiff::civil::Date;

use shipping::{CarrierId, CompanyId, Exception, StatusId, TransitState};

/// Selects the consignments that are counted and listed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TrackScope {
    /// Consignments that changed or were despatched in this many days, and all open consignments, however old.
    pub days: u16,
    pub carrier: Option<CarrierId>,
    pub companies: Option<Arc<[CompanyId]>>,
    /// The bench's time zone (IANA), in which its days begin at midnight. UTC if empty or unknown.
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

/// Limits after which a consignment counts as an exception; all are settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Thresholds {
    /// Late after this many hours past the ETA.
    pub late_hours: u16,
    /// Not collected after this many hours past the despatch time, or past the booking if that is later.
    pub not_collected_hours: u16,
    /// No scan for this many hours while with the carrier.
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

/// Age of an open consignment: whole days since its despatch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AgeBand {
    /// Less than a day, or not despatched yet.
    Today,
    OneDay,
    TwoToThreeDays,
    FourToSevenDays,
    EightToFourteenDays,
    Older,
}

impl AgeBand {
    /// All bands, the youngest first.
    pub const ALL: [Self; 6] = [
        Self::Today,
        Self::OneDay,
        Self::TwoToThreeDays,
        Self::FourToSevenDays,
        Self::EightToFourteenDays,
        Self::Older,
    ];

    pub const fn words(self) -> &'static str {
        match self {
            Self::Today => "Today",
            Self::OneDay => "1 day",
            Self::TwoToThreeDays => "2–3 days",
            Self::FourToSevenDays => "4–7 days",
            Self::EightToFourteenDays => "8–14 days",
            Self::Older => "Older",
        }
    }
}

/// How a delivery compares with its ETA.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arrival {
    /// Delivered by the ETA.
    OnTime,
    /// Delivered after the ETA, or not delivered and past it.
    Late,
    /// Lost, damaged, returned, or delivery failed.
    Failed,
}

/// The filter behind a count of the board, applied within the scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum DrillDown {
    #[default]
    All,
    TransitState(TransitState),
    Status(StatusId),
    /// Consignments of this carrier; if `None`, consignments without a named carrier.
    Carrier(Option<CarrierId>),
    /// Consignments of this company; if `None`, consignments without a named company.
    Company(Option<CompanyId>),
    Age(AgeBand),
    /// Unmanifested, with despatch today or earlier.
    DueToday,
    Exception(Exception),
    Exceptions,
    /// Lost, damaged, returned, or pickup or delivery failed.
    WentWrong,
    /// Consignments due in the days of the scope, including consignments that arrived before these days.
    Arrived {
        /// All carriers if `None`.
        carrier: Option<CarrierId>,
        /// The day of the ETA, in the receiver's time zone; all days if `None`.
        day: Option<Date>,
        how: Arrival,
    },
}
