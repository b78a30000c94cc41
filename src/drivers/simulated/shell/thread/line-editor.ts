// The line that is typed at a terminal: what it shows, and what a key does. Pure but for its own state.

type Key = { kind: "line"; text: string } | { kind: "interrupt" } | { kind: "end" };

const ESC = String.fromCharCode(27);
const KEYS = new RegExp(`${ESC}\\[[0-9;]*[A-Za-z~]|${ESC}O[A-Za-z]|[\\s\\S]`, "gu");
const [CTRL_A, CTRL_C, CTRL_D, CTRL_E, CTRL_L, CTRL_U, CTRL_W] = [1, 3, 4, 5, 12, 21, 23].map(
  (code) => String.fromCharCode(code),
);
const MAX_LINES = 500;
const MAX_LINE_CHARS = 65_536;

export class LineEditor {
  readonly #print: (text: string) => void;
  readonly #history: string[] = [];
  readonly #decoder = new TextDecoder();
  #prompt = "";
  #line: string[] = [];
  #at = 0;
  /** The place in the history; its length for the line that is new. */
  #shown = 0;
  #wasReturn = false;

  constructor(print: (text: string) => void) {
    this.#print = print;
  }

  prompt(text: string): void {
    this.#prompt = text;
    this.#print(text + this.#line.join(""));
  }

  /** What the bytes complete, one after another. */
  *read(bytes: Uint8Array): Generator<Key, void> {
    const text = this.#decoder.decode(bytes, { stream: true });
    for (const [key] of text.matchAll(KEYS)) {
      const isSecond = key === "\n" && this.#wasReturn;
      this.#wasReturn = key === "\r";
      if (isSecond) continue;
      const done = this.#press(key);
      if (done) yield done;
    }
  }

  #press(key: string): Key | null {
    switch (key) {
      case "\r":
      case "\n":
        return { kind: "line", text: this.#take() };
      case CTRL_C:
        this.#print("^C\r\n");
        this.#set("");
        return { kind: "interrupt" };
      case CTRL_D:
        return this.#line.length === 0 ? { kind: "end" } : null;
      case "\x7f":
      case "\b":
        if (this.#at > 0) this.#replace(this.#at - 1, this.#at);
        return null;
      case CTRL_U:
        return this.#replace(0, this.#at);
      case CTRL_W:
        return this.#replace(this.#wordBefore(), this.#at);
      case CTRL_L:
        this.#print(`\x1b[H\x1b[2J${this.#prompt}`);
        return this.#draw(0);
      default:
        return this.#moveOrType(key);
    }
  }

  #moveOrType(key: string): null {
    if (key === "\x1b[A" || key === "\x1bOA") this.#recall(this.#shown - 1);
    else if (key === "\x1b[B" || key === "\x1bOB") this.#recall(this.#shown + 1);
    else if (key === "\x1b[C" || key === "\x1bOC") this.#move(this.#at + 1);
    else if (key === "\x1b[D" || key === "\x1bOD") this.#move(this.#at - 1);
    else if (key === CTRL_A || key === "\x1b[H") this.#move(0);
    else if (key === CTRL_E || key === "\x1b[F") this.#move(this.#line.length);
    else if (key >= " " || key === "\t") this.#type(key);
    return null;
  }

  #type(key: string): void {
    if (this.#line.length >= MAX_LINE_CHARS) {
      this.#print("\x07");
      return;
    }
    this.#line.splice(this.#at, 0, key);
    this.#at += 1;
    this.#print(key);
    const rest = this.#line.slice(this.#at);
    if (rest.length > 0) this.#print(rest.join("") + "\b".repeat(rest.length));
  }

  #take(): string {
    const text = this.#line.join("");
    this.#print("\r\n");
    if (text.trim() !== "") this.#history.push(text);
    if (this.#history.length > MAX_LINES) this.#history.shift();
    this.#set("");
    return text;
  }

  #set(text: string): void {
    this.#line = [...text];
    this.#at = this.#line.length;
    if (text === "") this.#shown = this.#history.length;
  }

  #replace(from: number, to: number): null {
    this.#move(from);
    const old = this.#line.length;
    this.#line.splice(from, to - from);
    return this.#draw(old - this.#line.length);
  }

  /** Draws what is behind the cursor, and blanks over what was longer. */
  #draw(blanks: number): null {
    const rest = this.#line.slice(this.#at);
    this.#print(rest.join("") + " ".repeat(blanks) + "\b".repeat(rest.length + blanks));
    return null;
  }

  #move(to: number): void {
    const next = Math.max(0, Math.min(this.#line.length, to));
    if (next < this.#at) this.#print("\b".repeat(this.#at - next));
    else this.#print(this.#line.slice(this.#at, next).join(""));
    this.#at = next;
  }

  #recall(place: number): void {
    const shown = Math.max(0, Math.min(this.#history.length, place));
    this.#move(0);
    const old = this.#line.length;
    this.#set(this.#history[shown] ?? "");
    this.#shown = shown;
    this.#print(this.#line.join(""));
    const blanks = Math.max(0, old - this.#line.length);
    this.#print(" ".repeat(blanks) + "\b".repeat(blanks));
  }

  #wordBefore(): number {
    const before = this.#line.slice(0, this.#at).join("");
    return [...before.replace(/\S*\s*$/, "")].length;
  }
}
