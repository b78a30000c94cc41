// Every reason that `why` gives, with what it means. docs/why.md holds the same table, and a test
// compares them.

export const whyCodes = {
  // a job that waits, and the endpoint it waits on
  no_workers_allowed: "The endpoint's workersMax is 0: its queue is paused.",
  driver_missing: "The driver that the endpoint's template needs is not offered by this service.",
  start_refused: "The workload can never be started as it is described.",
  workers_unhealthy: "Workers report at their start that they cannot serve.",
  backing_off: "The last worker ended before it finished a job; the next start is spaced out.",
  crash_loop: "Worker after worker ends before it finishes a job.",
  worker_ready: "A worker is idle and about to take the job.",
  worker_starting: "A worker is on its way up and has not asked for a job yet.",
  worker_asked: "A worker is about to be started.",
  low_priority: "Jobs of low priority never add a worker; they wait for one that is free.",
  workers_busy: "As many workers as are allowed (workersMax) are there, and all are busy.",
  workers_leaving: "The places for workers are still taken by some that are ending.",
  scaler_delay: "All workers are busy, and the scaler's delay has not passed yet.",
  scaler_satisfied: "All workers are busy, and by the scaler's count they are enough.",
  rolling_out: "Workers of a new version are taking the place of older ones.",
  in_line: "Other jobs are ahead in the queue.",
  // a job that runs
  running: "A worker has the job.",
  running_again: "A worker has the job, after another one lost it.",
  worker_silent: "The worker that has the job does not say so any more.",
  // a job that has ended
  completed: "The worker posted a result.",
  handler_failed: "The worker posted an error.",
  execution_timeout: "The job ran for longer than its execution time-out.",
  lost_twice: "Two workers in turn were lost while they had the job.",
  result_too_large: "The worker's result was larger than what is kept.",
  cancelled: "A client cancelled the job.",
  purged: "A client emptied the queue.",
  endpoint_deleted: "The endpoint was deleted.",
  ttl_queued: "The job's time to live ran out before a worker took it.",
  ttl_running: "The job's time to live ran out while it was running.",
  // an endpoint with nothing waiting
  serving: "Workers are busy, and no job waits.",
  idle: "No job waits and none runs.",
  // a worker
  worker_idle: "The worker waits for a job.",
  worker_busy: "The worker has jobs.",
  worker_draining: "The worker takes no more jobs and ends when it has none.",
  worker_unhealthy: "The worker cannot serve and is being ended.",
  worker_ended: "The worker ended because it was told to.",
  worker_exited: "The worker ended by itself with exit code 0.",
  worker_crashed: "The worker ended by itself with an exit code that is not 0.",
  worker_killed: "A signal that was not ours ended the worker.",
  worker_vanished: "The worker is gone, and nobody knows how it ended.",
  // a Pod
  pod_running: "The Pod's container runs.",
  pod_starting: "The Pod's container is on its way up.",
  pod_backing_off: "The Pod's container ended by itself and is started again after a pause.",
  pod_start_failing: "The Pod's container could not be started, and is tried again after a pause.",
  pod_machine_away: "The machine that the Pod is on has not been heard of lately.",
  pod_stopped: "A client stopped the Pod.",
  pod_stop_after: "The Pod was stopped because its stopAfter came.",
  pod_finished: "The Pod's container ended with exit code 0.",
  pod_gave_up: "The Pod's container ended again and again, or could not be started.",
} as const;

export type WhyCode = keyof typeof whyCodes;
