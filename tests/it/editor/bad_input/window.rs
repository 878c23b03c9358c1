//! Every text input of the Consign screen, through the real window over the practice service.

use std::collections::HashSet;

use draft::{Draft, Field};
use egui::accesskit::Role;
use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Event, Id};
use egui_kittest::kittest::Queryable as _;
use serde_json::Value;

use super::view::{self, View};
use super::{Bad, Way, blocked, characters, lengths, numbers, unclean, words};
use crate::support::clerk::Clerk;

/// What goes on in one view.
struct Bench {
    clerk: Clerk,
    rested: Draft,
    whole: Value,
}

/// Text inputs there are at least, so that a view that shows none is noticed.
const LEAST: usize = 70;

fn at_every_field(texts: &[Bad]) {
    let (_home, _practice, mut clerk) = Clerk::begin();
    clerk.pick_sender();
    let mut seen = HashSet::new();
    for view in view::all(&clerk) {
        let (inputs, rested) = view::open(&mut clerk, &view);
        let new: Vec<_> = inputs
            .into_iter()
            .filter(|(field, _)| seen.insert(*field))
            .collect();
        let whole = serde_json::to_value(&rested).expect("a draft is JSON");
        let mut bench = Bench {
            clerk,
            rested,
            whole,
        };
        for bad in texts {
            bench.everywhere(&view, &new, bad);
        }
        *view::draft(&mut bench.clerk) = Draft::default();
        bench.clerk.rest();
        clerk = bench.clerk;
    }
    assert!(seen.len() >= LEAST, "only {} fields: {seen:?}", seen.len());
}

impl Bench {
    /// One text in each field by itself, then in all of them at once.
    fn everywhere(&mut self, view: &View, inputs: &[(Field, Id)], bad: &Bad) {
        let mut all = self.whole.clone();
        for (field, id) in inputs {
            let told = format!("{}: {} at {field:?}", view.name, bad.what);
            view::draft(&mut self.clerk).clone_from(&self.rested);
            self.put(*id, bad);
            if !self.clerk.has_focus(*field) {
                self.leave_dialog(bad, &told);
            }
            assert!(self.clerk.has_focus(*field), "{told}: the focus is lost");
            let after = serde_json::to_value(view::draft(&mut self.clerk)).expect("JSON");
            let changed = differences(&self.whole, &after);
            must_be_one(*field, &changed, &told);
            let typed = changed.first().and_then(|at| after.pointer(at));
            self.must_be_told_or_clean(*field, typed, &told);
            for at in &changed {
                if let (Some(into), Some(value)) = (all.pointer_mut(at), after.pointer(at)) {
                    *into = value.clone();
                }
            }
        }
        let all: Draft = serde_json::from_value(all).expect("a draft");
        view::draft(&mut self.clerk).clone_from(&all);
        for _ in 0..2 {
            self.clerk.window.step();
        }
        view::draft(&mut self.clerk).clone_from(&self.rested);
        self.clerk.window.step();
    }

    /// The text in the place of what the field holds.
    fn put(&mut self, id: Id, bad: &Bad) {
        let ctx = self.clerk.window.ctx.clone();
        ctx.memory_mut(|memory| memory.request_focus(id));
        let mut state = TextEditState::load(&ctx, id).unwrap_or_default();
        let all = CCursorRange::two(CCursor::default(), CCursor::new(usize::MAX / 2));
        state.cursor.set_char_range(Some(all));
        state.store(&ctx, id);
        let text = bad.text.clone();
        self.clerk.window.event(match bad.way {
            Way::Typed => Event::Text(text),
            Way::Pasted => Event::Paste(text),
        });
        self.clerk.window.step();
    }

    /// A block of lines that was pasted into an address is looked at before it is taken; it is left here.
    fn leave_dialog(&mut self, bad: &Bad, told: &str) {
        let is_open = |clerk: &Clerk| {
            let mut dialogs = clerk
                .window
                .query_all_by(|node| node.role() == Role::Dialog);
            dialogs.next().is_some()
        };
        self.clerk.rest();
        assert!(is_open(&self.clerk), "{told}: the focus is lost");
        let block = bad.way == Way::Pasted && bad.text.trim().contains(['\n', '\r']);
        assert!(block, "{told}: a dialog opens");
        self.clerk.keys("<Esc>");
        assert!(!is_open(&self.clerk), "{told}: the dialog stays");
    }

    /// A problem stands there, or what would be sent is clean and no longer than the field may be.
    fn must_be_told_or_clean(&mut self, field: Field, typed: Option<&Value>, told: &str) {
        let context = self.clerk.core().shared.check_context();
        // What is typed there now is declared anew, as the clerk would have to.
        let mut draft = view::draft(&mut self.clerk).clone();
        draft.declare(draft.dangerous_goods_declared);
        let check = draft.check(&context);
        let typed = typed.and_then(Value::as_str).map(str::trim);
        // Blanks alone are nothing: what is missing then may be told of elsewhere.
        if blocked(&check).contains(&field) || typed == Some("") {
            return;
        }
        assert!(
            check.passes(),
            "{told}: nothing says so there, but {:?}",
            check.errors().collect::<Vec<_>>()
        );
        if let Some(wrong) = unclean(&check) {
            panic!("{told}: {wrong}");
        }
        let typed = typed.unwrap_or_default();
        let sent = serde_json::to_string(check.request().expect("it passes")).expect("JSON");
        let as_sent = serde_json::to_string(typed).expect("JSON");
        if sent.contains(&as_sent) {
            let long = typed.chars().count();
            assert!(
                long <= field.row().max_chars,
                "{told}: {long} characters are sent"
            );
        }
    }
}

/// Where two values differ.
fn differences(one: &Value, other: &Value) -> Vec<String> {
    fn walk(one: &Value, other: &Value, at: &str, found: &mut Vec<String>) {
        match (one, other) {
            (Value::Object(one), Value::Object(other)) => {
                for (name, value) in one {
                    let null = Value::Null;
                    walk(
                        value,
                        other.get(name).unwrap_or(&null),
                        &format!("{at}/{name}"),
                        found,
                    );
                }
            }
            (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
                for (index, (one, other)) in one.iter().zip(other).enumerate() {
                    walk(one, other, &format!("{at}/{index}"), found);
                }
            }
            _ if one != other => found.push(at.to_owned()),
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk(one, other, "", &mut found);
    found
}

#[test]
fn text_that_is_too_long_is_told_of_or_cut_at_every_field() {
    at_every_field(&lengths());
}

#[test]
fn characters_that_no_label_shows_are_told_of_or_taken_out_at_every_field() {
    at_every_field(&characters());
}

#[test]
fn numbers_out_of_reach_are_told_of_at_every_field() {
    at_every_field(&numbers());
}

#[test]
fn what_looks_like_code_or_time_is_told_of_or_plain_text_at_every_field() {
    at_every_field(&words());
}

/// Nothing but this field was changed, and what follows from it.
fn must_be_one(field: Field, changed: &[String], told: &str) {
    let follows = |at: &&String| match field {
        Field::Dg(line, good, _) => at.starts_with(&format!("/goods/{line}/dangerous/{good}/")),
        _ => false,
    };
    let own = changed.iter().filter(|at| !follows(at)).count();
    let most = usize::from(!matches!(field, Field::Dg(..)));
    assert!(own <= most, "{told} changed {changed:?}");
}
