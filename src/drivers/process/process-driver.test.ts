import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { it } from "node:test";
import { setTimeout as realTime } from "node:timers/promises";
import { StartRefused } from "../driver.ts";
import { driverLaws } from "../driver-laws.ts";
import type { Conduct } from "../law-bench.ts";
import { lives, type ProcessBench, processBench, shell, until } from "./process-bench.ts";

const CONDUCT: Record<Conduct, string> = {
  runs: "echo begun; exec sleep 600",
  "ends with 3": "echo begun; exit 3",
  "ignores SIGTERM": "trap '' TERM; echo begun; while :; do sleep 600; done",
};

driverLaws("process", async () => {
  const bench = await processBench();
  return {
    driver: bench.driver,
    workload: (id, conduct) => shell(id, CONDUCT[conduct]),
    settle: (promise) => promise,
    wait: () => realTime(10),
    dispose: bench.dispose,
  };
});

/** A test with a bench of its own. */
function on(name: string, prove: (bench: ProcessBench) => Promise<void>): void {
  it(name, async () => {
    const bench = await processBench();
    try {
      await prove(bench);
    } finally {
      await bench.dispose();
    }
  });
}

async function end(bench: ProcessBench, id: string) {
  return until(async () => {
    const seen = await bench.see(id);
    return seen?.state === "ended" ? seen : null;
  });
}

on("an image without a start command is refused with the reason", async (bench) => {
  for (const command of [[], [""], ["a\0b"]]) {
    await assert.rejects(
      bench.driver.start({ id: "w1", image: "acme/llm:2", entrypoint: [], command, env: {} }),
      (error) => error instanceof StartRefused && /start command/.test(error.message),
    );
  }
  await assert.rejects(
    bench.driver.start({ id: "w1", image: "acme/llm:2", entrypoint: [], command: [], env: {} }),
    /an image alone \(acme\/llm:2\) is not enough/,
  );
  assert.deepEqual(readdirSync(bench.folder), []);
});

on("a program that is not there ends with 127 and a line that says so", async (bench) => {
  await bench.driver.start({
    id: "w1",
    image: "",
    entrypoint: [],
    command: ["no-such-program", "x"],
    env: {},
  });
  assert.equal((await end(bench, "w1")).exitCode, 127);
  const printed = await bench.printed("w1");
  assert.match(printed.join("\n"), /cannot start: there is no program "no-such-program"/);
});

on("a command larger than the machine allows is refused and leaves nothing", async (bench) => {
  const command = ["/bin/echo", "x".repeat(4_000_000)];
  await assert.rejects(
    bench.driver.start({ id: "w1", image: "", entrypoint: [], command, env: {} }),
    (error) => error instanceof StartRefused && /larger than this machine/.test(error.message),
  );
  assert.deepEqual(readdirSync(bench.folder), []);
});

on("exit codes and signals are told apart", async (bench) => {
  await bench.driver.start(shell("zero", "exit 0"));
  await bench.driver.start(shell("code", "exit 41"));
  await bench.driver.start(shell("signal", "kill -ABRT $$"));
  const how = async (id: string) => {
    const { exitCode, signal } = await end(bench, id);
    return [exitCode, signal];
  };
  assert.deepEqual(await how("zero"), [0, null]);
  assert.deepEqual(await how("code"), [41, null]);
  assert.deepEqual(await how("signal"), [null, "SIGABRT"]);
});

on("ends are remembered across a reopening", async (bench) => {
  const over = new Promise((resolve) => {
    let changes = 0;
    bench.driver.onChange(() => ++changes === 2 && resolve(null));
  });
  await bench.driver.start(shell("w1", "echo last words; exit 41"));
  await over;
  const seen = await bench.see("w1");
  await bench.reopen();
  assert.deepEqual(await bench.see("w1"), seen);
  assert.deepEqual(await bench.printed("w1"), ["last words"]);
  await bench.driver.remove("w1");
  assert.deepEqual(readdirSync(bench.folder), []);
});

on("many starts of one workload leave the marks of one", async (bench) => {
  for (let start = 0; start < 4; start++) {
    await bench.driver.start(shell("w1", "exit 0"));
    await end(bench, "w1");
  }
  // Closing waits for what is still being written.
  await bench.driver.close();
  const files = readdirSync(path.join(bench.folder, "w1")).map((name) => name.replace(/-.*/, ""));
  assert.deepEqual(files.sort(), ["claim", "ended.json", "log", "note", "work", "workload.json"]);
});

