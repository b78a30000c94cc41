// The process group of a run that has not ended: a child of the service, or a survivor of an earlier
// service process, which is identified by its pid and birth.

import { type Group, isGroupEmpty, signalGroup } from "./group-termination.ts";
import type { LaunchedProcess } from "./launch.ts";
import { type ProcessTable, processTable } from "./process-table.ts";
import type { WorkloadNote } from "./workload-folder.ts";

export class ChildGroup implements Group {
  readonly #pid: number;
  #leaderEnded = false;

  constructor(
    { pid, exited }: LaunchedProcess,
    onEnd: (exitCode: number | null, signal: string | null) => void,
  ) {
    this.#pid = pid;
    void exited.then(({ exitCode, signal }) => {
      this.#leaderEnded = true;
      // The rest of the group does not outlive its leader.
      signalGroup(pid, "SIGKILL");
      onEnd(exitCode, signal);
    });
  }

  get id(): number {
    return this.#pid;
  }

  async hasEnded(): Promise<boolean> {
    return this.#leaderEnded && (await isGroupEmpty(processTable, this.#pid));
  }

  signal(signal: "SIGTERM" | "SIGKILL"): void {
    signalGroup(this.#pid, signal);
  }
}

export class SurvivingGroup implements Group {
  readonly #pid: number;
  readonly #birth: string;
  readonly #folder: string;
  readonly #table: ProcessTable;
  /** Whether the leader was seen alive: from then on its group cannot be mistaken for another. */
  #isIdentified = false;

  constructor(note: WorkloadNote, folder: string, table: ProcessTable = processTable) {
    this.#pid = note.pid;
    this.#folder = folder;
    this.#birth = table.birthFromNote(note.birthNote);
    this.#table = table;
  }

  get id(): number {
    return this.#pid;
  }

  async isLeaderAlive(): Promise<boolean> {
    const isAlive = this.#birth !== "" && (await this.#table.birthOf(this.#pid)) === this.#birth;
    this.#isIdentified ||= isAlive;
    return isAlive;
  }

  /** The kernel does not reuse the leader's pid while the group has a member, so another process under
   *  that pid means that the whole group has ended. */
  async hasEnded(): Promise<boolean> {
    const birth = await this.#table.birthOf(this.#pid);
    if (birth !== null) return birth !== this.#birth;
    return isGroupEmpty(this.#table, this.#pid);
  }

  signal(signal: "SIGTERM" | "SIGKILL"): void {
    signalGroup(this.#pid, signal);
  }

  /**
   * The rest of the group does not outlive its leader, as that of a child does not. While no service was there, the group may have
   * ended and its pid may have become that of another group, whose leader has ended too: it has no file of the workload.
   */
  async killRest(): Promise<void> {
    if (await this.hasEnded()) return;
    if (this.#isIdentified || (await this.#usesFolder())) this.signal("SIGKILL");
  }

  async #usesFolder(): Promise<boolean> {
    for (const pid of await this.#table.groupMembers(this.#pid)) {
      if (await this.#table.usesFolder(pid, this.#folder)) return true;
    }
    return false;
  }
}
