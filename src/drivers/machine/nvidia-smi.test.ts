// Tests of reading GPUs and their utilization from nvidia-smi.

import assert from "node:assert/strict";
import { test } from "node:test";
import { XMLParser } from "fast-xml-parser";
import {
  A40,
  gpuDocument,
  LOST,
  listLine,
  type StandInGpu,
} from "../../../test/fixtures/gpu/nvidia-smi.ts";
import { checkReadings, defaultLimits } from "../../domain/gpu/checks.ts";
import { parseGpuUse } from "./load/gpu-use.ts";
import { gpusFrom, parseGpuList } from "./nvidia-smi.ts";
import { parseGpuDocument } from "./nvidia-smi-xml.ts";

const uuid = (index: number) => `GPU-00000000-0000-4000-8000-00000000000${index}`;
const nothing = {
  gpus: [],
  gpuDriver: null,
  cudaVersion: null,
  gpuTrouble: null,
  gpuFaults: [],
  gpuNotices: [],
  gpuSlices: {},
};
const a40 = (index: number) => {
  return { index, uuid: uuid(index), name: "NVIDIA A40", memoryMb: 46_068 };
};
const healthy = {
  ...nothing,
  gpus: [a40(0), a40(1)],
  gpuDriver: "550.163.01",
  cudaVersion: "12.4",
};

const numbers = new Map([0, 1, 2].map((index) => [uuid(index), index]));
const gpusOf = (output: string, error: string | null = null) =>
  gpusFrom(parseGpuDocument(output), { numbers, migDevices: [] }, error);
/** All but the health of each GPU. */
const read = (output: string, error: string | null = null) => {
  const { readings: _, ...rest } = gpusOf(output, error);
  return rest;
};

const parser = new XMLParser({ parseTagValue: false });
/** A GPU with these elements in place of those that it has when it is healthy. */
function withElements(xml: string): StandInGpu {
  const values: Record<string, string | null> = Object.fromEntries(
    HEALTHY.map((name) => [name, null]),
  );
  const add = (node: object, path: string) => {
    for (const [name, value] of Object.entries(node)) {
      if (typeof value === "string") values[path + name] = value;
      else add(value, `${path + name}/`);
    }
  };
  add(parser.parse(xml), "");
  return { index: 0, values };
}
const HEALTHY =
  "persistence_mode performance_state pci mig_mode ecc_errors retired_pages remapped_rows temperature gpu_recovery_action gpu_reset_status clocks_event_reasons".split(
    " ",
  );
const xmlRead = (xml: string) =>
  read(gpuDocument({ gpus: [withElements(xml)] })).gpuFaults[0]?.code;

test("GPUs are read from the document and the list, whatever the driver's generation", () => {
  assert.deepEqual(read(gpuDocument({ gpus: [A40(0), A40(1)] })), healthy);
  const later = read(gpuDocument({ gpus: [A40(0)], driver: "610.43.02" }));
  assert.deepEqual([later.gpuDriver, later.cudaVersion], ["610.43.02", "13.3"]);
  for (const memory of ["N/A", "[N/A]", "Not Supported"]) {
    const values = { "fb_memory_usage/total": memory };
    const unified = read(gpuDocument({ gpus: [{ index: 0, values }] }));
    assert.deepEqual([unified.gpus[0]?.memoryMb, unified.gpuTrouble], [0, null]);
  }
});

test("the list numbers GPUs and not their slices", () => {
  const text = `${listLine(A40(0))}
  MIG 1g.10gb     Device  0: (UUID: MIG-a0000000-0000-4000-8000-000000000000)
${listLine(A40(2))}
Unable to determine the device handle for gpu 0000:23:00.0: Unknown Error`;
  assert.deepEqual(
    [...parseGpuList(text)],
    [
      [uuid(0), 0],
      [uuid(2), 2],
    ],
  );
  // A GPU that is missing from the document does not move the numbers of the others.
  assert.deepEqual(
    read(gpuDocument({ gpus: [A40(0), A40(2)] })).gpus.map(({ index }) => index),
    [0, 2],
  );
  // Neither does one that is missing from the list: its place may be another GPU's number.
  const unnumbered = gpusFrom(
    parseGpuDocument(gpuDocument({ gpus: [A40(1), A40(2)] })),
    { numbers: new Map([[uuid(1), 1]]), migDevices: [] },
    null,
  );
  assert.deepEqual(
    unnumbered.gpus.map(({ index }) => index),
    [1],
  );
  assert.match(unnumbered.gpuTrouble!, /it has no number/);
});

