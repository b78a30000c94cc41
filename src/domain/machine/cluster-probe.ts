// What is known of a Kubernetes cluster beside its nodes. Each node's machine has it.

export interface ClusterState {
  /** What its operator should correct. */
  notices: readonly string[];
  /** Absent before the first probe has ended. */
  probe?: ClusterProbe;
}

export interface ClusterProbe {
  /** Whether connections between the Pods of different accounts were seen to be refused. */
  isolation: "proven" | "unproven";
  /** Why it is not proven; null if it is. */
  trouble: string | null;
  /** Whether a Pod reached the service; null if that could not be tested. */
  callsBack: boolean | null;
}
