//! Protects the memory of this process, which holds tokens and people's addresses.

/// Leaves no core dump of this process, and lets no other process of the same user read its memory. What the system refuses
/// is left as it is.
pub fn keep_memory_private() {
    #[cfg(unix)]
    if rlimit::Resource::CORE.set(0, 0).is_err() {
        tracing::warn!("core dumps could not be switched off");
    }
    #[cfg(target_os = "linux")]
    {
        // A crash handler that the kernel pipes dumps to does not look at the limit.
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        if set_dumpable_behavior(DumpableBehavior::NotDumpable).is_err() {
            tracing::warn!("the process could not be made undumpable");
        }
    }
}
