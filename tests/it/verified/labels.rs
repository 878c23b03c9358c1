//! Labels: what lands on paper, what is called sent, and what is asked before printing.

mod paper;
mod port;
