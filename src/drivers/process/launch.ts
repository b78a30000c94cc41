// Starts a process that outlives us and that we will know again. A small shell script runs first:
// it notes its own pid and birth, claims the run, and then becomes the command (same pid, same
// birth). The claim is a file that can be created only once. Whoever finds a run without a claim
// creates it himself, and the process that comes too late gives up. So at no moment, a crash of
// ours included, can one run have two processes or a process that nobody knows.
import { type ChildProcess, spawn } from "node:child_process";
import { open } from "node:fs/promises";
import { StartRefused } from "../driver.ts";

/**
 * $1 is the file for the note, $2 the claim, the rest the command. Built-ins only, but for ps. The
 * note is written from the working folder, and must then be found under its full path: it is not if
 * the folder was removed meanwhile and another start made a new one under the same name.
 */
const SCRIPT = `
if [ -r /proc/$$/stat ]; then read -r freehold_birth </proc/$$/stat
else freehold_birth=$(LC_ALL=C TZ=UTC /bin/ps -o lstart= -p $$); fi
echo "$$ $freehold_birth" 2>/dev/null >"../\${1##*/}" || exit 75
set -C
echo "$$" 2>/dev/null >"$2" || exit 75
set +C
[ -e "$1" ] || exit 75
shift 2
unset freehold_birth
command -v -- "$1" >/dev/null || {
  echo "freehold: cannot start: there is no program \\"$1\\" on this machine (PATH is $PATH)" >&2
  exit 127
}
exec "$@"
`;

export interface Launch {
  command: string[];
  env: Record<string, string>;
  /** Lies in the folder of the note. */
  workingFolder: string;
  logPath: string;
  notePath: string;
  claimPath: string;
}

export interface Launched {
  pid: number;
  exited: Promise<{ exitCode: number | null; signal: string | null }>;
}

/** Resolves once it has begun, as the leader of a session and a group of its own. */
export async function launch(given: Launch): Promise<Launched> {
  const log = await open(given.logPath, "a", 0o600);
  try {
    const child = spawnRefusing(given, log.fd);
    // Listened to from the first moment: a short command may end before we are through here.
    const exited: Launched["exited"] = new Promise((resolve) => {
      child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.on("error", reject);
    });
    child.unref();
    return { pid: child.pid ?? 0, exited };
  } finally {
    await log.close();
  }
}

function spawnRefusing(given: Launch, logFd: number): ChildProcess {
  try {
    return spawn(
      "/bin/sh",
      ["-c", SCRIPT, "freehold-start", given.notePath, given.claimPath, ...given.command],
      {
        cwd: given.workingFolder,
        env: given.env,
        detached: true,
        stdio: ["ignore", logFd, logFd],
      },
    );
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "E2BIG") {
      throw new StartRefused(
        "The start command and its environment are larger than this machine lets a process have.",
      );
    }
    throw error;
  }
}
