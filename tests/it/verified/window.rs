//! Screen readers, fonts and the practice service's roles (defects 23, 25 and 27).
