//! The journal, its log and its backups (defects A to C, G and H).
