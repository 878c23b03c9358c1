//! Companies, environments and settings (defects 1 to 5, 15 and 26).
