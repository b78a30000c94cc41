// The port between the product and whatever runs a workload. It has two halves: flows may look,
// only loops may command. A workload is named by our own id, so that after any crash what runs can
// be found again by that name and nothing is started twice.

import type { Duplex } from "node:stream";
import type { Counters } from "../domain/usage/sample.ts";
import type { EndCause } from "../domain/worker/end-cause.ts";

/** What is to run. Everything a driver needs travels in here; it asks nobody for more. */
export interface Workload {
  /** The worker's or pod's id; unique for ever, `^[A-Za-z0-9_-]{1,64}$`. */
  id: string;
  /** What a container driver pulls where it is not there; a process driver only records it. */
  image: string;
  /** Takes the place of the image's entry point and its command; empty leaves both to the image. */
  entrypoint: string[];
  /** Takes the place of the image's command; the entry point's arguments where there is one. */
  command: string[];
  env: Record<string, string>;
  /** Whose it is: workloads of different accounts cannot reach each other. */
  account?: string;
  /** What opens the registry that the image is pulled from. */
  auth?: RegistryAuth;
  resources?: Resources;
  ports?: PortWish[];
  /** Those that speak HTTP and need no public port: `dial` leads to them. */
  httpPorts?: number[];
  volumes?: VolumeMount[];
}

export interface RegistryAuth {
  username: string;
  password: string;
}

/** What it may use at most; what is left out is not limited. */
export interface Resources {
  vcpu?: number;
  memoryMb?: number;
  /** Which GPUs of the machine it gets; none or empty: it gets none. */
  gpuIndices?: number[];
  /** Of its own file system, which does not outlive a stop; enforced where the engine can. */
  diskGb?: number;
}

export interface PortWish {
  container: number;
  protocol: "tcp" | "udp";
  /** The machine's port that leads to it; left out, the driver takes one that is free. */
  hostPort?: number;
}

export interface PortMapping extends PortWish {
  hostPort: number;
}

export interface VolumeName {
  /** A pod's own, or one that several pods may share. */
  kind: "pod" | "network";
  name: string;
}

/** A folder that outlives the workload; it is made where it is not there. */
export interface VolumeMount extends VolumeName {
  mountPath: string;
}

/** What a driver saw of one workload. `exitCode` is null while it runs and where nobody knows it. */
export interface Sighting {
  id: string;
  state: "running" | "ended";
  startedAt: number;
  endedAt: number | null;
  exitCode: number | null;
  /** The signal that ended it, such as SIGKILL, if one did. */
  signal: string | null;
  /** True where it was ended for using more memory than it may. */
  oom?: true;
  /** Which ports lead to it; only while it runs, and only of those it was given. */
  ports?: PortMapping[];
  /** Where this machine reaches all its ports; only while it runs in a network of its own. */
  address?: string;
}

export interface LogLine {
  /** When it was written, as far as the driver knows. */
  at: number | null;
  text: string;
  /** Where it stands in its log, in a notation of the driver's own: a reader can go on from there. */
  mark: string;
}

/** Text that is given of a log at once, in characters; what is older is left out. */
export const MOST_LOG_TEXT = 4 * 1_048_576;

/** A line longer than this, in characters, is told in several. */
export const LONGEST_LINE = 65_536;

/** What a running workload has used, as far as somebody counts. */
export interface Usage extends Counters {
  id: string;
  /** Of its own file system, beside the image and its volumes. */
  diskBytes: number | null;
  /** What is in each of its volumes, of those that were measured. */
  volumes: (VolumeName & { bytes: number })[];
}

/** Whether an engine keeps a workload to its disk, or its use is only measured. */
export type Quota = "enforced" | "measured";

/** A command to be run beside what a workload runs anyhow. */
export interface ExecWish {
  command: string[];
  /** With a terminal of so many columns and rows. */
  tty: { cols: number; rows: number } | null;
}

