// Money as this interface writes it: numbers, in dollars.

export function dollars(micros: number): number {
  return micros / 1_000_000;
}
