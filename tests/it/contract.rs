//! What any service of the interface answers, area by area: literal requests and literal answers, and the client between them.
