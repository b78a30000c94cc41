// Proves whether a cluster enforces network policies, and whether its Pods reach the service. Many clusters accept
// policies and enforce none. The probe is a few short Pods in two namespaces with the policy that accounts have.

import type { ClusterProbe } from "../../../domain/machine/cluster-probe.ts";
import { ApiError } from "../client/api-error.ts";
import type { ObjectList } from "../client/objects.ts";
import { type KubernetesCluster, unless } from "../cluster.ts";
import { createPod } from "../create-pod.ts";
import { installationSelector } from "../names.ts";
import { isolationPolicy } from "../pod/pod-object.ts";
import type { NodePod } from "../pod/pod-view.ts";
import {
  callsBack,
  isKeptFrom,
  listens,
  PROBE_LABEL,
  probeNamespace,
  probePod,
  reaches,
} from "./probe-pod.ts";

export interface ProbeOptions {
  cluster: KubernetesCluster;
  /** An image with `sh` and `nc`. */
  image: string;
  /** Where Pods reach the service. */
  publicUrl: string;
  /** Distinguishes this probe from others. */
  id: string;
  signal: AbortSignal;
}

/** For the pull of the image and the Pod's run. */
const POD_MS = 90_000;
const CANNOT_PULL = new Set(["ErrImagePull", "ImagePullBackOff", "InvalidImageName"]);

/** The probe itself did not succeed. */
class ProbeFailed extends Error {}

export async function probeConnections(options: ProbeOptions): Promise<ClusterProbe> {
  const probe = new ConnectionProbe(options);
  try {
    return await probe.run();
  } catch (error) {
    if (!(error instanceof ProbeFailed) && !(error instanceof ApiError)) throw error;
    const trouble = `It could not be tested: ${error.message.replace(/\.?$/, ".")}`;
    return { isolation: "unproven", trouble, callsBack: null };
  } finally {
    await probe.clear();
  }
}

class ConnectionProbe {
  readonly #options: ProbeOptions;
  readonly #inside: string;
  readonly #outside: string;

  constructor(options: ProbeOptions) {
    this.#options = options;
    this.#inside = `freehold-probe-${options.id}-a`;
    this.#outside = `freehold-probe-${options.id}-b`;
  }

  async run(): Promise<ClusterProbe> {
    const { client } = this.#options.cluster;
    await this.clear();
    for (const name of [this.#inside, this.#outside]) {
      await client.create("/api/v1/namespaces", probeNamespace(name, this.#options.cluster));
      const policies = `/apis/networking.k8s.io/v1/namespaces/${name}/networkpolicies`;
      await client.create(policies, isolationPolicy);
    }
    const ip = await this.#listen();
    const isReached = (name: string) => this.#succeeds(this.#inside, name, reaches(ip));
    if (!(await isReached("near"))) throw new ProbeFailed("Pods do not reach each other");
    const calls = await this.#succeeds(
      this.#inside,
      "callback",
      callsBack(this.#options.publicUrl),
    );
    const unproven = (trouble: string) =>
      ({ isolation: "unproven", trouble, callsBack: calls }) as const;
    if (!(await this.#succeeds(this.#outside, "far", isKeptFrom(ip)))) {
      return unproven("A Pod of one namespace reached a Pod of another in spite of a policy.");
    }
    // Otherwise the connection may have failed because nothing listened any more.
    if (!(await isReached("near-again"))) throw new ProbeFailed("The Pod that listens ended");
    return { isolation: "proven", trouble: null, callsBack: calls };
  }

  /** Removes this probe's namespaces, and those of probes that were cut short. */
  async clear(): Promise<void> {
    const { client, installation } = this.#options.cluster;
    const labelSelector = `${installationSelector(installation)},${PROBE_LABEL}`;
    type Namespaces = ObjectList<{ metadata: { name: string } }>;
    const { items } = await client.get<Namespaces>("/api/v1/namespaces", { labelSelector });
    for (const { metadata } of items) {
      await unless(client.delete(`/api/v1/namespaces/${metadata.name}`), 404, 409);
    }
  }

  /** Starts the Pod that listens; returns its address. */
  async #listen(): Promise<string> {
    const pod = await this.#run(this.#inside, "server", listens, "running");
    const path = `/api/v1/namespaces/${pod.namespace}/pods/${pod.name}`;
    type Addressed = { status: { podIP: string } };
    return (await this.#options.cluster.client.get<Addressed>(path)).status.podIP;
  }

  async #succeeds(namespace: string, name: string, script: string): Promise<boolean> {
    const { observation } = await this.#run(namespace, name, script, "ended");
    return observation?.exitCode === 0;
  }

  async #run(
    namespace: string,
    name: string,
    script: string,
    state: "running" | "ended",
  ): Promise<NodePod> {
    const { cluster, image, signal } = this.#options;
    const view = () => cluster.find(namespace, name);
    const cannotPull = () => CANNOT_PULL.has(view()?.waiting?.reason ?? "");
    const isThere = () => {
      const observed = view()?.observation?.state;
      return observed === state || observed === "ended";
    };
    await createPod(cluster, namespace, probePod(name, image, script, cluster));
    await cluster.until(() => isThere() || cannotPull(), POD_MS, signal);
    const pod = view();
    if (pod && isThere()) return pod;
    signal.throwIfAborted();
    if (cannotPull()) throw new ProbeFailed(`The image ${image} cannot be pulled`);
    const why = pod?.waiting?.message;
    throw new ProbeFailed(`A Pod did not run within ${POD_MS / 1_000} s${why ? `: ${why}` : ""}`);
  }
}
