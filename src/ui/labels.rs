//! Labels.
use super::Context;
#[derive(Default)]
pub(super) struct State;
impl State { pub(super) fn is_open(&self) -> bool { false } pub(super) fn show(&mut self, _ui: &mut egui::Ui, _c: &mut Context<'_>) {} }
