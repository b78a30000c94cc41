// The driver interface, between the product and the program that runs workloads. It has two halves:
// flows may use the queries, only loops may use the commands. A workload is named by Freehold's own
// id, so that after a crash a running workload is found by that name and nothing is started twice.

import type { Duplex } from "node:stream";
import type { EndCause } from "../domain/container/end-cause.ts";
import type { Credentials } from "../domain/registry-auth.ts";
import type { Counters, GpuUse } from "../domain/usage/sample.ts";
import type { Resources } from "./resources.ts";
import type { VolumeFiles } from "./volume-files.ts";

/** A workload to start. It holds everything that a driver needs. */
export interface Workload {
  /** The worker's or Pod's id; never reused, `^[A-Za-z0-9_-]{1,64}$`. */
  id: string;
  /** A container driver pulls it if it is missing; a process driver only records it. */
  image: string;
  /** Replaces the image's entry point and command; empty keeps both. */
  entrypoint: string[];
  /** Replaces the image's command; with an entry point, its arguments. */
  command: string[];
  env: Record<string, string>;
  /** Values that no error, report or log may repeat. */
  secrets?: string[];
  /** The owner: workloads of different accounts cannot reach each other. */
  account?: string;
  /** Credentials for the registry that the image is pulled from. */
  auth?: Credentials;
  resources?: Resources;
  ports?: PortRequest[];
  /** Ports that serve HTTP and need no public port: `dial` connects to them. */
  httpPorts?: number[];
  /** Ports from `freePort`, which only this workload uses. */
  givenPorts?: number[];
  volumes?: VolumeMount[];
  /** Folders of this machine that the container can read. Container drivers of this machine only. */
  folders?: FolderMount[];
  /** Files that a container gets before it starts. Container drivers only. */
  files?: ContainerFile[];
  /** Addresses by the names that have them in the container. Container drivers only. */
  hosts?: Readonly<Record<string, string>>;
  /** Whether others may evict it. */
  isSpot?: boolean;
  /** A second network beside the account's, with an address that does not change. */
  network?: NetworkMembership;
}

/** Completes a workload of a driver with the variables, files and hosts of an interception. */
export type Intercept = (driver: string, workload: Workload) => Promise<Workload>;

/** A file that everyone in the container can read. */
export interface ContainerFile {
  /** Absolute. */
  path: string;
  /** A file of the service's machine is read while it is sent. */
  content: string | { file: string; size: number };
}

/** A workload's address in a network that some workloads of its machine share. */
export interface NetworkMembership {
  /** Names the network, which is created with its first workload. */
  id: string;
  /** Its range: /24, or /23 over a fabric. */
  cidr: string;
  /** The fabric that it spans; absent for a network of one machine. */
  fabric?: string;
  address: string;
}

export interface PortRequest {
  container: number;
  protocol: "tcp" | "udp";
  /** The machine's port that is forwarded to it; if omitted, the driver chooses a free one. */
  hostPort?: number;
}

export interface PortMapping extends PortRequest {
  hostPort: number;
}

export interface VolumeName {
  /** The volume of one Pod, or one that several Pods may share. */
  kind: "pod" | "network";
  name: string;
}

/** A folder that outlives the workload; created if it is missing. */
export interface VolumeMount extends VolumeName {
  mountPath: string;
  /** The size that was paid for, for drivers that reserve it. */
  sizeGb?: number;
}

/** A folder of the service's machine, mounted read-only. */
export interface FolderMount {
  folder: string;
  mountPath: string;
}

/** The observed state of one workload. `exitCode` is null while it runs and if it is unknown. */
export interface Observation {
  id: string;
  state: "running" | "ended";
  /** True if this is the last report of a part that no longer answers, such as a node without power. */
  isStale?: true;
  startedAt: number;
  endedAt: number | null;
  /** True if the driver knows its instants in whole seconds only, rounded down. */
  inSeconds?: true;
  exitCode: number | null;
  /** The signal that ended it, such as SIGKILL, if one did. */
  signal: string | null;
  /** True if it was killed because it exceeded its memory limit. */
  oom?: true;
  /** True if a process in it was, and the container ended well nevertheless. */
  childOom?: true;
  /** Set if the engine's scheduler ended it. */
  eviction?: Eviction;
  /** The ports that are forwarded to it, while it runs. */
  ports?: PortMapping[];
  /** Where its public ports are reached, if not at its machine's address. */
  publicIp?: string;
  /** The address at which this machine reaches all its ports, while it runs in a network of its own. */
  address?: string;
}

/** An end that was not requested of Freehold. */
export interface Eviction {
  /** It exceeded its own disk, or others needed its place. */
  cause: "disk_full" | "evicted";
  /** Why, after the subject: "its node ...". */
  sentence: string;
}

export interface LogLine {
  /** When it was written; null if the driver does not know. */
  at: number | null;
  text: string;
  /** Its position in the log, in the driver's own notation: a reader can continue from there. */
  mark: string;
}

/** The most text of a log that is returned at once, in characters; older text is omitted. */
export const MAX_LOG_CHARS = 4 * 1_048_576;

/** A longer line, in characters, is split into several. */
export const MAX_LINE_CHARS = 65_536;

/** The resource usage of a running workload; unmeasured values are null. */
export interface Usage extends Counters {
  id: string;
  /** Size of the container disk, without the image and the volumes. */
  diskBytes: number | null;
  /** The utilization of its GPUs, where the driver simulates them. */
  gpus?: GpuUse[];
  /** The volumes that were measured. */
  volumes: (VolumeName & { bytes: number })[];
}

