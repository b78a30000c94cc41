// A clause at the beginning of a sentence.

export function capitalize(sentence: string): string {
  return `${sentence[0]!.toUpperCase()}${sentence.slice(1)}`;
}
