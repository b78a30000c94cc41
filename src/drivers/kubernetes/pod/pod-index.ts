// The Pods of an installation by their names and their machines: with hundreds of nodes, each looks at its own.

import type { NodePod } from "./pod-view.ts";

export class PodIndex {
  readonly #byName = new Map<string, NodePod>();
  readonly #byMachine = new Map<string, Map<string, NodePod>>();

  /** `current` takes the place of `previous`; null for none. */
  update(current: NodePod | null, previous: NodePod | null): void {
    if (previous) this.#remove(previous);
    if (!current) return;
    this.#byName.set(current.name, current);
    const its = this.#byMachine.get(current.machine) ?? new Map<string, NodePod>();
    its.set(current.name, current);
    this.#byMachine.set(current.machine, its);
  }

  named(name: string): NodePod | undefined {
    return this.#byName.get(name);
  }

  /** The Pods on a machine, by its digest. */
  onMachine(machine: string): NodePod[] {
    return [...(this.#byMachine.get(machine)?.values() ?? [])];
  }

  machines(): string[] {
    return [...this.#byMachine.keys()];
  }

  #remove({ name, machine }: NodePod): void {
    this.#byName.delete(name);
    const its = this.#byMachine.get(machine);
    its?.delete(name);
    if (its?.size === 0) this.#byMachine.delete(machine);
  }
}