test("the name of a program on a GPU is no part of the document", () => {
  const name = "<process_name>python a&b <x></process_name>";
  const xml = `<processes><process_info><pid>7</pid>\n${name}\n</process_info></processes>`;
  const document = gpuDocument({ gpus: [A40(0)] });
  assert.deepEqual(read(document.replace("</gpu>", `${xml}\n</gpu>`)).gpuTrouble, null);
});

test("health is read in the form of each driver", () => {
  const rows: [xml: string, code: string | undefined][] = [
    ["<gpu_recovery_action>None</gpu_recovery_action>", undefined],
    ["<gpu_recovery_action>N/A</gpu_recovery_action>", undefined],
    ["<gpu_recovery_action>Reset</gpu_recovery_action>", "recovery_action"],
    ["<gpu_reset_status><reset_required>Yes</reset_required></gpu_reset_status>", "reset_required"],
    [
      "<gpu_reset_status><reset_required>Requested functionality has been deprecated</reset_required></gpu_reset_status>",
      undefined,
    ],
    ["<remapped_rows>N/A</remapped_rows>", undefined],
    [
      "<remapped_rows><remapped_row_pending>Yes</remapped_row_pending><remapped_row_failure>No</remapped_row_failure></remapped_rows>",
      undefined,
    ],
    [
      "<remapped_rows><remapped_row_failure>Yes</remapped_row_failure></remapped_rows>",
      "row_remap_failure",
    ],
    [
      "<ecc_errors><aggregate><sram_threshold_exceeded>Yes</sram_threshold_exceeded></aggregate></ecc_errors>",
      "sram_threshold",
    ],
    [
      "<ecc_errors><channel_repair_pending>No</channel_repair_pending><tpc_repair_pending>Yes</tpc_repair_pending></ecc_errors>",
      "repair_pending",
    ],
    [
      "<mig_mode><current_mig>Enabled</current_mig><pending_mig>Enabled</pending_mig></mig_mode>",
      "mig_mode",
    ],
  ];
  for (const [xml, code] of rows) assert.equal(xmlRead(xml), code, xml);
});

/** The elements of a healthy GPU, as drivers of several generations print them. */
const H100_580 = `<persistence_mode>Enabled</persistence_mode><performance_state>P0</performance_state>
<pci><pci_gpu_link_info><pcie_gen><max_link_gen>5</max_link_gen><current_link_gen>5</current_link_gen>
<device_current_link_gen>5</device_current_link_gen><max_host_link_gen>N/A</max_host_link_gen></pcie_gen>
<link_widths><max_link_width>16x</max_link_width><current_link_width>16x</current_link_width></link_widths></pci_gpu_link_info></pci>
<clocks_event_reasons><clocks_event_reason_sw_power_cap>Active</clocks_event_reason_sw_power_cap>
<clocks_event_reason_hw_slowdown>Not Active</clocks_event_reason_hw_slowdown>
<clocks_event_reason_hw_thermal_slowdown>Not Active</clocks_event_reason_hw_thermal_slowdown>
<clocks_event_reason_hw_power_brake_slowdown>Not Active</clocks_event_reason_hw_power_brake_slowdown></clocks_event_reasons>
<ecc_errors><volatile><sram_correctable>0</sram_correctable><sram_uncorrectable_parity>0</sram_uncorrectable_parity>
<sram_uncorrectable_secded>0</sram_uncorrectable_secded><dram_uncorrectable>0</dram_uncorrectable></volatile>
<aggregate><sram_uncorrectable_parity>0</sram_uncorrectable_parity><dram_uncorrectable>0</dram_uncorrectable></aggregate></ecc_errors>
<retired_pages><double_bit_retirement><retired_count>N/A</retired_count></double_bit_retirement>
<pending_blacklist>N/A</pending_blacklist><pending_retirement>N/A</pending_retirement></retired_pages>
<remapped_rows><remapped_row_corr>0</remapped_row_corr><remapped_row_unc>0</remapped_row_unc>
<remapped_row_pending>No</remapped_row_pending><remapped_row_failure>No</remapped_row_failure></remapped_rows>
<fabric><state>Completed</state><status>Success</status><health><summary>N/A</summary></health></fabric>
<temperature><gpu_temp>29 C</gpu_temp><gpu_temp_tlimit>58 C</gpu_temp_tlimit>
<gpu_temp_slow_tlimit_threshold>-2 C</gpu_temp_slow_tlimit_threshold></temperature>`;
const A100_535 = `<persistence_mode>Enabled</persistence_mode><performance_state>P0</performance_state>
<clocks_event_reasons><clocks_event_reason_hw_slowdown>Not Active</clocks_event_reason_hw_slowdown></clocks_event_reasons>
<ecc_errors><volatile><sram_uncorrectable>0</sram_uncorrectable><dram_uncorrectable>0</dram_uncorrectable></volatile>
<aggregate><sram_uncorrectable>0</sram_uncorrectable><dram_uncorrectable>0</dram_uncorrectable></aggregate></ecc_errors>
<remapped_rows>N/A</remapped_rows>
<temperature><gpu_temp>27 C</gpu_temp><gpu_temp_tlimit>N/A</gpu_temp_tlimit><gpu_temp_slow_threshold>89 C</gpu_temp_slow_threshold></temperature>`;
const RTX_515 = `<persistence_mode>Enabled</persistence_mode><performance_state>P8</performance_state>
<pci><pci_gpu_link_info><pcie_gen><max_link_gen>4</max_link_gen><current_link_gen>1</current_link_gen></pcie_gen>
<link_widths><max_link_width>16x</max_link_width><current_link_width>16x</current_link_width></link_widths></pci_gpu_link_info></pci>
<clocks_throttle_reasons><clocks_throttle_reason_hw_slowdown>Not Active</clocks_throttle_reason_hw_slowdown></clocks_throttle_reasons>
<ecc_errors><volatile><single_bit><total>N/A</total></single_bit></volatile></ecc_errors>
<retired_pages><double_bit_retirement><retired_count>N/A</retired_count></double_bit_retirement></retired_pages>`;

