// The capabilities of every container.

/**
 * Those that programs running as root in common images need, SSH servers included. Of the engines' default set it omits
 * MKNOD, NET_RAW, SETFCAP and SETPCAP.
 */
export const CAPABILITIES: readonly string[] = [
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "NET_BIND_SERVICE",
  "SETGID",
  "SETUID",
  "SYS_CHROOT",
];
