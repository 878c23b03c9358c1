//! The consignment form: suggestions, focus and prices (defects 6, 17, 22 and 24).
