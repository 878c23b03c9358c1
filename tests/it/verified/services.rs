//! Answers in the shapes that live services publish (defects 13 and 14).
