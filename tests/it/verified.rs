//! The defects that an independent verification found in November 2026.
//!
//! A test's name begins with the letter or number of its defect.

mod company;
mod consign;
mod dispatch;
mod journal;
mod key;
mod labels;
mod letters;
mod practice;
mod sending;
mod services;
mod typing;
mod window;
