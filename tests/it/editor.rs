//! The consignment editor, through the whole program and through its parts.

mod customs_form;
mod dangerous_form;
mod goods_desk;
mod known;
mod lines;