test("the checks read the elements of each driver", () => {
  const rows: [xml: string, before: string, after: string, code?: string][] = [
    [H100_580, "", ""],
    [A100_535, "", ""],
    [RTX_515, "", ""],
    [H100_580, "<persistence_mode>Enabled", "<persistence_mode>Disabled", "persistence_mode"],
    [H100_580, "<state>Completed", "<state>In Progress", "fabric"],
    [H100_580, "<summary>N/A", "<summary>Unhealthy", "fabric"],
    [H100_580, "<summary>N/A", "<summary>Healthy"],
    [H100_580, "<state>Completed", "<state>Unknown Error"],
    [H100_580, "<current_link_width>16x", "<current_link_width>8x", "pcie_width"],
    [H100_580, "<current_link_gen>5", "<current_link_gen>3", "pcie_generation"],
    [
      H100_580,
      "_hw_thermal_slowdown>Not Active",
      "_hw_thermal_slowdown>Active",
      "thermal_slowdown",
    ],
    [
      H100_580,
      "_hw_power_brake_slowdown>Not Active",
      "_hw_power_brake_slowdown>Active",
      "power_slowdown",
    ],
    [A100_535, "_hw_slowdown>Not Active", "_hw_slowdown>Active", "hardware_slowdown"],
    [RTX_515, "_hw_slowdown>Not Active", "_hw_slowdown>Active", "hardware_slowdown"],
    [H100_580, "secded>0", "secded>2", "ecc_errors"],
    [A100_535, "<sram_uncorrectable>0", "<sram_uncorrectable>2", "ecc_errors"],
    [H100_580, "row_unc>0", "row_unc>512", "remapped_rows"],
    [H100_580, "row_pending>No", "row_pending>Yes", "row_remap_pending"],
    [RTX_515, "retired_count>N/A", "retired_count>16", "retired_pages"],
    [H100_580, "<pending_blacklist>N/A", "<pending_blacklist>Yes", "page_retirement_pending"],
    [H100_580, "<gpu_temp_tlimit>58 C", "<gpu_temp_tlimit>-2 C", "temperature"],
    [A100_535, "<gpu_temp>27 C", "<gpu_temp>89 C", "temperature"],
  ];
  for (const [xml, before, after, code] of rows) {
    const changed = xml.replace(before, after);
    const { readings, gpuFaults } = gpusOf(gpuDocument({ gpus: [withElements(changed)] }));
    const findings = checkReadings(readings[0]!.readings, defaultLimits);
    assert.deepEqual(
      [...findings, ...gpuFaults].map((finding) => finding.code),
      code ? [code] : [],
      after,
    );
  }
});

