// Whole numbers in a text column, separated by commas: "1,2".

export function parseNumbers(text: string): number[] {
  return text === "" ? [] : text.split(",").map(Number);
}
