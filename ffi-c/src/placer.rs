//! The placer that a C caller holds.

use std::collections::VecDeque;
use std::mem::ManuallyDrop;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use keyfall_core::Placer;

use crate::{Failure, keyfall_result::KEYFALL_FREED, null};

/// A scheme bound to validated params.
pub struct keyfall_placer {
    state: AtomicU32,
    placer: ManuallyDrop<Placer>,
}

/// What `state` is while the placer may be used.
const ALIVE: u32 = 0x6b66_616c;

/// So many freed placers stay in memory, empty, so that a use after freeing is told from a live placer.
const KEPT: usize = 1024;

/// A freed placer that nobody but the list below frees any more.
struct Freed(*mut keyfall_placer);

// SAFETY: what it points to has nothing left in it but its state.
unsafe impl Send for Freed {}

static FREED: Mutex<VecDeque<Freed>> = Mutex::new(VecDeque::new());

impl keyfall_placer {
    pub(crate) fn new(placer: Placer) -> *mut keyfall_placer {
        Box::into_raw(Box::new(keyfall_placer { state: AtomicU32::new(ALIVE), placer: ManuallyDrop::new(placer) }))
    }

    /// # Safety
    /// `placer` is NULL or came from [`keyfall_placer::new`]; it is not freed while the result is used.
    #[inline]
    pub(crate) unsafe fn get<'a>(placer: *const keyfall_placer) -> Result<&'a Placer, Failure> {
        // SAFETY: the caller's.
        match unsafe { placer.as_ref() } {
            Some(placer) if placer.state.load(Ordering::Relaxed) == ALIVE => Ok(&placer.placer),
            Some(_) => Err(freed()),
            None => Err(null("placer")),
        }
    }

    /// Empties a placer. NULL is none, and so is one that was freed before.
    ///
    /// # Safety
    /// `placer` is NULL or came from [`keyfall_placer::new`]; nobody else uses it meanwhile.
    pub(crate) unsafe fn free(placer: *mut keyfall_placer) {
        // SAFETY: the caller's. No reference: the placer is emptied below.
        if placer.is_null() || unsafe { (*placer).state.swap(0, Ordering::Relaxed) } != ALIVE {
            return;
        }
        // SAFETY: it was alive until now, so it is dropped once.
        unsafe { ManuallyDrop::drop(&mut (*placer).placer) };
        let mut freed = FREED.lock().unwrap_or_else(|broken| broken.into_inner());
        freed.push_back(Freed(placer));
        if freed.len() > KEPT
            && let Some(Freed(oldest)) = freed.pop_front()
        {
            // SAFETY: it came from a Box, and left the list that alone owned it.
            drop(unsafe { Box::from_raw(oldest) });
        }
    }
}

#[cold]
fn freed() -> Failure {
    Failure(KEYFALL_FREED, "the placer was freed".into())
}
