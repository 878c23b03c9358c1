//! Labels: what lands on paper, what is called sent, and what is asked before printing.

mod choices;
mod codes;
mod double;
mod files;
mod pages;
mod paper;
mod port;
mod smaller;
