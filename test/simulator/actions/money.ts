// Accounts, their credits, budgets, and prices that change.

import { newName, oneIn, pick, pickAccount, type Simulation, whole } from "../model.ts";
import type { Action } from "./action.ts";

const MAX_ACCOUNTS = 3;
const MAX_BUDGETS = 3;
/** Whole cents: a limit is spent now and then, and does not stop everything for the rest of a month. */
const MAX_LIMITS: Record<string, number> = { hour: 200, day: 4_000, month: 80_000 };

export const moneyActions: Record<string, Action> = {
  createAccount: { weight: 3, run: createAccount },
  topUp: { weight: 5, run: topUp },
  createBudget: { weight: 5, run: createBudget },
  changeBudget: { weight: 3, run: changeBudget },
  changePrice: { weight: 4, run: changePrice },
};

const operatorOf = ({ model }: Simulation) => model.accounts[0]!;

async function createAccount(simulation: Simulation) {
  const { model } = simulation;
  if (model.accounts.length >= MAX_ACCOUNTS) return false;
  const limited = oneIn(simulation, 2);
  const body = { name: newName(simulation), limited };
  const { status, json } = await simulation.call(
    ...([operatorOf(simulation), "POST", "/v1/accounts", body] as const),
  );
  if (status >= 300) return;
  model.accounts.push({ id: json.id, key: json.key });
  // Without credits it could start nothing.
  if (limited) await credit(simulation, json.id, whole(simulation, 1, 4) / 2);
}

/** Of every account but the operator's, which is metered without a limit. */
async function topUp(simulation: Simulation) {
  const others = simulation.model.accounts.slice(1);
  if (others.length === 0) return false;
  const { id } = pick(simulation, others);
  await credit(simulation, id, pick(simulation, [0.01, 0.5, 2, 10, -0.2]));
}

const credit = (simulation: Simulation, id: string, amount: number) =>
  simulation.call(operatorOf(simulation), "POST", `/v1/accounts/${id}/credits`, {
    amount,
    note: "simulated",
  });

async function createBudget(simulation: Simulation) {
  const { model } = simulation;
  if (model.budgets.length >= MAX_BUDGETS) return false;
  const account = pickAccount(simulation);
  const endpoints = model.endpoints.filter((each) => each.account === account && !each.isDeleted);
  const endpointId = endpoints.length > 0 && oneIn(simulation, 2) && pick(simulation, endpoints).id;
  const period = pick(simulation, Object.keys(MAX_LIMITS));
  const { status, json } = await simulation.call(account, "POST", "/v1/budgets", {
    period,
    limit: limitOf(simulation, period),
    ...(endpointId && { endpointId }),
  });
  if (status < 300)
    model.budgets.push({ id: json.id, account, period, changedAt: simulation.world.now });
}

const limitOf = (simulation: Simulation, period: string) =>
  whole(simulation, 1, MAX_LIMITS[period]!) / 100;

async function changeBudget(simulation: Simulation) {
  const { model } = simulation;
  if (model.budgets.length === 0) return false;
  const budget = pick(simulation, model.budgets);
  const { id, account } = budget;
  budget.changedAt = simulation.world.now;
  if (oneIn(simulation, 2)) {
    const limit = limitOf(simulation, budget.period);
    await simulation.call(account, "PATCH", `/v1/budgets/${id}`, { limit });
    return;
  }
  await simulation.call(account, "DELETE", `/v1/budgets/${id}`);
  model.budgets = model.budgets.filter((each) => each.id !== id);
}

async function changePrice(simulation: Simulation) {
  const securePrice = whole(simulation, 10, 90) / 100;
  await simulation.call(operatorOf(simulation), "PATCH", "/v1/price-book", {
    gpuTypes: [{ id: pick(simulation, ["NVIDIA A40", "NVIDIA L4"]), securePrice }],
  });
}
