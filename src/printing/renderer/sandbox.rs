//! Takes away rights that the renderer's process does not need, before it reads its first document.
//! A document that takes control of the process then finds no files, no network, no other programs
//! and little time.

/// The processor time limit of one process. A new process replaces it, so this does not limit a day's work.
#[cfg(unix)]
const PROCESSOR_SECONDS: u64 = 600;

/// Gives up every right that rendering does not need. Restrictions that the system refuses are skipped,
/// because the separate process still protects the program.
pub(super) fn enter_sandbox() {
    #[cfg(unix)]
    limit_resources();
    #[cfg(target_os = "linux")]
    {
        let _refused = rustix::thread::set_no_new_privs(true);
        if let Some(filter) = system_calls::filter() {
            drop(seccompiler::apply_filter(&filter));
        }
    }
}

#[cfg(unix)]
fn limit_resources() {
    use rlimit::Resource;
    // A core dump of this process would contain people's addresses.
    drop(Resource::CORE.set(0, 0));
    drop(Resource::FSIZE.set(0, 0));
    drop(Resource::CPU.set(PROCESSOR_SECONDS, PROCESSOR_SECONDS));
}

#[cfg(target_os = "linux")]
mod system_calls {
    use std::collections::BTreeMap;

    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

    /// Calls that fail with "not permitted": everything that reaches files, sockets, other programs or
    /// other processes. A list of refused calls, instead of allowed ones, works with every version of
    /// the C library.
    const REFUSED: &[libc::c_long] = &[
        libc::SYS_openat,
        libc::SYS_openat2,
        libc::SYS_socket,
        libc::SYS_socketpair,
        libc::SYS_connect,
        libc::SYS_bind,
        libc::SYS_listen,
        libc::SYS_accept,
        libc::SYS_accept4,
        libc::SYS_execve,
        libc::SYS_execveat,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_pidfd_open,
        libc::SYS_kill,
        libc::SYS_unlinkat,
        libc::SYS_renameat2,
        libc::SYS_linkat,
        libc::SYS_symlinkat,
        libc::SYS_mkdirat,
        libc::SYS_fchmodat,
        libc::SYS_fchownat,
        libc::SYS_truncate,
        libc::SYS_mount,
        libc::SYS_bpf,
        libc::SYS_io_uring_setup,
        libc::SYS_keyctl,
    ];

    /// Older calls for the same purposes, which newer processor architectures no longer have.
    #[cfg(target_arch = "x86_64")]
    const REFUSED_BY_OLD_NAMES: &[libc::c_long] = &[
        libc::SYS_open,
        libc::SYS_creat,
        libc::SYS_fork,
        libc::SYS_vfork,
        libc::SYS_unlink,
        libc::SYS_rename,
        libc::SYS_renameat,
        libc::SYS_link,
        libc::SYS_symlink,
        libc::SYS_mkdir,
        libc::SYS_rmdir,
        libc::SYS_chmod,
        libc::SYS_chown,
    ];
    #[cfg(not(target_arch = "x86_64"))]
    const REFUSED_BY_OLD_NAMES: &[libc::c_long] = &[];

    /// Returns `None` on a processor architecture that the filter library does not support.
    pub(super) fn filter() -> Option<BpfProgram> {
        let refused = REFUSED.iter().chain(REFUSED_BY_OLD_NAMES);
        let rules: BTreeMap<i64, _> = refused.map(|call| (*call, Vec::new())).collect();
        let refuse = SeccompAction::Errno(libc::EPERM.unsigned_abs());
        let processor = std::env::consts::ARCH.try_into().ok()?;
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, processor).ok()?;
        filter.try_into().ok()
    }
}
