// The price book: prices that the operator can change while the service runs.

import Type, { type Static } from "typebox";
import { instant } from "../../fields.ts";
import type { Operations } from "../../operation.ts";
import { storagePrices } from "../machine/catalog.ts";

/** Keeps long sums over many resources within exact integers. */
const MAX_DOLLARS = 10_000;

const amount = Type.Number({ description: "Dollars, to the millionth." });
const amountOrNull = Type.Union([amount, Type.Null()]);

const gpuTypePrices = Type.Object(
  {
    id: Type.String(),
    displayName: Type.String(),
    memoryInGb: Type.Integer(),
    source: Type.Union([Type.Literal("catalog"), Type.Literal("priceBook")], {
      description:
        "Whether the GPU type comes from the catalog, or is offered because it has a price in the price book.",
    }),
    securePrice: amount,
    communityPrice: amount,
    secureSpotPrice: amount,
    communitySpotPrice: amount,
    serverlessPrice: amount,
    threeMonthPrice: amountOrNull,
    sixMonthPrice: amountOrNull,
  },
  {
    description:
      "Prices per GPU-hour. A savings plan price is null if plans of that length are not sold.",
  },
);

const unpricedGpus = Type.Object(
  {
    id: Type.String({ description: "The GPU type, as its driver or its node's label names it." }),
    displayName: Type.String(),
    manufacturer: Type.String(),
    memoryInGb: Type.Optional(
      Type.Integer({ description: "Absent if no machine reports the memory." }),
    ),
    gpuCount: Type.Integer(),
    machineIds: Type.Array(Type.String()),
  },
  { title: "UnpricedGpus", description: "GPUs that no client can rent for want of a price." },
);

const priceBook = Type.Object(
  {
    gpuTypes: Type.Array(gpuTypePrices),
    unpricedGpus: Type.Optional(
      Type.Array(unpricedGpus, {
        description:
          "The GPUs of all machines whose type has no price. Only the operator sees them.",
      }),
    ),
    cpuFlavors: Type.Array(
      Type.Object(
        { id: Type.String(), pricePerVcpu: amount },
        { description: "Prices per virtual CPU and hour." },
      ),
    ),
    storage: storagePrices,
  },
  { title: "PriceBook" },
);
export type PriceBook = Static<typeof priceBook>;

const price = Type.Optional(
  Type.Union([Type.Number({ minimum: 0, maximum: MAX_DOLLARS }), Type.Null()], {
    description:
      "Dollars, to the millionth; null resets it to the price in the catalog file. Other prices of a GPU type that the catalog does not have follow from its securePrice.",
  }),
);
const id = Type.String({ minLength: 1, maxLength: 191 });
const noOtherMembers = { additionalProperties: false };

const priceBookUpdate = Type.Object(
  {
    gpuTypes: Type.Optional(
      Type.Array(
        Type.Object(
          {
            id,
            displayName: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: 191,
                description: "The name of a GPU type that the catalog does not have.",
              }),
            ),
            memoryInGb: Type.Optional(
              Type.Integer({
                minimum: 1,
                maximum: 100_000,
                description:
                  "The memory of a GPU type that the catalog does not have. Default: as machines report it.",
              }),
            ),
            securePrice: price,
            communityPrice: price,
            secureSpotPrice: price,
            communitySpotPrice: price,
            serverlessPrice: price,
            threeMonthPrice: price,
            sixMonthPrice: price,
          },
          noOtherMembers,
        ),
        { maxItems: 1_000 },
      ),
    ),
    cpuFlavors: Type.Optional(
      Type.Array(Type.Object({ id, pricePerVcpu: price }, noOtherMembers), { maxItems: 1_000 }),
    ),
    storage: Type.Optional(
      Type.Object(
        {
          containerDisk: price,
          volumeRunning: price,
          volumeStopped: price,
          networkVolume: price,
          networkVolumeBeyond: price,
        },
        noOtherMembers,
      ),
    ),
  },
  { title: "PriceBookUpdate", ...noOtherMembers },
);
export type PriceBookUpdate = Static<typeof priceBookUpdate>;

const priceChange = Type.Object(
  {
    id: Type.String({ description: "Increases with every change." }),
    at: { ...instant, description: "When the price takes effect." },
    keyId: Type.String({ description: "The key of the request." }),
    gpuTypeId: Type.Optional(Type.String()),
    cpuFlavorId: Type.Optional(Type.String()),
    price: Type.String({
      description: "The field in the price book, such as securePrice or volumeRunning.",
    }),
    from: amountOrNull,
    to: amountOrNull,
    reset: Type.Boolean({
      description: "Whether the price was reset to the one in the catalog file.",
    }),
  },
  { title: "PriceChange" },
);
export type PriceChange = Static<typeof priceChange>;

const tag = "Price book";
const answer = { description: "The price book.", schema: priceBook } as const;

export const priceBookOperations = {
  getPriceBook: {
    method: "GET",
    path: "/v1/price-book",
    tag,
    summary: "Read the price book",
    needs: { of: "rest", access: "read", area: "own" },
    answer: { status: 200, ...answer },
  },
  updatePriceBook: {
    method: "PATCH",
    path: "/v1/price-book",
    tag,
    summary: "Change prices",
    description:
      "All prices in the body change together and take effect immediately, also for running " +
      "resources. Usage up to now is charged at the old prices. Only the operator can call it.",
    needs: { of: "rest", access: "write", area: "account" },
    body: priceBookUpdate,
    answer: { status: 200, ...answer },
  },
  listPriceChanges: {
    method: "GET",
    path: "/v1/price-book/changes",
    tag,
    summary: "List price changes",
    description:
      "Newest first. For the next page, pass the id of the last change as `before`. Only the " +
      "operator can call it.",
    needs: { of: "rest", access: "read", area: "account" },
    query: Type.Partial(
      Type.Object({
        before: Type.String({ pattern: "^\\d{1,15}$", "x-takes": "the id of a change" }),
        limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100 }),
      }),
    ),
    answer: { status: 200, description: "The changes.", schema: Type.Array(priceChange) },
  },
} as const satisfies Operations;
