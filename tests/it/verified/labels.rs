//! Labels: what reaches the paper, what counts as sent, and what is confirmed before printing.

mod choices;
mod codes;
mod double;
mod files;
mod pages;
mod paper;
mod port;
mod smaller;
