// Installs and removes the unit of systemd. Data and settings stay when the unit goes.

import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { Refusal } from "../../base/refusal.ts";
import { GIB } from "../../base/units.ts";
import { SERVICE_USER, unitText } from "./unit.ts";

/** The unit's text for this machine and this installation of Freehold. */
export function ownUnit(isUserUnit: boolean): string {
  const engineGroup = succeeds("getent", ["group", "docker"]) ? "docker" : null;
  return unitText({ command: ownCommand(), isUserUnit, engineGroup, hasGpus: hasGpus() });
}

const PCI_DEVICES = "/sys/bus/pci/devices";

/** Smaller ones are parts of a processor. */
const MIN_AMD_BYTES = 4 * GIB;

/** Whether the PCI bus has a device of NVIDIA, with a driver or without, or a GPU that AMD's driver has. */
function hasGpus(): boolean {
  if (!existsSync(PCI_DEVICES)) return false;
  return readdirSync(PCI_DEVICES).some((device) => {
    const readValue = (name: string) => {
      const file = path.join(PCI_DEVICES, device, name);
      return existsSync(file) ? readFileSync(file, "utf8").trim() : "";
    };
    const vendor = readValue("vendor");
    if (vendor === "0x10de") return true;
    return vendor === "0x1002" && Number(readValue("mem_info_vram_total")) >= MIN_AMD_BYTES;
  });
}

/** Starts the service, now and with the machine. Returns the unit's file. */
export function installUnit(isUserUnit: boolean): string {
  requireSystemd();
  if (!isUserUnit) requireMachineInstallation();
  const file = unitFile(isUserUnit);
  if (!isUserUnit && !succeeds("getent", ["passwd", SERVICE_USER])) {
    runOrRefuse("useradd", ["--system", "--home-dir", "/var/lib/freehold", SERVICE_USER]);
  }
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, ownUnit(isUserUnit));
  systemctl(isUserUnit, "daemon-reload");
  systemctl(isUserUnit, "enable", "freehold");
  // Also applies a unit that has changed.
  systemctl(isUserUnit, "restart", "freehold");
  return file;
}

export function removeUnit(isUserUnit: boolean): string {
  requireSystemd();
  const file = unitFile(isUserUnit);
  if (!isUserUnit) requireRoot();
  if (!existsSync(file)) throw new Refusal(`${file} does not exist: the service is not installed`);
  systemctl(isUserUnit, "disable", "--now", "freehold");
  rmSync(file);
  systemctl(isUserUnit, "daemon-reload");
  return file;
}

function unitFile(isUserUnit: boolean): string {
  const { XDG_CONFIG_HOME } = process.env;
  const folder = XDG_CONFIG_HOME || path.join(homedir(), ".config");
  return isUserUnit
    ? path.join(folder, "systemd", "user", "freehold.service")
    : "/etc/systemd/system/freehold.service";
}

/** Absolute, because a service has no PATH of its own. */
const ownCommand = () => [process.execPath, realpathSync(process.argv[1]!)];

function requireSystemd(): void {
  if (existsSync("/run/systemd/system")) return;
  throw new Refusal(
    "this machine does not run systemd; start Freehold with `freehold up` under your own supervisor",
  );
}

function requireRoot(): void {
  if (process.getuid?.() === 0) return;
  throw new Refusal(
    "a service of the machine needs root: run it with sudo, or add --user for a service of your own",
  );
}

/** The service's user cannot read what is in the home of another. */
function requireMachineInstallation(): void {
  requireRoot();
  const inHome = ownCommand().find((file) => /^\/(?:home|root|run\/user)\//.test(file));
  if (inHome === undefined) return;
  throw new Refusal(
    `${inHome} is in a home folder, which the service's user cannot read; install Node and Freehold ` +
      "for the machine (deploy/install.sh RELEASE /usr/local), or add --user",
  );
}

function systemctl(isUserUnit: boolean, ...args: string[]): void {
  runOrRefuse("systemctl", isUserUnit ? ["--user", ...args] : args);
}

function runOrRefuse(program: string, args: string[]): void {
  const { status, error, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status === 0) return;
  const reason = error?.message ?? stderr.trim();
  throw new Refusal(`${program} ${args.join(" ")} failed: ${reason}`);
}

function succeeds(program: string, args: string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}
