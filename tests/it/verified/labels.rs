//! Labels: what lands on paper, what is called sent, and what is asked before printing.

mod choices;
mod codes;
mod files;
mod paper;
mod port;
mod smaller;
