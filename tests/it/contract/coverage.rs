//! Checks that the cases are complete: each operation that the practice service publishes is compared with a
//! literal in some case, and each function of the client is called by one.

use std::collections::BTreeSet;

use syn::visit::{self, Visit};

use practice::AnswerShapes;

use super::{all, play_at_practice};
use crate::structure::source::{SourceFile, everything};
use crate::support::definition;
use crate::support::practice::Bench;

/// Cases that are played at the same time: more would only wait for each other.
const AT_ONCE: usize = 4;

/// What was held, by the templates of the definition.
async fn held_operations() -> BTreeSet<(String, String)> {
    let cases: Vec<_> = all().collect();
    let mut held = BTreeSet::new();
    for some in cases.chunks(AT_ONCE) {
        let plays: Vec<_> = some
            .iter()
            .map(|case| tokio::spawn(play_at_practice(case, AnswerShapes::Plain)))
            .collect();
        for play in plays {
            // A case that fails is a test of its own.
            held.extend(play.await.unwrap_or_default());
        }
    }
    held
}

#[tokio::test]
async fn every_served_operation_has_a_case() {
    let bench = Bench::start().await;
    let definition = definition::published(&bench.client, &bench.service.base_url()).await;
    let held: BTreeSet<(String, String)> = held_operations()
        .await
        .into_iter()
        .filter_map(|(method, path)| Some((method, definition.template(&path)?.to_owned())))
        .collect();
    let served = definition.operations().into_iter();
    let missing: Vec<String> = served
        .filter(|operation| !held.contains(operation))
        .map(|(method, path)| format!("{method} {path}"))
        .collect();
    assert!(
        missing.is_empty(),
        "no case holds\n  {}",
        missing.join("\n  ")
    );
}

/// The functions that call the service: `pub async fn` of `impl Client`.
#[derive(Default)]
struct Offered(BTreeSet<String>);

impl<'ast> Visit<'ast> for Offered {
    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let of_client = matches!(&*item.self_ty, syn::Type::Path(of) if of.path.is_ident("Client"));
        let functions = item.items.iter().filter_map(|item| match item {
            syn::ImplItem::Fn(function) => Some(function),
            _ => None,
        });
        let offered = functions.filter(|function| {
            let public = matches!(function.vis, syn::Visibility::Public(_));
            of_client && public && function.sig.asyncness.is_some()
        });
        self.0
            .extend(offered.map(|function| function.sig.ident.to_string()));
    }
}

/// What is called on `client` or `client()`.
#[derive(Default)]
struct Called(BTreeSet<String>);

impl<'ast> Visit<'ast> for Called {
    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let on_client = match &*call.receiver {
            syn::Expr::MethodCall(receiver) => receiver.method == "client",
            syn::Expr::Path(receiver) => receiver.path.is_ident("client"),
            _ => false,
        };
        if on_client {
            self.0.insert(call.method.to_string());
        }
        visit::visit_expr_method_call(self, call);
    }
}

fn offered(files: &[SourceFile]) -> BTreeSet<String> {
    let mut offered = Offered::default();
    let client = files.iter().filter(|file| file.is_below("client"));
    client.for_each(|file| offered.visit_file(&file.syntax));
    offered.0
}

fn called(files: &[SourceFile]) -> BTreeSet<String> {
    let mut called = Called::default();
    let cases = files
        .iter()
        .filter(|file| file.path.starts_with("tests/it/contract/"));
    cases.for_each(|file| called.visit_file(&file.syntax));
    called.0
}

/// Keeps the way to the service in order; what it calls has its case under its own name.
const NO_OPERATION: &str = "look_after";

#[test]
fn every_function_of_the_client_is_called_by_a_case() {
    let files = everything();
    let (mut offered, called) = (offered(&files), called(&files));
    offered.remove(NO_OPERATION);
    assert!(
        offered.len() > 20,
        "the client's functions are read: {offered:?}"
    );
    let missing: Vec<&String> = offered.difference(&called).collect();
    assert!(missing.is_empty(), "no case calls {missing:?}");
}

#[test]
fn a_function_that_no_case_calls_is_found() {
    let client = "impl Client { pub async fn a(&self) {} pub async fn b(&self) {} async fn c(&self) {} pub fn d(&self) {} }
                  impl Other { pub async fn e(&self) {} }";
    let case = "async fn f(stage: &mut Stage) { stage.client().a().await; stage.b(); }";
    let files = [
        SourceFile::made_up("src/client/things.rs", client),
        SourceFile::made_up("tests/it/contract/things.rs", case),
    ];
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    assert_eq!(
        offered(&files),
        BTreeSet::<String>::from_iter::<Vec<String>>(names(&["a", "b"]))
    );
    assert_eq!(
        called(&files),
        BTreeSet::<String>::from_iter::<Vec<String>>(names(&["a"]))
    );
}
