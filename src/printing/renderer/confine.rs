//! What the renderer's process gives up before it reads its first document: a document that takes it over finds no files, no
//! network, no other programs, and little time.

/// All processor time that one process may use. A fresh one takes its place, so this is no limit on the day's work.
#[cfg(unix)]
const PROCESSOR_SECONDS: u64 = 600;

/// Gives up what drawing needs nothing of. What a system refuses is left as it is: the process is still not the bench.
pub(super) fn confine() {
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
    // A dump of this process would hold people's addresses.
    drop(Resource::CORE.set(0, 0));
    drop(Resource::FSIZE.set(0, 0));
    drop(Resource::CPU.set(PROCESSOR_SECONDS, PROCESSOR_SECONDS));
}

#[cfg(target_os = "linux")]
mod system_calls {
    use std::collections::BTreeMap;

    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

    /// Refused with "not permitted": whatever reaches a file, a socket, another program or another process. Naming what is
    /// refused, rather than what is allowed, holds for every version of the C library.
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

    /// The same by the names that newer systems have dropped.
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

    /// Nothing on a processor that filters are not written for.
    pub(super) fn filter() -> Option<BpfProgram> {
        let refused = REFUSED.iter().chain(REFUSED_BY_OLD_NAMES);
        let rules: BTreeMap<i64, _> = refused.map(|call| (*call, Vec::new())).collect();
        let refuse = SeccompAction::Errno(libc::EPERM.unsigned_abs());
        let processor = std::env::consts::ARCH.try_into().ok()?;
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, processor).ok()?;
        filter.try_into().ok()
    }
}
