//! `unsafe` is allowed only in the files that call the operating system where no library does. Not every system compiles
//! those files, so the compiler's lint alone would not see them everywhere.

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use super::{Finding, SourceFile, hold, must_catch, source};

fn unsafe_elsewhere(file: &SourceFile) -> Vec<Finding> {
    let allowed = [
        "printing/windows",
        "printing/job/unacknowledged",
        "app/windows",
    ];
    if allowed.iter().any(|path| file.is_below(path)) {
        return Vec::new();
    }
    let mut places = Places(Vec::new());
    places.visit_file(&file.syntax);
    let places = places.0.into_iter();
    places
        .map(|line| file.finding(line, "unsafe code"))
        .collect()
}

struct Places(Vec<usize>);

impl Places {
    fn add(&mut self, place: proc_macro2::Span) {
        self.0.push(place.start().line);
    }
}

impl<'ast> Visit<'ast> for Places {
    fn visit_expr_unsafe(&mut self, block: &'ast syn::ExprUnsafe) {
        self.add(block.unsafe_token.span());
        visit::visit_expr_unsafe(self, block);
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        if let syn::Safety::Unsafe(word) = &signature.safety {
            self.add(word.span());
        }
        visit::visit_signature(self, signature);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if let Some(word) = &item.unsafety {
            self.add(word.span());
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        if let syn::Meta::List(list) = &attribute.meta
            && list.tokens.to_string().contains("unsafe_code")
        {
            self.add(attribute.span());
        }
    }
}

#[test]
fn only_calls_of_the_operating_system_are_unsafe() {
    hold(
        "Unsafe code is only in the files that call the operating system, and each block says why it is sound",
        source::everything()
            .iter()
            .flat_map(unsafe_elsewhere)
            .collect(),
    );
}

#[test]
fn unsafe_code_elsewhere_is_caught() {
    let caught = |text: &str, lines: &[usize]| {
        must_catch(unsafe_elsewhere, "src/printing/page.rs", text, lines);
    };
    caught("fn f() {\nunsafe { g() } }", &[2]);
    caught("unsafe fn f() {}", &[1]);
    caught("struct A;\nunsafe impl Send for A {}", &[2]);
    caught("#![allow(unsafe_code)]", &[1]);
    caught("fn f() { safe() }", &[]);
    let there = "fn f() { unsafe { g() } }";
    must_catch(unsafe_elsewhere, "src/printing/windows.rs", there, &[]);
}
