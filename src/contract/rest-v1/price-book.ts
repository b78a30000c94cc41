// The price book: prices that the operator changes while the service runs.

import Type, { type Static } from "typebox";
import { instant } from "../fields.ts";
import type { Operations } from "../operation.ts";
import { storagePrices } from "./catalog.ts";

/** So that no sum of what many cost for long is too large to be counted exactly. */
const MOST_DOLLARS = 10_000;

const amount = Type.Number({ description: "Dollars, to the millionth." });
const noPrice = Type.Union([amount, Type.Null()]);

const gpuTypePrices = Type.Object(
  {
    id: Type.String(),
    securePrice: amount,
    communityPrice: amount,
    secureSpotPrice: amount,
    communitySpotPrice: amount,
    serverlessPrice: amount,
    threeMonthPrice: noPrice,
    sixMonthPrice: noPrice,
  },
  { description: "Per GPU and hour; null where there are no savings plans of this length." },
);

const priceBook = Type.Object(
  {
    gpuTypes: Type.Array(gpuTypePrices),
    cpuFlavors: Type.Array(
      Type.Object(
        { id: Type.String(), pricePerVcpu: amount },
        { description: "Per virtual CPU and hour." },
      ),
    ),
    storage: storagePrices,
  },
  { title: "PriceBook" },
);
export type PriceBook = Static<typeof priceBook>;

const price = Type.Optional(
  Type.Union([Type.Number({ minimum: 0, maximum: MOST_DOLLARS }), Type.Null()], {
    description: "Dollars, to the millionth; null for what the catalog's file says.",
  }),
);
const id = Type.String({ minLength: 1, maxLength: 191 });
const closed = { additionalProperties: false };

const priceBookUpdate = Type.Object(
  {
    gpuTypes: Type.Optional(
      Type.Array(
        Type.Object(
          {
            id,
            securePrice: price,
            communityPrice: price,
            secureSpotPrice: price,
            communitySpotPrice: price,
            serverlessPrice: price,
            threeMonthPrice: price,
            sixMonthPrice: price,
          },
          closed,
        ),
        { maxItems: 1_000 },
      ),
    ),
    cpuFlavors: Type.Optional(
      Type.Array(Type.Object({ id, pricePerVcpu: price }, closed), { maxItems: 1_000 }),
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
        closed,
      ),
    ),
  },
  { title: "PriceBookUpdate", ...closed },
);
export type PriceBookUpdate = Static<typeof priceBookUpdate>;

const priceChange = Type.Object(
  {
    id: Type.String({ description: "Rises with every change." }),
    at: { ...instant, description: "From when on it holds." },
    keyId: Type.String({ description: "The key that it was asked with." }),
    gpuTypeId: Type.Optional(Type.String()),
    cpuFlavorId: Type.Optional(Type.String()),
    price: Type.String({ description: "Its name in the price book: securePrice, volumeRunning." }),
    from: noPrice,
    to: noPrice,
    reset: Type.Boolean({ description: "True where it is the catalog file's from then on." }),
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
    summary: "Read all prices",
    needs: { of: "rest", access: "read", area: "own" },
    answer: { status: 200, ...answer },
  },
  updatePriceBook: {
    method: "PATCH",
    path: "/v1/price-book",
    tag,
    summary: "Change prices",
    description:
      "Those that are named, all at once. They hold from this moment on, also for what runs: what was " +
      "used until now is charged at the old ones. The operator's to do.",
    needs: { of: "rest", access: "write", area: "account" },
    body: priceBookUpdate,
    answer: { status: 200, ...answer },
  },
  listPriceChanges: {
    method: "GET",
    path: "/v1/price-book/changes",
    tag,
    summary: "List what was changed of the prices, and by whom",
    description:
      "The newest first. The next page is asked for with the id of the last. The operator's.",
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
