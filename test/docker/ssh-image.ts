// An image with an SSH server that starts as those of the hosted service do: it accepts the keys in PUBLIC_KEY and
// keeps the container's variables for sessions.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { docker, ensureImage } from "../fixtures/docker/engine.ts";

const PROGRAMS = [
  "bash",
  "sh",
  "sleep",
  "cat",
  "mkdir",
  "rm",
  "cut",
  "find",
  "wc",
  "du",
  "tar",
  "gzip",
  "env",
  "ssh-keygen",
  "sshd",
];

// The server is not the first process: it would overwrite the variables that clients read there.
const START = `
mkdir -p /root/.ssh /run/sshd
chmod 700 /root/.ssh 2> /dev/null
echo root:x:0:0::/root:/bin/bash > /etc/passwd
echo sshd:x:1:1::/run/sshd:/bin/sh >> /etc/passwd
echo "$PUBLIC_KEY" > /root/.ssh/authorized_keys
while IFS= read -r -d '' line; do echo "export \${line%%=*}='\${line#*=}'"; done < /proc/1/environ > /etc/rp_environment
: > /root/.bashrc
ssh-keygen -q -t ed25519 -N '' -f /etc/host_key
trap 'exit 0' TERM
/usr/bin/sshd -D -e -f /dev/null -o HostKey=/etc/host_key -o StrictModes=no -o Subsystem='sftp internal-sftp' &
wait
`;

/** Imports the image if it is missing. */
export function ensureSshImage(host: string): string {
  const hash = createHash("sha256")
    .update([START, ...PROGRAMS].join("\n"))
    .digest("hex");
  const image = `freehold-test-ssh:${hash.slice(0, 12)}`;
  if (docker(host, "images", "--quiet", image) !== "") return image;
  const base = ensureImage(host, `freehold-test-ssh-base:${hash.slice(0, 12)}`, () =>
    PROGRAMS.map((program) => [program, fileOf(program)]),
  );
  const container = docker(host, "create", base, "true");
  const change = `ENTRYPOINT ${JSON.stringify(["bash", "-c", START])}`;
  docker(host, "commit", "--change", change, container, image);
  docker(host, "rm", container);
  return image;
}

function fileOf(program: string): string {
  const search = { encoding: "utf8", env: { PATH: `${process.env.PATH}:/usr/sbin` } } as const;
  return execFileSync("sh", ["-c", `command -v ${program}`], search).trim();
}
