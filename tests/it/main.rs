//! Every test of Packbench in one binary: one link, one set of fixtures.

mod connections;
mod contract;
mod devices;
mod dispatch;
mod documents;
mod editor;
mod folder;
mod help;
mod journeys;
mod packages;
mod packing;
mod practice;
mod print;
mod reading;
mod recovery;
mod refusals;
mod structure;
mod support;
mod track;
mod verified;
mod window;
mod wine;
mod workgroup;
