//! Standard input and output.
//!
//! Rust's runtime opens `/dev/null` in place of a standard descriptor that is closed, and its `Stdout` takes EBADF for
//! success: either way data would vanish unnoticed. So the descriptors are looked at before the runtime starts, and
//! read and written as plain files.

use std::io::{self, BufReader, BufWriter, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::ensure;

static STDIN_CLOSED: AtomicBool = AtomicBool::new(false);
static STDOUT_CLOSED: AtomicBool = AtomicBool::new(false);
static READER_GONE: AtomicBool = AtomicBool::new(false);

/// Comparing the descriptor with `/dev/null` later would not do: Python's `subprocess.DEVNULL` and Node's `ignore` open
/// it read-write, too, as the runtime does.
#[cfg(unix)]
mod before_main {
    #![allow(unsafe_code, reason = "a function that the loader calls before main is declared by its section")]

    use super::{Ordering, STDIN_CLOSED, STDOUT_CLOSED};

    // SAFETY: the section holds pointers to functions without arguments (those that the loader gives are ignored), and
    // the function uses nothing of the runtime.
    #[used]
    #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
    #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
    static LOOK: extern "C" fn() = look_at_descriptors;

    extern "C" fn look_at_descriptors() {
        let closed = |fd| rustix::io::fcntl_getfd(fd).is_err();
        STDIN_CLOSED.store(closed(rustix::stdio::stdin()), Ordering::Relaxed);
        STDOUT_CLOSED.store(closed(rustix::stdio::stdout()), Ordering::Relaxed);
    }
}

/// Whether whoever reads our output has gone: then the run ends quietly.
pub(crate) fn reader_gone() -> bool {
    READER_GONE.load(Ordering::Relaxed)
}

/// Standard output: buffered, to be flushed by whoever writes it.
pub(crate) type Out = BufWriter<RawStdout>;

/// Standard output without buffer.
pub(crate) struct RawStdout(#[cfg(unix)] std::fs::File, #[cfg(not(unix))] io::Stdout);

/// Opens standard output.
pub(crate) fn stdout() -> anyhow::Result<Out> {
    ensure!(!STDOUT_CLOSED.load(Ordering::Relaxed), "standard output is not open");
    #[cfg(unix)]
    let raw = {
        use anyhow::Context;
        use std::os::fd::AsFd;
        io::stdout().as_fd().try_clone_to_owned().context("standard output")?.into()
    };
    #[cfg(not(unix))]
    let raw = io::stdout();
    Ok(BufWriter::with_capacity(1 << 16, RawStdout(raw)))
}

impl RawStdout {
    fn note<T>(result: io::Result<T>) -> io::Result<T> {
        match result {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => {
                READER_GONE.store(true, Ordering::Relaxed);
                Err(e)
            }
            // Which file failed is not said by the system's message.
            Err(e) if e.kind() != io::ErrorKind::Interrupted => {
                Err(io::Error::new(e.kind(), format!("standard output: {e}")))
            }
            result => result,
        }
    }
}

impl Write for RawStdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        RawStdout::note(self.0.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        RawStdout::note(self.0.flush())
    }
}

/// Opens standard input.
pub(crate) fn stdin() -> anyhow::Result<BufReader<impl Read + Send + 'static>> {
    ensure!(!STDIN_CLOSED.load(Ordering::Relaxed), "standard input is not open");
    #[cfg(unix)]
    let raw: std::fs::File = {
        use anyhow::Context;
        use std::os::fd::AsFd;
        io::stdin().as_fd().try_clone_to_owned().context("standard input")?.into()
    };
    #[cfg(not(unix))]
    let raw = io::stdin();
    Ok(BufReader::with_capacity(1 << 16, raw))
}

/// Writes a line to standard error, which may be closed: then there is nobody to tell.
pub(crate) fn complain(message: std::fmt::Arguments<'_>) {
    let _ = writeln!(anstream::stderr(), "{message}");
}

/// Whether standard output is to be coloured: it is a terminal, and `NO_COLOR` is not set.
pub(crate) fn colored() -> bool {
    anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
}

/// A style for standard output, none where it is not to be coloured.
pub(crate) fn style(style: anstyle::Style) -> anstyle::Style {
    if colored() { style } else { anstyle::Style::new() }
}
