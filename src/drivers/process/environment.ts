// What a process sees of our own environment: where programs, home and temporary files are, and how
// text and time are written. Nothing else, so that no key of the service (FREEHOLD_*, a database
// address, a cloud credential) reaches a workload.
import { StartRefused } from "../driver.ts";

export const INHERITED = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "TMPDIR",
  "TZ",
  "LANG",
  "LANGUAGE",
  "LC_ALL",
  "LC_CTYPE",
];

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The process's whole environment; the workload's own variables win. */
export function processEnvironment(
  service: Record<string, string | undefined>,
  workload: Record<string, string>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of INHERITED) {
    const value = service[name];
    if (value !== undefined) environment[name] = value;
  }
  for (const [name, value] of Object.entries(workload)) {
    refuseUnpassable(name, value);
    environment[name] = value;
  }
  return environment;
}

/** The shell that starts a process drops such names in silence, so we say it aloud instead. */
function refuseUnpassable(name: string, value: string): void {
  if (!NAME.test(name)) {
    throw new StartRefused(
      `The environment variable ${JSON.stringify(name)} cannot be given to a process: a name is ` +
        "letters, digits and underscores, and begins with no digit.",
    );
  }
  if (value.includes("\0")) {
    throw new StartRefused(
      `The environment variable ${name} holds a zero byte, which no process can be given.`,
    );
  }
}
