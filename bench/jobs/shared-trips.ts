// Asks that arrive while one trip is under way share the next one.
interface Asked<Ask, Answer> {
  ask: Ask;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

export class SharedTrips<Ask, Answer> {
  #trip: (asks: Ask[]) => Promise<Answer[]>;
  #asked: Asked<Ask, Answer>[] = [];
  #under = false;

  /** `trip` answers asks in their order. */
  constructor(trip: (asks: Ask[]) => Promise<Answer[]>) {
    this.#trip = trip;
  }

  ask(ask: Ask): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ ask, resolve, reject });
      if (!this.#under) void this.#travel();
    });
  }

  async #travel(): Promise<void> {
    this.#under = true;
    // Whatever is read from the sockets in this round of the event loop comes along.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (this.#asked.length > 0) {
      const asked = this.#asked;
      this.#asked = [];
      try {
        const answers = await this.#trip(asked.map(({ ask }) => ask));
        for (const [n, { resolve }] of asked.entries()) resolve(answers[n]!);
      } catch (error) {
        for (const { reject } of asked) reject(error);
      }
    }
    this.#under = false;
  }
}
