//! Runtimes, and services that a test writes itself. The benchmarks include this file, too.

use axum::Router;
use tokio::runtime::{Builder, Runtime};

/// A runtime with so many threads; the program has two.
pub(crate) fn runtime(threads: usize) -> Runtime {
    Builder::new_multi_thread()
        .worker_threads(threads)
        .enable_all()
        .build()
        .expect("a runtime")
}

/// Serves this router at a free port until the runtime is dropped. Returns the service's address.
pub(crate) fn serve(router: Router) -> (String, Runtime) {
    let runtime = runtime(1);
    let listening = tokio::net::TcpListener::bind("127.0.0.1:0");
    let listener = runtime.block_on(listening).expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("its number"));
    runtime.spawn(async move { axum::serve(listener, router).await });
    (address, runtime)
}
