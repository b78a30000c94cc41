// The AMD GPUs of a machine as its kernel shows them below /sys. Without a tool of AMD they are read from there alone.

import { type PciAddress, pciAddress } from "../../domain/gpu/kernel-line.ts";
import type { Run } from "./run.ts";

/** A GPU that the driver `amdgpu` has. */
export interface AmdDevice {
  pci: PciAddress;
  /** Such as "renderD128"; empty if it has none. */
  render: string;
  /** The group of its render node; null if the node is not there. */
  group: number | null;
  /** 16 hexadecimal digits; null if the GPU has none. */
  uniqueId: string | null;
  /** Empty on many cards. */
  product: string;
  memoryBytes: number | null;
  usedBytes: number | null;
  busyPercent: number | null;
  /** At its edge; at its hottest place for cards without that sensor, such as an MI300X. */
  temperatureC: number | null;
  powerWatts: number | null;
  clockMhz: number | null;
  /** Such as "SPX" or "CPX"; null for a GPU that cannot be partitioned. */
  partition: string | null;
  /** Null without error counters. */
  uncorrectable: number | null;
  retiredPages: number | null;
  pendingPages: number | null;
  /** The ids of device and revision, such as "0x74a1" and "0x00". */
  device: string;
  /** Its name in the table of libdrm; empty without that. */
  tableName: string;
}

export interface AmdDevices {
  devices: AmdDevice[];
  /** The version of the driver; null without one. */
  driver: string | null;
  /** What no driver has. */
  undriven: UndrivenDevice[];
  /** The CDI names of GPUs by their render nodes, such as "/dev/dri/renderD128". */
  cdiNames: ReadonlyMap<string, string>;
}

export interface UndrivenDevice {
  pci: PciAddress;
  /** False for a display controller, which may be no GPU that programs run on. */
  isAccelerator: boolean;
}

const CDI_FILES = `
for file in /etc/cdi/*.json /var/run/cdi/*.json; do
  [ -e "$file" ] && grep -q '"amd.com/gpu"' "$file" && echo "cdi|$(tr -d '\\n|' < "$file")"
done 2>/dev/null
true`;

/**
 * Prints a line for each GPU of the driver, for each accelerator or display controller without a driver, and for each node of the
 * compute driver. A container that runs Freehold sees the devices of the whole host. A server has hundreds of them, so none of
 * another maker costs a process.
 */
export const AMD_SYSFS = `
text() { { IFS= read -r line < "$1"; } 2>/dev/null && printf %s "$line" | tr -d '|'; }
for device in /sys/bus/pci/devices/*; do
  { IFS= read -r line < "$device/vendor"; } 2>/dev/null && [ "$line" = 0x1002 ] || continue
  driver=$(readlink "$device/driver")
  case "\${driver##*/}" in
    amdgpu) ;;
    "") class=$(text "$device/class"); case "$class" in 0x1200*|0x03*) echo "undriven|\${device##*/}|$class" ;; esac; continue ;;
    *) continue ;;
  esac
  render=$(ls "$device/drm" 2>/dev/null | grep '^renderD' | head -n 1)
  group=$(stat -c %g "/dev/dri/$render" 2>/dev/null)
  errors=$(cat "$device"/ras/*_err_count 2>/dev/null | awk '/^ue:/ { n += $2; f = 1 } END { if (f) print n }')
  pages=$(awk '/: R *$/ { r++ } /: P *$/ { p++ } END { printf "%d|%d", r, p }' "$device/ras/gpu_vram_bad_pages" 2>/dev/null || echo "|")
  heat=; for sensor in "$device"/hwmon/hwmon*/temp1_input "$device"/hwmon/hwmon*/temp2_input; do [ "$heat" ] || heat=$(text "$sensor"); done
  watts=; for sensor in "$device"/hwmon/hwmon*/power1_average "$device"/hwmon/hwmon*/power1_input; do [ "$watts" ] || watts=$(text "$sensor"); done
  clock=; for sensor in "$device"/hwmon/hwmon*/freq1_input; do clock=$(text "$sensor"); done
  id=$(text "$device/device"); revision=$(text "$device/revision")
  name=$(grep -i "^\${id#0x},[[:space:]]*\${revision#0x}," /usr/share/libdrm/amdgpu.ids 2>/dev/null | head -n 1 | cut -d, -f3- | tr -d '|')
  echo "amdgpu|\${device##*/}|$render|$group|$(text "$device/unique_id")|$(text "$device/product_name")|$(text "$device/mem_info_vram_total")|$(text "$device/mem_info_vram_used")|$(text "$device/gpu_busy_percent")|$(text "$device/current_compute_partition")|$errors|$pages|$id|$name|$heat|$watts|$clock"
done
for node in /sys/class/kfd/kfd/topology/nodes/*/properties; do
  [ -e "$node" ] && awk '$1 == "drm_render_minor" && $2 > 0 { print "kfd|renderD" $2 }' "$node"
done 2>/dev/null
${CDI_FILES}
[ -d /sys/module/amdgpu ] && echo "driver|$(text /sys/module/amdgpu/version)|$(uname -r)"
true`;

