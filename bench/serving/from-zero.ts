// The first answer of an endpoint without workers, beside `docker run` of the same image and its server's own start.

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { setTimeout as realTime } from "node:timers/promises";
import { docker } from "../../test/fixtures/docker/engine.ts";
import { ENGINE, type ServiceProcess } from "../pods/process.ts";
import { PAGE_PORT } from "../pods/proxy/nginx.ts";

const RETRY_MS = 5;
const REST_MS = 1_000;

/** Milliseconds, round by round. */
export interface FromZero {
  bareMs: number[];
  ownMs: number[];
}

export async function measureFromZero(
  service: ServiceProcess,
  image: string,
  rounds: number,
): Promise<FromZero> {
  const { id } = await createEndpoint(service, image);
  const measured: FromZero = { bareMs: [], ownMs: [] };
  // The first worker creates the account's network.
  for (let n = -1; n < rounds; n++) {
    const bare = await bareStart(image);
    const own = await firstAnswer(service, id);
    if (n < 0) continue;
    measured.bareMs.push(bare);
    measured.ownMs.push(own);
  }
  return measured;
}

async function createEndpoint(service: ServiceProcess, image: string): Promise<{ id: string }> {
  const template = await service.call("POST", "/v1/templates", {
    name: "from zero",
    imageName: image,
    isServerless: true,
    driver: "docker",
    env: { PORT: String(PAGE_PORT) },
  });
  return service.call("POST", "/v2/serverless", {
    name: "from zero",
    type: "LOAD_BALANCER",
    templateId: template.id,
    cpu: [{ id: "cpu3c", vcpuCount: 2 }],
    scaling: { type: "REQUEST_COUNT", requestCount: 100 },
    workers: { min: 0, max: 1, idleTimeout: 1 },
  });
}

async function bareStart(image: string): Promise<number> {
  const before = performance.now();
  const limits = ["--cpus", "2", "--memory", "4g"];
  const args = ["--host", ENGINE, "run", "--detach", ...limits, image];
  const id = execFileSync("docker", args, { encoding: "utf8" }).trim();
  const format = "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}";
  const address = docker(ENGINE, "inspect", "--format", format, id);
  while (!(await answers(`http://${address}:${PAGE_PORT}/1k`))) await realTime(RETRY_MS);
  const took = performance.now() - before;
  docker(ENGINE, "rm", "--force", id);
  await realTime(REST_MS);
  return took;
}

const answers = (url: string) =>
  fetch(url).then(
    (response) => response.ok,
    () => false,
  );

async function firstAnswer(service: ServiceProcess, id: string): Promise<number> {
  const before = performance.now();
  const { origin, key } = service;
  const headers = { host: `${id}.lb.localhost`, authorization: `Bearer ${key}` };
  const outgoing = request(`${origin}/1k`, { headers }).end();
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} from zero`);
  await once(response.resume(), "end");
  const took = performance.now() - before;
  for (;;) {
    const { workers } = await service.call("GET", `/v2/${id}/health`);
    if (Object.values(workers).every((count) => count === 0)) break;
    await realTime(100);
  }
  await realTime(REST_MS);
  return took;
}
