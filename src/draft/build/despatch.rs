//! Reads the despatch time: a wall-clock time in the sender's time zone, sent as local time.

use jiff::civil::{DateTime, Time};
use jiff::tz::{AmbiguousOffset, TimeZone, offset};

use super::{Purpose, RequestBuilder};
use crate::field::Field;
use shipping::LocalTime;

const UNREADABLE: &str = "Type a time, like 15:30 or 2026-11-20 15:30";

impl RequestBuilder<'_> {
    /// Reads the typed despatch time, in the sender's time zone. `None` means now.
    pub(super) fn despatch(&mut self) -> Option<LocalTime> {
        let text = self.draft.despatch.trim();
        if text.is_empty() {
            return None;
        }
        match self.read_despatch(text) {
            Ok(time) => Some(LocalTime(time)),
            Err(words) => {
                self.error(Field::Despatch, words);
                None
            }
        }
    }

    fn read_despatch(&self, text: &str) -> Result<DateTime, String> {
        let name = self.draft.despatch_zone(self.context);
        let here = LocalTime::at(self.context.now, name).0;
        if text.len() > Field::Despatch.max_chars() {
            return Err(UNREADABLE.to_owned());
        }
        // Try a date with a time first: `Time` would also parse the time out of such a text.
        let typed = match (text.parse::<DateTime>(), text.parse::<Time>()) {
            (Ok(typed), _) => typed,
            (_, Ok(time)) => here.date().to_datetime(time),
            _ => return Err(UNREADABLE.to_owned()),
        };
        let zone = TimeZone::get(name).map_err(|_unknown| {
            "Can't use a despatch time: the sender's time zone is unknown. Leave it empty to despatch now".to_owned()
        })?;
        let time = typed.strftime("%H:%M");
        match zone.to_ambiguous_timestamp(typed).offset() {
            AmbiguousOffset::Gap { .. } => {
                return Err(format!(
                    "{time} doesn't exist on that day: the clocks go forward. Choose another time"
                ));
            }
            AmbiguousOffset::Fold { .. } => {
                return Err(format!(
                    "{time} occurs twice on that day: the clocks go back. Choose another time"
                ));
            }
            AmbiguousOffset::Unambiguous { .. } => {}
        }
        // The original despatch time of an edited consignment may have passed: the service accepted it, and
        // it must not prevent a request for prices.
        let kept = self.purpose == Purpose::Save && self.draft.edits.is_some();
        if !kept && self.has_passed(typed, &zone) {
            return Err(format!(
                "{} has already passed. Leave this empty to despatch now",
                typed.strftime("%H:%M on %-d %b")
            ));
        }
        Ok(typed)
    }

    /// Returns whether the time has passed. If the sender's zone is only assumed, the service may know a
    /// later one, so the time must have passed in the westernmost possible zone.
    fn has_passed(&self, typed: DateTime, zone: &TimeZone) -> bool {
        let zone = if self.draft.from.time_zone().is_some() {
            zone.clone()
        } else if self.draft.from.is_abroad() {
            offset(-12).to_time_zone()
        } else {
            // The offset of Perth, the westernmost Australian zone here.
            offset(8).to_time_zone()
        };
        zone.to_timestamp(typed)
            .is_ok_and(|moment| moment < self.context.now)
    }
}
