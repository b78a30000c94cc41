// The proxy to Pods' http ports beside nginx as reverse proxy: the same page in the same container, the
// same load, one core each, in turns. Writes its page.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as realTime } from "node:timers/promises";
import { docker } from "../../../src/drivers/docker/engine.testing.ts";
import { freePort } from "../../../test/free-port.ts";
import { describeMachine } from "../../jobs/machine.ts";
import { markdownTable } from "../../jobs/table.ts";
import { ENGINE, type ServiceProcess, startProcess } from "../process.ts";
import { measure, type Passed } from "./load.ts";
import { ensureNginxImage, nginxVersion, PAGE_PORT, startNginx } from "./nginx.ts";

/** One core is the proxy's, the other has the page and the load. */
const PROXY_CORE = 0;
const OTHER_CORE = 1;
const CONNECTIONS = 32;
const ROUNDS = 3;

const bodies = [
  { file: "1k", bytes: 1_024, name: "1 kB", goal: 0.25 },
  { file: "1m", bytes: 1_048_576, name: "1 MB", goal: 0.5 },
];

interface Party {
  name: string;
  pid: number;
  origin: string;
  host: string;
}

export async function benchProxy(seconds: number): Promise<void> {
  const files = Object.fromEntries(bodies.map(({ file, bytes }) => [file, bytes]));
  const image = ensureNginxImage(ENGINE, files);
  const service = await startProcess(PROXY_CORE);
  try {
    const { id, address } = await startPage(service, image);
    const host = `${id}-${PAGE_PORT}.proxy.localhost`;
    const { pid, origin } = service;
    const own = { name: "Freehold", host, pid, origin };
    const port = await freePort();
    const nginx = await startNginx(port, `${address}:${PAGE_PORT}`, PROXY_CORE);
    try {
      await realTime(500);
      const other = { name: "nginx", host: "127.0.0.1", ...nginx };
      write(await rounds([own, other], seconds), seconds);
    } finally {
      await nginx.end();
    }
  } finally {
    await service.end();
  }
}

async function rounds(parties: Party[], seconds: number): Promise<Map<string, Passed[]>> {
  const passed = new Map<string, Passed[]>();
  for (let n = 0; n < ROUNDS; n++) {
    for (const { file } of bodies) {
      for (const { name, pid, origin, host } of parties) {
        const load = { url: `${origin}/${file}`, host, connections: CONNECTIONS, seconds };
        const result = await measure(pid, { ...load, core: OTHER_CORE });
        const key = `${name} ${file}`;
        passed.set(key, [...(passed.get(key) ?? []), result]);
        process.stderr.write(`${key}: ${JSON.stringify(result)}\n`);
      }
    }
  }
  return passed;
}

/** The Pod with the page, on the other core; its address in its network. */
async function startPage(service: ServiceProcess, image: string) {
  const { id, container } = await service.rent({ imageName: image, ports: [`${PAGE_PORT}/http`] });
  docker(ENGINE, "update", "--cpuset-cpus", String(OTHER_CORE), container);
  const format = "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}";
  const address = docker(ENGINE, "inspect", "--format", format, container);
  return { id, address };
}

function write(passed: Map<string, Passed[]>, seconds: number): void {
  const rows = bodies.flatMap(({ file, name, goal }) => {
    const [ours, theirs] = ["Freehold", "nginx"].map((party) =>
      middle(passed.get(`${party} ${file}`)!),
    );
    const ratio = Math.min(
      ours!.perSecond / theirs!.perSecond,
      ours!.perCpuSecond / theirs!.perCpuSecond,
    );
    const cells = ({ perSecond, perCpuSecond, p50Ms, p99Ms }: Passed) => [
      perSecond.toFixed(0),
      perCpuSecond.toFixed(0),
      p50Ms.toFixed(2),
      p99Ms.toFixed(2),
    ];
    return [
      [`${name}, nginx`, ...cells(theirs!), "", ""],
      [
        `${name}, Freehold`,
        ...cells(ours!),
        ratio.toFixed(2),
        ratio >= goal ? `met (${goal})` : `not met (${goal})`,
      ],
    ];
  });
  const page = `# The proxy to Pods

Written by \`npm run bench:pods -- proxy\` on ${new Date().toISOString().slice(0, 10)}.

${[...describeMachine(), `nginx ${nginxVersion()} as reverse proxy, one worker, kept connections`].map((each) => `- ${each}`).join("\n")}

Both pass on the same page, files that nginx serves in a Pod's container, to ${CONNECTIONS} connections of wrk:
each proxy on a core of its own, the page and wrk on the other one, in turns, ${ROUNDS} times ${seconds} s
each; the middle run by its throughput. "Of nginx" is the smaller of two ratios: requests a second, and
requests for each second of the proxy's CPU time, which says what it costs where the load, and not the
proxy, is what holds it up.

${markdownTable(["body, proxy", "requests/s", "a CPU second", "p50 ms", "p99 ms", "of nginx", "goal"], rows)}
`;
  process.stdout.write(page);
  const file = path.join(import.meta.dirname, "..", "..", "results", "pods-proxy.md");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, page);
}

const middle = (runs: Passed[]) =>
  runs.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(runs.length / 2)]!;
