// The lines that `freehold dev` prints: a source and a text. Several workers print at once, so
// every line names its source.

export type PrintLines = (source: string, text: string) => void;

const WIDTH = 4;

/** The first letters of a worker's id, which name it in the output. */
export const short = (workerId: string) => workerId.slice(0, WIDTH);

export function linePrinter(write: (text: string) => void): PrintLines {
  return (source, text) => {
    for (const line of text.split("\n")) write(`${source.padEnd(WIDTH)}  ${line}\n`);
  };
}
