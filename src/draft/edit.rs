//! A draft that edits an unmanifested consignment: read from its editable form, and written back into it.
//!
//! Invariant: only fields that the clerk changed differ in the new form. The form's draft and the clerk's draft are
//! both built into requests, and fields that are equal in both stay exactly as the service sent them. Problems that
//! the consignment already had at the service do not block the edit.

pub(crate) mod read;
mod write;

use super::field::{Field, GoodsField};
use super::{Check, CheckContext, Draft, EditedConsignment, GoodsLine, Problem};
use shipping::EditForm;

impl Draft {
    /// Builds a draft from the editable form; `None` if the form has no consignment id. `zone` (IANA) is the
    /// bench's time zone, used if the sender's is unknown.
    pub fn from_form(form: &EditForm, zone: &str) -> Option<Self> {
        let id = form.id()?;
        Some(Self {
            edits: Some(EditedConsignment {
                id,
                number: format!("MS{id}"),
                form: Box::new(form.clone()),
            }),
            ..read::draft(form, zone)
        })
    }

    /// Returns the form with the clerk's changes, or the problems in the changes.
    pub fn into_form(&self, context: &CheckContext) -> Result<EditForm, Vec<Problem>> {
        let Some(edited) = &self.edits else {
            let words = "This is a new consignment, so there is nothing to edit";
            return Err(vec![Problem::error(Field::Whole, words)]);
        };
        self.into_form_on(&edited.form, context)
    }

    /// Like [`Draft::into_form`], but applies the changes to a newer form, after somebody else edited the
    /// consignment. Items are matched by id.
    pub fn into_form_on(
        &self,
        base: &EditForm,
        context: &CheckContext,
    ) -> Result<EditForm, Vec<Problem>> {
        let Some((before, theirs)) = self.original(context) else {
            return Err(without_id());
        };
        let ours = self.check_without_existing_problems(&before, &theirs, context);
        let errors: Vec<_> = ours.errors().cloned().collect();
        if !errors.is_empty() {
            return Err(errors);
        }
        let change = write::FormChanges {
            draft: self,
            before: &before,
            ours: ours.built(),
            theirs: theirs.built(),
            zone: self.despatch_zone(context),
        };
        change.apply_to(base).map_err(|problem| vec![problem])
    }

    /// Rebuilds the draft on a newer form: applies the clerk's changes on top of another person's changes.
    pub fn rebased(&self, form: &EditForm, context: &CheckContext) -> Result<Self, Vec<Problem>> {
        let merged = self.into_form_on(form, context)?;
        let Some(mut draft) = Self::from_form(&merged, &context.bench_zone) else {
            return Err(without_id());
        };
        let (items, there) = (merged.items(), form.items());
        for (index, line) in draft.goods.iter_mut().enumerate() {
            let id = { line.of_item }.and_then(|at| items.get(at)?.id());
            line.of_item = id.and_then(|id| there.iter().position(|one| one.id() == Some(id)));
            if let (None, Some(typed)) = (line.of_item, self.goods.get(index)) {
                // The form does not contain this line, so keep it as typed, including its saved item.
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

    /// Checks like [`Draft::check`], but ignores problems that an edited consignment already had at
    /// the service.
    pub fn check_change(&self, context: &CheckContext) -> Check {
        match self.original(context) {
            Some((before, theirs)) => {
                self.check_without_existing_problems(&before, &theirs, context)
            }
            None => self.check(context),
        }
    }

    /// Returns the draft built from the form, and its check.
    fn original(&self, context: &CheckContext) -> Option<(Self, Check)> {
        let form = &self.edits.as_ref()?.form;
        let mut before = Self::from_form(form, &context.bench_zone)?;
        before.copy_lookup_results(self);
        let check = before.check(context);
        Some((before, check))
    }

    /// Copies lookup results for unchanged goods from the clerk's draft, so that they do not count
    /// as changes.
    fn copy_lookup_results(&mut self, ours: &Self) {
        let lines = { ours.goods.iter() }.filter(|line| !line.dangerous.is_empty());
        for line in lines {
            let theirs = line.of_item.and_then(|at| self.goods.get_mut(at));
            let Some(theirs) = theirs
                .filter(|theirs| without_lookup_results(theirs) == without_lookup_results(line))
            else {
                continue;
            };
            for (good, known) in theirs.dangerous.iter_mut().zip(&line.dangerous) {
                good.shipping_name.clone_from(&known.shipping_name);
                good.requires_technical_name = known.requires_technical_name;
            }
        }
    }

    fn check_without_existing_problems(
        &self,
        before: &Self,
        theirs: &Check,
        context: &CheckContext,
    ) -> Check {
        let mut check = self.check(context);
        let same_references = self.has_same_references(before);
        check.problems.retain(|problem| {
            let was_so = |field: Field| {
                let mut known = theirs.problems.iter();
                known.any(|known| known.field == field && known.message == problem.message)
            };
            let forgiven = match problem.field {
                // Without `setItemReferences`, the service itself adjusts unchanged references to the pieces.
                Field::Goods(_, GoodsField::References) if same_references => true,
                Field::From(_) => self.from == before.from && was_so(problem.field),
                Field::To(_) => self.to == before.to && was_so(problem.field),
                field => match field.line() {
                    None => was_so(field),
                    Some(line) => { self.unchanged_line(before, line) }
                        .is_some_and(|at| was_so(field.in_line(at))),
                },
            };
            !forgiven
        });
        check
    }

    /// Returns the index of the form's line if this line is unchanged. Differences that the screen itself
    /// writes do not count: lookup results, and white space between references.
    fn unchanged_line(&self, before: &Self, line: usize) -> Option<usize> {
        let line = self.goods.get(line)?;
        let at = line.of_item?;
        let theirs = before.goods.get(at)?;
        (theirs == line || without_lookup_results(theirs) == without_lookup_results(line))
            .then_some(at)
    }

    /// Returns whether no item's references changed. Items are identified by their index in the form.
    fn has_same_references(&self, before: &Self) -> bool {
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

fn without_id() -> Vec<Problem> {
    let words = "The service's form has no consignment id. Open the consignment again";
    vec![Problem::error(Field::Whole, words)]
}

/// Returns a copy of the line without values that the program fills in and without the evidence of its weight, and with uniform space in references.
fn without_lookup_results(line: &GoodsLine) -> GoodsLine {
    let mut plain = line.clone();
    plain.references = line.references().collect::<Vec<_>>().join("\n");
    for good in &mut plain.dangerous {
        good.shipping_name.clear();
        good.requires_technical_name = false;
    }
    plain.saved = None;
    plain.weighed = None;
    plain
}
