import assert from "node:assert/strict";
import { test } from "node:test";
import { outcomeOfError } from "./error-outcome.ts";

const posted = (type: string, message: string) =>
  JSON.stringify({ error_type: `<class '${type}'>`, error_message: message });

const outOfMemory = [
  posted("torch.OutOfMemoryError", "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a"),
  posted("torch.cuda.OutOfMemoryError", "Allocation on device"),
  posted("RuntimeError", "CUDA error: out of memory\nCUDA kernel errors might be asynchronously"),
  posted("MemoryError", ""),
  "CUDA out of memory",
  "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 20.00 MiB",
  "RuntimeError: MPS backend out of memory (MPS allocated: 9.05 GB)",
  "RuntimeError: cuda runtime error (2) : out of memory at /pytorch/aten/src/THC",
  "ggml_cuda: CUDA error: out of memory",
  "RuntimeError: CUDA driver error: out of memory",
  "CUDA_ERROR_OUT_OF_MEMORY: out of memory",
  "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
  "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`",
  "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 8589934592 bytes.",
  "jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Failed to allocate request for 4.00GiB on device ordinal 0",
  "ResourceExhaustedError: {{function_node}} OOM when allocating tensor with shape[64,512,512,64]",
  `Traceback (most recent call last):\n${'  File "a.py", line 1\n'.repeat(5_000)}torch.OutOfMemoryError: CUDA`,
];

const otherErrors = [
  "",
  posted("ValueError", "no image"),
  posted("RuntimeError", "CUDA error: device-side assert triggered"),
  "CUDA error: an illegal memory access was encountered",
  "google.api_core.exceptions.ResourceExhausted: 429 RESOURCE_EXHAUSTED: Quota exceeded for requests",
  "grpc: RESOURCE_EXHAUSTED: Received message larger than max (5 vs. 4)",
  "the worker's result has 30000000 bytes; the limit is 20971520",
  "OSError: [Errno 28] No space left on device",
  "the shop is out of memory cards",
];

for (const [expected, errors] of Object.entries({ outOfMemory, error: otherErrors })) {
  for (const error of errors) {
    test(`${expected}: ${error.slice(0, 80)}`, () => assert.equal(outcomeOfError(error), expected));
  }
}

test("a long error that repeats the beginning of a pattern is read to its end", () => {
  for (const part of ["a", "CUDA error", "RESOURCE_EXHAUSTED "]) {
    assert.equal(outcomeOfError(part.repeat(1_000_000)), "error");
  }
});
