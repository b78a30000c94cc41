// The checks of machines and Kubernetes clusters, from what the running service knows of them.

import type { Machine } from "../../contract/rest-v1/machine/machine.ts";
import type { RunningService } from "../client/running-service.ts";
import { askBriefly } from "./brief-request.ts";
import type { Finding } from "./finding.ts";

const DOCS = "see docs/kubernetes.md, Troubleshooting";
const TROUBLE_DOCS = "correct it on that machine; see docs/machines.md";
const ENGINE_DOCS = "restart its container engine; see docs/machines.md, Engine trouble";
const CLOCK_DOCS = "see docs/billing.md, Clocks of machines";
const PRICE_DOCS = "see docs/catalog.md, GPUs without a price";
const GPU_DOCS = "see docs/gpu.md, Kernel log";
const NO_ISOLATION =
  "use a network plugin that enforces policies, such as Cilium or Calico; see docs/kubernetes.md, Isolation";
const NO_CALLBACK = "set FREEHOLD_PUBLIC_URL to an address that the cluster's Pods reach";

/**
 * Empty if the service does not run; of other machines than clusters, only what is wrong. The GPUs of this machine,
 * `own`, have a check of their own.
 */
export async function checkMachines(
  service: RunningService | null,
  own: string | null,
): Promise<Finding[]> {
  if (service === null) return [];
  const { answer, slow } = await askBriefly<Machine[]>(service, "/v1/machines", "machines");
  const machines = answer ?? [];
  const single = machines.filter(
    ({ address, cluster }) => !cluster && !address?.startsWith("https:"),
  );
  const wrong = single.flatMap(
    ({ id, name, online, trouble, notices = [], gpuDevices = [] }): Finding[] => {
      const about = `machine ${name ?? id}`;
      const level = online ? "warn" : "fail";
      return [
        ...(trouble && (id !== own || isAboutContainers(trouble))
          ? [{ level, about, says: trouble, fix: fixFor(trouble) } as const]
          : []),
        ...notices.map((says) => {
          return {
            level: "warn",
            about,
            says,
            fix: fixForNotice(says),
          } as const;
        }),
        ...gpuDevices.flatMap(({ number, uuid, quarantine }) => {
          if (!quarantine) return [];
          const { at, reason, recommendation } = quarantine;
          const says = `GPU ${number} is in quarantine since ${at}: ${reason}`;
          const fix = `${recommendation}, then run: freehold gpus uncordon ${uuid}`;
          return [{ level: "warn", about, says, fix } as const];
        }),
      ];
    },
  );
  const clusters = machines
    .filter(({ address }) => address?.startsWith("https:"))
    .flatMap((cluster) =>
      findingsOf(
        cluster,
        machines.filter((each) => each.cluster === cluster.id),
      ),
    );
  return [...slow, ...wrong, ...clusters];
}

const isAboutContainers = (trouble: string) => /container/i.test(trouble);

function fixForNotice(says: string): string {
  if (/clock/.test(says)) return CLOCK_DOCS;
  return /have no price/.test(says) ? PRICE_DOCS : GPU_DOCS;
}

const fixFor = (trouble: string) => (isAboutContainers(trouble) ? ENGINE_DOCS : TROUBLE_DOCS);

function findingsOf(cluster: Machine, nodes: Machine[]): Finding[] {
  const about = `cluster ${cluster.name ?? cluster.id}`;
  const warn = (says: string, fix = DOCS): Finding => ({ level: "warn", about, says, fix });
  const fail = (says: string, fix = DOCS): Finding => ({ level: "fail", about, says, fix });
  const { trouble, notices = [], isolation, isolationTrouble = "", callsBack } = cluster;
  const online = nodes.filter((node) => node.online).length;
  const found = [
    ...(trouble ? [fail(trouble)] : []),
    ...notices.map((notice) => warn(notice)),
    ...(isolation === "unproven"
      ? [warn(`isolation: unproven. ${isolationTrouble}`, NO_ISOLATION)]
      : []),
    ...(callsBack === false ? [fail("its Pods do not reach Freehold", NO_CALLBACK)] : []),
    ...nodes.flatMap(({ name, notices = [] }) =>
      notices.map((each) => warn(`node ${name}: ${each}`)),
    ),
  ];
  const says = `${online} of ${nodes.length} nodes online${isolation ? `; isolation: ${isolation}` : ""}`;
  return found.length > 0 ? found : [{ level: "ok", about, says }];
}
