//! Rules of access: screens do no I/O and hold no lock, colours are only in `widgets`, and the environment is
//! read in one place.

use syn::visit::{self, Visit};

use super::mentions;
use super::{Finding, SourceFile, hold, must_catch, source};

/// What would make a screen wait, or give it a clock of its own.
const NOT_IN_A_SCREEN: &[&str] = &[
    "std::fs",
    "std::net",
    "std::process",
    "std::thread",
    "std::env",
    "tokio",
    "reqwest",
    "rusqlite",
    "rfd",
];
const NOT_IN_A_SCREEN_BY_NAME: &[&str] = &["Instant", "SystemTime", "Mutex", "RwLock", "Condvar"];

/// True for the views of the screens, and for the window's own widgets.
fn draws(file: &SourceFile) -> bool {
    let module = file.module();
    let is_view = module.first().is_some_and(|first| first == "screens")
        && module.get(2).is_some_and(|part| part == "view");
    file.is_below("app/ui") || is_view
}

fn waiting_screens(file: &SourceFile) -> Vec<Finding> {
    if !draws(file) {
        return Vec::new();
    }
    mentions::of(file)
        .iter()
        .filter(|mention| {
            NOT_IN_A_SCREEN
                .iter()
                // A bare name is a variable; a crate or module is used by a path into it.
                .any(|path| mention.starts_with(path) && mention.segments.len() > 1)
                || NOT_IN_A_SCREEN_BY_NAME
                    .iter()
                    .any(|name| mention.holds(name))
        })
        .map(|mention| {
            file.finding(
                mention.line,
                format!("a screen uses `{}`", mention.segments.join("::")),
            )
        })
        .collect()
}

#[test]
fn screens_do_no_io_hold_no_lock_and_have_no_clock() {
    hold(
        "A screen draws what it is given: no files, sockets, processes, locks or clocks in src/app/ui and in src/app/screens/*/view",
        source::program().iter().flat_map(waiting_screens).collect(),
    );
}

#[test]
fn a_screen_that_could_wait_is_caught() {
    must_catch(
        waiting_screens,
        "src/app/screens/labels/view.rs",
        "use std::{fmt,\nfs};",
        &[2],
    );
    must_catch(
        waiting_screens,
        "src/app/screens/labels/view/queue.rs",
        "fn f() { let _ = std::time::Instant::now(); }",
        &[1],
    );
    must_catch(
        waiting_screens,
        "src/app/ui.rs",
        "use egui::mutex::RwLock as Cell;",
        &[1],
    );
    must_catch(
        waiting_screens,
        "src/app/ui.rs",
        "fn f() { tokio::select! { _ = g() => {} } }",
        &[1],
    );
    must_catch(
        waiting_screens,
        "src/app/ui.rs",
        "use std::time::Duration;",
        &[],
    );
    must_catch(waiting_screens, "src/work.rs", "use std::fs;", &[]);
}

/// Where a colour literal can only be the window's.
const OF_THE_WINDOW: &[&str] = &["app"];

fn stray_colours(file: &SourceFile) -> Vec<Finding> {
    if !file.path.starts_with("src/") || file.is_below("widgets") {
        return Vec::new();
    }
    let of_the_window = OF_THE_WINDOW.iter().any(|module| file.is_below(module));
    let named = mentions::of(file)
        .into_iter()
        .filter(|mention| mention.holds("Color32") || (of_the_window && mention.holds("Rgba")))
        .map(|mention| {
            file.finding(
                mention.line,
                format!("`{}` outside src/widgets", mention.segments.join("::")),
            )
        });
    let mut literals = Colours {
        of_the_window,
        found: Vec::new(),
    };
    literals.visit_file(&file.syntax);
    let literal = literals
        .found
        .into_iter()
        .map(|(line, text)| file.finding(line, format!("the colour {text}")));
    named.chain(literal).collect()
}

struct Colours {
    of_the_window: bool,
    found: Vec<(usize, String)>,
}

impl<'ast> Visit<'ast> for Colours {
    fn visit_lit_str(&mut self, literal: &'ast syn::LitStr) {
        let text = literal.value();
        let is_colour = text.strip_prefix('#').is_some_and(|digits| {
            matches!(digits.len(), 6 | 8) && digits.chars().all(|digit| digit.is_ascii_hexdigit())
        });
        if is_colour {
            self.found.push((literal.span().start().line, text));
        }
    }

    fn visit_lit_int(&mut self, literal: &'ast syn::LitInt) {
        let text = literal.to_string();
        let digits = text
            .strip_prefix("0x")
            .map(|digits| digits.replace('_', ""));
        if self.of_the_window && digits.is_some_and(|digits| matches!(digits.len(), 6 | 8)) {
            self.found.push((literal.span().start().line, text));
        }
    }

