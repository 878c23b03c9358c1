//! Deletions, notices, lists and their focus (defects 18, 20 and 21).
