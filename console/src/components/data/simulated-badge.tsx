// Says that a Pod or worker does not run its image, or that a machine is not one of hardware.

const WORKLOAD = "The image does not run: no container engine answers, or the driver was named.";

export function SimulatedBadge({ title = WORKLOAD }: { title?: string }) {
  return (
    <span title={title} className="rounded bg-sunken px-1.5 py-0.5 text-xs font-medium text-muted">
      Simulated
    </span>
  );
}

export function SimulatedMachineBadge() {
  return (
    <SimulatedBadge title="No container engine answers: its CPUs, memory, disk and GPUs are simulated." />
  );
}
