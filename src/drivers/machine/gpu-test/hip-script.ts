// The program that tests one GPU through AMD's HIP runtime, which the kernel driver does not bring along: the machine
// needs ROCm's `libamdhip64.so` and, from 6 on, `libhiprtc.so`. It runs in Python on the machine.

import { FACTOR, MASK, TEST_FUNCTIONS } from "./memory-and-program.ts";

/** Writes another number to each word of a piece of memory. ROCm compiles it for the GPU. */
const KERNEL = `
extern "C" __global__ void freehold_test(unsigned *data, unsigned count) {
  unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < count) data[n] = (n * ${FACTOR}u) ^ ${MASK}u;
}
`;

export const KFD_NODE = "/dev/kfd";
export const KFD_NODES = "/sys/class/kfd/kfd/topology/nodes";

/** Takes the UUID of the GPU, which is "GPU-" and 16 digits, or "GPU-PCI-" and its address. */
export const HIP_SCRIPT = `${TEST_FUNCTIONS}
import glob, re

def properties_of(node):
    with open(node) as lines:
        return dict(line.split(None, 1) for line in lines if " " in line.strip())

def is_wanted(values):
    number = lambda name: int(values.get(name, 0))
    if address is None:
        return number("unique_id") == int(uuid[4:], 16)
    domain, bus, device = (int(part, 16) for part in re.split("[-:]", uuid[8:]))
    return (number("domain"), number("location_id") >> 3) == (domain, bus << 5 | device)

def architecture():
    """Such as gfx942, which the kernel writes as 90402; None for a kernel that does not say it."""
    for node in glob.glob("${KFD_NODES}/*/properties"):
        values = properties_of(node)
        version = int(values.get("gfx_target_version", 0))
        if version > 0 and is_wanted(values):
            return "gfx%d%x%x" % (version // 10000, version // 100 % 100, version % 100)

def load(name):
    folders = os.environ.get("LD_LIBRARY_PATH", "").split(":")
    folders += ["/opt/rocm/lib", "/opt/rocm*/lib", "/opt/rocm*/core*/lib", "/usr/lib64", "/usr/lib", "/usr/lib/*-linux-gnu"]
    files = [file for folder in folders if folder for file in sorted(glob.glob(folder + "/" + name + ".so*"), reverse=True)]
    for file in [name + ".so"] + files:
        try:
            return ctypes.CDLL(file)
        except OSError as error:
            problem = str(error)
    # The reason of a library that is there says more than that of a name that is in no folder.
    return problem

def compiled():
    compiler = load("libhiprtc")
    if isinstance(compiler, str):
        compiler = library
    def compile(name, *args):
        try:
            code = getattr(compiler, name)(*args)
        except AttributeError:
            end(missing="ROCm's compiler libhiprtc.so")
        if code != 0:
            compiler.hiprtcGetErrorString.restype = c_char_p
            text = (compiler.hiprtcGetErrorString(code) or b"").decode()
            end(missing="a compiler for its programs: %s answered %d (%s)" % (name, code, text))
    program, size = c_void_p(), c_size_t()
    compile("hiprtcCreateProgram", byref(program), ${JSON.stringify(KERNEL)}.encode(), b"freehold_test", 0, None, None)
    gfx = architecture()
    options = [] if gfx is None else [b"--offload-arch=" + gfx.encode()]
    compile("hiprtcCompileProgram", program, len(options), (c_char_p * len(options))(*options))
    compile("hiprtcGetCodeSize", program, byref(size))
    code = ctypes.create_string_buffer(size.value)
    compile("hiprtcGetCode", program, code)
    return code

def name_of(code):
    library.hipGetErrorName.restype = c_char_p
    return (library.hipGetErrorName(code) or b"").decode()

def run_test():
    global library
    if not os.access("${KFD_NODE}", os.R_OK | os.W_OK):
        end(missing="access to ${KFD_NODE}; the user needs its group, such as render")
    library = load("libamdhip64")
    if isinstance(library, str):
        end(missing="ROCm's HIP runtime: " + library)
    call("hipInit", 0)
    count, device = c_int(), c_int()
    call("hipGetDeviceCount", byref(count))
    if address is not None:
        call("hipDeviceGetByPCIBusId", byref(device), address.encode())
    elif count.value != 1:
        end(step="hipGetDeviceCount", code=100, name="%d GPUs instead of 1" % count.value)
    call("hipSetDevice", device)
    api = {
        "info": "hipMemGetInfo", "allocate": "hipMalloc", "free": "hipFree",
        "fill": "hipMemsetD32", "read": "hipMemcpyDtoH", "wait": "hipDeviceSynchronize",
        "load": "hipModuleLoadData", "find": "hipModuleGetFunction", "launch": "hipModuleLaunchKernel",
    }
    test(api, compiled())

uuid = sys.argv[1]
address = uuid[8:].replace("-", ":") + ".0" if uuid.startswith("GPU-PCI-") else None
for name in ("HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "ROCR_VISIBLE_DEVICES"):
    os.environ.pop(name, None)
if address is None:
    os.environ["ROCR_VISIBLE_DEVICES"] = uuid

# ROCm ends a program whose GPU fails, and says why on standard error.
reader, writer = os.pipe()
child = os.fork()
if child == 0:
    os.dup2(writer, 2)
    os.close(reader)
    os.close(writer)
    try:
        run_test()
    except Exception as error:
        print(repr(error), file=sys.stderr, flush=True)
    os._exit(1)
os.close(writer)
with os.fdopen(reader, errors="replace") as lines:
    words = [line.strip() for line in lines if line.strip()]
status = os.waitpid(child, 0)[1]
if status != 0:
    reasons = [line for line in words if re.search("by GPU", line)] or words[-1:]
    end(ended=("signal %d" % os.WTERMSIG(status) if os.WIFSIGNALED(status) else "code %d" % (status >> 8)), words="".join(reasons[:1])[:300])
`;
