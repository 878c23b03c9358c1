//! Everything that screens are built from: colours, fonts, fields, tables, dialogs.
//!
//! Knows egui and nothing of Packbench: no record, draft or command is named here. What always holds: every input has a
//! name for assistive technology, everything answers to the keyboard, and nothing asks for a frame that nobody will see.

pub mod badge;
pub mod button;
pub mod card;
pub mod checkbox;
pub mod choice;
pub mod empty;
pub mod field;
pub mod hold;
pub mod keys;
pub mod layout;
pub mod menu;
pub mod modal;
pub mod notice;
pub mod pacer;
pub mod palette;
pub mod picker;
pub mod progress;
pub mod select;
pub mod table;
pub mod text;
pub mod theme;
pub mod tokens;
pub mod type_ahead;
pub mod zoom;

/// The icons of the whole program: Material Symbols, rounded, outlined.
pub use egui_material_icons::{MaterialIcon as Icon, icons};
