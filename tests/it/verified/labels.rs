//! Labels and printers (defects 7 to 12, 16 and 19).