/** One that runs. */
export interface Execution {
  /** What it prints, no faster than it is asked for more; a terminal has one output only. */
  output: AsyncIterable<{ output: "stdout" | "stderr"; bytes: Buffer }>;
  /** Resolves once there is room for more. */
  write(bytes: Buffer): Promise<void>;
  endInput(): void;
  resize(cols: number, rows: number): Promise<void>;
  /** For when `output` has ended; null where nobody knows. */
  exitCode(): Promise<number | null>;
  /** Ends it, and what it has started. */
  end(): Promise<void>;
}

/** The half that flows may use. */
export interface Looking {
  readonly name: string;
  /** True where workloads live on while the service does not, and are found again. */
  readonly outlives: boolean;
  /** True where public ports can lead to a workload. */
  readonly publishes: boolean;
  /** All workloads of this installation that this driver knows, ended ones until removed. */
  list(): Promise<Sighting[]>;
  /**
   * The last `tail` lines of what it printed, oldest first, also after it ended and of its earlier
   * runs; with `since` only lines of that instant or later, and those of which nobody knows when they
   * were written. None if unknown. At most MOST_LOG_TEXT of them.
   */
  logs(id: string, tail: number, since?: number): Promise<LogLine[]>;
  /**
   * What stands behind a mark in its log (null: all of it), and then what it prints, in batches as
   * they come. Ends with its run, at once where none runs, or when `gone` aborts. It reads no faster
   * than it is asked for more, so whoever follows must go on asking.
   */
  follow(id: string, after: string | null, gone: AbortSignal): AsyncIterable<LogLine[]>;
  /**
   * A connection to a port of a workload, by the way that only its machine has. Rejects with
   * NotReached where it does not run or takes none.
   */
  dial(id: string, port: number): Promise<Duplex>;
  /** Runs a command in a workload that runs. Rejects with ExecRefused where that cannot be. */
  exec(id: string, wish: ExecWish): Promise<Execution>;
  /** What those that run have used; those of which nobody knows are left out. */
  usage(): Promise<Usage[]>;
  /** Of `diskGb`; null where it is not known yet, or nothing is limited. */
  quota(): Promise<Quota | null>;
  /** Called soon after a workload starts or ends. A hint: it may be missed, `list` is the truth. */
  onChange(listener: (id: string) => void): () => void;
}

/** What takes long at a start. */
export type StartStep = "image_pulling" | "image_pulled";

/** Hears in words what is done at a start, and which step that is where it is one. */
export type Tell = (line: string, step?: StartStep) => void;

/** The half that only loops hold. All of it is idempotent. */
export interface Commanding {
  /**
   * Starts it unless it runs already; what ended starts anew, with an empty file system but for its
   * volumes. StartRefused if it never can, StartCut where a stop came while it waited for its image.
   * `tell` hears what is done meanwhile.
   */
  start(workload: Workload, tell?: Tell): Promise<void>;
  /** SIGTERM now, SIGKILL after `graceMs`; resolves once it is gone. An unknown id is gone. */
  stop(id: string, graceMs: number): Promise<void>;
  /** Clears away what an ended workload wrote beside its volumes; it is listed no more, and its log
   *  is kept. Rejects while it still runs. */
  wipe(id: string): Promise<void>;
  /** Forgets an ended workload and removes its folder and logs; rejects while it still runs. */
  remove(id: string): Promise<void>;
  /** Removes a volume with all that is in it; rejects while a workload has it. */
  removeVolume(volume: VolumeName): Promise<void>;
  /** Lets go of everything without ending it (the product stops, workloads may live on). */
  close(): Promise<void>;
}

export interface Driver extends Looking, Commanding {}

/** A workload that this driver cannot run as it is described, with the sentence that says why. */
export class StartRefused extends Error {
  override readonly name = "StartRefused";
  /** Null where no more is known than the sentence says. */
  readonly why: EndCause | null;
  constructor(message: string, why: EndCause | null = null) {
    super(message);
    this.why = why;
  }
}

/** It was stopped before it began. */
export class StartCut extends Error {
  override readonly name = "StartCut";
}

/** What the driver drives does not answer: nothing is known of its workloads until it does. */
export class DriverAway extends Error {
  override readonly name = "DriverAway";
}
