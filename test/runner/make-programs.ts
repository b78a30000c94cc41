// Makes the programs that test files need, each kind of maker in a process of its own beside the others.
// As a program: makes those with the given names and prints a line of JSON for each.

import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { Problem } from "../fixtures/programs/program-cache.ts";
import { PROGRAMS, type Program } from "./programs.ts";
import { ROOT } from "./sets.ts";

type Answer = Problem & { name: string; seconds: number };

/** Programs that could not be made. */
export async function makePrograms(
  files: string[],
  isWanted: (program: Program) => boolean = () => true,
): Promise<Map<Program, Problem>> {
  const needed = PROGRAMS.filter((each) => isWanted(each) && files.some(each.isFor));
  const makers = [...Map.groupBy(needed, ({ maker }) => maker).values()];
  const answers = (await Promise.all(makers.map(makeInOrder))).flat();
  const problems = new Map<Program, Problem>();
  for (const { name, problem, failed, seconds } of answers) {
    if (seconds >= 1) process.stderr.write(`  made ${name}: ${seconds.toFixed(0)} s\n`);
    if (problem) problems.set(needed.find((each) => each.name === name)!, { problem, failed });
  }
  return problems;
}

async function makeInOrder(programs: Program[]): Promise<Answer[]> {
  const names = programs.map(({ name }) => name);
  const child = spawn(process.execPath, [import.meta.filename, ...names], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = (await text(child.stdout)).trim().split("\n").filter(Boolean);
  const answers = lines.map((line): Answer => JSON.parse(line));
  const unanswered = names.filter((name) => !answers.some((each) => each.name === name));
  const cause = { problem: "its maker ended early", failed: true, seconds: 0 };
  return [...answers, ...unanswered.map((name) => ({ name, ...cause }))];
}

if (import.meta.main) {
  const names = new Set(process.argv.slice(2));
  for (const { name, make } of PROGRAMS) {
    if (!names.has(name)) continue;
    const startMs = performance.now();
    const program = make();
    const seconds = (performance.now() - startMs) / 1000;
    const answer = "path" in program ? { problem: "", failed: false } : program;
    process.stdout.write(`${JSON.stringify({ name, seconds, ...answer })}\n`);
  }
}
