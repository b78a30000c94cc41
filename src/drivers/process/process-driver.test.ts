// Tests of the process driver: the rules of every driver, and those of processes.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { it } from "node:test";
import { driverConformance } from "../../../test/conformance/drivers/driver-conformance.ts";
import type { WorkloadKind } from "../../../test/conformance/drivers/driver-harness.ts";
import {
  isAlive,
  type ProcessHarness,
  processHarness,
  shell,
} from "../../../test/fixtures/process/process-driver-harness.ts";
import { pauseMs } from "../../../test/fixtures/time/pace.ts";
import { until } from "../../../test/fixtures/until.ts";
import { StartRefused } from "../driver.ts";

const SCRIPTS: Record<WorkloadKind, string> = {
  runs: "echo started; exec sleep 600",
  "ends with 3": "echo started; exit 3",
  "ignores SIGTERM": "trap '' TERM; echo started; while :; do sleep 600; done",
};

driverConformance("process", async () => {
  const harness = await processHarness();
  return {
    driver: harness.driver,
    workload: (id, conduct) => shell(id, SCRIPTS[conduct]),
    settle: (promise) => promise,
    wait: () => pauseMs(10),
    dispose: harness.dispose,
  };
});

/** Registers a test with its own harness. */
function on(name: string, run: (harness: ProcessHarness) => Promise<void>): void {
  it(name, async () => {
    const harness = await processHarness();
    try {
      await run(harness);
    } finally {
      await harness.dispose();
    }
  });
}

async function untilEnded(harness: ProcessHarness, id: string) {
  return until(async () => {
    const observation = await harness.observe(id);
    return observation?.state === "ended" ? observation : null;
  });
}

on("an image without a start command is refused with the reason", async (harness) => {
  for (const command of [[], [""], ["a\0b"]]) {
    await assert.rejects(
      harness.driver.start({ id: "w1", image: "acme/llm:2", entrypoint: [], command, env: {} }),
      (error) => error instanceof StartRefused && /start command/.test(error.message),
    );
  }
  await assert.rejects(
    harness.driver.start({ id: "w1", image: "acme/llm:2", entrypoint: [], command: [], env: {} }),
    /an image alone \(acme\/llm:2\) is not enough/,
  );
  assert.deepEqual(readdirSync(harness.folder), []);
});

on("a missing program ends with 127 and an error in the log", async (harness) => {
  await harness.driver.start({
    id: "w1",
    image: "",
    entrypoint: [],
    command: ["no-such-program", "x"],
    env: {},
  });
  assert.equal((await untilEnded(harness, "w1")).exitCode, 127);
  const printed = await harness.logLines("w1");
  assert.match(printed.join("\n"), /cannot start: the program "no-such-program" does not exist/);
});

on("a command larger than the machine allows is refused", async (harness) => {
  const command = ["/bin/echo", "x".repeat(4_000_000)];
  await assert.rejects(
    harness.driver.start({ id: "w1", image: "", entrypoint: [], command, env: {} }),
    (error) => error instanceof StartRefused && /larger than this machine/.test(error.message),
  );
  assert.deepEqual(readdirSync(harness.folder), [".holder"], "nothing of the workload");
});

on("exit codes and signals are distinguished", async (harness) => {
  await harness.driver.start(shell("zero", "exit 0"));
  await harness.driver.start(shell("code", "exit 41"));
  await harness.driver.start(shell("signal", "kill -ABRT $$"));
  const how = async (id: string) => {
    const { exitCode, signal } = await untilEnded(harness, id);
    return [exitCode, signal];
  };
  assert.deepEqual(await how("zero"), [0, null]);
  assert.deepEqual(await how("code"), [41, null]);
  assert.deepEqual(await how("signal"), [null, "SIGABRT"]);
});

on("an end is remembered after the driver is reopened", async (harness) => {
  const over = new Promise((resolve) => {
    let changes = 0;
    harness.driver.onChange(() => ++changes === 2 && resolve(null));
  });
  await harness.driver.start(shell("w1", "echo last words; exit 41"));
  await over;
  const observation = await harness.observe("w1");
  await harness.reopen();
  assert.deepEqual(await harness.observe("w1"), observation);
  assert.deepEqual(await harness.logLines("w1"), ["last words"]);
  await harness.driver.remove("w1");
  assert.deepEqual(readdirSync(harness.folder), []);
});

on("many starts of one workload leave the files of one", async (harness) => {
  for (let start = 0; start < 4; start++) {
    await harness.driver.start(shell("w1", "exit 0"));
    await untilEnded(harness, "w1");
  }
  // Closing waits for pending writes.
  await harness.driver.close();
  const files = readdirSync(path.join(harness.folder, "w1")).map((name) => name.replace(/-.*/, ""));
  assert.deepEqual(files.sort(), ["claim", "ended.json", "log", "note", "work", "workload.json"]);
});

