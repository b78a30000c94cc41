// Recorded answers to jobs, by their input. Answers to the same input come in their order, and the last repeats.

/** What a worker posts for a job: the JSON text of `{"output": ...}` or `{"error": ...}`. */
export interface RecordedJob {
  /** JSON text. */
  input: string;
  result: string;
}

export class JobAnswers {
  readonly #source: string;
  readonly #results = new Map<string, string[]>();

  /** `source` is named where an input has no answer. */
  constructor(source: string, jobs: readonly RecordedJob[]) {
    this.#source = source;
    for (const { input, result } of jobs) {
      const key = keyOf(input);
      this.#results.set(key, [...(this.#results.get(key) ?? []), result]);
    }
  }

  /** The body of the result of the next job with this input. */
  take(input: string): string {
    const results = this.#results.get(keyOf(input));
    const result = results && results.length > 1 ? results.shift() : results?.[0];
    if (result !== undefined) return result;
    const error = {
      error_type: "NotRecorded",
      error_message: `the input is not in ${this.#source}`,
    };
    return JSON.stringify({ error: JSON.stringify(error) });
  }
}

/** Equal for inputs whose members are in another order. */
function keyOf(input: string): string {
  return JSON.stringify(sorted(JSON.parse(input)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, each]) => [name, sorted(each)]);
}
