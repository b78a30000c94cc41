// The programs that run in place of images, on a driver of processes.

import type { Driver, Observation, Usage, Workload } from "../driver.ts";

export class ImagePrograms {
  readonly #driver: Driver | null;
  /** The workloads that are programs. */
  readonly #ids = new Set<string>();

  constructor(driver: Driver | null, onChange: (id: string) => void) {
    this.#driver = driver;
    driver?.onChange(onChange);
  }

  /** The driver that runs the workload; null if it is no program. */
  of(id: string): Driver | null {
    return this.#ids.has(id) ? this.#driver : null;
  }

  async list(): Promise<Observation[]> {
    const programs = (await this.#driver?.list()) ?? [];
    // Some run since before the service was started.
    for (const { id } of programs) this.#ids.add(id);
    return programs;
  }

  async isRunning(id: string): Promise<boolean> {
    const all = (await this.of(id)?.list()) ?? [];
    return all.some((each) => each.id === id && each.state === "running");
  }

  async usage(): Promise<Usage[]> {
    return (await this.#driver?.usage()) ?? [];
  }

  /** A process has neither the volumes nor the GPUs of a simulated workload. */
  async start({ id, image, env, secrets, givenPorts }: Workload, command: string[]): Promise<void> {
    if (!this.#driver) throw new Error("no driver for programs was opened");
    this.#ids.add(id);
    await this.#driver.start({
      id,
      image,
      env,
      entrypoint: [],
      command,
      ...(secrets && { secrets }),
      ...(givenPorts && { givenPorts }),
    });
  }

  async remove(id: string): Promise<void> {
    await this.of(id)?.remove(id);
    this.#ids.delete(id);
  }

  async close(): Promise<void> {
    await this.#driver?.close();
  }
}