/** Whether the engine enforces `diskGb`, or disk usage is only measured. */
export type DiskQuota = "enforced" | "measured";

/** A command to run in a running workload, besides its own. */
export interface ExecRequest {
  command: string[];
  /** The terminal's size; null to run without a terminal. */
  tty: { cols: number; rows: number } | null;
}

/** A running command. */
export interface Execution {
  /** Its output, read no faster than it is consumed; a terminal has one output only. */
  output: AsyncIterable<{ output: "stdout" | "stderr"; bytes: Buffer }>;
  /** Resolves once more can be written. */
  write(bytes: Buffer): Promise<void>;
  endInput(): void;
  resize(cols: number, rows: number): Promise<void>;
  /** To be called after `output` has ended; null if it is unknown. */
  exitCode(): Promise<number | null>;
  /** Ends the command and every process that it started. */
  end(): Promise<void>;
}

/** The half that reads. Flows may use it. */
export interface DriverQueries {
  readonly name: string;
  /** True if workloads keep running while the service is stopped, and are found again. */
  readonly survivesRestart: boolean;
  /** True if public ports can be forwarded to a workload. */
  readonly publishesPorts: boolean;
  /** All workloads of this installation that this driver knows; ended ones until they are removed. */
  list(): Promise<Observation[]>;
  /**
   * The last `tail` lines of its log, oldest first, also after it ended and of its earlier runs; with
   * `since` only lines of that instant or later, and lines without a time. Empty for an unknown id.
   * At most MAX_LOG_CHARS of text.
   */
  logs(id: string, tail: number, since?: number): Promise<LogLine[]>;
  /**
   * The lines after a mark in its log (null: all of them), then new lines in batches as they come.
   * Ends with the run, at once if it does not run, or when `signal` aborts. Reads no faster than the
   * caller consumes, so the caller must keep iterating.
   */
  follow(id: string, after: string | null, signal: AbortSignal): AsyncIterable<LogLine[]>;
  /**
   * A connection to a port of a workload, over its machine's private route. Rejects with NotReached
   * if it does not run or does not accept one.
   */
  dial(id: string, port: number): Promise<Duplex>;
  /** Runs a command in a running workload. Rejects with ExecRefused if that is not possible. */
  exec(id: string, request: ExecRequest): Promise<Execution>;
  /** The usage of running workloads; those that cannot be measured are omitted. */
  usage(): Promise<Usage[]>;
  /**
   * The files of a volume, which `create` creates if it is missing. Null if there is no such volume, or if
   * this process cannot reach its folder. Absent if the driver's volumes are on another machine, or it has none.
   */
  volumeFiles?(volume: VolumeName, create: boolean): Promise<VolumeFiles | null>;
  /** How `diskGb` is treated; null if it is not known yet, or the driver has no disks to limit. */
  quota(): Promise<DiskQuota | null>;
  /** Called soon after a workload starts or ends. A hint that can be lost; `list` is authoritative. */
  onChange(listener: (id: string) => void): () => void;
}

/** The slow steps of a start. A driver that does not know when its engine has the image reports none. */
type StartStep = "image_pulling" | "image_pulled" | "image_present";

/** Receives what a start does: a line for its log, a step that has been reached, or both. */
export type StartReporter = (line: string | null, step?: StartStep) => void;

/** The half that changes things. Only loops use it. Every command is idempotent. */
interface DriverCommands {
  /**
   * Starts it unless it runs already. A workload that ended starts again with an empty container disk
   * and its volumes. Rejects with StartRefused if it can never start, and with StartAborted if it was
   * stopped while its image was pulled. `report` receives progress.
   */
  start(workload: Workload, report?: StartReporter): Promise<void>;
  /**
   * A free port of the machine, for workloads that share the machine's ports; absent where each workload
   * has ports of its own.
   */
  freePort?(): Promise<number>;
  /** SIGTERM now, SIGKILL after `graceMs`; resolves once it has ended, at once for an unknown id. */
  stop(id: string, graceMs: number): Promise<void>;
  /** Deletes the container disk of an ended workload and keeps its log; it is no longer listed.
   *  Rejects while it runs. */
  wipe(id: string): Promise<void>;
  /** Removes an ended workload with its container disk and logs; rejects while it runs. */
  remove(id: string): Promise<void>;
  /** Removes a volume with its content; rejects while a workload uses it. */
  removeVolume(volume: VolumeName): Promise<void>;
  /** Removes a network of NetworkMembership, unless workloads still use it. */
  removeNetwork(id: string): Promise<void>;
  /** Releases connections and timers. Workloads are not ended. */
  close(): Promise<void>;
}

export interface Driver extends DriverQueries, DriverCommands {}

/** A workload that this driver can never run as described; the message says why. */
export class StartRefused extends Error {
  override readonly name = "StartRefused";
  /** Null if only the message is known. */
  readonly why: EndCause | null;
  /** The engine's own words, which may tell of the operator's network: for the service's log only. */
  readonly engine: string | null;
  constructor(message: string, why: EndCause | null = null, engine: string | null = null) {
    super(message);
    this.why = why;
    this.engine = engine;
  }
}

/** The workload was stopped before it started. */
export class StartAborted extends Error {
  override readonly name = "StartAborted";
}

/** The engine or the machine does not answer; its workloads are unknown until it does. */
export class DriverUnavailable extends Error {
  override readonly name = "DriverUnavailable";
}
