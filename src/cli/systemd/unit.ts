// The unit of systemd that runs the service: for the whole machine, or for one user.

export interface UnitRequest {
  /** The program and its first arguments, as absolute paths. */
  command: readonly string[];
  /** A unit of the calling user; otherwise one of the machine, with a user of its own. */
  isUserUnit: boolean;
  /** The group of the engine's socket; null if there is no engine. */
  engineGroup: string | null;
  /** Whether the machine has GPUs, whose errors are in the kernel log. */
  hasGpus: boolean;
}

/** The user of the machine's unit. */
export const SERVICE_USER = "freehold";

export function unitText({ command, isUserUnit, engineGroup, hasGpus }: UnitRequest): string {
  return `# Written by \`freehold service install\`. Change it with: systemctl edit freehold
[Unit]
Description=Freehold, a compute cloud
Wants=network-online.target
After=network-online.target docker.service

[Service]
# Active once the service answers requests.
Type=notify
NotifyAccess=all
ExecStart=${command.map(quoted).join(" ")} up
${isUserUnit ? USER_FOLDERS : machineFolders(engineGroup)}
Restart=on-failure
# Only the service gets SIGTERM, and it ends its workers; they get ten seconds for their results.
KillMode=mixed
TimeoutStopSec=30
LimitNOFILE=65536

NoNewPrivileges=yes
${isUserUnit ? "" : `${HARDENING}\n${hasGpus ? KERNEL_LOG : NO_KERNEL_LOG}\n`}
[Install]
WantedBy=${isUserUnit ? "default.target" : "multi-user.target"}
`;
}

const USER_FOLDERS = `Environment=FREEHOLD_DATA=%h/.freehold
EnvironmentFile=-%h/.config/freehold/freehold.env`;

function machineFolders(engineGroup: string | null): string {
  const groups = engineGroup === null ? "" : `\nSupplementaryGroups=${engineGroup}`;
  return `Environment=FREEHOLD_DATA=%S/freehold XDG_CACHE_HOME=%C
# Settings, such as FREEHOLD_LISTEN and FREEHOLD_DATABASE_URL.
EnvironmentFile=-/etc/freehold.env
User=${SERVICE_USER}${groups}
StateDirectory=freehold
StateDirectoryMode=0700
CacheDirectory=freehold`;
}

/** Devices stay, because workers use GPUs; ProtectClock would hide them too. Node compiles, so memory may become code. */
const HARDENING = `ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectProc=invisible
RemoveIPC=yes
RestrictSUIDSGID=yes
RestrictRealtime=yes
RestrictNamespaces=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=~@clock @cpu-emulation @module @mount @obsolete @raw-io @reboot @swap
SystemCallErrorNumber=EPERM
# For AmbientCapabilities=CAP_NET_BIND_SERVICE, with which the service may listen on port 443.
CapabilityBoundingSet=CAP_NET_BIND_SERVICE`;

const NO_KERNEL_LOG = "ProtectKernelLogs=yes";

/** Processes of the process driver inherit the capability; they have the service's rights in all else too. */
const KERNEL_LOG = `# The errors of this machine's GPUs are in the kernel log, which only CAP_SYSLOG may read.
CapabilityBoundingSet=CAP_SYSLOG
AmbientCapabilities=CAP_SYSLOG`;

/** A word of ExecStart as systemd reads it: quotes keep spaces, and a percent sign begins a specifier. */
function quoted(word: string): string {
  const escaped = word.replace(/[\\"]/g, "\\$&").replaceAll("%", "%%").replaceAll("$", "$$$$");
  return /[\s'"\\;]/.test(word) ? `"${escaped}"` : escaped;
}
