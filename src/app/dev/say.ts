// The lines that `freehold dev` prints while it runs: who speaks, then what. Several workers speak at
// once, so every line says whose it is.

export type Say = (who: string, text: string) => void;

const WIDTH = 4;

/** The first letters of a worker's id stand for it. */
export const short = (workerId: string) => workerId.slice(0, WIDTH);

export function sayTo(write: (text: string) => void): Say {
  return (who, text) => {
    for (const line of text.split("\n")) write(`${who.padEnd(WIDTH)}  ${line}\n`);
  };
}