test("GPU utilization is read from its table", () => {
  const table = `${uuid(0)}, 37, 11517, 46068, 61, 71.52, 1410\n${uuid(1)}, 0, [N/A], [N/A], [N/A], [N/A], [N/A]\n${uuid(2)}, 1, 1, 1, 1, 1, 1\n`;
  const untold = { temperatureC: null, powerWatts: null, clockMhz: null };
  assert.deepEqual(parseGpuUse(table, { [uuid(0)]: 1, [uuid(1)]: 0 }), [
    {
      index: 1,
      gpuUtilPercent: 37,
      memoryUtilPercent: 25,
      temperatureC: 61,
      powerWatts: 71.52,
      clockMhz: 1_410,
    },
    { index: 0, gpuUtilPercent: 0, memoryUtilPercent: 0, ...untold },
  ]);
  for (const none of ["[N/A]", "[Unknown Error]", ""])
    assert.deepEqual(parseGpuUse(`${uuid(0)}, ${none}, 1, 2, 3, 4, 5\n`, { [uuid(0)]: 0 }), []);
  assert.deepEqual(parseGpuUse("No devices were found\n", {}), []);
});

test("a failing driver is trouble, and the GPUs that can be read are kept", () => {
  const good = gpuDocument({ gpus: [A40(0), A40(2)] });
  const handle = "Unable to determine the device handle for GPU1: 0000:02:00.0: Unknown Error";
  const withLost = (lost: StandInGpu) => gpuDocument({ gpus: [A40(0), lost, A40(2)] });
  const rows: [output: string, error: string | null, indices: number[], trouble: RegExp][] = [
    ["Failed to initialize NVML: Driver/library version mismatch\n", "x", [], /version mismatch/],
    ["Aucun périphérique\n", "x", [], /Aucun périphérique/],
    ["No devices were found\n", "x", [], /No devices were found/],
    [`${handle}\nNo devices were found\n`, "x", [], /device handle for GPU1/],
    [`${handle}\n${good}\n`, "x", [0, 2], /device handle for GPU1/],
    [withLost(LOST(1)), null, [0, 2], /GPU 1: GPU is lost/],
    [withLost({ index: 1, name: "[Unknown Error]" }), null, [0, 2], /GPU 1: \[Unknown Er/],
    [withLost({ index: 1, values: { uuid: "N/A" } }), null, [0, 2], /GPU 1: it has no UUID/],
    [good.slice(0, good.length / 2), null, [], /document is incomplete/],
    ["", null, [], /lists no GPUs/],
    ["", "it ended with code 255", [], /ended with code 255/],
    [good, "it ended with code 15", [0, 2], /ended with code 15/],
  ];
  for (const [output, error, indices, trouble] of rows) {
    const reading = read(output, error);
    assert.deepEqual(
      reading.gpus.map(({ index }) => index),
      indices,
    );
    assert.match(reading.gpuTrouble ?? "", trouble);
  }
});

test("a document in another form is trouble in words, and no GPU of it is offered", () => {
  const good = gpuDocument({ gpus: [A40(0)] });
  const deep = `<nvidia_smi_log>${"<a>".repeat(5_000)}${"</a>".repeat(5_000)}</nvidia_smi_log>`;
  const rows: [output: string, trouble: string][] = [
    [deep, "nvidia-smi: its XML document is incomplete"],
    [
      good.replace("46068 MiB", "45 GiB"),
      'nvidia-smi: GPU 0: its memory is "45 GiB", and no number of MiB',
    ],
    [
      good.replace(/<fb_memory_usage>[\s\S]*<\/fb_memory_usage>/, ""),
      "nvidia-smi: GPU 0: it does not say its memory",
    ],
    [good.replaceAll(/gpu(?= id|>)/g, "device"), "nvidia-smi: it lists no GPUs"],
  ];
  for (const [output, trouble] of rows) {
    const { gpus, gpuTrouble } = read(output);
    assert.deepEqual([gpus, gpuTrouble], [[], trouble]);
  }
  const twice = read(gpuDocument({ gpus: [A40(0), A40(0)] }));
  assert.deepEqual(twice.gpus, [a40(0)]);
  assert.match(twice.gpuTrouble!, /another GPU has its UUID/);
});
