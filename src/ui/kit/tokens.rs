//! Colours and sizes: the only place in the program where either is written down.
//!
//! What always holds: text reads at 4.5 : 1 or better on every background it is put on, in both themes (a test computes it),
//! and no meaning is carried by colour alone.

use egui::{Color32, Ui};

/// A colour of the palette, where one is handed on.
pub type Ink = Color32;

/// The colours of one theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Palette {
    /// Behind the cards.
    pub background: Color32,
    /// Cards, bars, fields.
    pub surface: Color32,
    /// A card within a card, a row under the pointer.
    pub raised: Color32,
    /// Table headers, neutral pills, what can't be used now.
    pub head: Color32,
    /// Lines between and around things.
    pub border: Color32,
    /// Around what can be typed into or pressed.
    pub strong_border: Color32,
    /// What is read.
    pub text: Color32,
    /// What is read second.
    pub muted: Color32,
    /// The one accent: what is chosen, and the main thing to do.
    pub accent: Color32,
    /// Behind what is chosen.
    pub accent_weak: Color32,
    /// Text on the accent.
    pub on_accent: Color32,
    /// It went well.
    pub ok: Color32,
    /// Behind what went well.
    pub ok_weak: Color32,
    /// Look at it.
    pub warning: Color32,
    /// Behind what should be looked at.
    pub warning_weak: Color32,
    /// It went wrong, or would.
    pub bad: Color32,
    /// Behind what went wrong.
    pub bad_weak: Color32,
    /// Nobody knows yet: never red, never green.
    pub unknown: Color32,
    /// Behind what nobody knows yet.
    pub unknown_weak: Color32,
}

const fn rgb(hex: u32) -> Color32 {
    let [_, r, g, b] = hex.to_be_bytes();
    Color32::from_rgb(r, g, b)
}

/// Daylight.
pub const LIGHT: Palette = Palette {
    background: rgb(0x00F3_F5F8),
    surface: rgb(0x00FF_FFFF),
    raised: rgb(0x00F8_FAFC),
    head: rgb(0x00EE_F1F5),
    border: rgb(0x00DC_E1E8),
    strong_border: rgb(0x00B9_C2CE),
    text: rgb(0x0017_212E),
    muted: rgb(0x0056_6374),
    accent: rgb(0x000B_5FD0),
    accent_weak: rgb(0x00E6_EFFC),
    on_accent: rgb(0x00FF_FFFF),
    ok: rgb(0x0013_7A45),
    ok_weak: rgb(0x00E5_F5EC),
    warning: rgb(0x008A_5200),
    warning_weak: rgb(0x00FF_F3DC),
    bad: rgb(0x00B3_261E),
    bad_weak: rgb(0x00FC_EBEA),
    unknown: rgb(0x006A_3EA1),
    unknown_weak: rgb(0x00F1_EAFB),
};

/// A night shift.
pub const DARK: Palette = Palette {
    background: rgb(0x0011_161D),
    surface: rgb(0x0019_202A),
    raised: rgb(0x001F_2733),
    head: rgb(0x001F_2733),
    border: rgb(0x002C_3744),
    strong_border: rgb(0x0043_505F),
    text: rgb(0x00E7_ECF2),
    muted: rgb(0x009B_A8B8),
    accent: rgb(0x006C_ABFF),
    accent_weak: rgb(0x001B_3150),
    on_accent: rgb(0x0011_161D),
    ok: rgb(0x005B_CB8E),
    ok_weak: rgb(0x0014_301F),
    warning: rgb(0x00F0_B55B),
    warning_weak: rgb(0x0035_270E),
    bad: rgb(0x00FF_8A80),
    bad_weak: rgb(0x003B_1A18),
    unknown: rgb(0x00C3_A0F5),
    unknown_weak: rgb(0x002A_1F3D),
};

