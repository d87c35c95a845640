//! Benchmarks that this server runs on its own machine: one at a time, those after it wait in a queue.

mod load;
pub mod stream;
mod told;

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use jiff::Timestamp;
use tokio::runtime::Handle;
use tokio::sync::watch;
use uuid::Uuid;

use crate::bench::{BenchError, BenchResult, Control};
use crate::domain::run::Run;
use crate::store::Store;

pub use told::{State, Told};

/// Runs that wait at most.
pub const MOST_WAITING: usize = 16;
/// Runs without a result that are remembered, so that whoever asked can read why.
const MOST_REMEMBERED: usize = 32;

/// The queue of a server, and the thread that works it off.
pub struct Runs {
    shared: Arc<Shared>,
    worker: Mutex<Option<JoinHandle<()>>>,
}

struct Shared {
    /// Where test files may lie.
    folder: PathBuf,
    store: Arc<dyn Store>,
    runtime: Handle,
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Arc<Job>>,
    current: Option<Arc<Job>>,
    /// Ended without a result, the oldest first.
    ended: VecDeque<Arc<Job>>,
    stops: bool,
}

/// One run that was asked for.
pub struct Job {
    pub id: Uuid,
    pub created: Timestamp,
    run: Run,
    control: Control,
    told: Arc<watch::Sender<Told>>,
}

impl Job {
    /// How far it is now.
    pub fn told(&self) -> Told {
        self.told.borrow().clone()
    }

    /// Tells whenever that changes.
    pub fn watch(&self) -> watch::Receiver<Told> {
        self.told.subscribe()
    }
}

/// Why a run was not taken.
#[derive(Debug, PartialEq, Eq)]
pub enum NotTaken {
    QueueFull,
    Stopping,
}

impl Runs {
    /// An empty queue. Call it inside the server's runtime.
    ///
    /// # Errors
    /// When no thread can be had.
    pub fn new(folder: PathBuf, store: Arc<dyn Store>) -> std::io::Result<Self> {
        let (queue, changed) = (Mutex::default(), Condvar::new());
        let shared = Arc::new(Shared { folder, store, runtime: Handle::current(), queue, changed });
        let work = Arc::clone(&shared);
        let worker = std::thread::Builder::new().name("benchmarks".to_owned()).spawn(move || work.work())?;
        Ok(Self { shared, worker: Mutex::new(Some(worker)) })
    }

    /// Puts a run into the queue.
    ///
    /// # Errors
    /// When too many wait already, or the server stops.
    pub fn start(&self, run: Run) -> Result<Arc<Job>, NotTaken> {
        let mut queue = self.shared.queue();
        if queue.stops {
            return Err(NotTaken::Stopping);
        }
        if queue.waiting.len() >= MOST_WAITING {
            return Err(NotTaken::QueueFull);
        }
        let told = Arc::new(watch::Sender::new(Told::waiting(run.load.mode())));
        let listener = Arc::clone(&told);
        let control = Control::new(move |progress| listener.send_modify(|told| told.progress(progress)));
        let job = Arc::new(Job { id: Uuid::now_v7(), created: Timestamp::now(), run, control, told });
        queue.waiting.push_back(Arc::clone(&job));
        queue.number();
        self.shared.changed.notify_all();
        Ok(job)
    }

    /// A run that waits, is under way, or ended without a result.
    pub fn find(&self, id: Uuid) -> Option<Arc<Job>> {
        let queue = self.shared.queue();
        let all = queue.current.iter().chain(&queue.waiting).chain(&queue.ended);
        all.into_iter().find(|job| job.id == id).cloned()
    }

    /// The one under way and those that wait, in their order.
    pub fn open(&self) -> Vec<Arc<Job>> {
        let queue = self.shared.queue();
        queue.current.iter().chain(&queue.waiting).cloned().collect()
    }

    /// Ends a run: one that waits never begins, one under way keeps what it measured, one that ended is forgotten.
    /// Returns whether there was such a run.
    pub fn cancel(&self, id: Uuid) -> bool {
        let mut queue = self.shared.queue();
        if let Some(current) = queue.current.as_ref().filter(|job| job.id == id) {
            current.control.cancel();
            return true;
        }
        if let Some(at) = queue.waiting.iter().position(|job| job.id == id) {
            if let Some(job) = queue.waiting.remove(at) {
                job.told.send_modify(|told| told.end(State::Cancelled, None));
                queue.remember(job);
            }
            queue.number();
            return true;
        }
        let known = queue.ended.len();
        queue.ended.retain(|job| job.id != id);
        queue.ended.len() < known
    }

    /// Takes no more, ends the one under way and waits until its files are gone. Blocks.
    pub fn stop(&self) {
        {
            let mut queue = self.shared.queue();
            queue.stops = true;
            if let Some(current) = &queue.current {
                current.control.cancel();
            }
            for job in std::mem::take(&mut queue.waiting) {
                job.told.send_modify(|told| told.end(State::Cancelled, Some("the server was stopped".to_owned())));
            }
            self.shared.changed.notify_all();
        }
        let worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(worker) = worker
            && worker.join().is_err()
        {
            tracing::error!("the thread of the benchmarks panicked");
        }
    }
}

impl Queue {
    /// Tells those that wait which they are.
    fn number(&self) {
        for (index, job) in self.waiting.iter().enumerate() {
            job.told.send_if_modified(|told| told.take_place(index + 1));
        }
    }

    fn remember(&mut self, job: Arc<Job>) {
        if self.ended.len() == MOST_REMEMBERED {
            self.ended.pop_front();
        }
        self.ended.push_back(job);
    }
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs what waits, one after the other, until the server stops.
    fn work(&self) {
        while let Some(job) = self.next() {
            job.told.send_modify(Told::begin);
            let done = catch_unwind(AssertUnwindSafe(|| load::run(&job.run, &self.folder, &job.control)));
            let done = done.unwrap_or_else(|_| Err(BenchError::Other("the benchmark panicked".to_owned())));
            let (state, why) = self.kept(job.id, done);
            let mut queue = self.queue();
            // Before it is told: whoever hears of the end asks the store.
            queue.current = None;
            if state != State::Done {
                queue.remember(Arc::clone(&job));
            }
            drop(queue);
            job.told.send_modify(|told| told.end(state, why));
        }
    }

    /// The next run, made the current one; none when the server stops.
    fn next(&self) -> Option<Arc<Job>> {
        let mut queue = self.queue();
        loop {
            if queue.stops {
                return None;
            }
            if let Some(job) = queue.waiting.pop_front() {
                queue.current = Some(Arc::clone(&job));
                queue.number();
                return Some(job);
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Keeps a result, also one that broke off: it is marked as such.
    fn kept(&self, id: Uuid, done: Result<BenchResult, BenchError>) -> (State, Option<String>) {
        match done {
            Ok(result) => match self.runtime.block_on(self.store.insert_benchmark(id, result)) {
                Ok(_) => (State::Done, None),
                Err(error) => {
                    tracing::error!(%error, "a benchmark could not be kept");
                    (State::Failed, Some("the result could not be kept".to_owned()))
                }
            },
            Err(BenchError::Cancelled) => (State::Cancelled, None),
            Err(error) => (State::Failed, Some(error.to_string())),
        }
    }
}

#[cfg(test)]
mod tests;
