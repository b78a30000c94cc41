// One run that has not ended yet: a child of ours, or a survivor of an earlier life of the service,
// which is nobody's child any more and is known by its pid and birth.
import { type Group, groupIsGone, signalGroup } from "./group-end.ts";
import type { Launched } from "./launch.ts";
import { type ProcessTable, processTable } from "./process-table.ts";
import type { Note } from "./workload-folder.ts";

export class ChildGroup implements Group {
  readonly #pid: number;
  #leaderEnded = false;

  constructor(
    { pid, exited }: Launched,
    onEnd: (exitCode: number | null, signal: string | null) => void,
  ) {
    this.#pid = pid;
    void exited.then(({ exitCode, signal }) => {
      this.#leaderEnded = true;
      // What a leader leaves behind when it ends is ended too.
      signalGroup(pid, "SIGKILL");
      onEnd(exitCode, signal);
    });
  }

  get id(): number {
    return this.#pid;
  }

  async isGone(): Promise<boolean> {
    return this.#leaderEnded && (await groupIsGone(processTable, this.#pid));
  }

  signal(signal: "SIGTERM" | "SIGKILL"): void {
    signalGroup(this.#pid, signal);
  }
}

export class SurvivingGroup implements Group {
  readonly #pid: number;
  readonly #birth: string;
  readonly #table: ProcessTable;

  constructor(note: Note, table: ProcessTable = processTable) {
    this.#pid = note.pid;
    this.#birth = table.birthFromNote(note.birthNote);
    this.#table = table;
  }

  get id(): number {
    return this.#pid;
  }

  async leaderLives(): Promise<boolean> {
    return this.#birth !== "" && (await this.#table.bornAt(this.#pid)) === this.#birth;
  }

  /** While any member is left the kernel gives the leader's pid to nobody, so a stranger under
   *  that pid means that the whole group is gone. */
  async isGone(): Promise<boolean> {
    const birth = await this.#table.bornAt(this.#pid);
    if (birth !== null) return birth !== this.#birth;
    return groupIsGone(this.#table, this.#pid);
  }

  signal(signal: "SIGTERM" | "SIGKILL"): void {
    signalGroup(this.#pid, signal);
  }

  /** As with a child, what the leader left behind is ended too. */
  async endRest(): Promise<void> {
    if (!(await this.isGone())) this.signal("SIGKILL");
  }
}
