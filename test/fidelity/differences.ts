// The deliberate differences from the platform whose clients Freehold serves, with reasons.

export interface Difference {
  what: string;
  here: string;
  why: string;
}

export const differences: Difference[] = [
  {
    what: "`/stream` with a bare key",
    here: "an array; with `Bearer`, or by POST, the envelope `{status, stream}`; `?format=` overrides",
    why: "the documented form differs from the one that every SDK reads, and both must work",
  },
  {
    what: "a chunk over 1 MB",
    here: "split, and marked with `metrics: {part, of}`",
    why: "a worker drops a rejected chunk, which would leave a gap in the stream",
  },
  {
    what: "a job past its time to live",
    here: "kept as TIMED_OUT for the retention, then 404",
    why: "nothing vanishes silently",
  },
  {
    what: "a job whose worker is lost",
    here: "dispatched once more, then FAILED with an explanation; the first result counts, no matter which worker posts it",
    why: "finished work is not discarded",
  },
  {
    what: "the webhook",
    here: "sent whenever a job ends, signed if the account has a secret, recorded for each attempt, redelivered on request",
    why: "a receiver can detect a forged call, and an operator can see what happened to a delivery",
  },
  {
    what: "`Idempotency-Key`",
    here: "accepted on every POST that creates something, and remembered for 24 h",
    why: "a client that retries must not pay twice",
  },
  {
    what: "unknown fields of a body",
    here: "400 with the field and its nearest match, except for fields that published clients send",
    why: "a typo should not silently become a default",
  },
  {
    what: "unsupported features (clusters of the types SLURM and RAY, the model repository, moves of Pods)",
    here: "400 `not_offered` with an explanation, or an empty list",
    why: "no field is accepted and then ignored",
  },
  {
    what: "the proxy to a Pod's HTTP ports",
    here: "no limit of 100 s",
    why: "long responses and streams would exceed it",
  },
  {
    what: "SSH to a Pod",
    here: "directly, at the public port of `22/tcp`, if the image runs an SSH server, which is all that `rp pod connect` and `rp pod sync` use; any Pod through Freehold's own server, with the Pod's id as the user name",
    why: "a Pod can be opened without a server in its image",
  },
  {
    what: "a Pod that ends by itself with an error",
    here: "restarted with increasing delays, then EXITED after five ends in ten minutes",
    why: "a crash loop must not accrue cost forever",
  },
  {
    what: "GPU Pods on a machine without GPUs",
    here: "simulated GPUs, offered on loopback and marked by `FREEHOLD_SIMULATED_GPU`",
    why: "GPU features can be tried on a laptop",
  },
  {
    what: "a GPU type or CPU flavor without stock in GraphQL",
    here: "`stockStatus` is null, never `None`",
    why: "clients take any word for stock, and null for none",
  },
  {
    what: "batches of an endpoint (`/v2/{endpointId}/batch`)",
    here: "400 `not_offered`; `POST /v1/batches` submits up to 5,000 jobs in one call",
    why: "the hosted service's batches are a beta whose fields are not published",
  },
  {
    what: "templates",
    here: "any number of endpoints can use one",
    why: "no reason to limit it",
  },
  {
    what: "rate limits and quotas",
    here: "off unless you choose a profile",
    why: "it is your machine",
  },
];

/** The clients that are not proven with the same operations with a container engine and without one. */
export interface EngineDifference {
  /** A part of the names of the clients. */
  clients: string;
  why: string;
}

export const engineDifferences: EngineDifference[] = [
  {
    clients: "queue client",
    why: "runs once: the queue reaches neither an engine nor a simulated worker, since the test takes the jobs itself",
  },
  { clients: "npm runpod-sdk", why: "runs once, as the other clients of the queue do" },
  {
    clients: "its workers",
    why: "runs once: the workers of the SDK are processes, with an engine and without",
  },
  {
    clients: "its commands over SSH",
    why: "runs with an engine only: the commands reach an SSH server at the public port of `22/tcp`, where a simulated Pod sends back what it receives. Freehold's own SSH server opens simulated Pods too",
  },
  {
    clients: "its apps",
    why: "runs with an engine only: a simulated worker runs no code of an app, and answers a function with its arguments",
  },
  {
    clients: "runpod-flash",
    why: "runs with an engine only: a simulated worker runs no code of an app, and answers a function with its arguments",
  },
];
