// The program that tests one GPU through NVIDIA's driver library alone. It runs in Python on the machine, which needs
// no CUDA toolkit, and prints one line of JSON.

/** How much memory is written and read back at most. */
const MAX_BYTES = 4 * 1_024 ** 3;

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
  mul.lo.u32 %r6, %r5, 0x9E3779B1;
  xor.b32 %r6, %r6, 0x5BD1E995;
  st.global.u32 [%rd2], %r6;
DONE:
  ret;
}
`;

export const GPU_TEST_SCRIPT = `
import array, ctypes, json, sys
from ctypes import byref, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p

def end(**answer):
    print(json.dumps(answer))
    sys.exit(0)

try:
    cuda = ctypes.CDLL("libcuda.so.1")
except OSError as error:
    end(missing=str(error))

def call(name, *args):
    try:
        function = getattr(cuda, name)
    except AttributeError:
        end(missing="the function " + name + " in libcuda.so.1")
    code = function(*args)
    if code != 0:
        text = c_char_p()
        cuda.cuGetErrorName(code, byref(text))
        end(step=name, code=code, name=(text.value or b"").decode())

call("cuInit", 0)
count = c_int()
call("cuDeviceGetCount", byref(count))
if count.value != 1:
    end(step="cuDeviceGetCount", code=100, name="%d GPUs instead of 1" % count.value)
device, context = c_int(), c_void_p()
call("cuDeviceGet", byref(device), 0)
call("cuDevicePrimaryCtxRetain", byref(context), device)
call("cuCtxSetCurrent", context)
free, total = c_size_t(), c_size_t()
call("cuMemGetInfo_v2", byref(free), byref(total))
piece = 16 << 20
size = min(free.value * 9 // 10, ${MAX_BYTES}) // piece * piece
if size == 0:
    end(step="cuMemGetInfo_v2", code=2, name="%d MB of its memory are free" % (free.value >> 20))
memory = c_uint64()
call("cuMemAlloc_v2", byref(memory), c_size_t(size))
read = ctypes.create_string_buffer(piece)
for pattern in (0xA5A5A5A5, 0x5A5A5A5A):
    call("cuMemsetD32_v2", memory, c_uint(pattern), c_size_t(size // 4))
    call("cuCtxSynchronize")
    expected = pattern.to_bytes(4, "little") * (piece // 4)
    for offset in range(0, size, piece):
        call("cuMemcpyDtoH_v2", read, c_uint64(memory.value + offset), c_size_t(piece))
        held = bytes(read)
        if held != expected:
            at = next(n for n in range(piece) if held[n] != expected[n])
            end(step="memory", wrong="byte %d of %d" % (offset + at, size))
module, kernel = c_void_p(), c_void_p()
call("cuModuleLoadData", byref(module), ${JSON.stringify(KERNEL)}.encode() + b"\\0")
call("cuModuleGetFunction", byref(kernel), module, b"freehold_test")
words = 1 << 18
data, number = c_uint64(memory.value), c_uint(words)
params = (c_void_p * 2)(ctypes.cast(byref(data), c_void_p), ctypes.cast(byref(number), c_void_p))
grid = (words + 255) // 256
call("cuLaunchKernel", kernel, grid, 1, 1, 256, 1, 1, 0, None, params, None)
call("cuCtxSynchronize")
call("cuMemcpyDtoH_v2", read, memory, c_size_t(piece))
numbers = array.array("I", ((n * 0x9E3779B1 & 0xFFFFFFFF) ^ 0x5BD1E995 for n in range(words)))
if bytes(read)[:4 * words] != numbers.tobytes():
    end(step="kernel", wrong="its results")
call("cuMemFree_v2", memory)
end(passed=True, checkedMb=size >> 20)
`;
