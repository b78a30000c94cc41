// The part of the test programs that is one for all GPUs: it writes and reads back memory, and runs a short program.
// It is Python that runs on the machine, and prints one line of JSON.

import { GIB } from "../../../base/units.ts";

/** How much memory is written and read back at most. */
const MAX_BYTES = 4 * GIB;

/** What the short program writes to each word, by its position: Weyl's sequence, so that no two words are alike. */
export const [FACTOR, MASK] = ["0x9E3779B1", "0x5BD1E995"];

/** Functions of Python for a test. The program of the GPU's maker has `library`, `name_of`, and the names of its functions in `api`. */
export const TEST_FUNCTIONS = `
import array, ctypes, json, os, sys
from ctypes import byref, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p

def end(**answer):
    print(json.dumps(answer), flush=True)
    # The library's own end is not waited for: it can hang or fail on a faulty GPU.
    os._exit(0)

def function(library, name):
    try:
        return getattr(library, name)
    except AttributeError:
        end(missing="the function " + name + " in its driver library")

def call(name, *args):
    code = function(library, name)(*args)
    if code != 0:
        end(step=name, code=code, name=name_of(code))

def test(api, code):
    free, total = c_size_t(), c_size_t()
    call(api["info"], byref(free), byref(total))
    piece = 16 << 20
    size = min(free.value * 9 // 10, ${MAX_BYTES}) // piece * piece
    if size == 0:
        end(step=api["info"], code=2, name="%d MB of its memory are free" % (free.value >> 20))
    memory = c_uint64()
    call(api["allocate"], byref(memory), c_size_t(size))
    read = ctypes.create_string_buffer(piece)
    for pattern in (0xA5A5A5A5, 0x5A5A5A5A):
        call(api["fill"], memory, c_uint(pattern), c_size_t(size // 4))
        call(api["wait"])
        expected = pattern.to_bytes(4, "little") * (piece // 4)
        for offset in range(0, size, piece):
            call(api["read"], read, c_uint64(memory.value + offset), c_size_t(piece))
            held = bytes(read)
            if held != expected:
                at = next(n for n in range(piece) if held[n] != expected[n])
                end(step="memory", wrong="byte %d of %d" % (offset + at, size))
    module, kernel = c_void_p(), c_void_p()
    call(api["load"], byref(module), code)
    call(api["find"], byref(kernel), module, b"freehold_test")
    words = 1 << 18
    data, number = c_uint64(memory.value), c_uint(words)
    params = (c_void_p * 2)(ctypes.cast(byref(data), c_void_p), ctypes.cast(byref(number), c_void_p))
    call(api["launch"], kernel, (words + 255) // 256, 1, 1, 256, 1, 1, 0, None, params, None)
    call(api["wait"])
    call(api["read"], read, memory, c_size_t(piece))
    numbers = array.array("I", ((n * ${FACTOR} & 0xFFFFFFFF) ^ ${MASK} for n in range(words)))
    if bytes(read)[:4 * words] != numbers.tobytes():
        end(step="kernel", wrong="its results")
    call(api["free"], memory)
    end(passed=True, checkedMb=size >> 20)
`;
