//! Parses times as clerks type them: `1600`, `4pm`, `16.00`, `Fri 16:00`, `tomorrow 9`, `20/11 4.30 pm`,
//! `2026-11-20 16:00`.
//!
//! Ambiguous texts are errors, never guessed. The screen shows the understood time in full beside the field.
//! The current day is always a parameter.

use std::collections::VecDeque;

use jiff::ToSpan as _;
use jiff::civil::{Date, DateTime, Time, Weekday};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimeInputError {
    Empty,
    /// The hour could be in the morning or in the afternoon.
    HalfOfDay(i8),
    /// The day of the week does not match the date. Contains the date.
    WeekdayMismatch(Date),
    /// The text contains no time.
    Unreadable,
}

impl TimeInputError {
    pub(crate) fn message(self) -> String {
        match self {
            Self::Empty | Self::Unreadable => "Enter a time, like 16:00 or Mon 4pm".to_owned(),
            Self::HalfOfDay(hour) => format!("Is it {hour}am or {hour}pm?"),
            Self::WeekdayMismatch(date) => date.strftime("%-d %b is a %A").to_string(),
        }
    }
}

/// Parses a typed time. A time without a day is on `day`; weekdays and words like "tomorrow" are relative
/// to `today`.
pub(crate) fn parse_time_input(
    text: &str,
    today: Date,
    day: Date,
) -> Result<DateTime, TimeInputError> {
    let text = text.trim().to_ascii_lowercase();
    if text.is_empty() {
        return Err(TimeInputError::Empty);
    }
    // The format in which the service writes times.
    if text.contains(':')
        && text.len() >= 16
        && let Ok(whole) = text.to_ascii_uppercase().parse::<DateTime>()
    {
        return Ok(whole);
    }
    let mut parts = TimeParts::default();
    for word in words(&text) {
        parts.take(&word, today)?;
    }
    parts.put_together(today, day)
}

/// Splits into words, and joins `am` and `pm` to the number before them.
fn words(text: &str) -> Vec<String> {
    let text = text.replace(',', " ").replace("a.m.", "am");
    let text = text.replace("p.m.", "pm");
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match words.last_mut() {
            Some(last) if matches!(word, "am" | "pm") => last.push_str(word),
            _ if matches!(word, "at" | "on" | "the" | "by") => {}
            _ => words.push(word.to_owned()),
        }
    }
    words
}

#[derive(Default)]
struct TimeParts {
    date: Option<Date>,
    weekday: Option<Weekday>,
    month: Option<i8>,
    time: Option<Time>,
    /// Bare numbers in their order: a day of the month, a year or a time.
    numbers: VecDeque<String>,
}

impl TimeParts {
    fn take(&mut self, word: &str, today: Date) -> Result<(), TimeInputError> {
        if let Some(days) = relative(word) {
            return set(&mut self.date, today.saturating_add(days.days()));
        }
        if let Some(weekday) = weekday(word) {
            return set(&mut self.weekday, weekday);
        }
        if matches!(word, "noon" | "midday") {
            return set(&mut self.time, Time::constant(12, 0, 0, 0));
        }
        let split = word.find(|c: char| c.is_ascii_alphabetic());
        let (digits, letters) = word.split_at(split.unwrap_or(word.len()));
        if let Some(month) = month(letters) {
            if !digits.is_empty() {
                self.numbers.push_back(digits.to_owned());
            }
            return set(&mut self.month, month);
        }
        if matches!(letters, "st" | "nd" | "rd" | "th") || letters.is_empty() && is_digits(digits) {
            self.numbers.push_back(digits.to_owned());
            return Ok(());
        }
        if let Some(date) = date(word, today) {
            return set(&mut self.date, date);
        }
        set(&mut self.time, time(word)?)
    }

    fn put_together(mut self, today: Date, day: Date) -> Result<DateTime, TimeInputError> {
        let mut date = self.date;
        let waits_for_time = self.time.is_none();
        let by_month = self.month.is_some();
        let by_weekday = self.weekday.is_some() && date.is_none();
        // After a weekday, a number is a day of the month only if another number or a time follows.
        if by_month || (by_weekday && self.numbers.len() > usize::from(waits_for_time)) {
            let number = self.next_number()?;
            let in_month = number
                .parse()
                .map_err(|_no_number| TimeInputError::Unreadable)?;
            date = Some(match self.month {
                Some(month) => near(day, in_month, month)?,
                None => coming(today, in_month)?,
            });
        }
        if by_month && let Some(year) = self.year(today) {
            date = date.and_then(|date| Date::new(year, date.month(), date.day()).ok());
        }
        if self.time.is_none() {
            self.time = Some(time(&self.next_number()?)?);
        }
        let (Some(time), true) = (self.time, self.numbers.is_empty()) else {
            return Err(TimeInputError::Unreadable);
        };
        let date = match (date, self.weekday) {
            (Some(date), Some(weekday)) if date.weekday() != weekday => {
                return Err(TimeInputError::WeekdayMismatch(date));
            }
            (Some(date), _) => date,
            // The first day with this weekday, from today on.
            (None, Some(weekday)) => {
                today.saturating_add(i64::from(today.weekday().until(weekday)).days())
            }
            (None, None) => day,
        };
        Ok(date.to_datetime(time))
    }

