// Prints the result of each policy on the same day: node bin/run.mjs sim/day/main.ts [seed]
import { dayOfJobs } from "./load.ts";
import { policies } from "./policies.ts";
import { simulateDay } from "./simulate.ts";
import { dayTable } from "./table.ts";

const seed = Number(process.argv[2] ?? 1);
const jobs = dayOfJobs(seed);
const days = policies.map((policy) => ({ policy, record: simulateDay({ policy, jobs, seed }) }));
process.stdout.write(`${dayTable(days)}\n`);
