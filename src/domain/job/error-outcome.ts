// Which outcome the error that a handler posted counts as for a retry policy. Frameworks report that memory
// ran out as an exception like any other; only its text tells it apart.

import { errorText } from "./error-text.ts";
import type { RetryOutcome } from "./retry-policy.ts";

/** How frameworks say that the memory of a GPU, or of the machine, ran out. */
const outOfMemory = [
  // PyTorch, and with it vLLM, Transformers and Diffusers; the JVM says the first as well.
  /\bOutOfMemoryError\b/,
  /\b(?:CUDA|HIP|XPU|MPS)(?: backend)? out of memory\b/i,
  /\b(?:CUDA|HIP)(?: driver| runtime)? error\b[^\n]{0,40}\bout of memory\b/i,
  /\b(?:cudaErrorMemoryAllocation|CUDA_ERROR_OUT_OF_MEMORY|hipErrorOutOfMemory)\b/,
  /\b(?:CUBLAS|CUDNN)_STATUS_ALLOC_FAILED\b/,
  // vLLM, for its cache.
  /\bNo available memory for the cache blocks\b/,
  // JAX and TensorFlow. RESOURCE_EXHAUSTED alone may be a quota of a service that the handler calls.
  /\b(?:RESOURCE_EXHAUSTED|ResourceExhaustedError)\b[^\n]{0,200}\b(?:out of memory|OOM|allocat(?:e|ing))\b/i,
  // Python, for the machine's memory.
  /\bMemoryError\b/,
];

/** Enough for a message, and for the end of a stack that names the exception last. */
const SEARCHED_CHARS = 10_000;

export function outcomeOfError(error: string): RetryOutcome {
  const text = errorText(error);
  const parts = [text.slice(0, SEARCHED_CHARS), text.slice(SEARCHED_CHARS).slice(-SEARCHED_CHARS)];
  const says = parts.some((part) => outOfMemory.some((pattern) => pattern.test(part)));
  return says ? "outOfMemory" : "error";
}
