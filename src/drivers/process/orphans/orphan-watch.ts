// The watch over processes whose service died. A small shell script holds the reading end of a pipe that only the
// service holds open, so it learns of every end of the service, SIGKILL included. If no service takes the folder over in
// time, the script ends the process groups that are noted there. It is a session of its own and costs no memory of Node.

import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { randomIds } from "../../../base/ids.ts";

/** How long processes wait for a service after theirs has ended. */
const DEFAULT_WAIT_SECONDS = 120;

/** Names the service that has the folder. No workload id can begin with a dot. */
const HOLDER_FILE = ".holder";

/**
 * $1 is the folder, $2 the service's name in the holder's file, $3 the seconds to wait. `group_of` prints the group of a
 * note (see launch.ts) that has a process: its run is the workload's last, of this boot and without a recorded end, and its
 * leader runs since the noted time, or has ended and left members. The kernel reuses no pid while its group has a member;
 * `keep` drops the note of an empty group for good, because a later group of that pid is another's.
 */
const SCRIPT = `
grace=10
boot=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)
holds() { [ "$(cat ${HOLDER_FILE} 2>/dev/null)" = "$holder" ]; }
start_time() { set -- \${1##*) }; shift 19; echo "$1"; }
birth_of() {
  if [ -r /proc/self/stat ]; then
    read -r line 2>/dev/null <"/proc/$1/stat" && start_time "$line"
  else LC_ALL=C TZ=UTC /bin/ps -o lstart= -p "$1"; fi
}
group_of() {
  read -r pid noted 2>/dev/null <"$1" || return 1
  case $pid in ""|0|1|*[!0-9]*) return 1;; esac
  workload=\${1%/*} run='"run":"'\${1##*/note-}'"'
  case $(cat "$workload/workload.json" 2>/dev/null) in
    *"$run"*'"boot":"'"$boot"'"'*) ;;
    *) return 1;;
  esac
  case $(cat "$workload/ended.json" 2>/dev/null) in *"$run"*) return 1;; esac
  kill -s 0 -- "-$pid" 2>/dev/null || return 1
  birth=$(birth_of "$pid")
  if [ -r /proc/self/stat ]; then noted=$(start_time "$noted"); fi
  [ -z "$birth" ] || [ "$birth" = "$noted" ] || return 1
  echo "$pid"
}
keep() {
  kept=
  for note in $notes; do group_of "$note" >/dev/null && kept="$kept $note"; done
  notes=$kept
}
signal_all() {
  for note in $notes; do
    pid=$(group_of "$note") && holds && kill -s "$1" -- "-$pid" 2>/dev/null
  done
}
wait_for() {
  left=$1
  while [ "$left" -gt 0 ]; do
    keep
    holds && [ -n "$notes" ] || exit 0
    sleep 1
    left=$((left - 1))
  done
}
folder=$1 holder=$2 seconds=$3
cat >/dev/null
cd "$folder" || exit 0
sleep 1 # a process that started at the end has yet to write its note
notes=$(echo */note-*)
wait_for "$seconds"
signal_all TERM
wait_for "$grace"
signal_all KILL
`;

export class OrphanWatch {
  readonly #folder: string;
  readonly #waitSeconds: number;
  readonly #holder = randomIds.short(14);
  #script: ChildProcess | null = null;

  constructor(folder: string, waitSeconds = DEFAULT_WAIT_SECONDS) {
    this.#folder = folder;
    this.#waitSeconds = waitSeconds;
  }

  /** Takes the folder over: the script of an earlier service ends nothing from now on. */
  async takeOver(): Promise<void> {
    await rm(path.join(this.#folder, HOLDER_FILE), { force: true });
  }

  /** Starts the script, once. Call it before a process starts. */
  begin(): void {
    const script = this.#script;
    if (script !== null && script.exitCode === null && script.signalCode === null) return;
    this.#startScript();
  }

  #startScript(): void {
    try {
      writeFileSync(path.join(this.#folder, HOLDER_FILE), this.#holder, { mode: 0o600 });
    } catch {
      return; // a full disk: processes run as they would without the watch
    }
    const args = [this.#folder, this.#holder, String(this.#waitSeconds)];
    const script = spawn("/bin/sh", ["-c", SCRIPT, "freehold-orphans", ...args], {
      cwd: "/",
      env: { PATH: "/usr/bin:/bin" },
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    script.on("error", () => {});
    script.stdin.on("error", () => {});
    script.unref();
    (script.stdin as typeof script.stdin & { unref(): void }).unref();
    this.#script = script;
  }

  /** The service ends in order: processes that still run wait for the next one all the same. */
  end(): void {
    this.#script?.stdin?.destroy();
  }
}
