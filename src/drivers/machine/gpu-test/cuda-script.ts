// The program that tests one GPU through NVIDIA's driver library alone. It runs in Python on the machine, which needs
// no CUDA toolkit.

import { FACTOR, MASK, TEST_FUNCTIONS } from "./memory-and-program.ts";

/** Writes another number to each word of a piece of memory. The driver compiles it for its GPU. */
const KERNEL = `
.version 6.0
.target sm_50
.address_size 64
.visible .entry freehold_test(.param .u64 data, .param .u32 count)
{
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r1, [count];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1;
  @%p1 bra DONE;
  cvta.to.global.u64 %rd2, %rd1;
  mul.wide.u32 %rd3, %r5, 4;
  add.s64 %rd2, %rd2, %rd3;
  mul.lo.u32 %r6, %r5, ${FACTOR};
  xor.b32 %r6, %r6, ${MASK};
  st.global.u32 [%rd2], %r6;
DONE:
  ret;
}
`;

/** The GPU is the one that CUDA_VISIBLE_DEVICES names. */
export const CUDA_SCRIPT = `${TEST_FUNCTIONS}
try:
    library = ctypes.CDLL("libcuda.so.1")
except OSError as error:
    end(missing=str(error))

def name_of(code):
    text = c_char_p()
    library.cuGetErrorName(code, byref(text))
    return (text.value or b"").decode()

call("cuInit", 0)
count = c_int()
call("cuDeviceGetCount", byref(count))
if count.value != 1:
    end(step="cuDeviceGetCount", code=100, name="%d GPUs instead of 1" % count.value)
device, context = c_int(), c_void_p()
call("cuDeviceGet", byref(device), 0)
call("cuDevicePrimaryCtxRetain", byref(context), device)
call("cuCtxSetCurrent", context)
api = {
    "info": "cuMemGetInfo_v2", "allocate": "cuMemAlloc_v2", "free": "cuMemFree_v2",
    "fill": "cuMemsetD32_v2", "read": "cuMemcpyDtoH_v2", "wait": "cuCtxSynchronize",
    "load": "cuModuleLoadData", "find": "cuModuleGetFunction", "launch": "cuLaunchKernel",
}
test(api, ${JSON.stringify(KERNEL)}.encode() + b"\\0")
`;
