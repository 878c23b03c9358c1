//! The egui widgets and the theme that screens are built from: colours, fonts, fields, tables, dialogs.
//!
//! Nothing here depends on Packbench's own types. Every input has a name for assistive technology and works by
//! keyboard, and widgets request a repaint only if it would change something.

/// Writes the builder methods of a widget. Each method sets one field.
macro_rules! setters {
    ($($(#[$doc:meta])* $vis:vis fn $name:ident($this:ident $(, $value:ident: $kind:ty)?) $body:block)*) => {
        $($(#[$doc])*
        $vis const fn $name(mut $this $(, $value: $kind)?) -> Self {
            $body
            $this
        })*
    };
}

pub mod badge;
pub mod button;
pub mod card;
pub mod checkbox;
pub mod command_palette;
pub mod empty_state;
pub mod field;
pub mod hold_button;
pub mod key_cap;
pub mod layout;
pub mod menu;
pub mod modal;
pub mod notice;
pub mod pacer;
pub mod paint;
pub mod picker;
pub mod progress;
pub mod radio_card;
pub mod select;
pub mod table;
pub mod text;
pub mod theme;
pub mod tokens;
pub mod type_ahead;
pub mod zoom;

/// Icons of the whole program: Material Symbols, rounded and outlined.
pub use egui_material_icons::{MaterialIcon as Icon, icons};
