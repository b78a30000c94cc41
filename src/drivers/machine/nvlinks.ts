// The NVLinks between a machine's GPUs, read with `nvidia-smi nvlink`: its XML document has nothing of them. A machine
// without NVLinks, and a program that fails here, have no findings.

import { systemClock } from "../../base/clock.ts";
import { HOUR_MS } from "../../base/units.ts";
import {
  type LinkErrors,
  linkErrors,
  linksDown,
  type Nvlinks,
} from "../../domain/gpu/nvlink/nvlinks.ts";
import type { GpuIdentities } from "./gpu-identities.ts";
import type { MakerGpus } from "./nvidia-smi.ts";
import type { Run } from "./run.ts";
import { singleProbe } from "./single-probe.ts";

/** How long an answer is waited for; the reading of the GPUs does not depend on it. */
const ANSWER_MS = 5_000;
/** After how long GPUs without links are asked for them again. */
const AGAIN_MS = HOUR_MS;
/** How long errors are recent after they were counted. */
const RECENT_MS = HOUR_MS;

type LinksOf = ReadonlyMap<string, Nvlinks>;

/** Returns a function that adds what is read of the links to a reading of GPUs. */
export function nvlinkReader(
  run: Run,
  identities: Pick<GpuIdentities, "addLinks">,
): (reading: MakerGpus) => Promise<MakerGpus> {
  const probe = singleProbe(() => readNvlinks(run), null, ANSWER_MS);
  let before: { at: number; links: LinksOf } | null = null;
  let without: { gpus: string; until: number } | null = null;
  let recent = new Map<string, { at: number; text: string }>();
  return async (reading) => {
    if (reading.readings.length < 2) return reading;
    const at = systemClock.ticks();
    const gpus = reading.readings.map(({ uuid }) => uuid).join();
    if (without?.gpus === gpus && at < without.until) return reading;
    const links = await probe();
    without = links?.size === 0 ? { gpus, until: at + AGAIN_MS } : null;
    if (links === null || links.size === 0) return reading;
    recent = new Map([...recent].filter(([, each]) => at < each.at + RECENT_MS));
    for (const [uuid, now] of before === null ? [] : links) {
      const then = before!.links.get(uuid);
      const text = then ? linkErrors(then, now, (at - before!.at) / 1_000) : null;
      if (text !== null) recent.set(uuid, { at, text });
    }
    before = { at, links };
    const names = new Map(reading.gpus.map(({ uuid = "", name }) => [uuid, name]));
    const peersOf = (uuid: string) =>
      [...links].flatMap(([other, each]) =>
        other !== uuid && names.get(other) === names.get(uuid) ? [each] : [],
      );
    const known = identities.addLinks(links);
    const withLinks = reading.readings.map((gpu) => {
      const own = links.get(gpu.uuid);
      const nvlinkTrouble = own ? linksDown(own, known[gpu.uuid] ?? [], peersOf(gpu.uuid)) : null;
      const nvlinkErrors = recent.get(gpu.uuid)?.text ?? null;
      return { ...gpu, readings: { ...gpu.readings, nvlinkTrouble, nvlinkErrors } };
    });
    return { ...reading, readings: withLinks };
  };
}

/** Null if the program fails. */
async function readNvlinks(run: Run): Promise<LinksOf | null> {
  try {
    const status = await run("nvidia-smi", ["nvlink", "-s"]);
    if (parseNvlinks(status, "").size === 0) return new Map();
    return parseNvlinks(status, await run("nvidia-smi", ["nvlink", "-e"]));
  } catch {
    return null;
  }
}

/** The links of the GPUs that have some, by their UUIDs. */
export function parseNvlinks(status: string, errors: string): LinksOf {
  const counters = new Map(sectionsOf(errors).map(({ uuid, lines }) => [uuid, errorsIn(lines)]));
  const links = sectionsOf(status).flatMap(({ uuid, lines }): [string, Nvlinks][] => {
    const found = lines.flatMap((line) => {
      const [, number, state = ""] = /^Link (\d+): (.+)$/.exec(line) ?? [];
      return number === undefined ? [] : [{ number: Number(number), state }];
    });
    const isDown = lines.some((line) => /all links are inactive/i.test(line));
    if (found.length === 0 && !isDown) return [];
    const those = (form: RegExp) =>
      found.filter(({ state }) => form.test(state)).map(({ number }) => number);
    const own = { active: those(/^[\d.]+ GB\/s/), inactive: those(/inactive/i) };
    return [[uuid, { ...own, errors: counters.get(uuid) ?? new Map() }]];
  });
  return new Map(links);
}

/** The lines below each GPU's; what follows its UUID is one, as drivers write it in either way. */
function sectionsOf(text: string): { uuid: string; lines: string[] }[] {
  const sections: { uuid: string; lines: string[] }[] = [];
  for (const line of text.split("\n").map((each) => each.trim())) {
    const [, uuid, rest = ""] = /^GPU \d+:.*\(UUID: (GPU-[\w-]+)\)(.*)$/.exec(line) ?? [];
    if (uuid !== undefined) sections.push({ uuid, lines: [rest.trim()] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}

/** What the driver calls the counters. Since Blackwell, recoveries have another name, and replays are not counted. */
const COUNTERS: Record<string, keyof LinkErrors> = {
  "Replay Errors": "replay",
  "Recovery Errors": "recovery",
  "Total link recovery events": "recovery",
  "CRC Errors": "crc",
};

function errorsIn(lines: readonly string[]): Map<number, LinkErrors> {
  const errors = new Map<number, LinkErrors>();
  for (const line of lines) {
    const [, link, name = "", count] = /^Link (\d+): ([^:]+): (\d+)$/.exec(line) ?? [];
    const counter = Object.hasOwn(COUNTERS, name) ? COUNTERS[name]! : null;
    if (link === undefined || counter === null) continue;
    const before = errors.get(Number(link)) ?? { replay: 0, recovery: 0, crc: 0 };
    errors.set(Number(link), { ...before, [counter]: Number(count) });
  }
  return errors;
}
