//! The light and the dark theme: egui's style, made from the tokens, and the program's
//! own fonts from `assets/fonts`.
//!
//! The style is flat, with one-pixel borders and no shadows. Nothing is animated, because a blinking cursor
//! or a fading scroll bar would repaint the window all day.

use std::sync::Arc;

use egui::style::{ScrollAnimation, ScrollStyle, Selection, WidgetVisuals, Widgets};
use egui::{
    Color32, Context, CornerRadius, FontData, FontDefinitions, FontFamily, Shadow, Stroke, Style,
    TextStyle, Theme, ThemePreference, Visuals, vec2,
};

use super::text::{self, family};
use super::tokens::{self, Palette, size};

const INTER_REGULAR: &[u8] = include_bytes!("../../assets/fonts/Inter-Regular.otf");
const INTER_MEDIUM: &[u8] = include_bytes!("../../assets/fonts/Inter-Medium.otf");
const INTER_SEMIBOLD: &[u8] = include_bytes!("../../assets/fonts/Inter-SemiBold.otf");
const INTER_BOLD: &[u8] = include_bytes!("../../assets/fonts/Inter-Bold.otf");
const MONO_REGULAR: &[u8] = include_bytes!("../../assets/fonts/JetBrainsMono-Regular.ttf");
const MONO_MEDIUM: &[u8] = include_bytes!("../../assets/fonts/JetBrainsMono-Medium.ttf");

/// Installs fonts, styles and options. Call once, before the first frame.
pub fn install(ctx: &Context, choice: ThemePreference) {
    ctx.set_fonts(fonts());
    ctx.set_style_of(Theme::Light, style(&tokens::LIGHT, false));
    ctx.set_style_of(Theme::Dark, style(&tokens::DARK, true));
    ctx.options_mut(|options| {
        options.fallback_theme = Theme::Light;
        // A clerk who mistypes Ctrl+1 as Ctrl+Q must not close the window.
        options.quit_shortcuts.clear();
    });
    ctx.set_theme(choice);
}

/// Returns the font of each family, followed by fonts for the characters that the family lacks.
fn fonts() -> FontDefinitions {
    let icon = egui_material_icons::FONT_FAMILY;
    let weights = &["inter", "mono", icon][..];
    let own = FontData::from_static;
    let mut fonts = FontDefinitions::empty();
    for (name, data, fallbacks) in [
        ("inter", own(INTER_REGULAR), &["mono", icon][..]),
        (family::MEDIUM, own(INTER_MEDIUM), weights),
        (family::SEMIBOLD, own(INTER_SEMIBOLD), weights),
        (family::BOLD, own(INTER_BOLD), weights),
        ("mono", own(MONO_REGULAR), &["inter", icon]),
        (
            family::MONO_MEDIUM,
            own(MONO_MEDIUM),
            &["mono", "inter", icon],
        ),
        (icon, egui_material_icons::font_insert().data, &["inter"]),
    ] {
        let family = match name {
            "inter" => FontFamily::Proportional,
            "mono" => FontFamily::Monospace,
            name => FontFamily::Name(name.into()),
        };
        let chain = [name].into_iter().chain(fallbacks.iter().copied());
        fonts
            .families
            .insert(family, chain.map(str::to_owned).collect());
        fonts.font_data.insert(name.to_owned(), Arc::new(data));
    }
    fonts
}

fn style(p: &Palette, dark: bool) -> Style {
    let mut style = Style {
        visuals: visuals(p, dark),
        animation_time: 0.0,
        scroll_animation: ScrollAnimation::none(),
        text_styles: [
            (TextStyle::Body, text::body_font()),
            (TextStyle::Button, text::strong_font()),
            (TextStyle::Small, text::small_font()),
            (TextStyle::Monospace, text::mono_font()),
            (
                TextStyle::Heading,
                egui::FontId::new(size::TITLE, FontFamily::Name(family::BOLD.into())),
            ),
        ]
        .into(),
        ..Style::default()
    };
    style.interaction.selectable_labels = false;
    style.interaction.tooltip_delay = 0.4;
    let spacing = &mut style.spacing;
    spacing.item_spacing = vec2(size::GRID, size::GRID);
    spacing.button_padding = vec2(10.0, 6.0);
    spacing.interact_size = vec2(24.0, size::FIELD);
    spacing.icon_width = 16.0;
    spacing.icon_spacing = 6.0;
    spacing.text_edit_width = 200.0;
    spacing.tooltip_width = 320.0;
    spacing.scroll = scroll();
    style
}

/// Returns the style of scroll bars: always visible, and beside the content instead of over it.
fn scroll() -> ScrollStyle {
    let mut scroll = ScrollStyle {
        bar_width: 8.0,
        floating_width: 6.0,
        floating_allocated_width: 10.0,
        foreground_color: true,
        dormant_background_opacity: 0.0,
        active_background_opacity: 0.0,
        interact_background_opacity: 0.0,
        dormant_handle_opacity: 0.28,
        active_handle_opacity: 0.4,
        interact_handle_opacity: 0.6,
        ..ScrollStyle::floating()
    };
    scroll.fade.strength = 0.0;
    scroll
}

fn visuals(p: &Palette, dark: bool) -> Visuals {
    let radius = CornerRadius::same(size::FIELD_RADIUS);
    let widget = |fill: Color32, line: Color32, ink: Color32| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, line),
        corner_radius: radius,
        fg_stroke: Stroke::new(1.0, ink),
        expansion: 0.0,
    };
    let base = if dark {
        Visuals::dark()
    } else {
        Visuals::light()
    };
    let mut visuals = Visuals {
        dark_mode: dark,
        override_text_color: None,
        weak_text_color: Some(p.muted),
        widgets: Widgets {
            noninteractive: widget(p.surface, p.border, p.text),
            inactive: widget(p.surface, p.strong_border, p.text),
            hovered: widget(p.raised, p.muted, p.text),
            active: widget(p.accent_weak, p.accent, p.text),
            open: widget(p.surface, p.accent, p.text),
        },
        selection: Selection {
            bg_fill: p.accent_weak,
            stroke: Stroke::new(2.0, p.accent),
        },
        hyperlink_color: p.accent,
        faint_bg_color: p.raised,
        extreme_bg_color: p.surface,
        text_edit_bg_color: Some(p.surface),
        code_bg_color: p.head,
        warn_fg_color: p.warning,
        error_fg_color: p.bad,
        window_corner_radius: CornerRadius::same(size::CARD_RADIUS),
        window_shadow: Shadow::NONE,
        window_fill: p.surface,
        window_stroke: Stroke::new(1.0, p.strong_border),
        menu_corner_radius: CornerRadius::same(size::BUTTON_RADIUS),
        panel_fill: p.background,
        popup_shadow: Shadow::NONE,
        striped: false,
        // Disabled widgets are not faded: each widget draws itself in readable colours when it is disabled.
        disabled_alpha: 1.0,
        ..base
    };
    visuals.text_cursor.stroke = Stroke::new(1.5, p.accent);
    // A blinking cursor would draw two frames a second for as long as a field has the focus.
    visuals.text_cursor.blink = false;
    visuals.text_cursor.preview = false;
    visuals
}