/// Paper and ink: a label is black on white in every theme.
pub const PAPER: Color32 = Color32::WHITE;
/// Ink on [`PAPER`].
pub const INK: Color32 = Color32::BLACK;
/// A picture in its own colours.
pub const UNTINTED: Color32 = Color32::WHITE;
/// Nothing painted.
pub const CLEAR: Color32 = Color32::TRANSPARENT;

/// The colours of the theme that `ui` is drawn in.
pub fn palette(ui: &Ui) -> &'static Palette {
    of(ui.visuals().dark_mode)
}

/// The colours of the dark or the light theme.
pub fn of(dark: bool) -> &'static Palette {
    if dark { &DARK } else { &LIGHT }
}

/// What something means to the clerk. Wherever a tone colours something, a word or a shape says the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Tone {
    /// Nothing in particular.
    #[default]
    Neutral,
    /// Chosen, or news.
    Accent,
    /// It went well.
    Ok,
    /// Look at it.
    Warning,
    /// It went wrong, or would.
    Bad,
    /// Nobody knows yet.
    Unknown,
}

impl Tone {
    /// Every tone.
    pub const ALL: [Self; 6] = [
        Self::Neutral,
        Self::Accent,
        Self::Ok,
        Self::Warning,
        Self::Bad,
        Self::Unknown,
    ];

    /// Its text and lines.
    pub fn ink(self, p: &Palette) -> Color32 {
        match self {
            Self::Neutral => p.muted,
            Self::Accent => p.accent,
            Self::Ok => p.ok,
            Self::Warning => p.warning,
            Self::Bad => p.bad,
            Self::Unknown => p.unknown,
        }
    }

    /// What is behind [`Tone::ink`].
    pub fn weak(self, p: &Palette) -> Color32 {
        match self {
            Self::Neutral => p.head,
            Self::Accent => p.accent_weak,
            Self::Ok => p.ok_weak,
            Self::Warning => p.warning_weak,
            Self::Bad => p.bad_weak,
            Self::Unknown => p.unknown_weak,
        }
    }
}

/// Sizes in points. Everything sits on a grid of eight, with four for what belongs together.
pub mod size {
    /// The grid.
    pub const GRID: f32 = 8.0;
    /// Between cards.
    pub const GUTTER: f32 = 14.0;
    /// Between fields side by side.
    pub const FIELD_GAP: f32 = 12.0;
    /// Within a card.
    pub const CARD_PADDING: i8 = 14;
    /// A text field, a drop-down.
    pub const FIELD: f32 = 30.0;
    /// A row of a table.
    pub const ROW: f32 = 28.0;
    /// The header of a card.
    pub const CARD_HEAD: f32 = 41.0;
    /// A button.
    pub const BUTTON: f32 = 32.0;
    /// The main thing to do.
    pub const PRIMARY: f32 = 40.0;
    /// A pill.
    pub const PILL: f32 = 21.0;
    /// A key cap.
    pub const KEY: f32 = 18.0;
    /// An icon beside text.
    pub const ICON: f32 = 18.0;

    /// Corner of a card.
    pub const CARD_RADIUS: u8 = 8;
    /// Corner of a button.
    pub const BUTTON_RADIUS: u8 = 6;
    /// Corner of a field.
    pub const FIELD_RADIUS: u8 = 5;
    /// Corner of a pill or a key cap.
    pub const PILL_RADIUS: u8 = 4;

    /// Text.
    pub const TEXT: f32 = 14.0;
    /// A line of text, from one base line to the next.
    pub const LINE: f32 = 20.0;
    /// Small text: labels of fields, table headers, hints.
    pub const SMALL: f32 = 12.0;
    /// A line of small text.
    pub const SMALL_LINE: f32 = 16.0;
    /// Text in the rows of a table.
    pub const CELL: f32 = 13.0;
    /// The title of a screen.
    pub const TITLE: f32 = 18.0;
    /// A figure to be read from afar.
    pub const FIGURE: f32 = 26.0;
    /// Ids and references.
    pub const MONO: f32 = 13.0;
}
