// The Pods of a connection probe: one that listens, and others that try to reach it. Pure.

import { bareHost } from "../../../base/url-host.ts";
import type { Owner } from "../names.ts";
import { installationLabels } from "../names.ts";

export const PROBE_LABEL = "freehold.dev/probe";
const PORT = 8_080;
const GREETING = "freehold";
/** A Pod that hangs ends by itself. */
const LONGEST_SECONDS = 120;

export const probeNamespace = (name: string, owner: Pick<Owner, "installation">) => ({
  metadata: { name, labels: { ...installationLabels(owner), [PROBE_LABEL]: "true" } },
});

/** Accepted where Pods must be restricted. */
export function probePod(
  name: string,
  image: string,
  script: string,
  owner: Pick<Owner, "installation">,
) {
  return {
    metadata: { name, labels: { ...installationLabels(owner), [PROBE_LABEL]: "true" } },
    spec: {
      restartPolicy: "Never",
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      activeDeadlineSeconds: LONGEST_SECONDS,
      terminationGracePeriodSeconds: 1,
      // On another node, where there is one: that is how most accounts' Pods meet.
      affinity: { podAntiAffinity: elsewhere },
      tolerations: [{ key: "nvidia.com/gpu", operator: "Exists" }],
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 65_534,
        runAsGroup: 65_534,
        seccompProfile: { type: "RuntimeDefault" },
      },
      containers: [
        {
          name: "main",
          image,
          command: ["sh", "-c", script],
          resources: {
            limits: { cpu: "250m", memory: "32Mi" },
            requests: { cpu: "10m", memory: "32Mi" },
          },
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
        },
      ],
    },
  };
}

const elsewhere = {
  preferredDuringSchedulingIgnoredDuringExecution: [
    {
      weight: 100,
      podAffinityTerm: {
        topologyKey: "kubernetes.io/hostname",
        labelSelector: { matchLabels: { [PROBE_LABEL]: "true" } },
        namespaceSelector: {},
      },
    },
  ],
};

export const listens = `while :; do echo ${GREETING} | nc -l -p ${PORT} >/dev/null; done`;

const greets = (ip: string) => `[ "$(nc -w 2 ${ip} ${PORT} </dev/null)" = ${GREETING} ]`;

/** Succeeds once the Pod at the address answers. */
export const reaches = (ip: string) =>
  `n=0; while [ $n -lt 20 ]; do ${greets(ip)} && exit 0; n=$((n+1)); sleep 1; done; exit 1`;

/** Succeeds after three failures in a row, because a policy may need seconds to be enforced. */
export const isKeptFrom = (ip: string) =>
  `n=0; failed=0; while [ $n -lt 12 ]; do if ${greets(ip)}; then failed=0; else failed=$((failed+1)); fi; ` +
  "[ $failed -ge 3 ] && exit 0; n=$((n+1)); sleep 1; done; exit 1";

/** Succeeds if something answers at the URL's host and port. */
export function callsBack(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  const to = `${bareHost(hostname)} ${port || (protocol === "https:" ? 443 : 80)}`;
  return `printf 'GET /healthz HTTP/1.0\\r\\n\\r\\n' | nc -w 5 ${to} >/dev/null`;
}
