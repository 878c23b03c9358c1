//! Finds every path that a file mentions, with its line: in `use`, types, expressions, inside macros, and in
//! attributes' strings such as `#[serde(with = "crate::…")]`. Test-only code is left out, and so are doc
//! comments, because a link is not a dependency.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use super::SourceFile;

/// A path as it is written, but with `crate`, `self` and `super` worked out.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mention {
    /// `crate::…` for what is ours; a glob ends in `*`.
    pub(super) segments: Vec<String>,
    pub(super) line: usize,
}

impl Mention {
    pub(super) fn starts_with(&self, prefix: &str) -> bool {
        let mut written = self.segments.iter();
        prefix
            .split("::")
            .all(|part| written.next().is_some_and(|segment| segment == part))
    }

    pub(super) fn holds(&self, segment: &str) -> bool {
        self.segments.iter().any(|own| own == segment)
    }
}

/// Everything that `file` mentions.
pub(super) fn of(file: &SourceFile) -> Vec<Mention> {
    let mut reader = Reader {
        module: file.module(),
        found: Vec::new(),
        modules: Vec::new(),
    };
    reader.visit_file(&file.syntax);
    reader.spelt_out()
}

struct Reader {
    /// Where we are, from the crate's root.
    module: Vec<String>,
    found: Vec<Mention>,
    /// Top-level modules of ours that are imported whole, by the name that they have here.
    modules: Vec<(String, Vec<String>)>,
}

impl Reader {
    /// What was found, with `work::x` as `crate::work::x` where `work` was imported so.
    fn spelt_out(self) -> Vec<Mention> {
        let Self {
            mut found, modules, ..
        } = self;
        for mention in &mut found {
            let first = mention.segments.first();
            let module = modules.iter().find(|(name, _)| Some(name) == first);
            if let Some((_, whole)) = module {
                mention.segments.splice(0..1, whole.iter().cloned());
            }
        }
        found
    }

    fn add(&mut self, written: &[String], span: Span) {
        let mut here = self.module.clone();
        let mut rest = written;
        let mut relative = false;
        while let Some((first, after)) = rest.split_first() {
            match first.as_str() {
                "self" => {}
                "super" => drop(here.pop()),
                _ => break,
            }
            relative = true;
            rest = after;
        }
        let mut segments = Vec::new();
        if relative {
            segments.push("crate".to_owned());
            segments.append(&mut here);
        }
        segments.extend_from_slice(rest);
        self.found.push(Mention {
            segments,
            line: span.start().line,
        });
    }

    fn use_tree(&mut self, tree: &syn::UseTree, before: &mut Vec<String>) {
        match tree {
            syn::UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.use_tree(&path.tree, before);
                before.pop();
            }
            syn::UseTree::Group(group) => group
                .items
                .iter()
                .for_each(|tree| self.use_tree(tree, before)),
            syn::UseTree::Name(name) if name.ident == "self" => self.add(before, name.span()),
            syn::UseTree::Name(name) => {
                let leaf = name.ident.to_string();
                self.use_leaf(&leaf, &leaf, name.span(), before);
            }
            syn::UseTree::Rename(rename) => {
                let here = rename.rename.to_string();
                self.use_leaf(&rename.ident.to_string(), &here, rename.span(), before);
            }
            syn::UseTree::Glob(glob) => self.use_leaf("*", "*", glob.span(), before),
        }
    }

    fn use_leaf(&mut self, leaf: &str, here: &str, span: Span, before: &mut Vec<String>) {
        before.push(leaf.to_owned());
        self.add(before, span);
        if let Some(Mention { segments, .. }) = self.found.last()
            && segments.len() == 2
            && matches!(segments[0].as_str(), "crate" | "packbench")
        {
            self.modules.push((here.to_owned(), segments.clone()));
        }
        before.pop();
    }

    /// Paths in a macro's or an attribute's tokens, which nobody has parsed.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut written: Vec<String> = Vec::new();
        let mut start = None;
        let mut colons = 0;
        for token in tokens {
            match &token {
                TokenTree::Punct(punct)
                    if punct.as_char() == ':' && start.is_some() && colons < 2 =>
                {
                    colons += 1;
                    continue;
                }
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.close(&mut written, start.take());
                    }
                    written.push(ident.to_string());
                    start.get_or_insert(ident.span());
                }
                TokenTree::Group(group) => {
                    // `use`-like groups do not occur here; what is in braces stands for itself.
                    self.close(&mut written, start.take());
                    self.tokens(group.stream());
                }
                TokenTree::Literal(literal) => {
                    self.close(&mut written, start.take());
                    self.path_in_string(&literal.to_string(), literal.span());
                }
                TokenTree::Punct(_) => self.close(&mut written, start.take()),
            }
            colons = 0;
        }
        self.close(&mut written, start);
    }

    fn close(&mut self, written: &mut Vec<String>, start: Option<Span>) {
        if let Some(span) = start
            && written.len() > 1
        {
            self.add(written, span);
        }
        written.clear();
    }

    fn path_in_string(&mut self, literal: &str, span: Span) {
        let inside = literal.trim_matches('"');
        if ["crate::", "self::", "super::"]
            .iter()
            .any(|root| inside.starts_with(root))
        {
            let written: Vec<String> = inside.split("::").map(str::to_owned).collect();
            self.add(&written, span);
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !only_for_tests(&item.attrs) {
            self.use_tree(&item.tree, &mut Vec::new());
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let written: Vec<String> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        self.add(&written, path.span());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.visit_path(&call.path);
        self.tokens(call.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        if let syn::Meta::List(list) = &attribute.meta {
            self.tokens(list.tokens.clone());
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if only_for_tests(&item.attrs) {
            return;
        }
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !only_for_tests(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if !only_for_tests(&item.attrs) {
            visit::visit_item_impl(self, item);
        }
    }
}

fn only_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .meta
                .require_list()
                .is_ok_and(|list| list.tokens.to_string() == "test")
    })
}

#[test]
fn paths_are_found_wherever_they_hide() {
    let text = "use crate::{client::{self, Failure as F}, draft::*};\n\
                /// [`crate::practice`]\n\
                #[serde(with = \"crate::shipping::date\")]\n\
                fn f(a: super::Row) -> Vec<crate::work::Request> { vec![crate::journal::open(), self::x()] }\n\
                #[cfg(test)]\n\
                mod tests { use crate::printing; }\n\
                mod inner { fn g() { super::super::super::app::run() } }\n";
    let found: Vec<String> = of(&SourceFile::made_up("src/app/ui/consign.rs", text))
        .iter()
        .filter(|mention| mention.starts_with("crate"))
        .map(|mention| format!("{} {}", mention.line, mention.segments.join("::")))
        .collect();
    assert_eq!(
        found,
        [
            "1 crate::client",
            "1 crate::client::Failure",
            "1 crate::draft::*",
            "3 crate::shipping::date",
            "4 crate::ui::Row",
            "4 crate::work::Request",
            "4 crate::journal::open",
            "4 crate::ui::consign::x",
            "7 crate::app::run",
        ]
    );
}
