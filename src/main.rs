//! Arguments, logging, which service, open the window.

use std::process::ExitCode;

fn main() -> ExitCode {
    if std::env::args_os()
        .nth(1)
        .is_some_and(|a| a == "render-pages")
    {
        return packbench::printing::serve_renderer();
    }
    if std::env::args_os()
        .nth(1)
        .is_some_and(|a| a == "print-helper")
    {
        return packbench::printing::serve_print_helper();
    }
    ExitCode::SUCCESS
}
