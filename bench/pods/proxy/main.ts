// The proxy to Pods' HTTP ports compared with nginx as reverse proxy: the same page in the same
// container, the same load, one core each, in alternation. Writes its results page.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as realTime } from "node:timers/promises";
import { docker } from "../../../test/fixtures/docker/engine.ts";
import { freePort } from "../../../test/fixtures/free-port.ts";
import { describeMachine } from "../../jobs/host/machine.ts";
import { markdownTable } from "../../jobs/report/table.ts";
import { ENGINE, type ServiceProcess, startProcess } from "../process.ts";
import { measure, type Passed } from "./load.ts";
import { ensureNginxImage, nginxVersion, PAGE_PORT, startNginx } from "./nginx.ts";

/** One core is for the proxy, and the other for the page and the load. */
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
    const nginx = await startNginx(port, [`${address}:${PAGE_PORT}`], PROXY_CORE);
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
        const warmUpSeconds = n === 0 ? 5 : 1;
        const result = await measure(pid, { ...load, warmUpSeconds, core: OTHER_CORE });
        const key = `${name} ${file}`;
        passed.set(key, [...(passed.get(key) ?? []), result]);
        process.stderr.write(`${key}: ${JSON.stringify(result)}\n`);
      }
    }
  }
  return passed;
}

/** The Pod with the page, on the other core, and its address in its network. */
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
  const page = `# Proxy benchmark

Written by \`npm run bench:pods -- proxy\` on ${new Date().toISOString().slice(0, 10)}.

${[...describeMachine(), `nginx ${nginxVersion()} as a reverse proxy, one worker, keep-alive connections`].map((each) => `- ${each}`).join("\n")}

Both proxies serve the same files, from nginx in a Pod's container, to ${CONNECTIONS} connections of wrk. A
proxy has one core; nginx in the Pod and wrk share the other one. The proxies are measured alternately,
${ROUNDS} times ${seconds} s each; the figures are those of the run with the median throughput. "Of nginx" is the
smaller of two ratios: requests per second, and requests per second of the proxy's CPU time. The second
one shows the cost if the load, not the proxy, is the bottleneck.

${markdownTable(["body, proxy", "requests/s", "requests/CPU s", "p50 ms", "p99 ms", "of nginx", "goal"], rows)}
`;
  process.stdout.write(page);
  const file = path.join(import.meta.dirname, "..", "..", "results", "pods-proxy.md");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, page);
}

const middle = (runs: Passed[]) =>
  runs.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(runs.length / 2)]!;
