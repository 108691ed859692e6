//! Child processes that never outlive us: each leads a process group of its own, which is killed as a whole.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// The groups that run now, by the id of their leader.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> std::sync::MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Ends this program at SIGINT, SIGTERM and SIGHUP, and before it every group that it has started: they are not of our
/// own process group, so that a terminal's ^C does not reach them.
///
/// # Errors
/// A handler that cannot be set, as there is one already.
#[cfg(unix)]
pub fn end_all_on_signal() -> io::Result<()> {
    ctrlc::set_handler(|| {
        for id in running().iter() {
            kill_group(*id);
        }
        std::process::exit(130);
    })
    .map_err(io::Error::other)
}

#[cfg(unix)]
fn kill_group(id: u32) {
    if let Some(group) = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw) {
        // An error means that nobody is left in the group.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// How long a program may take to end by itself: it may have a server to stop.
const GRACE: Duration = Duration::from_secs(5);

/// A child process and everything that it started, as long as it stays in the group.
pub(crate) struct Group {
    child: Child,
}

impl Group {
    pub(crate) fn spawn(command: &mut Command) -> io::Result<Group> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let child = command.spawn()?;
        running().insert(child.id());
        Ok(Group { child })
    }

    pub(crate) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Whether the program has ended; what it started may go on.
    pub(crate) fn has_ended(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    /// The exit status, if it comes before `deadline`.
    pub(crate) fn wait_until(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if Instant::now() >= deadline {
                return None;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits a moment for the program to end by itself, then kills what is left of its group. The status is none where
    /// the program had to be killed.
    pub(crate) fn end(&mut self) -> Option<ExitStatus> {
        let status = self.wait_until(Instant::now() + GRACE);
        self.kill();
        status
    }

    pub(crate) fn kill(&mut self) {
        #[cfg(unix)]
        kill_group(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
        running().remove(&self.child.id());
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The end of what a program writes to a log, collected by a thread.
pub(crate) struct Log {
    text: Arc<Mutex<Vec<u8>>>,
    ended: Receiver<()>,
}

impl Log {
    /// What is kept of it, in bytes.
    const KEPT: usize = 64 * 1024;

    pub(crate) fn collect(mut from: impl Read + Send + 'static) -> Log {
        let text = Arc::new(Mutex::new(Vec::new()));
        let (end, ended) = mpsc::channel();
        let shared = Arc::clone(&text);
        thread::spawn(move || {
            let _end = end;
            let mut chunk = [0; 4096];
            while let Ok(n @ 1..) = from.read(&mut chunk) {
                let mut text = shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                text.extend_from_slice(&chunk[..n]);
                if text.len() > 2 * Log::KEPT {
                    let cut = text.len() - Log::KEPT;
                    text.drain(..cut);
                }
            }
        });
        Log { text, ended }
    }

    /// What has been written. Asked after the program's end; a process that escaped the group may still hold the pipe,
    /// so the wait for the last bytes is short.
    pub(crate) fn text(&self) -> String {
        let _ = self.ended.recv_timeout(Duration::from_millis(500));
        let text = self.text.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        String::from_utf8_lossy(&text[text.len().saturating_sub(Log::KEPT)..]).into_owned()
    }
}
