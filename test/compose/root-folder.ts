// A root file system made of this machine's programs: Node and npm, PostgreSQL, HAProxy, a shell,
// and the libraries that each loads.

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { librariesOf } from "../fixtures/docker/engine.ts";

/** The parts that are not installed here. */
export function missingPrograms(): string[] {
  const needed = programs.filter((name) => !find(name));
  return postgresFolder() ? needed : [...needed, "postgresql"];
}

const programs = [
  "bash",
  "cat",
  "chmod",
  "chown",
  "cp",
  "dirname",
  "env",
  "grep",
  "haproxy",
  "id",
  "ln",
  "ls",
  "mkdir",
  "mv",
  "ps",
  "rm",
  "sed",
  "setpriv",
  "sh",
  "sleep",
];

const postgresEntrypoint = `#!/bin/bash
set -e
as_postgres() { setpriv --reuid=999 --regid=999 --clear-groups env HOME=/tmp "$@"; }
mkdir -p "$PGDATA" /var/run/postgresql && chown postgres "$PGDATA" /var/run/postgresql
chmod 700 "$PGDATA"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  echo "$POSTGRES_PASSWORD" > /tmp/password
  as_postgres initdb --username="$POSTGRES_USER" --pwfile=/tmp/password \\
    --auth-local=trust --auth-host=scram-sha-256 --no-sync >/dev/null
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
  as_postgres pg_ctl --wait --options="-c listen_addresses=''" start >/dev/null
  as_postgres createdb --username="$POSTGRES_USER" "\${POSTGRES_DB:-$POSTGRES_USER}"
  as_postgres pg_ctl --wait --mode=fast stop >/dev/null
fi
exec setpriv --reuid=999 --regid=999 --clear-groups "$@" -c listen_addresses='*'
`;

const users = `root:x:0:0:root:/root:/bin/bash
haproxy:x:99:99::/var/lib/haproxy:/bin/bash
postgres:x:999:999::/var/lib/postgresql:/bin/bash
node:x:1000:1000::/home/node:/bin/bash
nobody:x:65534:65534::/:/bin/false
`;

/** Fills the folder. */
export function makeRoot(root: string): void {
  for (const each of ["etc", "root", "usr/bin", "usr/lib", "usr/lib64", "usr/local/bin"]) {
    mkdirSync(path.join(root, each), { recursive: true });
  }
  for (const each of ["bin", "lib", "lib64"]) symlinkSync(`usr/${each}`, path.join(root, each));
  for (const each of ["tmp", "home/node", "var/lib/haproxy", "var/lib/postgresql", "var/run"]) {
    mkdirSync(path.join(root, each), { recursive: true });
    chmodSync(path.join(root, each), 0o1777);
  }
  const write = (name: string, text: string, mode = 0o644) => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text, { mode });
  };
  write("etc/passwd", users);
  write("etc/group", users.replace(/^(\w+):x:(\d+).*$/gm, "$1:x:$2:"));
  write("etc/nsswitch.conf", "hosts: files dns\n");
  write("usr/local/bin/postgres-entrypoint", postgresEntrypoint, 0o755);
  write("usr/local/etc/npmrc", npmSettings());
  copyPrograms(root);
}

export const imagePath = () => `/usr/local/bin:/usr/bin:${postgresFolder()}/bin`;

function copyPrograms(root: string): void {
  const copy = (from: string, to = realpathSync(from)) =>
    cpSync(realpathSync(from), path.join(root, to), {
      recursive: true,
      filter: (name) => !JUST_IN_TIME.test(name),
    });
  const postgres = postgresFolder()!;
  const shared = postgres.replace("/usr/lib/", "/usr/share/");
  for (const each of [postgres, shared, "/usr/share/zoneinfo"]) copy(each);
  copy("/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/certs/ca-certificates.crt");
  const npm = path.dirname(path.dirname(realpathSync(find("npm")!)));
  copy(npm, "/usr/local/lib/node_modules/npm");
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", path.join(root, "usr/local/bin/npm"));
  copy(process.execPath, "/usr/local/bin/node");
  const own = programs.map((name) => find(name)!);
  for (const each of own)
    cpSync(realpathSync(each), path.join(root, "usr/bin", path.basename(each)));
  const databases = ["bin", "lib"].flatMap((part) =>
    readdirSync(path.join(postgres, part)).map((name) => path.join(postgres, part, name)),
  );
  const loading = [...own, ...databases, process.execPath].filter(
    (file) => !JUST_IN_TIME.test(file),
  );
  const libraries = librariesOf(loading);
  // Part of every C library of this kind, and required by binaries of npm packages.
  const libc = [...libraries].find((file) => path.basename(file) === "libc.so.6")!;
  for (const name of ["librt.so.1", "libpthread.so.0", "libdl.so.2", "libgcc_s.so.1"]) {
    libraries.add(path.join(path.dirname(libc), name));
  }
  for (const library of libraries) {
    const to = path.join(root, "usr", library.replace(/^\/usr/, ""));
    mkdirSync(path.dirname(to), { recursive: true });
    cpSync(realpathSync(library), to);
  }
}

/** PostgreSQL's JIT compiler is larger than everything else and not needed. */
const JUST_IN_TIME = /bitcode|llvmjit/;

/** The npm registry settings of this machine, without credentials. */
function npmSettings(): string {
  const all = JSON.parse(
    execFileSync("npm", ["config", "list", "--json"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  );
  const names = [
    "registry",
    "proxy",
    "https-proxy",
    "strict-ssl",
    "omit-lockfile-registry-resolved",
  ];
  const set = names.filter((name) => all[name] !== null && all[name] !== undefined);
  return `${set.map((name) => `${name}=${all[name]}`).join("\n")}\ncafile=/etc/ssl/certs/ca-certificates.crt\n`;
}

function postgresFolder(): string | null {
  const all = "/usr/lib/postgresql";
  const version = existsSync(all) ? readdirSync(all).sort().at(-1) : undefined;
  return version ? path.join(all, version) : null;
}

function find(program: string): string | null {
  const folders = [...(process.env.PATH ?? "").split(":"), "/usr/sbin", "/sbin"];
  const found = folders.find((folder) => folder && existsSync(path.join(folder, program)));
  return found ? path.join(found, program) : null;
}