on("arguments and environment arrive as they were given", async (bench) => {
  const odd = 'it\'s "quoted" $HOME `x` \\ *\n$ID é🙂';
  const script =
    "const { argv, env } = process; console.log(JSON.stringify([argv.slice(1), env.ODD]))";
  const command = [process.execPath, "-e", script, "--", odd, "", "--flag"];
  await bench.driver.start({ id: "w1", image: "", entrypoint: [], command, env: { ODD: odd } });
  await end(bench, "w1");
  assert.deepEqual(JSON.parse((await bench.printed("w1"))[0]!), [[odd, "", "--flag"], odd]);
});

it("nothing of the service's environment reaches a process but the few named variables", async () => {
  const env = {
    PATH: process.env.PATH,
    LANG: "C",
    FREEHOLD_API_KEY: "fh_secret",
    AWS_SECRET_ACCESS_KEY: "secret",
    NODE_OPTIONS: "--no-warnings",
  };
  const bench = await processBench({ env });
  try {
    const command = ["/usr/bin/env"];
    await bench.driver.start({
      id: "w1",
      image: "",
      entrypoint: [],
      command,
      env: { MINE: "1", LANG: "C.UTF-8" },
    });
    await end(bench, "w1");
    const names = (await bench.printed("w1")).filter(
      (line) => !/^(PWD|OLDPWD|SHLVL|_)=/.test(line),
    );
    assert.deepEqual(names.sort(), ["LANG=C.UTF-8", "MINE=1", `PATH=${process.env.PATH}`]);
  } finally {
    await bench.dispose();
  }
});

on("a variable that no shell could pass on is refused by name", async (bench) => {
  const refused: [string, string][] = [
    ["a.b", "1"],
    ["", "1"],
    ["1x", "1"],
    ["ZERO", "a\0b"],
  ];
  for (const [name, value] of refused) {
    const env = { [name]: value };
    await assert.rejects(bench.driver.start(shell("w1", "true", env)), (error) => {
      assert.ok(error instanceof StartRefused);
      return error.message.includes(name);
    });
  }
});

on("its folder is for us alone, and no value of its environment is written down", async (bench) => {
  await bench.driver.start(shell("w1", "pwd; touch here; sleep 600", { TOKEN: "very-secret" }));
  const pwd = await until(async () => (await bench.printed("w1"))[0]);
  const folder = path.join(bench.folder, "w1");
  assert.equal(pwd, path.join(folder, "work"));
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  await until(() => readdirSync(pwd).includes("here"));
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = readFileSync(path.join(folder, entry.name), "utf8");
    assert.doesNotMatch(text, /very-secret/, entry.name);
  }
});

on("stop ends grandchildren that ignore SIGTERM too", async (bench) => {
  await bench.driver.start(
    shell(
      "w1",
      "(trap '' TERM; echo $(exec sh -c 'echo $PPID'); while :; do sleep 1; done) & wait",
    ),
  );
  const grandchild = Number(await until(async () => (await bench.printed("w1"))[0]));
  assert.ok(lives(grandchild));
  await bench.driver.stop("w1", 60_000);
  assert.equal(lives(grandchild), false);
});

on("a leader that ends takes the rest of its group along", async (bench) => {
  await bench.driver.start(shell("w1", "(trap '' TERM; exec sleep 600) & echo $!; exit 5"));
  const seen = await end(bench, "w1");
  assert.equal(seen.exitCode, 5);
  const left = Number((await bench.printed("w1"))[0]);
  await until(() => !lives(left));
});

it("a log is rotated while the process goes on writing, and read across the cut", async () => {
  const bench = await processBench({ logMaxBytes: 20_000 });
  try {
    // The last line comes when the log has been cut, so that it cannot be lost in the cut.
    const script = `i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo line $i; done
      while [ $(wc -c <../log) -gt 20000 ]; do sleep 0.02; done; echo line 3001; exec sleep 600`;
    await bench.driver.start(shell("w1", script));
    await until(async () => (await bench.printed("w1")).at(-1) === "line 3001");
    const numbers = (await bench.printed("w1")).map((line) =>
      Number(/^line (\d+)$/.exec(line)?.[1]),
    );
    assert.ok(numbers.length > 100 && numbers.length < 3001);
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
    );
    assert.ok(statSync(path.join(bench.folder, "w1", "log.1")).size <= 40_000);
  } finally {
    await bench.dispose();
  }
});

on("foreign and half-removed folders do no harm", async (bench) => {
  mkdirSync(path.join(bench.folder, ".removed-1234", "work"), { recursive: true });
  mkdirSync(path.join(bench.folder, "mine"));
  writeFileSync(path.join(bench.folder, "mine", "workload.json"), '{"id":');
  writeFileSync(path.join(bench.folder, "notes"), "");
  await bench.reopen();
  assert.deepEqual(await bench.driver.list(), []);
  assert.deepEqual(readdirSync(bench.folder).sort(), ["mine", "notes"]);
  await bench.driver.start(shell("mine", "exit 0"));
  await end(bench, "mine");
});
