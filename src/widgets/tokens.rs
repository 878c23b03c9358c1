//! Design tokens: the colours and sizes of the program, which are defined nowhere else.
//!
//! In both themes, text has a contrast of 4.5 : 1 or better on every background that it is used on (a test
//! computes it). Colour is never the only sign of a meaning.

use egui::{Color32, Ui};

/// The type of a palette colour, for parameters and variables outside this folder.
pub type Ink = Color32;

/// Declares the colours of both themes, as red, green and blue in hexadecimal: first in the light, then in the
/// dark theme.
macro_rules! palettes {
    ($($(#[$doc:meta])* $name:ident: $light:literal, $dark:literal;)*) => {
        /// The colours of one theme.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Palette {
            $($(#[$doc])* pub $name: Color32,)*
        }

        pub const LIGHT: Palette = Palette { $($name: rgb($light),)* };

        pub const DARK: Palette = Palette { $($name: rgb($dark),)* };
    };
}

palettes! {
    /// Background of the window, behind the cards.
    background: 0x00F3_F5F8, 0x0011_161D;
    /// Background of cards, bars and fields.
    surface: 0x00FF_FFFF, 0x0019_202A;
    /// Background of a card within a card, and of a row under the pointer.
    raised: 0x00F8_FAFC, 0x001F_2733;
    /// Background of table headers, neutral badges and disabled widgets.
    head: 0x00EE_F1F5, 0x001F_2733;
    /// Dividers, and borders of cards.
    border: 0x00DC_E1E8, 0x002C_3744;
    /// Borders of fields and buttons.
    strong_border: 0x00B9_C2CE, 0x0043_505F;
    /// Main text.
    text: 0x0017_212E, 0x00E7_ECF2;
    /// Secondary and disabled text.
    muted: 0x0056_6374, 0x009B_A8B8;
    /// Selected things, and the main action.
    accent: 0x000B_5FD0, 0x006C_ABFF;
    /// Background of selected things.
    accent_weak: 0x00E6_EFFC, 0x001B_3150;
    /// Text on `accent`.
    on_accent: 0x00FF_FFFF, 0x0011_161D;
    /// Successful outcome.
    ok: 0x0013_7A45, 0x005B_CB8E;
    /// Background for `ok`.
    ok_weak: 0x00E5_F5EC, 0x0014_301F;
    /// Something that the clerk should look at.
    warning: 0x008A_5200, 0x00F0_B55B;
    /// Background for `warning`.
    warning_weak: 0x00FF_F3DC, 0x0035_270E;
    /// Errors, and destructive actions.
    bad: 0x00B3_261E, 0x00FF_8A80;
    /// Background for `bad`.
    bad_weak: 0x00FC_EBEA, 0x003B_1A18;
    /// An outcome that is not known yet; therefore neither red nor green.
    unknown: 0x006A_3EA1, 0x00C3_A0F5;
    /// Background for `unknown`.
    unknown_weak: 0x00F1_EAFB, 0x002A_1F3D;
}

const fn rgb(hex: u32) -> Color32 {
    let [_, r, g, b] = hex.to_be_bytes();
    Color32::from_rgb(r, g, b)
}

/// Background of a label preview: labels are black on white in every theme.
pub const PAPER: Color32 = Color32::WHITE;
/// Foreground of a label preview.
pub const INK: Color32 = Color32::BLACK;
/// Tint that leaves an image in its own colours.
pub const UNTINTED: Color32 = Color32::WHITE;
/// Fill or border that is not visible.
pub const CLEAR: Color32 = Color32::TRANSPARENT;

/// Returns the colours of the theme that `ui` is drawn in.
pub fn palette(ui: &Ui) -> &'static Palette {
    palette_for(ui.visuals().dark_mode)
}

/// Returns the colours of the dark or the light theme.
pub fn palette_for(dark: bool) -> &'static Palette {
    if dark { &DARK } else { &LIGHT }
}

/// Meaning that is shown by a colour. Wherever a tone is used, a word or a shape must say the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Tone {
    #[default]
    Neutral,
    /// Selected, or new information.
    Accent,
    /// Successful outcome.
    Ok,
    /// Something that the clerk should look at.
    Warning,
    /// Something went wrong, or would go wrong.
    Bad,
    /// The outcome is not known yet.
    Unknown,
}

impl Tone {
    pub const ALL: [Self; 6] = [
        Self::Neutral,
        Self::Accent,
        Self::Ok,
        Self::Warning,
        Self::Bad,
        Self::Unknown,
    ];

    /// Returns the colour of text and lines, and the background for them.
    const fn colors(self, p: &Palette) -> (Color32, Color32) {
        match self {
            Self::Neutral => (p.muted, p.head),
            Self::Accent => (p.accent, p.accent_weak),
            Self::Ok => (p.ok, p.ok_weak),
            Self::Warning => (p.warning, p.warning_weak),
            Self::Bad => (p.bad, p.bad_weak),
            Self::Unknown => (p.unknown, p.unknown_weak),
        }
    }

    /// Returns the colour of text and lines.
    pub const fn ink(self, p: &Palette) -> Color32 {
        self.colors(p).0
    }

    /// Returns the background for [`Tone::ink`].
    pub const fn weak(self, p: &Palette) -> Color32 {
        self.colors(p).1
    }
}

/// Sizes in points. The default spacing is a grid of eight, with four between things that belong together.
pub mod size {
    /// Default gap between widgets.
    pub const GRID: f32 = 8.0;
    /// Gap between cards.
    pub const GUTTER: f32 = 14.0;
    /// Gap between fields side by side.
    pub const FIELD_GAP: f32 = 12.0;
    pub const CARD_PADDING: i8 = 14;
    /// Height of a text field or a drop-down.
    pub const FIELD: f32 = 30.0;
    /// Height of a table row.
    pub const ROW: f32 = 28.0;
    /// Height of a card's header.
    pub const CARD_HEAD: f32 = 41.0;
    /// Height of a secondary or quiet button.
    pub const BUTTON: f32 = 32.0;
    /// Height of a primary button.
    pub const PRIMARY: f32 = 40.0;
    /// Height of a badge.
    pub const PILL: f32 = 21.0;
    /// Height of a key cap.
    pub const KEY: f32 = 18.0;
    /// Size of an icon beside text.
    pub const ICON: f32 = 18.0;

    pub const CARD_RADIUS: u8 = 8;
    pub const BUTTON_RADIUS: u8 = 6;
    pub const FIELD_RADIUS: u8 = 5;
    /// Corner radius of a badge or a key cap.
    pub const PILL_RADIUS: u8 = 4;

    /// Font size of ordinary text.
    pub const TEXT: f32 = 14.0;
    /// Line height of ordinary text.
    pub const LINE: f32 = 20.0;
    /// Font size of field labels, table headers and hints.
    pub const SMALL: f32 = 12.0;
    /// Line height of small text.
    pub const SMALL_LINE: f32 = 16.0;
    /// Font size in table rows.
    pub const CELL: f32 = 13.0;
    /// Font size of a screen's title.
    pub const TITLE: f32 = 18.0;
    /// Font size of figures that can be read from a distance.
    pub const FIGURE: f32 = 26.0;
    /// Font size of ids and references.
    pub const MONO: f32 = 13.0;
}
