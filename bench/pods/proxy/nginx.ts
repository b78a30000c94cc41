// nginx in two roles: in a Pod as the page behind both proxies, and as the alternative proxy.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { docker, librariesOf } from "../../../test/fixtures/docker/engine.ts";

export const PAGE_PORT = 8_000;

const common = `
error_log stderr crit;
pid /tmp/nginx.pid;
user root;
worker_processes 1;
events { worker_connections 1024; }
`;

const siteConfig = `
daemon off;${common}
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  client_body_temp_path /tmp/b; proxy_temp_path /tmp/p; fastcgi_temp_path /tmp/f;
  uwsgi_temp_path /tmp/u; scgi_temp_path /tmp/s;
  server { listen ${PAGE_PORT}; root /srv; }
}
`;

/** The recommended settings for a proxy to a local server: keep-alive, nothing buffered to disk. */
const proxy = (folder: string, port: number, pages: readonly string[]) => `
daemon off;${common.replace("/tmp/nginx.pid", `${folder}/nginx.pid`)}
http {
  access_log off;
  keepalive_requests 1000000;
  client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  upstream page {
    least_conn;
    ${pages.map((page) => `server ${page};`).join(" ")}
    keepalive 64; keepalive_requests 1000000;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://page;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_buffers 16 64k;
      proxy_buffer_size 64k;
      proxy_busy_buffers_size 128k;
      proxy_max_temp_file_size 0;
    }
  }
}
`;

/** An image with this machine's nginx, which serves files named after their size in bytes. */
export function ensureNginxImage(host: string, files: Record<string, number>): string {
  const name = "freehold-bench-nginx:1";
  if (docker(host, "images", "--quiet", name) !== "") return name;
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-image-"));
  try {
    const root = path.join(folder, "root");
    const folders = ["usr/sbin", "usr/lib", "usr/lib64", "tmp", "srv", "etc", "var/log/nginx"];
    for (const each of folders) mkdirSync(path.join(root, each), { recursive: true });
    for (const each of ["lib", "lib64"]) symlinkSync(`usr/${each}`, path.join(root, each));
    const program = execFileSync("sh", ["-c", "command -v nginx"], { encoding: "utf8" }).trim();
    cpSync(realpathSync(program), path.join(root, "usr/sbin/nginx"));
    for (const library of librariesOf([program])) {
      const to = path.join(root, "usr", library.replace(/^\/usr/, ""));
      mkdirSync(path.dirname(to), { recursive: true });
      cpSync(realpathSync(library), to);
    }
    writeFileSync(path.join(root, "etc/passwd"), "root:x:0:0::/:/\n");
    writeFileSync(path.join(root, "etc/group"), "root:x:0:\n");
    writeFileSync(path.join(root, "etc/nginx.conf"), siteConfig);
    for (const [file, bytes] of Object.entries(files)) {
      writeFileSync(path.join(root, "srv", file), Buffer.alloc(bytes, "x"));
    }
    const archive = path.join(folder, "root.tar");
    execFileSync("tar", ["--owner=0", "--group=0", "-C", root, "-cf", archive, "."]);
    const start = 'CMD ["/usr/sbin/nginx", "-c", "/etc/nginx.conf"]';
    docker(host, "import", "--change", start, archive, name);
    return name;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface Proxying {
  pid: number;
  origin: string;
  end(): Promise<void>;
}

/** nginx as a reverse proxy for `pages`, on one core. */
export async function startNginx(
  port: number,
  pages: readonly string[],
  core: number,
): Promise<Proxying> {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-nginx-"));
  const conf = path.join(folder, "nginx.conf");
  writeFileSync(conf, proxy(folder, port, pages));
  const child = spawn("taskset", ["-c", String(core), "nginx", "-c", conf], { stdio: "ignore" });
  const end = async () => {
    child.kill("SIGQUIT");
    await once(child, "exit");
    rmSync(folder, { recursive: true, force: true });
  };
  return { pid: child.pid!, origin: `http://127.0.0.1:${port}`, end };
}

export function nginxVersion(): string {
  const output = execFileSync("sh", ["-c", "nginx -v 2>&1"], { encoding: "utf8" });
  return /nginx\/(\S+)/.exec(output)?.[1] ?? "of unknown version";
}