/** A GPU without a node of the compute driver runs no program. */
export function parseAmdDevices(output: string): AmdDevices {
  const rows = output.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  const rowsOf = (kind: string) => rows.filter(([first]) => first === kind);
  const computing = new Set(rowsOf("kfd").map(([, render]) => render));
  const [, version, kernel] = rowsOf("driver")[0] ?? [];
  const cdi = rowsOf("cdi").flatMap(([, text = ""]) => cdiNamesIn(text));
  // Two specifications may give one name to different GPUs: engines take that of /var/run/cdi, or none of one folder's.
  const isCertain = ([render, name]: [string, string]) =>
    cdi.every(([other, each]) => each !== name || other === render);
  return {
    devices: rowsOf("amdgpu")
      .flatMap(deviceOf)
      .filter(({ render }) => computing.has(render)),
    driver: version || kernel || null,
    undriven: rowsOf("undriven").flatMap(([, address = "", type = ""]) => {
      const pci = pciAddress(address);
      return pci === null ? [] : { pci, isAccelerator: type.startsWith("0x1200") };
    }),
    cdiNames: new Map(cdi.filter(isCertain)),
  };
}

/** The CDI names of GPUs as the files have them now. A machine whose files cannot be read has none. */
export const cdiNamesReader = (run: Run) => async (): Promise<AmdDevices["cdiNames"]> => {
  const output = await run("sh", ["-c", CDI_FILES]).catch(() => "");
  return parseAmdDevices(output).cdiNames;
};

/** The format of `amd-ctk cdi generate`. A name of several GPUs, such as "all", is the name of none. */
function cdiNamesIn(text: string): [render: string, name: string][] {
  const { kind, devices = [] } = parsedOrEmpty(text);
  if (kind !== "amd.com/gpu" || !Array.isArray(devices)) return [];
  return devices.flatMap(({ name, containerEdits }): [string, string][] => {
    const nodes = (containerEdits?.deviceNodes ?? []).map(({ path }) => path ?? "");
    const renders = nodes.filter((path) => /^\/dev\/dri\/renderD\d+$/.test(path));
    const isOwn = typeof name === "string" && name !== "all" && renders.length === 1;
    return isOwn ? [[renders[0]!, `${kind}=${name}`]] : [];
  });
}

interface CdiSpecification {
  kind?: string;
  devices?: { name?: string; containerEdits?: { deviceNodes?: { path?: string }[] } }[];
}

function parsedOrEmpty(text: string): CdiSpecification {
  try {
    return (JSON.parse(text) as CdiSpecification | null) ?? {};
  } catch {
    return {};
  }
}

function deviceOf(cells: string[]): AmdDevice[] {
  const [, address = "", render = "", group, uniqueId = "", product = "", ...rest] = cells;
  const [memory, used, busy, partition, errors, retired, pending, device = "", ...last] = rest;
  const [tableName = "", heat, power, clock] = last;
  const pci = pciAddress(address);
  if (pci === null) return [];
  return [
    {
      pci,
      render,
      product,
      device,
      tableName,
      group: countIn(group),
      uniqueId: /^[0-9a-f]{16}$/i.test(uniqueId) ? uniqueId.toLowerCase() : null,
      memoryBytes: countIn(memory),
      usedBytes: countIn(used),
      busyPercent: countIn(busy),
      // The kernel counts millidegrees, microwatts and hertz. A sensor that sleeps with its card gives nothing.
      temperatureC: inUnits(countIn(heat), 1_000),
      powerWatts: inUnits(countIn(power), 1_000_000),
      clockMhz: inUnits(countIn(clock), 1_000_000),
      partition: partition || null,
      uncorrectable: countIn(errors),
      retiredPages: countIn(retired),
      pendingPages: countIn(pending),
    },
  ];
}

const countIn = (text: string | undefined): number | null =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : null;

const inUnits = (count: number | null, perUnit: number): number | null =>
  count === null ? null : Math.round((10 * count) / perUnit) / 10;
