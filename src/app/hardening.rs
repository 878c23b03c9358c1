//! Protects the memory of this process, which holds tokens and people's addresses.

/// Switches core dumps off, and keeps other processes of the same user from reading this process's memory. If
/// the system refuses, that is only logged.
pub fn keep_memory_private() {
    #[cfg(unix)]
    if rlimit::Resource::CORE.set(0, 0).is_err() {
        tracing::warn!("core dumps could not be switched off");
    }
    #[cfg(target_os = "linux")]
    {
        // A crash handler that the kernel pipes dumps to ignores the limit set above.
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        if set_dumpable_behavior(DumpableBehavior::NotDumpable).is_err() {
            tracing::warn!("the process could not be made undumpable");
        }
    }
}
