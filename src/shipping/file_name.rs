//! Names for files that we save: of our own making, whatever the service calls things.

/// What Windows keeps for devices, whatever the extension.
const RESERVED: [&str; 4] = ["CON", "PRN", "AUX", "NUL"];

/// A part is cut to so many characters.
const LONGEST_PART: usize = 40;

/// A file's name of harmless characters, like `POD-MS123-2.pdf` of `["POD", "MS123", "2"]`: never a path, never empty, never
/// longer than a file system takes.
pub fn file_name(parts: &[&str], extension: &str) -> String {
    let plain = parts.iter().map(|part| {
        let plain = part.chars().filter(char::is_ascii_alphanumeric);
        plain.take(LONGEST_PART).collect::<String>()
    });
    let stem: Vec<_> = plain.filter(|part| !part.is_empty()).take(4).collect();
    let stem = stem.join("-");
    let upper = stem.to_ascii_uppercase();
    let device = RESERVED.contains(&upper.as_str())
        || (upper.len() == 4 && (upper.starts_with("COM") || upper.starts_with("LPT")));
    if stem.is_empty() || device {
        format!("file{stem}.{extension}")
    } else {
        format!("{stem}.{extension}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_made_of_harmless_characters_only() {
        for (parts, name) in [
            (&["POD", "MS123", "45"][..], "POD-MS123-45.pdf"),
            (&["MS123"], "MS123.pdf"),
            (&["../../etc/passwd"], "etcpasswd.pdf"),
            (&["C:\\Windows", "a\0b"], "CWindows-ab.pdf"),
            (&["..", "/", ""], "file.pdf"),
            (&["nul"], "filenul.pdf"),
            (&["COM1"], "fileCOM1.pdf"),
        ] {
            assert_eq!(file_name(parts, "pdf"), name);
        }
    }
}
