// A machine whose GPUs follow a scenario, by the service's clock: what its programs print, and its kernel log.

import { type Clock, msUntil, pause } from "../../../base/clock.ts";
import { AMD_SYSFS } from "../../machine/amd-sysfs.ts";
import type { Follow } from "../../machine/kernel-log.ts";
import { COUNT_ON_BUS } from "../../machine/nvidia-smi.ts";
import type { Run } from "../../machine/run.ts";
import { amdSmi, amdSysfs } from "./amd-programs.ts";
import { nvidiaSmi, type ProgramAnswer } from "./nvidia-smi-program.ts";
import type { Scenario, ScenarioEvent } from "./scenario.ts";
import { gpuUuid, isAmd, nvidiaOnBus, type ScenarioState, scenarioAt } from "./simulated-gpus.ts";
import { testProgram } from "./test-program.ts";

export interface ScenarioMachine {
  /** The GPUs as they are now. */
  state(): ScenarioState;
  run: Run;
  follow: Follow;
}

/** After so long a program that hangs is ended, as one on a real machine is. */
const TIMEOUT_MS = 60_000;

export function scenarioMachine(scenario: Scenario, clock: Clock): ScenarioMachine {
  const startedAt = clock.now();
  const { events = [] } = scenario;
  const changes: ScenarioEvent[] = [];
  const state = () =>
    scenarioAt({ ...scenario, events: [...events, ...changes] }, startedAt, clock.now());
  return {
    state,
    async run(program, args) {
      if (program === "sh") return printedBy(args[1], state());
      const answer = PROGRAMS[program]?.(args, state()) ?? null;
      if (!answer) throw Object.assign(new Error(`spawn ${program} ENOENT`), { code: "ENOENT" });
      if (answer.change) {
        changes.push({ ...answer.change, at: new Date(clock.now()).toISOString() });
      }
      return outputOf(answer, program, clock);
    },
    follow: (_, __, on) => followRecords(state, clock, on),
  };
}

/** A machine without NVIDIA GPUs has no driver for them, and one without AMD's no `amd-smi`. */
const PROGRAMS: Record<
  string,
  (args: readonly string[], state: ScenarioState) => ProgramAnswer | null
> = {
  "nvidia-smi": (args, state) => (hasAmdOnly(state) ? null : nvidiaSmi(args, state)),
  timeout: testProgram,
  "amd-smi": (args, state) => (state.gpus.some(isAmd) ? amdSmi(args, state) : null),
};

const hasAmdOnly = ({ gpus }: ScenarioState) => gpus.length > 0 && gpus.every(isAmd);

function printedBy(script: string | undefined, state: ScenarioState): string {
  if (script === AMD_SYSFS) return amdSysfs(state);
  return script === COUNT_ON_BUS ? busList(state) : "";
}

async function outputOf(
  { stdout, stderr, exitCode, afterMs = 0 }: ProgramAnswer,
  program: string,
  clock: Clock,
): Promise<string> {
  if (afterMs > 0) await pause(clock, Math.min(afterMs, TIMEOUT_MS));
  const killed = afterMs > TIMEOUT_MS;
  if (exitCode === 0 && !killed) return stdout;
  const message = `Command failed: ${program}\n${stderr}`;
  throw Object.assign(new Error(message), { stdout, stderr, killed, code: exitCode });
}

const busList = (state: ScenarioState) =>
  nvidiaOnBus(state)
    .map(({ pci }) => `/sys/bus/pci/devices/${pci}.0\n`)
    .join("");

/** The log ends with a restart of the machine; the next reader gets the new one. */
function followRecords(
  state: () => ScenarioState,
  clock: Clock,
  { output, end }: Parameters<Follow>[2],
): () => void {
  const abort = new AbortController();
  void passOn();
  return () => abort.abort();

  async function passOn(): Promise<void> {
    const { bootedAt, uptimeMs } = state();
    const uptime = (uptimeMs / 1_000).toFixed(2);
    output(`${gpuUuid(`boot/${bootedAt}`).slice("GPU-".length)}\n${uptime} 0.00\n`);
    let passed = 0;
    while (!abort.signal.aborted) {
      const current = state();
      if (current.bootedAt !== bootedAt) break;
      const records = kernelRecords(current);
      output(records.slice(passed).join(""));
      passed = records.length;
      if (current.nextAt === null) return;
      await pause(clock, msUntil(clock, current.nextAt), abort.signal);
    }
    end("");
  }
}

/** The records as a read of /dev/kmsg returns them. */
function kernelRecords({ bootedAt, logged }: ScenarioState): string[] {
  return logged.map(({ at, text }, seq) => {
    const micros = Math.max(0, at - bootedAt) * 1_000;
    return `3,${100 + seq},${micros},-;${text.replaceAll("\n", "\\x0a")}\n`;
  });
}
