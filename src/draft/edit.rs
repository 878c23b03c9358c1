//! A draft that changes an unmanifested consignment ("Operation rules", 4): from the editable form, and back into it.
//!
//! What always holds: only what the clerk changed is changed in the form. Both drafts, the one that the form gives and the one
//! that the clerk made of it, are built into requests; where these say the same, the form stays as it came, to the last digit.
//! What was so at the service already is no problem of the clerk's.

mod items;
mod read;
mod write;

use super::field::{Field, GoodsField};
use super::{Check, CheckContext, Draft, Edited, GoodsLine, Problem};
use crate::shipping::EditForm;

impl Draft {
    /// What the form holds, to be changed; nothing where it does not say whose it is. `zone` (IANA) is the bench's, for
    /// senders whose zone the form does not tell.
    pub fn from_form(form: &EditForm, zone: &str) -> Option<Self> {
        let id = form.id()?;
        Some(Self {
            edits: Some(Edited {
                id,
                number: format!("MS{id}"),
                form: Box::new(form.clone()),
            }),
            ..read::draft(form, zone)
        })
    }

    /// The form with the clerk's changes, or what is wrong with these.
    pub fn into_form(&self, context: &CheckContext) -> Result<EditForm, Vec<Problem>> {
        let Some(edited) = &self.edits else {
            let words = "This is a new consignment, and changes none";
            return Err(vec![Problem::error(Field::Whole, words)]);
        };
        self.into_form_on(&edited.form, context)
    }

    /// The same on another state of the form: somebody else changed the consignment meanwhile. Items are told by their ids.
    pub fn into_form_on(
        &self,
        base: &EditForm,
        context: &CheckContext,
    ) -> Result<EditForm, Vec<Problem>> {
        let Some((before, theirs)) = self.before(context) else {
            let words = "The form does not say whose it is";
            return Err(vec![Problem::error(Field::Whole, words)]);
        };
        let ours = self.forgiven(&before, &theirs, context);
        let errors: Vec<_> = ours.errors().cloned().collect();
        if !errors.is_empty() {
            return Err(errors);
        }
        let change = write::Change {
            draft: self,
            before: &before,
            ours: ours.built(),
            theirs: theirs.built(),
            zone: self.despatch_zone(context),
        };
        change.put_into(base).map_err(|problem| vec![problem])
    }

    /// The clerk's changes on top of what somebody else made of the consignment meanwhile.
    pub fn rebased(&self, form: &EditForm, context: &CheckContext) -> Result<Self, Vec<Problem>> {
        let merged = self.into_form_on(form, context)?;
        let Some(mut draft) = Self::from_form(&merged, &context.bench_zone) else {
            let words = "The form does not say whose it is";
            return Err(vec![Problem::error(Field::Whole, words)]);
        };
        let (items, there) = (merged.items(), form.items());
        for (index, line) in draft.goods.iter_mut().enumerate() {
            let id = { line.of_item }.and_then(|at| items.get(at)?.id());
            line.of_item = id.and_then(|id| there.iter().position(|one| one.id() == Some(id)));
            if let (None, Some(typed)) = (line.of_item, self.goods.get(index)) {
                // The form knows nothing of it: it is as it was typed, saved item or not.
                *line = typed.clone();
                line.of_item = None;
            }
        }
        draft.id = self.id.clone();
        draft.declare(self.is_declared());
        if let Some(edited) = &mut draft.edits {
            *edited.form = form.clone();
        }
        Ok(draft)
    }

    /// As [`Draft::check`]; of a consignment that is changed, what the service has taken as it is blocks nothing.
    pub fn check_change(&self, context: &CheckContext) -> Check {
        match self.before(context) {
            Some((before, theirs)) => self.forgiven(&before, &theirs, context),
            None => self.check(context),
        }
    }

    /// The draft that the form gave, and its check.
    fn before(&self, context: &CheckContext) -> Option<(Self, Check)> {
        let form = &self.edits.as_ref()?.form;
        let mut before = Self::from_form(form, &context.bench_zone)?;
        before.learn_from(self);
        let check = before.check(context);
        Some((before, check))
    }

    /// What the lookup told the clerk's draft of goods that are still the form's: it was as true before.
    fn learn_from(&mut self, ours: &Self) {
        let lines = { ours.goods.iter() }.filter(|line| !line.dangerous.is_empty());
        for line in lines {
            let theirs = line.of_item.and_then(|at| self.goods.get_mut(at));
            let Some(theirs) = theirs.filter(|theirs| as_typed(theirs) == as_typed(line)) else {
                continue;
            };
            for (good, known) in theirs.dangerous.iter_mut().zip(&line.dangerous) {
                good.shipping_name.clone_from(&known.shipping_name);
                good.requires_technical_name = known.requires_technical_name;
            }
        }
    }

    fn forgiven(&self, before: &Self, theirs: &Check, context: &CheckContext) -> Check {
        let mut check = self.check(context);
        let same_references = self.delegates_as(before);
        check.problems.retain(|problem| {
            let was_so = |field: Field| {
                let mut known = theirs.problems.iter();
                known.any(|known| known.field == field && known.words == problem.words)
            };
            let forgiven = match problem.field {
                // The service fits them to the pieces, unless it is told to take them as they are.
                Field::Goods(_, GoodsField::References) if same_references => true,
                Field::Goods(line, field) => self
                    .untouched(before, line)
                    .is_some_and(|at| was_so(Field::Goods(at, field))),
                Field::Dg(line, good, field) => self
                    .untouched(before, line)
                    .is_some_and(|at| was_so(Field::Dg(at, good, field))),
                Field::Customs(line) => self
                    .untouched(before, line)
                    .is_some_and(|at| was_so(Field::Customs(at))),
                Field::Contents(line, inside, field) => self
                    .untouched(before, line)
                    .is_some_and(|at| was_so(Field::Contents(at, inside, field))),
                Field::From(_) => self.from == before.from && was_so(problem.field),
                Field::To(_) => self.to == before.to && was_so(problem.field),
                field => was_so(field),
            };
            !forgiven
        });
        check
    }

    /// The line of the form that this one still is. What the screen itself writes into a line counts for nothing: what the
    /// lookup says of a good, and how references are spaced.
    fn untouched(&self, before: &Self, line: usize) -> Option<usize> {
        let line = self.goods.get(line)?;
        let at = line.of_item?;
        let theirs = before.goods.get(at)?;
        (theirs == line || as_typed(theirs) == as_typed(line)).then_some(at)
    }

    /// True where no reference of an item was changed: items are told apart by their place in the form.
    fn delegates_as(&self, before: &Self) -> bool {
        let references = |draft: &Self| {
            let lines = draft.goods.iter();
            let mut all: Vec<_> = lines
                .map(|line| (line.of_item, line.references().map(str::to_owned).collect()))
                .filter(|(_, own): &(_, Vec<String>)| !own.is_empty())
                .collect();
            all.sort();
            all
        };
        references(self) == references(before)
    }
}

/// The line without what no clerk types into it.
fn as_typed(line: &GoodsLine) -> GoodsLine {
    let mut plain = line.clone();
    plain.references = line.references().collect::<Vec<_>>().join("\n");
    for good in &mut plain.dangerous {
        good.shipping_name.clear();
        good.requires_technical_name = false;
    }
    plain.saved = None;
    plain
}
