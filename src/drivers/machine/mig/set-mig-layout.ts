// Divides a GPU into MIG devices, or ends its MIG mode, with `nvidia-smi`. What cannot be done leaves the GPU as it was.

import { Deadline, LATE, systemClock, within } from "../../../base/clock.ts";
import type { MigChangeResult } from "../../../domain/gpu/mig/mig-layout.ts";
import {
  isSameLayout,
  type MigProfile,
  parseComputeInstances,
  parseGpuInstances,
  parseMigProfiles,
  planMigLayout,
  summaryOf,
} from "../../../domain/gpu/mig/mig-profiles.ts";
import { DriverUnavailable } from "../../driver.ts";
import type { Run } from "../run.ts";

/** A GPU that changes its MIG mode is reset, which takes a while. */
export const MIG_COMMAND_MS = 120_000;
/** A program that a faulty driver holds cannot be killed, and over SSH nothing ends one. */
const ANSWER_MS = MIG_COMMAND_MS + 5_000;

/** `profiles` is null to end MIG mode. Rejects with DriverUnavailable if the machine is not reached. */
export type SetMigLayout = (
  uuid: string,
  profiles: readonly string[] | null,
) => Promise<MigChangeResult>;

/** Nothing of Freehold's may use the GPU. A program that has not ended after `answerMs` counts as one that failed. */
export function migSetter(run: Run, answerMs = ANSWER_MS): SetMigLayout {
  return async (uuid, profiles) => {
    try {
      return await setLayout(new MigGpu(run, uuid, answerMs), profiles);
    } catch (error) {
      if (error instanceof Refused) return { outcome: "refused", text: error.message };
      throw error;
    }
  };
}

/** The driver does not do what it is asked for; the message says it in words. */
class Refused extends Error {}

async function setLayout(
  gpu: MigGpu,
  profiles: readonly string[] | null,
): Promise<MigChangeResult> {
  const mode = await gpu.mode();
  await gpu.requireIdle();
  if (profiles === null) {
    if (mode === "Disabled") return { outcome: "set", text: "it is not in MIG mode" };
    await gpu.endMig();
    return { outcome: "set", text: "MIG mode is off" };
  }
  if (mode === "Enabled") return gpu.divide(profiles);
  await gpu.switchMode("Enabled");
  try {
    return await gpu.divide(profiles);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const isOff = await gpu.switchMode("Disabled").then(
      () => true,
      () => false,
    );
    throw isOff ? error : new Refused(`${error.message}; MIG mode stays on`);
  }
}

type Mode = "Enabled" | "Disabled";

const NO_MODES = { current: "", pending: "" };

/** The profiles of what there is on a GPU. */
interface Layout {
  instances: readonly string[];
  /** The compute instances. */
  devices: readonly string[];
}

/** The words of a call that worked, and the end of every call. */
const NO_ERROR = /^(?:Successfully |Enabled |Disabled |All done\.|Warning: persistence mode|$)/;

class MigGpu {
  readonly #run: Run;
  readonly #uuid: string;
  readonly #answerMs: number;

  constructor(run: Run, uuid: string, answerMs: number) {
    this.#run = run;
    this.#uuid = uuid;
    this.#answerMs = answerMs;
  }

  async mode(): Promise<Mode> {
    const { current, pending } = await this.#modes();
    if (current !== "Enabled" && current !== "Disabled") {
      const [, word = "N/A"] = /^\[(.+)\]$/.exec(current) ?? [];
      const text = `its driver says of its MIG mode: ${word}`;
      throw new Refused(
        word === "N/A" ? "the GPU has no MIG mode, or its driver does not say it" : text,
      );
    }
    if (pending !== current) {
      throw new Refused(`its MIG mode becomes ${pending} with a reset of the GPU; reset it first`);
    }
    return current;
  }

