// The launch of a process that outlives the service and can be identified later. A small shell script
// runs first: it writes its pid and start time to a note, claims the run, and then becomes the command
// (same pid, same start time). The claim is a file that can be created only once. A driver that finds a
// run without a claim creates the claim itself, and a process that comes later gives up. So one run
// never has two processes or an unknown process, even if the service crashes.

import { type ChildProcess, spawn } from "node:child_process";
import { open } from "node:fs/promises";
import { StartRefused } from "../driver.ts";

/**
 * $1 is the note's file, $2 the claim's, the rest the command. It uses only shell built-ins and ps. The
 * note is written relative to the working folder and must then exist under its full path: it does not
 * if the folder was removed meanwhile and another start created a new one under the same name.
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
  echo "freehold: cannot start: the program \\"$1\\" does not exist on this machine (PATH is $PATH)" >&2
  exit 127
}
exec "$@"
`;

export interface LaunchSpec {
  command: string[];
  env: Record<string, string>;
  /** A folder inside the note's folder. */
  workingFolder: string;
  logPath: string;
  notePath: string;
  claimPath: string;
}

export interface LaunchedProcess {
  pid: number;
  exited: Promise<{ exitCode: number | null; signal: string | null }>;
}

/** Resolves once it has started, as the leader of a session and a group of its own. */
export async function launch(spec: LaunchSpec): Promise<LaunchedProcess> {
  const log = await open(spec.logPath, "a", 0o600);
  try {
    const child = spawnShell(spec, log.fd);
    // Listens at once, because a short command may end before this function returns.
    const exited: LaunchedProcess["exited"] = new Promise((resolve) => {
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

function spawnShell(spec: LaunchSpec, logFd: number): ChildProcess {
  try {
    return spawn(
      "/bin/sh",
      ["-c", SCRIPT, "freehold-start", spec.notePath, spec.claimPath, ...spec.command],
      {
        cwd: spec.workingFolder,
        env: spec.env,
        detached: true,
        stdio: ["ignore", logFd, logFd],
      },
    );
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "E2BIG") {
      throw new StartRefused(
        "The start command and its environment are larger than this machine allows for a process.",
      );
    }
    throw error;
  }
}
