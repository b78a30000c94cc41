// A GPU whose MIG mode and devices are read and changed with `nvidia-smi`, a command at a time.

import { Deadline, LATE, systemClock, within } from "../../../base/clock.ts";
import type { MigDivision } from "../../../domain/gpu/mig/mig-layout.ts";
import {
  type MigProfile,
  parseComputeInstances,
  parseGpuInstances,
  parseMigProfiles,
  planMigLayout,
  summaryOf,
} from "../../../domain/gpu/mig/mig-profiles.ts";
import { DriverUnavailable } from "../../driver.ts";
import type { Run } from "../run.ts";

/** The driver does not do what it is asked for; the message says it in words. */
export class MigRefusal extends Error {}

type Mode = "Enabled" | "Disabled";

const NO_MODES = { current: "", pending: "" };

/** The words of a call that worked, and the end of every call. */
const NO_ERROR = /^(?:Successfully |Enabled |Disabled |All done\.|Warning: persistence mode|$)/;

export class MigGpu {
  readonly #run: Run;
  readonly #uuid: string;
  readonly #answerMs: number;

  constructor(run: Run, uuid: string, answerMs: number) {
    this.#run = run;
    this.#uuid = uuid;
    this.#answerMs = answerMs;
  }

  async division(): Promise<MigDivision> {
    if ((await this.#mode()) === "Disabled")
      return { isEnabled: false, instances: [], devices: [] };
    const instances = parseGpuInstances(await this.#list("-lgi"));
    const devices = parseComputeInstances(await this.#list("-lci"));
    return { isEnabled: true, instances, devices };
  }

  async #mode(): Promise<Mode> {
    const { current, pending } = await this.#modes();
    if (current !== "Enabled" && current !== "Disabled") {
      const [, word = "N/A"] = /^\[(.+)\]$/.exec(current) ?? [];
      const text = `its driver says of its MIG mode: ${word}`;
      throw new MigRefusal(
        word === "N/A" ? "the GPU has no MIG mode, or its driver does not say it" : text,
      );
    }
    if (pending !== current) {
      throw new MigRefusal(
        `its MIG mode becomes ${pending} with a reset of the GPU; reset it first`,
      );
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
      throw new MigRefusal(`the process ${pid} (${name ?? "unknown"}) uses the GPU`);
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
    throw new MigRefusal(`the driver did not turn MIG mode ${state}: ${wordsOf(text, error)}`);
  }

  /** Why the layout is none that the GPU can have, or the order in which its devices are created. */
  async plan(profiles: readonly string[]): Promise<readonly string[]> {
    const plan = planMigLayout(await this.profiles(), profiles);
    if ("refusal" in plan) throw new MigRefusal(plan.refusal);
    return plan.order;
  }

  async profiles(): Promise<MigProfile[]> {
    const listed = await this.#must(["mig", "-lgip"]);
    return parseMigProfiles(listed, await this.#must(["mig", "-lgipp"]));
  }

  /** In the order of a plan. */
  async create(order: readonly string[]): Promise<void> {
    if (order.length === 0) return;
    const { text, error } = await this.#call(["mig", "-cgi", order.join(","), "-C"]);
    if (error === null) return;
    throw new MigRefusal(`the driver did not create ${summaryOf(order)}: ${wordsOf(text, error)}`);
  }

  async destroyAll(): Promise<void> {
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
    if (error !== null) throw new MigRefusal(`nvidia-smi: ${wordsOf(text, error)}`);
    return text;
  }

  async #must(args: readonly string[]): Promise<string> {
    const { text, error } = await this.#call(args);
    if (error !== null) throw new MigRefusal(`nvidia-smi: ${wordsOf(text, error)}`);
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

const CSV = ["--format=csv,noheader"];

/** The first line that tells of an error; the program prints what it has done before. */
function wordsOf(text: string, error: string | null): string {
  const lines = [...text.split("\n"), ...(error ?? "").split("\n")].map((line) => line.trim());
  return (lines.find((line) => !NO_ERROR.test(line)) ?? "it did not say why").slice(0, 300);
}
