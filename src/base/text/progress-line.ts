// A progress line that overwrites itself on a terminal, and prints nothing elsewhere.

export interface ProgressLine {
  show(text: string): void;
  clear(): void;
}

export function progressOn(stream: NodeJS.WriteStream): ProgressLine {
  if (!stream.isTTY) return { show() {}, clear() {} };
  return {
    show: (text) => void stream.write(`\r\x1b[K  ${text}`),
    clear: () => void stream.write("\r\x1b[K"),
  };
}
