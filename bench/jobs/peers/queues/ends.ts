// Clients of this process that wait for the end of a job.
import type { JobView } from "./queue.ts";

export class Ends {
  #waiting = new Map<string, (view: JobView | undefined) => void>();

  announce(view: JobView): void {
    this.#waiting.get(view.id)?.(view);
  }

  /** Undefined once the time is over. Call it before the job is submitted. */
  async wait(id: string, ms: number): Promise<JobView | undefined> {
    const { promise, resolve } = Promise.withResolvers<JobView | undefined>();
    const timer = setTimeout(() => resolve(undefined), ms);
    this.#waiting.set(id, resolve);
    const view = await promise;
    clearTimeout(timer);
    this.#waiting.delete(id);
    return view;
  }
}
