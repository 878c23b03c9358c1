//! How long files and functions may be.

use std::io::{self, Write as _};

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use super::source::top;
use super::{Finding, SourceFile, hold, must_catch, source};

const FILE_LINES: usize = 800;
const MEDIAN_LINES: usize = 160;
const FUNCTION_LINES: usize = 70;

/// Tables of values, which only get harder to read when they are cut: path and reason.
const TABLES: &[(&str, &str)] = &[];

fn long_files(file: &SourceFile) -> Vec<Finding> {
    let lines = file.text.lines().count();
    let table = TABLES.iter().any(|(path, _)| *path == file.path);
    if lines <= FILE_LINES || table {
        return Vec::new();
    }
    vec![file.finding(lines, format!("{lines} lines, {FILE_LINES} are the limit"))]
}

fn long_functions(file: &SourceFile) -> Vec<Finding> {
    let mut reader = Functions { found: Vec::new() };
    reader.visit_file(&file.syntax);
    let long = reader
        .found
        .into_iter()
        .filter(|function| function.lines > FUNCTION_LINES);
    long.map(|function| {
        let what = format!(
            "`{}` has {} lines, {FUNCTION_LINES} are the limit",
            function.name, function.lines
        );
        file.finding(function.line, what)
    })
    .collect()
}

struct Function {
    name: String,
    line: usize,
    lines: usize,
}

struct Functions {
    found: Vec<Function>,
}

impl Functions {
    /// Between the braces: a signature with many arguments is another matter.
    fn add(&mut self, signature: &syn::Signature, body: &syn::Block) {
        let line = signature.span().start().line;
        let lines = (body.span().end().line - body.span().start().line).saturating_sub(1);
        self.found.push(Function {
            name: signature.ident.to_string(),
            line,
            lines,
        });
    }
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.add(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.add(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(body) = &item.default {
            self.add(&item.sig, body);
        }
        visit::visit_trait_item_fn(self, item);
    }
}

fn median(mut lengths: Vec<usize>) -> usize {
    lengths.sort_unstable();
    lengths[lengths.len() / 2]
}

#[test]
fn no_file_is_longer_than_can_be_read_at_once() {
    hold(
        "Split the file by what it does",
        source::everything().iter().flat_map(long_files).collect(),
    );
}

#[test]
fn no_function_is_longer_than_a_screen() {
    hold(
        "Split the function by what it does",
        source::everything()
            .iter()
            .flat_map(long_functions)
            .collect(),
    );
}

#[test]
fn half_of_all_files_are_short() {
    let lengths: Vec<usize> = source::everything()
        .iter()
        .map(|file| file.text.lines().count())
        .collect();
    let (files, median) = (lengths.len(), median(lengths));
    writeln!(io::stdout(), "{files} files, median {median} lines").unwrap();
    assert!(
        median <= MEDIAN_LINES,
        "the median file has {median} lines, {MEDIAN_LINES} are the aim"
    );
}

#[test]
fn every_exception_for_a_table_is_still_needed() {
    for (path, reason) in TABLES {
        let text = std::fs::read_to_string(top().join(path)).unwrap_or_default();
        assert!(
            text.lines().count() > FILE_LINES,
            "{path} ({reason}) is short or gone: strike it from TABLES"
        );
    }
}

#[test]
fn a_long_file_and_a_long_function_are_caught() {
    let file = "//\n".repeat(FILE_LINES);
    must_catch(long_files, "src/a.rs", &file, &[]);
    must_catch(long_files, "src/a.rs", &(file + "//"), &[FILE_LINES + 1]);

    let body = |lines: usize| {
        format!(
            "struct A;\nimpl A {{\nfn f() {{\n{}}}\n}}",
            "g();\n".repeat(lines)
        )
    };
    must_catch(long_functions, "src/a.rs", &body(FUNCTION_LINES), &[]);
    must_catch(long_functions, "src/a.rs", &body(FUNCTION_LINES + 1), &[3]);

    assert_eq!(median(vec![9, 1, 5]), 5);
}
