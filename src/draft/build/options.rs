//! Builds references, despatch time, options, receiver's account and custom values.

use std::collections::HashMap;

use serde_json::{Number, Value};

use super::RequestBuilder;
use crate::field::{CustomField, Field};
use crate::{CustomValueLine, DUTIES, ReceiverAccountKind, number};
use shipping::{ConsignmentRequest, CustomValue, Despatch, Question, ReceiverAccountId};

impl RequestBuilder<'_> {
    pub(super) fn options(&mut self, request: &mut ConsignmentRequest) {
        let draft = self.draft;
        request.customer_reference = self.text(Field::Reference1, &draft.reference1);
        request.customer_reference2 = self.text(Field::Reference2, &draft.reference2);
        let despatch = self.despatch();
        request.set_despatch(despatch.map(Despatch::Local));
        request.special_instructions = self.text(Field::Instructions, &draft.instructions);
        request.question_ids = draft.questions.iter().copied().collect();
        if draft.questions.contains(&Question::AuthorityToLeave)
            && draft.custom_values.iter().all(CustomValueLine::is_blank)
        {
            self.warn(
                Field::Questions,
                "Carriers may require further options with authority to leave",
            );
        }
        request.sending_tracking_email = draft.tracking_email.then_some(true);
        self.receiver_account(request);
        request.printer_token = self.text(Field::PrinterToken, &draft.printer_token);
        request.staff_member_name = self.text(Field::Staff, &draft.staff);
        request.carrier_consignment_id = self.text(Field::CarrierNumber, &draft.carrier_number);
        request.custom_values = self.custom_values();
    }

    /// Reads the receiver's account by code or by id, never both.
    fn receiver_account(&mut self, request: &mut ConsignmentRequest) {
        let (field, typed) = (Field::ReceiverAccount, &self.draft.receiver_account);
        match self.draft.receiver_account_by {
            ReceiverAccountKind::Code => request.receiver_account_code = self.text(field, typed),
            ReceiverAccountKind::Id if typed.trim().is_empty() => {}
            ReceiverAccountKind::Id => {
                let id = number::read_id(typed);
                if id.is_err() {
                    self.error(field, "An account's id is a whole number");
                }
                request.receiver_account_id = id.ok().map(ReceiverAccountId::new);
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
            let name = self.required(at, &line.name, "Enter the option's name");
            let value = self.custom_value(index, line);
            let Some(name) = name else { continue };
            let name = if name.eq_ignore_ascii_case(DUTIES) {
                DUTIES.to_owned()
            } else {
                name
            };
            if name == DUTIES && draft.duties_by_recipient && self.international {
                self.error(
                    at,
                    "Already selected: the receiver pays duties and taxes. Remove this line",
                );
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
        let text = self.required(field, &line.value, "Enter the option's value")?;
        let flag = text.to_ascii_lowercase().parse().map(Value::Bool);
        if line.name.trim().eq_ignore_ascii_case(DUTIES) && flag.is_err() {
            self.error(field, format!("{DUTIES} must be true or false"));
        }
        Some(flag.unwrap_or_else(|_no_flag| as_number(&text).unwrap_or(Value::String(text))))
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
