// What a probe of a Kubernetes cluster found out.

export interface ClusterProbe {
  /** Whether connections between the Pods of different accounts were seen to be refused. */
  isolation: "proven" | "unproven";
  /** Why it is not proven; null if it is. */
  trouble: string | null;
  /** Whether a Pod reached the service; null if that could not be tested. */
  callsBack: boolean | null;
}
