// A shell in a simulated Pod. just-bash runs each script on its own: what one sets (the folder, variables,
// functions, aliases, the exit code) is handed to the next.

import { Bash, type CommandName, defineCommand, type IFileSystem } from "just-bash/browser";
import { shellQuoted } from "../../../../base/text/shell-quote.ts";
import { DAY_MS, MIB } from "../../../../base/units.ts";
import type { SimulatedPodFacts } from "../messages.ts";
import { BUILT_IN, HIDDEN_FOLDER } from "./pod-files.ts";
import { PROGRAM_NAMES, type ProgramResult, printed, programsOf, refused } from "./programs.ts";

export interface SessionDeps {
  facts: SimulatedPodFacts;
  files: IFileSystem;
  sleep: (ms: number) => Promise<void>;
  isInteractive: boolean;
}

export interface ScriptResult {
  stdout: Buffer;
  stderr: Buffer;
  exitCode: number;
  /** Whether the script ended the shell. */
  hasExited: boolean;
}

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/** Called behind each script, with what it has left. */
const NEXT = "freehold-next";
/** Sets `$?`, and notes it. */
const STATUS = "freehold-status";
/** Variables that the shell sets itself. */
const OWN =
  /^(?:[?!$#*@_-]|BASH\w*|SHELLOPTS|PIPESTATUS|FUNCNAME|PWD|OLDPWD|OPTIND|IFS|EUID|UID|PPID|RANDOM|SECONDS|LINENO|(?:HOST|MACH|OS)TYPE|HOSTNAME)$/;
const LIMITS = {
  maxExecutionTimeMs: DAY_MS,
  maxCommandCount: 100_000,
  maxLoopIterations: 100_000,
  maxOutputSize: 8 * 1_048_576,
  maxStringLength: 64 * 1_048_576,
  maxLiveBytes: 128 * MIB,
};

/** Knows no commands, as none is run. */
const parser = new Bash({ commands: [] });
const stoppedBefore: ScriptResult = {
  stdout: Buffer.alloc(0),
  stderr: Buffer.alloc(0),
  exitCode: 130,
  hasExited: false,
};

type Ast = ReturnType<Bash["transform"]>["ast"];
type Statement = Ast["statements"][number];

export class ShellSession {
  readonly #deps: SessionDeps;
  readonly #functions = new Map<string, Statement>();
  readonly #traps = new Map<string, string>();
  #variables = "";
  #env: Record<string, string>;
  #folder: string;
  #exitCode = 0;
  #isAlive = true;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    const { env, id, volumes } = deps.facts;
    const base = { HOME: "/root", USER: "root", SHELL: "/bin/bash", PATH, HOSTNAME: id };
    this.#env = { ...base, ...env };
    this.#folder = volumes[0]?.mountPath ?? "/root";
  }

  get folder(): string {
    return this.#folder;
  }

  get exitCode(): number {
    return this.#exitCode;
  }

  async run(script: string, stdin: Buffer, signal: AbortSignal): Promise<ScriptResult> {
    if (signal.aborted) return stoppedBefore;
    this.#isAlive = false;
    const aliases = this.#deps.isInteractive ? "shopt -s expand_aliases\n" : "";
    const before = `${aliases}${this.#variables}${HIDDEN_FOLDER}/${STATUS} ${this.#exitCode}\n`;
    const after = `\n${HIDDEN_FOLDER}/${STATUS} "$?"\n${HIDDEN_FOLDER}/${NEXT} "$(declare -p)"`;
    const options = { rawScript: true, stdin: stdin.toString("latin1"), signal } as const;
    const { stdout, stderr, exitCode } = await this.#bash()
      .exec(before + script + after, { ...options, stdinKind: "bytes" })
      .catch(thrown);
    this.#exitCode = signal.aborted ? 130 : exitCode;
    const hasExited = !this.#isAlive && !signal.aborted && !isFailure(exitCode, stderr);
    return {
      stdout: bytesOf(stdout),
      stderr: bytesOf(stderr),
      exitCode: this.#exitCode,
      hasExited,
    };
  }

  /** What a trap on EXIT asks for; null without one. */
  takeExitTrap(): string | null {
    const script = this.#traps.get("EXIT") ?? null;
    this.#traps.delete("EXIT");
    return script;
  }

  /** Throws an error that says what is wrong with a script. */
  parse(script: string): void {
    parser.transform(script);
  }

  #bash(): Bash {
    let status = 0;
    const own = [
      defineCommand(STATUS, async ([code = "0"]) => {
        status = Number(code);
        return { ...printed(""), exitCode: status };
      }),
      defineCommand(NEXT, async ([variables = ""], { env, exportedEnv, cwd }) => {
        this.#isAlive = true;
        this.#folder = cwd;
        this.#env = { ...exportedEnv };
        this.#variables = declarations(variables) + aliasesOf(env);
        return { ...printed(""), exitCode: status };
      }),
      ...["env", "printenv"].map((name) =>
        defineCommand(name, async (args, { exportedEnv = {}, origCommand }) =>
          args.length > 0 && origCommand ? origCommand(args) : printed(listOf(exportedEnv)),
        ),
      ),
      defineCommand("trap", async (args) => this.#trap(args)),
      ...programsOf(this.#deps.facts, this.#deps.sleep),
    ];
    const bash = new Bash({
      fs: this.#deps.files,
      env: this.#env,
      cwd: this.#folder,
      commands: BUILT_IN.filter((name) => !PROGRAM_NAMES.includes(name)) as CommandName[],
      customCommands: own,
      executionLimits: LIMITS,
      sleep: this.#deps.sleep,
      processInfo: { pid: 2, ppid: 1, uid: 0, gid: 0 },
    });
    bash.registerTransformPlugin({
      name: "functions",
      transform: ({ ast }) => ({ ast: this.#withFunctions(ast) }),
    });
    return bash;
  }

  /** Defines the functions of earlier scripts, and notes those of this one. */
  #withFunctions(ast: Ast): Ast {
    const earlier = [...this.#functions.values()];
    for (const statement of ast.statements) {
      const command = statement.pipelines[0]?.commands[0];
      if (command?.type === "FunctionDef") this.#functions.set(command.name, statement);
    }
    return { ...ast, statements: [...earlier, ...ast.statements] };
  }

  #trap([script, ...signals]: string[]) {
    if (script === undefined || script === "-p") {
      const lines = [...this.#traps].map(([signal, each]) => `trap -- '${each}' ${signal}\n`);
      return printed(lines.join(""));
    }
    if (signals.length === 0) return refused("trap: usage: trap [-p] [arg signal_spec ...]", 2);
    for (const each of signals) {
      const signal = each.replace(/^SIG/, "").replace(/^0$/, "EXIT");
      if (script === "-") this.#traps.delete(signal);
      else this.#traps.set(signal, script);
    }
    return printed("");
  }
}

const ALIAS = "BASH_ALIAS_";

const aliasesOf = (env: ReadonlyMap<string, string>) =>
  [...env]
    .filter(([name]) => name.startsWith(ALIAS))
    .map(([name, text]) => `alias ${name.slice(ALIAS.length)}=${shellQuoted(text)}\n`)
    .join("");

const listOf = (env: Record<string, string>) =>
  Object.entries(env)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");

/** The lines of `declare -p` that can be run again. */
function declarations(text: string): string {
  const starts = /^declare (-\S+) ([A-Za-z_]\w*)=/;
  let keeps = false;
  const lines = text.split("\n").filter((line) => {
    const [, flags = "", name = ""] = starts.exec(line) ?? [];
    if (name !== "") keeps = !OWN.test(name) && !flags.includes("r") && !flags.includes("x");
    else if (/^declare /.test(line)) keeps = false;
    return keeps;
  });
  return lines.map((line) => `${withoutArrays(line)}\n`).join("");
}

/** `declare` of just-bash splits the elements of an array at their blanks; an assignment does not. */
const withoutArrays = (line: string) =>
  line
    .replace(/^declare -a (\w+)=\(/, "$1=(")
    .replace(/^declare -A (\w+)=\(/, "declare -A $1\n$1=(");

/** A redirection to a file that cannot be written. */
const thrown = ({ message }: Error): ProgramResult =>
  refused(`bash: ${message.replace(/^E[A-Z]+: /, "")}`);

/** A script that could not be read, or exceeded a limit, does not end the shell. */
const isFailure = (exitCode: number, stderr: string) =>
  [1, 2, 124, 126].includes(exitCode) && /^bash: /m.test(stderr);

/** The interpreter returns bytes that are no UTF-8 as one character each. */
function bytesOf(text: string): Buffer {
  const isBinary = /^[\0-\xff]*$/.test(text) && /[\0\x80-\x9f]/.test(text);
  return Buffer.from(text, isBinary ? "latin1" : "utf8");
}
