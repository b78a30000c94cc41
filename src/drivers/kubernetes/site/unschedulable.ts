// Why the scheduler does not place a Pod on its node, in the words of users. Pods are bound to one node, so what the
// scheduler says of the others is left out. Pure.

/** Each with the first capture of its pattern, if any. */
const REASONS: readonly [pattern: RegExp, sentence: (match: string) => string][] = [
  [/Insufficient (?:nvidia|amd)\.com\/(?:gpu|mig-)/, () => "it has too few free GPUs"],
  [/Insufficient cpu/, () => "it has too few free CPUs"],
  [/Insufficient memory/, () => "it has too little free memory"],
  [/Insufficient ephemeral-storage/, () => "it has too little free disk"],
  [/Too many pods/, () => "it runs as many Pods as Kubernetes allows"],
  [/untolerated taint(?:\(s\))? ?\{([^}:]+)/, (key) => `it has the taint ${key.trim()}`],
  [/untolerated taint\(s\)/, () => "it has a taint"],
  [/node\(s\) were unschedulable/, () => "it is cordoned"],
  [
    /volume node affinity conflict|no available volume zone/,
    () => "its zone or node has not the Pod's volume",
  ],
];

/** Null if the scheduler says nothing that is known. */
export function unschedulableReason(message: string): string | null {
  const [ofNodes = ""] = message.split(/\s*preemption:/);
  const found = REASONS.flatMap(([pattern, sentence]) => {
    const match = pattern.exec(ofNodes);
    return match ? [sentence(match[1] ?? "")] : [];
  });
  return found.length === 0 ? null : [...new Set(found)].join(", and ");
}
