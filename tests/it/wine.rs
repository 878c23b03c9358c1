//! The program for Windows, run under Wine. These tests need that program, so they only run when they are asked for:
//! `cargo build --target x86_64-pc-windows-gnu && cargo test --test it wine:: -- --ignored`, as CI does.

mod commands;
mod window;
