// One line on a terminal that is written over and over; nothing where no one is looking.

export interface Progress {
  show(text: string): void;
  clear(): void;
}

export function progressOn(stream: NodeJS.WriteStream): Progress {
  if (!stream.isTTY) return { show() {}, clear() {} };
  return {
    show: (text) => void stream.write(`\r\x1b[K  ${text}`),
    clear: () => void stream.write("\r\x1b[K"),
  };
}