    fn next_number(&mut self) -> Result<String, TimeInputError> {
        self.numbers.pop_front().ok_or(TimeInputError::Unreadable)
    }

    /// Takes a year after the month. If there is also a time, any year of this century is accepted; otherwise only
    /// this year or the next, because the number could be a time.
    fn year(&mut self, today: Date) -> Option<i16> {
        let first: i16 = self.numbers.front()?.parse().ok()?;
        let has_time = self.time.is_some() || self.numbers.len() > 1;
        let is_year = if has_time {
            (2000..=2099).contains(&first)
        } else {
            (today.year()..=today.year() + 1).contains(&first)
        };
        is_year.then(|| {
            self.numbers.pop_front();
            first
        })
    }
}

/// Sets a value; an error if the value is already set, because it is unclear which is meant.
fn set<T>(place: &mut Option<T>, value: T) -> Result<(), TimeInputError> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(TimeInputError::Unreadable),
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn relative(word: &str) -> Option<i64> {
    match word {
        "today" | "tod" | "tdy" => Some(0),
        "tomorrow" | "tom" | "tmr" | "tmrw" | "tomo" => Some(1),
        _ => None,
    }
}

fn weekday(word: &str) -> Option<Weekday> {
    let days = "monday tuesday wednesday thursday friday saturday sunday";
    let meant = if word == "weds" { "wed" } else { word };
    let at = days
        .split(' ')
        .position(|day| meant.len() >= 3 && day.starts_with(meant))?;
    Weekday::from_monday_zero_offset(i8::try_from(at).ok()?).ok()
}

fn month(word: &str) -> Option<i8> {
    let months =
        "january february march april may june july august september october november december";
    let whole = |name: &str| word.len() >= 3 && name.starts_with(word);
    let at = months.split(' ').position(whole)?;
    i8::try_from(at + 1).ok()
}

/// Returns the date nearest to `day`, for a date without a year.
fn near(day: Date, in_month: i8, month: i8) -> Result<Date, TimeInputError> {
    let years = [day.year(), day.year() + 1, day.year() - 1];
    let apart = |date: Date| {
        date.since(day)
            .map_or(i32::MAX, |span| span.get_days().abs())
    };
    years
        .into_iter()
        .filter_map(|year| Date::new(year, month, in_month).ok())
        .min_by_key(|date| apart(*date))
        .ok_or(TimeInputError::Unreadable)
}

/// Returns the first date from today on with this day of the month.
fn coming(today: Date, in_month: i8) -> Result<Date, TimeInputError> {
    (0..3_i64)
        .map(|ahead| today.first_of_month().saturating_add(ahead.months()))
        .filter_map(|first| Date::new(first.year(), first.month(), in_month).ok())
        .find(|date| *date >= today)
        .ok_or(TimeInputError::Unreadable)
}

/// Parses `2026-11-20`, `20/11`, `20/11/26` or `20-11-2026`.
fn date(word: &str, today: Date) -> Option<Date> {
    let formats = ["%Y-%m-%d", "%d/%m/%y", "%d/%m/%Y", "%d-%m-%y", "%d-%m-%Y"];
    let whole = { formats.iter() }.find_map(|format| Date::strptime(format, word).ok());
    whole.or_else(|| {
        let (day, month) = word.split_once(['/', '-'])?;
        near(today, day.parse().ok()?, month.parse().ok()?).ok()
    })
}

/// Parses `16:00`, `16.00`, `16h00`, `1600`, `930`, `4pm`, `4.30pm` or `9`.
fn time(word: &str) -> Result<Time, TimeInputError> {
    let (figures, half) = match (word.strip_suffix("pm"), word.strip_suffix("am")) {
        (Some(rest), _) => (rest, Some(12)),
        (_, Some(rest)) => (rest, Some(0)),
        _ => (word, None),
    };
    let figures = figures.strip_suffix('h').unwrap_or(figures);
    let (hours, minutes) = match figures.split_once([':', '.', 'h']) {
        // Seconds are dropped; a driver does not need them.
        Some((hours, rest)) => (
            hours,
            rest.split_once(':').map_or(rest, |(minutes, _)| minutes),
        ),
        None if figures.len() >= 3 && figures.is_ascii() => figures.split_at(figures.len() - 2),
        None => (figures, ""),
    };
    let well_made = is_digits(hours)
        && hours.len() <= 2
        && (minutes.is_empty() || (is_digits(minutes) && minutes.len() == 2));
    if !well_made {
        return Err(TimeInputError::Unreadable);
    }
    // At most two digits always fit into an `i8`.
    let read = |text: &str| text.parse::<i8>().unwrap_or_default();
    let (hour, minute) = (read(hours), read(minutes));
    let hour = match half {
        Some(_) if !(1..=12).contains(&hour) => return Err(TimeInputError::Unreadable),
        Some(later) => hour % 12 + later,
        // A bare hour from 1 to 6 is ambiguous: pickups at four in the morning are rare.
        None if minutes.is_empty() && hours.len() == 1 && (1..=6).contains(&hour) => {
            return Err(TimeInputError::HalfOfDay(hour));
        }
        None => hour,
    };
    Time::new(hour, minute, 0, 0).map_err(|_no_such_time| TimeInputError::Unreadable)
}
