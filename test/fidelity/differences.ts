// What is deliberately not as on the platform whose clients are spoken to, and why.

export interface Difference {
  what: string;
  here: string;
  why: string;
}

export const differences: Difference[] = [
  {
    what: "`/stream` for the bare key",
    here: "an array; with `Bearer`, or by POST, the envelope `{status, stream}`; `?format=` overrides",
    why: "the documented form and the one that every SDK reads differ, and both must work",
  },
  {
    what: "a chunk over 1 MB",
    here: "split, and marked with `metrics: {part, of}`",
    why: "a worker drops what is refused, and the stream would have a hole",
  },
  {
    what: "a job past its time to live",
    here: "kept as TIMED_OUT for the retention, then 404",
    why: "nothing vanishes silently",
  },
  {
    what: "a job whose worker is lost",
    here: "dispatched once more, then FAILED with a sentence; the first result counts, whoever posts it",
    why: "work that was done is not thrown away",
  },
  {
    what: "the webhook",
    here: "called for every end of a job, signed where the account has a secret, each try recorded, redelivered on request",
    why: "a receiver can tell a forged call, and an operator what became of one",
  },
  {
    what: "`Idempotency-Key`",
    here: "taken on every POST that creates something, for 24 h",
    why: "a client that repeats itself must not pay twice",
  },
  {
    what: "unknown keys of a body",
    here: "400 with the key and its nearest match, but for those that published clients send",
    why: "a typing error should not be a silent default",
  },
  {
    what: "what is not offered (load-balancing endpoints, clusters, Flash, the model repository)",
    here: "400 `not_offered` with a sentence, or an empty list",
    why: "nothing is accepted and then ignored",
  },
  {
    what: "the proxy to a Pod's HTTP ports",
    here: "no limit of 100 s",
    why: "long answers and streams need none",
  },
  {
    what: "a Pod that ends by itself with an error",
    here: "restarted with growing pauses, EXITED after five ends in ten minutes",
    why: "a crash loop must not bill for ever",
  },
  {
    what: "GPU Pods where no GPU is",
    here: "virtual GPUs, offered on loopback and named in `FREEHOLD_VIRTUAL_GPU`",
    why: "everything about GPUs can be tried on a laptop",
  },
  {
    what: "templates",
    here: "one serves any number of endpoints",
    why: "nothing speaks against it",
  },
  {
    what: "rate limits and quotas",
    here: "off unless a profile is chosen",
    why: "it is your machine",
  },
];
