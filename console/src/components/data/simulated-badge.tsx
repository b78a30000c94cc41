// Says that a Pod or worker does not run its image, or that a machine is not one of hardware.

import { joinClasses } from "../format/class-names.ts";

const WORKLOAD = "The image does not run: no container engine answers, or the driver was named.";

interface Props {
  title?: string;
  /** Whether a phone shows it: in a list it takes the place of the name there. */
  onPhones?: boolean;
}

export function SimulatedBadge({ title = WORKLOAD, onPhones = true }: Props) {
  return (
    <span
      title={title}
      className={joinClasses(
        "rounded bg-sunken px-1.5 py-0.5 text-xs font-medium text-muted",
        !onPhones && "max-sm:hidden",
      )}
    >
      Simulated
    </span>
  );
}

export function SimulatedMachineBadge() {
  return (
    <SimulatedBadge title="No container engine answers: its CPUs, memory, disk and GPUs are simulated." />
  );
}
