//! Splits a list of delegated references, as pasted or scanned, with any usual separator.

/// Returns the references in order. Duplicates are kept.
pub fn reference_list(text: &str) -> Vec<String> {
    each(text).map(str::to_owned).collect()
}

/// Like [`reference_list`], without copying.
pub(super) fn each(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| letter.is_whitespace() || matches!(letter, ',' | ';'))
        .filter(|reference| !reference.is_empty())
}

#[cfg(test)]
mod tests {
    use super::reference_list;

    #[test]
    fn references_are_set_apart_by_blanks_lines_commas_and_semicolons() {
        let pasted = " SCX0001\r\nSCX0002,SCX0003;\tSCX0004\n\n";
        let list = ["SCX0001", "SCX0002", "SCX0003", "SCX0004"];
        assert_eq!(reference_list(pasted), list);
        assert_eq!(reference_list(" ,; \n"), Vec::<String>::new());
        assert_eq!(reference_list("A1 A1"), ["A1", "A1"]);
    }
}
