//! No code is left unfinished, silenced or unexplained.

use syn::visit::{self, Visit};

use super::{Finding, SourceFile, hold, must_catch, source};

fn missing_heads(file: &SourceFile) -> Vec<Finding> {
    let head = file.text.lines().next().unwrap_or_default();
    let says_something = head
        .strip_prefix("//!")
        .is_some_and(|words| words.trim().len() > 10);
    let placeholder = head.to_lowercase().contains("under construction");
    if says_something && !placeholder {
        return Vec::new();
    }
    vec![file.finding(
        1,
        "opens without `//!`: what it is for, what always holds, what it must not know",
    )]
}

/// Macros that stand for work not done.
const UNFINISHED: &[&str] = &["todo", "unimplemented", "dbg"];
const NOTES_TO_SELF: &[&str] = &["TODO", "FIXME", "XXX", "HACK"];

fn unfinished_work(file: &SourceFile) -> Vec<Finding> {
    let mut reader = Unfinished {
        file,
        found: notes_to_self(file),
    };
    reader.visit_file(&file.syntax);
    reader.found
}

fn notes_to_self(file: &SourceFile) -> Vec<Finding> {
    let comments = file
        .text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.trim_start().starts_with("//"));
    comments
        .filter_map(|(index, line)| {
            let words = || line.split(|letter: char| !letter.is_alphanumeric());
            let note = NOTES_TO_SELF
                .iter()
                .find(|note| words().any(|word| word == **note))?;
            Some(file.finding(index + 1, format!("a comment says {note}")))
        })
        .collect()
}

struct Unfinished<'a> {
    file: &'a SourceFile,
    found: Vec<Finding>,
}

impl<'ast> Visit<'ast> for Unfinished<'_> {
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let name = call
            .path
            .segments
            .last()
            .map(|segment| segment.ident.to_string())
            .unwrap_or_default();
        if UNFINISHED.contains(&name.as_str()) {
            let line = line_of(&call.path);
            self.found
                .push(self.file.finding(line, format!("`{name}!`")));
        }
        visit::visit_macro(self, call);
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        let path = attribute.path();
        let has_reason = match &attribute.meta {
            syn::Meta::Path(_) => false,
            syn::Meta::List(list) => list.tokens.to_string().contains("reason ="),
            syn::Meta::NameValue(_) => true,
        };
        let fault = if path.is_ident("allow") {
            Some("`allow` stays when its cause is gone: use `expect` with a reason")
        } else if path.is_ident("cfg_attr") && attribute_holds(attribute, "allow") {
            Some("`allow` behind `cfg_attr`: use `expect` with a reason")
        } else if path.is_ident("expect") && !has_reason {
            Some("`expect` without a reason")
        } else if path.is_ident("ignore") && !has_reason {
            Some("`ignore` without a reason")
        } else {
            None
        };
        if let Some(fault) = fault {
            self.found.push(self.file.finding(line_of(path), fault));
        }
    }
}

fn attribute_holds(attribute: &syn::Attribute, word: &str) -> bool {
    attribute.meta.require_list().is_ok_and(|list| {
        list.tokens
            .clone()
            .into_iter()
            .any(|token| matches!(token, proc_macro2::TokenTree::Ident(own) if own == word))
    })
}

fn line_of(path: &syn::Path) -> usize {
    use syn::spanned::Spanned as _;
    path.span().start().line
}

#[test]
fn every_module_says_at_its_head_what_it_is_for() {
    hold(
        "Each file opens with `//!`: what it is for, what always holds, what it must not know",
        source::everything()
            .iter()
            .flat_map(missing_heads)
            .collect(),
    );
}

#[test]
fn nothing_is_left_unfinished_or_silenced() {
    hold(
        "No unfinished work, no notes to ourselves, no lint silenced for good",
        source::everything()
            .iter()
            .flat_map(unfinished_work)
            .collect(),
    );
}

#[test]
fn a_module_without_a_head_is_caught() {
    must_catch(missing_heads, "src/a.rs", "fn f() {}", &[1]);
    must_catch(
        missing_heads,
        "src/a.rs",
        "// Not a module's head, this\nfn f() {}",
        &[1],
    );
    must_catch(missing_heads, "src/a.rs", "//! Under construction.", &[1]);
    must_catch(
        missing_heads,
        "src/a.rs",
        "//! Money, to the cent.\nfn f() {}",
        &[],
    );
}

#[test]
fn unfinished_and_silenced_code_is_caught() {
    must_catch(
        unfinished_work,
        "src/a.rs",
        "fn f() {\ntodo!() }\nfn g() { std::unimplemented!(\"x\") }",
        &[2, 3],
    );
    must_catch(
        unfinished_work,
        "src/a.rs",
        "#![allow(dead_code)]\n#[allow(unused)]\nfn f() {}",
        &[1, 2],
    );
    must_catch(
        unfinished_work,
        "src/a.rs",
        "#[cfg_attr(windows, allow(unused))]\nfn f() {}",
        &[1],
    );
    must_catch(
        unfinished_work,
        "src/a.rs",
        "#[expect(unused)]\nfn f() {}",
        &[1],
    );
    must_catch(
        unfinished_work,
        "tests/it/a.rs",
        "#[test]\n#[ignore]\nfn f() {}",
        &[2],
    );
    must_catch(
        unfinished_work,
        "src/a.rs",
        "fn f() {} // fine\n// FIXME: later\n",
        &[2],
    );
    must_catch(
        unfinished_work,
        "src/a.rs",
        "#[expect(unused, reason = \"r\")]\n#[ignore = \"slow\"]\nfn f() {}",
        &[],
    );
}
