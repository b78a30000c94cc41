// The endpoints behind the balancer: two workers with nginx that serve files, and two that stream events. Each worker is
// a process that Freehold starts. It writes its process id to a file that is named by its port, so that other balancers
// can be put before the same ones, and the CPU time of each balancer measured without theirs.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as realTime } from "node:timers/promises";
import type { ServiceProcess } from "../pods/process.ts";

export const FILES = { ping: 2, "1k": 1_024, "1m": 1_048_576 };
const STREAM = path.join(import.meta.dirname, "stream-server.mjs");

/** PORT stands for the worker's port. */
const SITE = (folder: string) => `
daemon off; error_log stderr crit; pid ${folder}/PORT.pid; user root; worker_processes 1;
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
  client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  server {
    listen 127.0.0.1:PORT; root ${folder}/files;
    location = /run { default_type application/json; return 200 '{"output": "${"x".repeat(200)}"}'; }
  }
}
`;

export interface Endpoint {
  /** What requests name in their Host header. */
  host: string;
  /** Where its workers listen: 127.0.0.1:PORT. */
  workers: string[];
  workerPids: number[];
}

export interface Endpoints {
  files: Endpoint;
  streams: Endpoint;
  remove(): void;
}

/** All workers share one core. */
export async function startEndpoints(service: ServiceProcess, core: number): Promise<Endpoints> {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-bench-serving-"));
  mkdirSync(path.join(folder, "files"));
  for (const [name, bytes] of Object.entries(FILES))
    writeFileSync(path.join(folder, "files", name), Buffer.alloc(bytes, "x"));
  writeFileSync(path.join(folder, "site.conf"), SITE(folder));
  const nginx = `sed s/PORT/$PORT/g ${folder}/site.conf > ${folder}/$PORT.conf; exec nginx -c ${folder}/$PORT.conf`;
  const start = async (name: string, command: string) => {
    const ports = path.join(folder, name);
    mkdirSync(ports);
    const pinned = `echo $$ > ${ports}/$PORT; exec taskset -c ${core} sh -c '${command}'`;
    const host = await createEndpoint(service, name, pinned);
    for (;;) {
      const { ready } = (await service.call("GET", `/v2/${host.id}/health`)).workers;
      if (ready === 2) break;
      await realTime(100);
    }
    const files = readdirSync(ports);
    return {
      host: host.name,
      workers: files.map((port) => `127.0.0.1:${port}`),
      workerPids: files.map((port) => Number(readFileSync(path.join(ports, port), "utf8"))),
    };
  };
  return {
    files: await start("on-nginx", nginx),
    streams: await start("streams", `exec ${process.execPath} ${STREAM}`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function createEndpoint(service: ServiceProcess, name: string, command: string) {
  const template = await service.call("POST", "/v1/templates", {
    name,
    imageName: name,
    isServerless: true,
    driver: "process",
    dockerStartCmd: ["sh", "-c", command],
  });
  const { id } = await service.call("POST", "/v2/serverless", {
    name,
    type: "LOAD_BALANCER",
    templateId: template.id,
    cpu: [{ id: "cpu3c", vcpuCount: 2 }],
    scaling: { type: "REQUEST_COUNT", requestCount: 100 },
    workers: { min: 2, max: 2, idleTimeout: 60 },
  });
  return { id: id as string, name: `${id}.lb.localhost` };
}
