//! The screens and the kit that they are built from.
//!
//! A screen reads what every screen may read, owns what only it needs, and asks for everything else by command: no file,
//! socket, lock or clock is touched here. Colours, sizes and widgets come from [`kit`], so that screens agree with each other.

pub mod kit;
