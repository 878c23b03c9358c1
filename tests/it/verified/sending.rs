//! Sending and reconciling (defects D to F).