    /// A doc comment may name a colour.
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        for token in call.tokens.clone() {
            if let proc_macro2::TokenTree::Literal(literal) = token
                && let Ok(literal) = syn::parse_str::<syn::LitStr>(&literal.to_string())
            {
                self.visit_lit_str(&literal);
            }
        }
        visit::visit_macro(self, call);
    }
}

#[test]
fn colours_live_in_the_kit_only() {
    hold(
        "A colour has a name and a meaning in src/widgets: use the token, or make one there",
        source::program().iter().flat_map(stray_colours).collect(),
    );
}

#[test]
fn a_colour_outside_the_kit_is_caught() {
    must_catch(
        stray_colours,
        "src/app/screens/track/view.rs",
        "use egui::{Ui,\nColor32};",
        &[2],
    );
    must_catch(
        stray_colours,
        "src/app/screens/track/view.rs",
        "fn f() { g(egui::Rgba::BLACK) }",
        &[1],
    );
    must_catch(
        stray_colours,
        "src/app.rs",
        "const RED: u32 = 0xB3_26_1E;",
        &[1],
    );
    must_catch(
        stray_colours,
        "src/doctor.rs",
        "const RED: &str = \"#B3261E\";",
        &[1],
    );
    must_catch(
        stray_colours,
        "src/widgets/tokens.rs",
        "use egui::Color32;",
        &[],
    );
    must_catch(
        stray_colours,
        "src/printing/page.rs",
        "use image::Rgba; const MASK: u32 = 0x00FF_FFFF;",
        &[],
    );
}

/// What reads the environment, in whole or by name, in us or in a crate that we use.
const ENVIRONMENT: &[(&str, &str)] = &[
    ("env", "var"),
    ("env", "vars"),
    ("env", "var_os"),
    ("env", "vars_os"),
    ("env", "home_dir"),
    ("env", "current_dir"),
    ("env", "temp_dir"),
    ("env", "*"),
    ("EnvFilter", "from_default_env"),
    ("EnvFilter", "try_from_default_env"),
    ("EnvFilter", "from_env"),
    ("EnvFilter", "try_from_env"),
];

fn readers_of_the_environment(file: &SourceFile) -> Vec<Finding> {
    // A build script runs before the program does.
    let config = file.is_below("app/config") || file.path == "src/build.rs";
    let main = file.path == "src/main.rs";
    mentions::of(file)
        .iter()
        .filter(|mention| {
            let reads = mention.segments.windows(2).any(|pair| {
                let arguments = pair[0] == "env" && pair[1].starts_with("args");
                let environment = ENVIRONMENT
                    .iter()
                    .any(|(from, name)| pair[0] == *from && pair[1] == *name);
                (arguments && !main) || (environment && !config)
            });
            reads || (mention.starts_with("directories") && !config)
        })
        .map(|mention| {
            let what = format!(
                "`{}` asks the surroundings; take it from config",
                mention.segments.join("::")
            );
            file.finding(mention.line, what)
        })
        .collect()
}

#[test]
fn only_config_reads_the_environment() {
    hold(
        "What the bench takes from its surroundings is read in src/app/config, its arguments in src/main.rs",
        source::program()
            .iter()
            .flat_map(readers_of_the_environment)
            .collect(),
    );
}

#[test]
fn reading_the_environment_elsewhere_is_caught() {
    must_catch(
        readers_of_the_environment,
        "src/app.rs",
        "fn f() {\nlet _ = std::env::var(\"HOME\"); }",
        &[2],
    );
    must_catch(
        readers_of_the_environment,
        "src/app.rs",
        "use std::env::{self, vars};",
        &[1],
    );
    must_catch(
        readers_of_the_environment,
        "src/work.rs",
        "fn f() { for _ in env::args_os() {} }",
        &[1],
    );
    must_catch(
        readers_of_the_environment,
        "src/main.rs",
        "fn f() { env::args(); }\nfn g() { env::var_os(\"A\"); }",
        &[2],
    );
    must_catch(
        readers_of_the_environment,
        "src/journal.rs",
        "use directories::ProjectDirs;",
        &[1],
    );
    must_catch(
        readers_of_the_environment,
        "src/app/config/places.rs",
        "use std::env::var; use directories::BaseDirs;",
        &[],
    );
    must_catch(
        readers_of_the_environment,
        "src/app.rs",
        "const V: &str = env!(\"CARGO_PKG_VERSION\");",
        &[],
    );
    must_catch(
        readers_of_the_environment,
        "src/printing.rs",
        "fn f() { std::env::current_exe(); }",
        &[],
    );
}
