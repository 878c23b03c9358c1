//! Under construction.
/// Placeholder until the layer lands.
pub mod profile {
    //! Under construction.
    /// Placeholder.
    #[derive(Debug, Clone)]
    pub struct PrinterProfile;
}
