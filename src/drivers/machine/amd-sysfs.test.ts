// Tests of the script that reads AMD GPUs from the kernel, on a folder in place of /sys.

import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { AMD_SYSFS, parseAmdDevices } from "./amd-sysfs.ts";
import { runLocally } from "./run.ts";

const nodes = (...minors: number[]) => {
  const paths = minors.flatMap((minor) => [
    `/dev/dri/card${minor - 127}`,
    `/dev/dri/renderD${minor}`,
  ]);
  return { deviceNodes: [...paths, "/dev/kfd"].map((path) => ({ path, type: "c" })) };
};
const specification = {
  cdiVersion: "0.6.0",
  kind: "amd.com/gpu",
  devices: [
    { name: "0", containerEdits: nodes(129) },
    { name: "1", containerEdits: nodes(130) },
    { name: "both", containerEdits: nodes(129, 130) },
    { name: "all", containerEdits: nodes(129) },
  ],
};

const amd = { vendor: "0x1002\n", class: "0x120000\n" };

/** A folder in place of the root of the file system. */
function kernel(t: TestContext) {
  const root = mkdtempSync(path.join(tmpdir(), "freehold-amd-"));
  t.after(() => rmSync(root, { recursive: true }));
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  };
  const bus = "sys/bus/pci/devices";
  mkdirSync(path.join(root, "drivers/amdgpu"), { recursive: true });
  const device = (address: string, files: Record<string, string>, isDriven: boolean) => {
    for (const [name, text] of Object.entries(files)) write(`${bus}/${address}/${name}`, text);
    if (!isDriven) return;
    symlinkSync(path.join(root, "drivers/amdgpu"), path.join(root, bus, address, "driver"));
  };
  const script = AMD_SYSFS.replaceAll(/\/(?=(?:sys|usr|etc\/cdi|var\/run)\/)/g, `${root}/`);
  const read = async (env?: { PATH: string }) =>
    parseAmdDevices(await runLocally(env)("sh", ["-c", script]));
  return { root, write, device, read };
}

test("the script reads what the kernel shows", async (t) => {
  const { write, device, read } = kernel(t);
  const memory = { mem_info_vram_total: "206141652992\n", mem_info_vram_used: "300000000\n" };
  const identity = { unique_id: "4c2b9f3e8a7d6150\n", device: "0x74a1\n", revision: "0x00\n" };
  const ras = {
    "ras/umc_err_count": "ue: 2\nce: 5\n",
    "ras/gfx_err_count": "ue: 1\nce: 0\n",
    "ras/gpu_vram_bad_pages": "0x00000001 : 0x00001000 : R\n0x00000002 : 0x00001000 : P\n",
  };
  device(
    "0000:03:00.0",
    { ...amd, ...memory, ...identity, ...ras, "drm/renderD129/dev": "x" },
    true,
  );
  device("0000:04:00.0", amd, false);
  device("0000:07:00.0", { ...amd, class: "0x030000\n" }, false);
  device("0000:08:00.0", { ...amd, class: "0x040300\n" }, false);
  device("0000:05:00.0", { ...amd, vendor: "0x10de\n" }, false);
  device("0000:06:00.0", { ...amd, "drm/renderD130/dev": "x" }, true);
  write("sys/class/kfd/kfd/topology/nodes/1/properties", "simd_count 4\ndrm_render_minor 129\n");
  write("sys/module/amdgpu/version", "6.10.5\n");
  write("usr/share/libdrm/amdgpu.ids", "# List\n1.0.0\n74A1,\t00,\tAMD Instinct MI300X\n");
  write("var/run/cdi/amd.json", JSON.stringify(specification, null, 2));
  write("etc/cdi/half.json", '{"kind": "amd.com/gpu", "devices"');
  write("etc/cdi/nvidia.json", '{"kind": "nvidia.com/gpu", "devices": []}');
  const { devices, driver, undriven, cdiNames } = await read();
  assert.deepEqual([driver, devices.length], ["6.10.5", 1]);
  assert.deepEqual(Object.fromEntries(cdiNames), {
    "/dev/dri/renderD129": "amd.com/gpu=0",
    "/dev/dri/renderD130": "amd.com/gpu=1",
  });
  assert.deepEqual(undriven, [
    { pci: "0000:04:00", isAccelerator: true },
    { pci: "0000:07:00", isAccelerator: false },
  ]);
  assert.partialDeepStrictEqual(devices[0], {
    pci: "0000:03:00",
    render: "renderD129",
    uniqueId: "4c2b9f3e8a7d6150",
    product: "",
    memoryBytes: 206_141_652_992,
    partition: null,
    uncorrectable: 3,
    retiredPages: 1,
    pendingPages: 1,
    tableName: "AMD Instinct MI300X",
    device: "0x74a1",
  });
});

test("the script starts no process for devices of other makers", async (t) => {
  const { root, write, device, read } = kernel(t);
  for (const n of [1, 2, 3]) {
    device(`0000:0${n}:00.0`, { vendor: "0x8086\n", class: "0x030000\n" }, false);
  }
  device("0000:04:00.0", { class: "0x030000\n" }, false);
  const PATH = path.join(root, "programs");
  const started = path.join(root, "started");
  for (const name of ["tr", "awk", "grep", "ls", "stat", "cat", "cut", "head", "readlink"]) {
    write(`programs/${name}`, `#!/bin/sh\necho ${name} >> '${started}'\n`);
    chmodSync(path.join(PATH, name), 0o755);
  }
  symlinkSync("/bin/sh", path.join(PATH, "sh"));
  assert.deepEqual((await read({ PATH })).undriven, []);
  assert.ok(!existsSync(started), "programs were started");
});

test("the script reads the sensors of a card, whichever it has", async (t) => {
  const { write, device, read } = kernel(t);
  // An MI300X has no sensor at its edge, and its driver gives no average of its power.
  const hottest = {
    temp2_input: "41000\n",
    temp3_input: "52000\n",
    power1_input: "143500000\n",
    freq1_input: "132000000\n",
  };
  const both = {
    temp1_input: "38000\n",
    temp2_input: "45000\n",
    power1_average: "9000000\n",
    power1_input: "8000000\n",
  };
  for (const [n, files] of [hottest, both, { name: "amdgpu\n" }].entries()) {
    const sensors = Object.entries(files).map(([name, text]) => [`hwmon/hwmon7/${name}`, text]);
    const render = { [`drm/renderD${128 + n}/dev`]: "x" };
    device(`0000:0${n}:00.0`, { ...amd, ...Object.fromEntries(sensors), ...render }, true);
    write(`sys/class/kfd/kfd/topology/nodes/${n}/properties`, `drm_render_minor ${128 + n}\n`);
  }
  const { devices } = await read();
  const values = devices.map((each) => [each.temperatureC, each.powerWatts, each.clockMhz]);
  assert.deepEqual(values, [
    [41, 143.5, 132],
    [38, 9, null],
    [null, null, null],
  ]);
});
