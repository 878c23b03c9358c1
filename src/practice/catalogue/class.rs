//! The API's enumeration of dangerous goods classes and divisions, by dgClassType number.

/// Labels and names, starting at dgClassType 2, the first number of the enumeration. The name is empty for
/// explosives, which the enumeration lists only by division and letter.
const CLASSES: [(&str, &str); 48] = [
    ("2.1", "Flammable Gas"),
    ("2.2", "Non-flammable non-toxic gas"),
    ("2.3", "Toxic Gas"),
    ("3", "Flammable Liquids"),
    ("4.1", "Flammable Solids"),
    ("4.2", "Spontaneously Combustible"),
    ("4.3", "Dangerous When Wet"),
    ("5.1", "Oxidizing Substances"),
    ("5.2", "Organic Peroxides"),
    ("6.1", "Toxic Substance"),
    ("6.2", "Infectious Substance"),
    ("7", "Radioactive Material"),
    ("8", "Corrosive Substances"),
    ("9", "Miscellaneous Dangerous Goods"),
    ("1.1A", ""),
    ("1.1B", ""),
    ("1.1C", ""),
    ("1.1D", ""),
    ("1.1E", ""),
    ("1.1F", ""),
    ("1.1G", ""),
    ("1.1J", ""),
    ("1.1L", ""),
    ("1.2B", ""),
    ("1.2C", ""),
    ("1.2D", ""),
    ("1.2E", ""),
    ("1.2F", ""),
    ("1.2G", ""),
    ("1.2H", ""),
    ("1.2J", ""),
    ("1.2K", ""),
    ("1.2L", ""),
    ("1.3C", ""),
    ("1.3G", ""),
    ("1.3H", ""),
    ("1.3J", ""),
    ("1.3K", ""),
    ("1.3L", ""),
    ("1.4B", ""),
    ("1.4C", ""),
    ("1.4D", ""),
    ("1.4E", ""),
    ("1.4F", ""),
    ("1.4G", ""),
    ("1.4S", ""),
    ("1.5D", ""),
    ("1.6N", ""),
];

fn entry(class_type: i64) -> Option<(&'static str, &'static str)> {
    let index = usize::try_from(class_type).ok()?.checked_sub(2)?;
    CLASSES.get(index).copied()
}

/// Returns the class or division of a dgClassType number, or none if the number is not in the enumeration.
pub(crate) fn class_label(class_type: i64) -> Option<&'static str> {
    entry(class_type).map(|(label, _)| label)
}

/// Returns the title in the enumeration's form: `Class 2.1 Flammable Gas`.
pub(crate) fn class_title(class_type: i64) -> String {
    let (label, name) = entry(class_type).unwrap_or_default();
    format!("Class {label} {name}").trim_end().to_owned()
}

/// Returns the dgClassType number of a label such as `2.1`.
pub(super) fn class_type(label: &str) -> Option<i64> {
    let index = CLASSES.iter().position(|(known, _)| *known == label)?;
    i64::try_from(index + 2).ok()
}
