// `freehold prices`: the prices of GPUs, and the GPUs that have none; `freehold prices set` and `remove` change them.

import type { Command as Program } from "commander";
import { UsageError } from "../../../base/refusal.ts";
import type { PriceBook, PriceBookUpdate } from "../../../contract/rest-v1/billing/price-book.ts";
import { call } from "../../client/api.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { printDone, printJson, printList, reportNone } from "../../output/answer.ts";
import { addCommonOptions, type CommonValues } from "../../program/common-options.ts";
import { defineCommand } from "../../program/define-command.ts";
import { dollars } from "../../resources/cells.ts";

export const { usage, run } = defineCommand("prices", (program) => {
  const command = program
    .command("list", { isDefault: true })
    .description("print the prices of GPUs; those without a price cannot be rented; the default")
    .option("--unpriced", "only GPUs without a price");
  addCommonOptions(command).action(list);
  addSet(program);
  addCommonOptions(
    program
      .command("remove")
      .description("take the price from a GPU that the catalog does not have; what runs stays")
      .argument("<gpu-type>", "as its driver names it"),
  ).action(remove);
});

const priceOptions = {
  securePrice: ["--secure <dollars>", "on demand; the others follow from it until they are set"],
  communityPrice: ["--community <dollars>", "on demand, on community machines"],
  secureSpotPrice: ["--secure-spot <dollars>", "of a spot Pod"],
  communitySpotPrice: ["--community-spot <dollars>", "of a spot Pod on community machines"],
  serverlessPrice: ["--serverless <dollars>", "of a worker"],
  threeMonthPrice: ["--three-month <dollars>", "under a savings plan"],
  sixMonthPrice: ["--six-month <dollars>", "under a savings plan"],
} as const;
type PriceField = keyof typeof priceOptions;
const priceFields = Object.keys(priceOptions) as PriceField[];

interface SetValues extends CommonValues, Record<string, unknown> {
  name?: string;
  memoryGb?: string;
}

function addSet(program: Program): void {
  const command = program
    .command("set")
    .description("set prices of a GPU type, also of one that the catalog does not have")
    .argument("<gpu-type>", "as its driver names it")
    .optionsGroup("Dollars per GPU-hour (default restores the catalog's):");
  for (const [flags, description] of Object.values(priceOptions))
    command.option(flags, description);
  command
    .optionsGroup("Of a GPU that the catalog does not have:")
    .option("--name <name>", "the display name")
    .option("--memory-gb <number>", "its memory (default: as machines report it)");
  addCommonOptions(command).action(set);
}

interface Row extends Partial<Pick<PriceBook["gpuTypes"][number], PriceField>> {
  id: string;
  memoryInGb?: number;
  gpuCount?: number;
}

async function list(values: CommonValues & { unpriced?: boolean }): Promise<void> {
  const book = await call(await serviceFor(values), "GET /v1/price-book");
  const { gpuTypes, unpricedGpus = [] } = book;
  if (values.json) return printJson(values.unpriced ? unpricedGpus : book);
  const rows: Row[] = values.unpriced ? unpricedGpus : [...unpricedGpus, ...gpuTypes];
  printList(
    rows,
    [
      ["GPU TYPE", ({ id }) => id],
      ["MEMORY", ({ memoryInGb }) => (memoryInGb === undefined ? "" : `${memoryInGb} GB`)],
      ["SECURE", priceCell("securePrice")],
      ["COMMUNITY", priceCell("communityPrice")],
      ["SPOT", priceCell("secureSpotPrice")],
      ["SERVERLESS", priceCell("serverlessPrice")],
    ],
    ({ id }) => id,
    values,
  );
  reportNone(rows, "GPU types without a price", values);
}

const priceCell = (field: PriceField) => (row: Row) => {
  const price = row[field];
  if (price != null) return dollars(price);
  return field === "securePrice" ? "no price" : "";
};

async function set(id: string, values: SetValues): Promise<void> {
  const prices = priceFields.flatMap((field) => {
    const [flags] = priceOptions[field];
    const text = values[optionName(flags)];
    return typeof text === "string" ? [[field, priceFrom(flags, text)]] : [];
  });
  const { name: displayName, memoryGb } = values;
  const facts = {
    ...(displayName !== undefined && { displayName }),
    ...(memoryGb !== undefined && { memoryInGb: numberFrom("--memory-gb", memoryGb) }),
  };
  if (prices.length === 0 && Object.keys(facts).length === 0) {
    throw new UsageError(`prices set takes a price, such as --secure 0.5`);
  }
  await change(id, { ...facts, ...Object.fromEntries(prices) }, `Prices of ${id} set`, values);
}

const remove = (id: string, values: CommonValues) =>
  change(id, { securePrice: null }, `The price of ${id} is the catalog's, if it has one`, values);

type TypeUpdate = Omit<NonNullable<PriceBookUpdate["gpuTypes"]>[number], "id">;

async function change(
  id: string,
  fields: TypeUpdate,
  sentence: string,
  values: CommonValues,
): Promise<void> {
  const body = { gpuTypes: [{ id, ...fields }] };
  const { gpuTypes } = await call(await serviceFor(values), "PATCH /v1/price-book", { body });
  printDone(sentence, gpuTypes.find((type) => type.id === id) ?? null, values);
}

/** "--secure-spot <dollars>" is secureSpot among the values. */
const optionName = (flags: string) =>
  flags
    .slice(2, flags.indexOf(" "))
    .replace(/-(\w)/g, (_, initial: string) => initial.toUpperCase());

const priceFrom = (flags: string, text: string) =>
  text === "default" ? null : numberFrom(flags.split(" ")[0]!, text);

function numberFrom(flag: string, text: string): number {
  const number = Number(text);
  if (text.trim() !== "" && Number.isFinite(number)) return number;
  throw new UsageError(`${flag} is "${text}"; it takes a number`);
}
