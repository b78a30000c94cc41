// The environment of a process. Of the service's own environment it inherits only the paths of
// programs, home and temporary files, and the locale, so that no credential of the service
// (FREEHOLD_*, a database address, a cloud key) reaches a workload.

import { StartRefused } from "../driver.ts";

const INHERITED = [
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

/** The complete environment of a process; the workload's own variables take precedence. */
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
    requirePassableVariable(name, value);
    environment[name] = value;
  }
  return environment;
}

/** The shell that starts a process drops such names silently, so they are refused instead. */
function requirePassableVariable(name: string, value: string): void {
  if (!NAME.test(name)) {
    throw new StartRefused(
      `The environment variable ${JSON.stringify(name)} cannot be passed to a process: a name consists ` +
        "of letters, digits and underscores, and does not begin with a digit.",
    );
  }
  if (value.includes("\0")) {
    throw new StartRefused(
      `The environment variable ${name} contains a zero byte, which a process cannot receive.`,
    );
  }
}
