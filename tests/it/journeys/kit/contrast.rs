//! Contrast of the colour tokens, computed as WCAG 2.1 defines it.

use egui::Color32;
use widgets::tokens::{DARK, LIGHT, Palette, Tone};

fn luminance(color: Color32) -> f64 {
    let channel = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.040_45 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * channel(color.r()) + 0.7152 * channel(color.g()) + 0.0722 * channel(color.b())
}

fn contrast(a: Color32, b: Color32) -> f64 {
    let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
    a.max(b) / a.min(b)
}

/// Text and the background that it is put on, by name.
fn pairs(p: &Palette) -> Vec<(String, Color32, Color32)> {
    let mut pairs = vec![("text on the accent".to_owned(), p.on_accent, p.accent)];
    let backgrounds = [
        ("background", p.background),
        ("surface", p.surface),
        ("raised", p.raised),
        ("head", p.head),
        ("what is chosen", p.accent_weak),
    ];
    for (name, background) in backgrounds {
        for (ink_name, ink) in [("text", p.text), ("muted", p.muted), ("accent", p.accent)] {
            pairs.push((format!("{ink_name} on {name}"), ink, background));
        }
    }
    for tone in Tone::ALL {
        pairs.push((
            format!("{tone:?} on its own weak"),
            tone.ink(p),
            tone.weak(p),
        ));
        pairs.push((format!("{tone:?} on surface"), tone.ink(p), p.surface));
        pairs.push((format!("text on weak {tone:?}"), p.text, tone.weak(p)));
    }
    pairs
}

#[test]
fn all_text_reads_at_four_and_a_half_to_one_in_both_themes() {
    for (theme, palette) in [("light", LIGHT), ("dark", DARK)] {
        for (name, ink, background) in pairs(&palette) {
            let ratio = contrast(ink, background);
            assert!(ratio >= 4.5, "{theme}: {name} is {ratio:.2} : 1");
        }
    }
}