on("arguments and environment arrive unchanged", async (harness) => {
  const odd = 'it\'s "quoted" $HOME `x` \\ *\n$ID é🙂';
  const script =
    "const { argv, env } = process; console.log(JSON.stringify([argv.slice(1), env.ODD]))";
  const command = [process.execPath, "-e", script, "--", odd, "", "--flag"];
  await harness.driver.start({ id: "w1", image: "", entrypoint: [], command, env: { ODD: odd } });
  await untilEnded(harness, "w1");
  assert.deepEqual(JSON.parse((await harness.logLines("w1"))[0]!), [[odd, "", "--flag"], odd]);
});

it("a process inherits only the named variables of the service's environment", async () => {
  const env = {
    PATH: process.env.PATH,
    LANG: "C",
    FREEHOLD_API_KEY: "fh_secret",
    AWS_SECRET_ACCESS_KEY: "secret",
    NODE_OPTIONS: "--no-warnings",
  };
  const harness = await processHarness({ env });
  try {
    const command = ["/usr/bin/env"];
    await harness.driver.start({
      id: "w1",
      image: "",
      entrypoint: [],
      command,
      env: { MINE: "1", LANG: "C.UTF-8" },
    });
    await untilEnded(harness, "w1");
    const names = (await harness.logLines("w1")).filter(
      (line) => !/^(PWD|OLDPWD|SHLVL|_)=/.test(line),
    );
    assert.deepEqual(names.sort(), ["LANG=C.UTF-8", "MINE=1", `PATH=${process.env.PATH}`]);
  } finally {
    await harness.dispose();
  }
});

on("a variable that a shell cannot pass on is refused by name", async (harness) => {
  const refused: [string, string][] = [
    ["a.b", "1"],
    ["", "1"],
    ["1x", "1"],
    ["ZERO", "a\0b"],
  ];
  for (const [name, value] of refused) {
    const env = { [name]: value };
    await assert.rejects(harness.driver.start(shell("w1", "true", env)), (error) => {
      assert.ok(error instanceof StartRefused);
      return error.message.includes(name);
    });
  }
});

on("its folder is private, and no value of its environment is stored", async (harness) => {
  await harness.driver.start(shell("w1", "pwd; touch here; sleep 600", { TOKEN: "very-secret" }));
  const pwd = await until(async () => (await harness.logLines("w1"))[0]);
  const folder = path.join(harness.folder, "w1");
  assert.equal(pwd, path.join(folder, "work"));
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  await until(() => readdirSync(pwd).includes("here"));
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = readFileSync(path.join(folder, entry.name), "utf8");
    assert.doesNotMatch(text, /very-secret/, entry.name);
  }
});

on("stop also ends grandchildren that ignore SIGTERM", async (harness) => {
  await harness.driver.start(
    shell(
      "w1",
      "(trap '' TERM; echo $(exec sh -c 'echo $PPID'); while :; do sleep 1; done) & wait",
    ),
  );
  const grandchild = Number(await until(async () => (await harness.logLines("w1"))[0]));
  assert.ok(isAlive(grandchild));
  await harness.driver.stop("w1", 60_000);
  assert.equal(isAlive(grandchild), false);
});

on("the rest of a group ends with its leader", async (harness) => {
  await harness.driver.start(shell("w1", "(trap '' TERM; exec sleep 600) & echo $!; exit 5"));
  const observation = await untilEnded(harness, "w1");
  assert.equal(observation.exitCode, 5);
  const left = Number((await harness.logLines("w1"))[0]);
  await until(() => !isAlive(left));
});

it("a log is rotated while the process writes, and read over the rotation", async () => {
  const harness = await processHarness({ logMaxBytes: 20_000 });
  try {
    // The last line is written after the rotation, so that the rotation cannot lose it.
    const script = `i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo line $i; done
      while [ $(wc -c <../log) -gt 20000 ]; do sleep 0.02; done; echo line 3001; exec sleep 600`;
    await harness.driver.start(shell("w1", script));
    await until(async () => (await harness.logLines("w1")).at(-1) === "line 3001");
    const numbers = (await harness.logLines("w1")).map((line) =>
      Number(/^line (\d+)$/.exec(line)?.[1]),
    );
    assert.ok(numbers.length > 100 && numbers.length < 3001);
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
    );
    assert.ok(statSync(path.join(harness.folder, "w1", "log.1")).size <= 40_000);
  } finally {
    await harness.dispose();
  }
});

on("other folders and partly removed ones are ignored", async (harness) => {
  mkdirSync(path.join(harness.folder, ".removed-1234", "work"), { recursive: true });
  mkdirSync(path.join(harness.folder, "mine"));
  writeFileSync(path.join(harness.folder, "mine", "workload.json"), '{"id":');
  writeFileSync(path.join(harness.folder, "notes"), "");
  await harness.reopen();
  assert.deepEqual(await harness.driver.list(), []);
  assert.deepEqual(readdirSync(harness.folder).sort(), ["mine", "notes"]);
  await harness.driver.start(shell("mine", "exit 0"));
  await untilEnded(harness, "mine");
});
