// Requests that share round trips: those that arrive during one travel together in the next.
interface Pending<Request, Answer> {
  request: Request;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

export class SharedTrips<Request, Answer> {
  #trip: (requests: Request[]) => Promise<Answer[]>;
  #pending: Pending<Request, Answer>[] = [];
  #isUnderWay = false;

  /** `trip` returns the answers in the order of the requests. */
  constructor(trip: (requests: Request[]) => Promise<Answer[]>) {
    this.#trip = trip;
  }

  send(request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ request, resolve, reject });
      if (!this.#isUnderWay) void this.#travel();
    });
  }

  async #travel(): Promise<void> {
    this.#isUnderWay = true;
    // Requests that are read from their sockets in this pass of the event loop come along.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (this.#pending.length > 0) {
      const pending = this.#pending;
      this.#pending = [];
      try {
        const answers = await this.#trip(pending.map(({ request }) => request));
        for (const [n, { resolve }] of pending.entries()) resolve(answers[n]!);
      } catch (error) {
        for (const { reject } of pending) reject(error);
      }
    }
    this.#isUnderWay = false;
  }
}