  async #modes() {
    const text = await this.#must(["--query-gpu=mig.mode.current,mig.mode.pending", ...CSV]);
    const [current = "", pending = ""] = text.trim().split(/\s*,\s*/);
    return { current, pending };
  }

  /** A program that is not Freehold's may use it too. */
  async requireIdle(): Promise<void> {
    const text = await this.#must(["--query-compute-apps=pid,process_name", ...CSV]);
    const [pid, name] = (text.trim().split("\n")[0] ?? "").split(/\s*,\s*/);
    if (/^\d+$/.test(pid ?? "")) {
      throw new Refused(`the process ${pid} (${name ?? "unknown"}) uses the GPU`);
    }
  }

  /** Some GPUs change their mode only with a reset of the machine; the request of it is taken back then. */
  async switchMode(mode: Mode): Promise<void> {
    const call = (each: Mode) => this.#call(["-mig", each === "Enabled" ? "1" : "0"]);
    const { text, error } = await call(mode);
    const { current, pending } = error === null ? await this.#modes() : NO_MODES;
    if (current === mode) return;
    if (pending === mode) await call(mode === "Enabled" ? "Disabled" : "Enabled");
    const state = mode === "Enabled" ? "on" : "off";
    throw new Refused(`the driver did not turn MIG mode ${state}: ${wordsOf(text, error)}`);
  }

  /** Ends MIG mode with all that is on the GPU. */
  async endMig(): Promise<void> {
    const available = await this.#profiles();
    await this.#changeOrRestore(available, await this.#layout(), async () => {
      await this.#destroyAll();
      await this.switchMode("Disabled");
    });
  }

  async divide(profiles: readonly string[]): Promise<MigChangeResult> {
    const available = await this.#profiles();
    const plan = planMigLayout(available, profiles);
    if ("refusal" in plan) throw new Refused(plan.refusal);
    const before = await this.#layout();
    const { instances, devices } = before;
    const text = profiles.length === 0 ? "it has no MIG devices" : `it has ${summaryOf(profiles)}`;
    const isWhole = devices.length === instances.length && !devices.some(isPart);
    if (isWhole && isSameLayout(instances, profiles)) return { outcome: "set", text };
    await this.#changeOrRestore(available, before, async () => {
      await this.#destroyAll();
      const refusal = await this.#create(plan.order);
      if (refusal === null) return;
      throw new Refused(`the driver did not create ${summaryOf(profiles)}: ${refusal}`);
    });
    return { outcome: "set", text };
  }

  /** A driver that refuses a change may have made a part of it. */
  async #changeOrRestore(
    available: readonly MigProfile[],
    before: Layout,
    makeChange: () => Promise<void>,
  ): Promise<void> {
    try {
      await makeChange();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      throw new Refused(`${error.message}${await this.#restore(available, before)}`);
    }
  }

  /** Says how the GPU is divided now; empty if nothing had changed, or if it had no devices. */
  async #restore(available: readonly MigProfile[], before: Layout): Promise<string> {
    try {
      const { instances, devices } = await this.#layout();
      const hasInstances = isSameLayout(instances, before.instances);
      if (hasInstances && isSameLayout(devices, before.devices)) return "";
      await this.#destroyAll();
      const plan = planMigLayout(available, before.instances);
      const isRestored = "order" in plan && (await this.#create(plan.order)) === null;
      if (isRestored) return before.instances.length > 0 ? "; it is divided as before" : "";
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
    return "; it is not divided as before";
  }

  async #profiles(): Promise<MigProfile[]> {
    const listed = await this.#must(["mig", "-lgip"]);
    return parseMigProfiles(listed, await this.#must(["mig", "-lgipp"]));
  }

  async #layout(): Promise<Layout> {
    const instances = parseGpuInstances(await this.#list("-lgi"));
    return { instances, devices: parseComputeInstances(await this.#list("-lci")) };
  }

  /** Null if all were created; else what the driver says. */
  async #create(order: readonly string[]): Promise<string | null> {
    if (order.length === 0) return null;
    const { text, error } = await this.#call(["mig", "-cgi", order.join(","), "-C"]);
    return error === null ? null : wordsOf(text, error);
  }

  async #destroyAll(): Promise<void> {
    for (const [list, destroy] of [
      ["-lci", "-dci"],
      ["-lgi", "-dgi"],
    ] as const) {
      if ((await this.#list(list)) !== "") await this.#must(["mig", destroy]);
    }
  }

  /** Empty if there are none. */
  async #list(what: "-lgi" | "-lci"): Promise<string> {
    const { text, error } = await this.#call(["mig", what]);
    if (/^No (?:GPU|compute) instances found/im.test(text)) return "";
    if (error !== null) throw new Refused(`nvidia-smi: ${wordsOf(text, error)}`);
    return text;
  }

  async #must(args: readonly string[]): Promise<string> {
    const { text, error } = await this.#call(args);
    if (error !== null) throw new Refused(`nvidia-smi: ${wordsOf(text, error)}`);
    return text;
  }

  /** Changes need root, or the right to write the driver's `mig/config`. */
  async #call(args: readonly string[]): Promise<Answer> {
    const call = ["nvidia-smi", ...args, "-i", this.#uuid];
    const answer = await this.#answerOf(call);
    if (answer.error === null || !/Insufficient Permissions/i.test(answer.text)) return answer;
    const asRoot = await this.#answerOf(["sudo", "-n", ...call]);
    return asRoot.error === null || asRoot.text !== "" ? asRoot : answer;
  }

  async #answerOf([program, ...args]: readonly string[]): Promise<Answer> {
    const deadline = new Deadline(systemClock, this.#answerMs);
    const answer = await within(deadline, () => answerOf(this.#run(program!, args)));
    return answer === LATE ? NO_ANSWER : answer;
  }
}

async function answerOf(output: Promise<string>): Promise<Answer> {
  try {
    return { text: await output, error: null };
  } catch (error) {
    if (error instanceof DriverUnavailable) throw error;
    const { message, stdout = "", killed } = error as Error & RunFailure;
    return killed ? { ...NO_ANSWER, text: stdout } : { text: stdout, error: message };
  }
}

interface Answer {
  text: string;
  /** Null if the program ended with exit code 0. */
  error: string | null;
}

const NO_ANSWER: Answer = { text: "", error: "it does not answer" };

interface RunFailure {
  stdout?: string;
  killed?: boolean;
}

/** A compute instance that is smaller than its GPU instance, such as "1c.3g.40gb". */
const isPart = (profile: string) => /^\d+c\./.test(profile);

const CSV = ["--format=csv,noheader"];

/** The first line that tells of an error; the program prints what it has done before. */
function wordsOf(text: string, error: string | null): string {
  const lines = [...text.split("\n"), ...(error ?? "").split("\n")].map((line) => line.trim());
  return (lines.find((line) => !NO_ERROR.test(line)) ?? "it did not say why").slice(0, 300);
}
