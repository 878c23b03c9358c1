//! Builds references, despatch time, options, receiver's account, custom values and the choice of carrier.
//!
//! The despatch time is a wall-clock time in the sender's time zone, sent as local time. A request needs either
//! automatic routing (cheapest or fastest) or at least a carrier.

use std::collections::HashMap;

use jiff::civil::{DateTime, Time};
use jiff::tz::{AmbiguousOffset, TimeZone, offset};
use serde_json::{Number, Value};

use super::{Purpose, RequestBuilder};
use crate::field::{CustomField, Field, TEXTS};
use crate::{ChosenRoute, CustomValueLine, DUTIES, ReceiverAccountKind, Routing};
use shipping::{
    Carrier, CarrierAccount, ConsignmentRequest, CustomValue, Despatch, LocalTime, Question,
    ReceiverAccountId, RouteSelection,
};

const UNREADABLE: &str = "Enter a time, like 15:30 or 2026-11-20 15:30";

impl RequestBuilder<'_> {
    pub(super) fn options(&mut self, request: &mut ConsignmentRequest) {
        let draft = self.draft;
        for option in TEXTS {
            match (option.field, option.request) {
                (Field::Despatch, _) => {
                    let despatch = self.despatch();
                    request.set_despatch(despatch.map(Despatch::Local));
                }
                (Field::ReceiverAccount, _) => self.receiver_account(request),
                (field, Some(place)) => *place(request) = self.text(field),
                (_, None) => {}
            }
        }
        request.question_ids = draft.questions.iter().copied().collect();
        if draft.questions.contains(&Question::AuthorityToLeave)
            && draft.custom_values.iter().all(CustomValueLine::is_blank)
        {
            let words = "Carriers may require further options with authority to leave";
            self.warn(Field::Questions, words);
        }
        for flag in draft.flags.iter() {
            *flag.request(request) = Some(true);
        }
        request.custom_values = self.custom_values();
    }

    /// Reads the receiver's account by code or by id, never both.
    fn receiver_account(&mut self, request: &mut ConsignmentRequest) {
        let field = Field::ReceiverAccount;
        match self.draft.receiver_account_by {
            ReceiverAccountKind::Code => request.receiver_account_code = self.text(field),
            ReceiverAccountKind::Id => {
                let id = self.id(field, "An account's id is a whole number");
                request.receiver_account_id = id.map(ReceiverAccountId::new);
            }
        }
    }

    fn custom_values(&mut self) -> Vec<CustomValue> {
        let draft = self.draft;
        let mut values: Vec<CustomValue> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        for (index, line) in draft.custom_values.iter().enumerate() {
            if line.is_blank() {
                continue;
            }
            let at = Field::Custom(index, CustomField::Name);
            let name = self.required(at);
            let value = self.custom_value(index, line);
            let Some(name) = name else { continue };
            let name = if name.eq_ignore_ascii_case(DUTIES) {
                DUTIES.to_owned()
            } else {
                name
            };
            if name == DUTIES && draft.duties_by_recipient && self.international {
                let words =
                    "Already selected: the receiver pays duties and taxes. Remove this line";
                self.error(at, words);
            }
            if let Some(first) = places.get(&name) {
                self.error(at, format!("{name} is already in line {}", first + 1));
            }
            places.insert(name.clone(), index);
            values.extend(value.map(|value| CustomValue {
                property_name: name,
                value,
            }));
        }
        if draft.duties_by_recipient && self.international {
            values.push(CustomValue {
                property_name: DUTIES.to_owned(),
                value: Value::Bool(true),
            });
        }
        values
    }

    /// Converts `true`, `false` and numbers to JSON values, and sends everything else as text.
    fn custom_value(&mut self, index: usize, line: &CustomValueLine) -> Option<Value> {
        let field = Field::Custom(index, CustomField::Value);
        let text = self.required(field)?;
        let flag = text.to_ascii_lowercase().parse().map(Value::Bool);
        if line.name.trim().eq_ignore_ascii_case(DUTIES) && flag.is_err() {
            self.error(field, format!("{DUTIES} must be true or false"));
        }
        Some(flag.unwrap_or_else(|_no_flag| as_number(&text).unwrap_or(Value::String(text))))
    }

    /// Reads the typed despatch time, in the sender's time zone. `None` means now.
    pub(super) fn despatch(&mut self) -> Option<LocalTime> {
        let text = self.draft.despatch.trim();
        if text.is_empty() {
            return None;
        }
        match self.parse_despatch(text) {
            Ok(time) => Some(LocalTime(time)),
            Err(words) => {
                self.error(Field::Despatch, words);
                None
            }
        }
    }

    fn parse_despatch(&self, text: &str) -> Result<DateTime, String> {
        let name = self.draft.despatch_zone(self.context);
        let here = LocalTime::at(self.context.now, name).0;
        if text.len() > Field::Despatch.row().max_chars {
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
        let fault = match zone.to_ambiguous_timestamp(typed).offset() {
            AmbiguousOffset::Gap { .. } => "doesn't exist on that day: the clocks go forward",
            AmbiguousOffset::Fold { .. } => "occurs twice on that day: the clocks go back",
            AmbiguousOffset::Unambiguous { .. } => "",
        };
        if !fault.is_empty() {
            return Err(format!("{time} {fault}. Choose another time"));
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

    /// Returns whether the time has passed. If the sender's zone is only assumed, the service may know a zone
    /// further west, so the time must have passed in the westernmost possible zone.
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

    pub(super) fn route(&mut self, request: &mut ConsignmentRequest) {
        match &self.draft.routing {
            Routing::Unchosen => self.missing(Field::Route),
            Routing::Cheapest => request.default_route_selection = Some(RouteSelection::Cheapest),
            Routing::Fastest => request.default_route_selection = Some(RouteSelection::Fastest),
            Routing::Carrier(chosen) | Routing::Chosen(chosen) => self.carrier(request, chosen),
        }
    }

    fn carrier(&mut self, request: &mut ConsignmentRequest, picked: &ChosenRoute) {
        request.carrier_id = Some(picked.carrier_id);
        request.carrier_service_id = picked.service_id;
        request.carrier_account_id = picked.account_id;
        request.company_carrier_account_id = picked.company_account_id;
        if let Some(words) = self.route_problem(picked) {
            self.error(Field::Route, words);
        }
    }

    /// Checks the route against the company's carriers, if they are known.
    fn route_problem(&self, picked: &ChosenRoute) -> Option<String> {
        let carriers = &self.context.carriers;
        let known = |carrier: &Carrier| carrier.accounts_of(self.owner()).next().is_some();
        if !carriers.iter().any(known) {
            return None;
        }
        let name = &picked.carrier;
        let mut carriers = carriers.iter();
        let carrier = carriers.find(|carrier| carrier.id == picked.carrier_id);
        let Some(carrier) = carrier.filter(|carrier| known(carrier)) else {
            return Some(format!("{name} is not available to this company"));
        };
        let fits = |account: &&CarrierAccount| {
            let same = picked.account_id.is_none_or(|id| id == account.id);
            let links = { picked.company_account_id }.zip(account.company_carrier_account_id);
            same && links.is_none_or(|(picked, own)| picked == own)
        };
        let fitting: Vec<_> = carrier.accounts_of(self.owner()).filter(fits).collect();
        let offers = |account: &&CarrierAccount| {
            let services = &account.carrier_services;
            let is_picked = |id| services.iter().any(|service| service.id == id);
            services.is_empty() || picked.service_id.is_none_or(is_picked)
        };
        match fitting.as_slice() {
            [] => Some(format!(
                "That {name} account is no longer linked. Choose another account"
            )),
            [_, _, ..] => Some(format!("Several {name} accounts are linked. Choose one")),
            [only] if !offers(only) => Some(format!(
                "{name} no longer offers that service. Choose another service"
            )),
            [_] => None,
        }
    }
}

/// Parses a number if its text is preserved exactly: `007` stays text.
fn as_number(text: &str) -> Option<Value> {
    let number: Number = serde_json::from_str(text).ok()?;
    (number.to_string() == text).then_some(Value::Number(number))
}

impl CustomValueLine {
    pub(crate) fn is_blank(&self) -> bool {
        self.name.trim().is_empty() && self.value.trim().is_empty()
    }
}
