// Routes of /v1/quote.

import type { FastifyInstance } from "fastify";
import { type Quote, quoteOperations } from "../../../contract/rest-v1/quote/quote.ts";
import { creatorOf } from "../../../domain/account.ts";
import { Fault } from "../../../domain/fault.ts";
import { noLabels } from "../../../domain/label/labels.ts";
import type { Quote as DomainQuote } from "../../../domain/money/quote.ts";
import type { EndpointRules } from "../../../flows/endpoint/check.ts";
import type { PodDeps } from "../../../flows/pod/create.ts";
import { quoteEndpoint } from "../../../flows/quote/endpoint.ts";
import { quoteExistingPod } from "../../../flows/quote/existing-pod.ts";
import { quoteVolume } from "../../../flows/quote/network-volume.ts";
import { quotePod } from "../../../flows/quote/pod.ts";
import { dollars } from "../../management/billing/dollars.ts";
import { newPodRequest, podChanges } from "../../management/pod/pod-request.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import { endpointRequest } from "../endpoint/endpoint-request.ts";

const HOURS_PER_MONTH = 730;
const SECONDS_PER_HOUR = 3_600;

export function quoteRoutes(app: FastifyInstance, deps: PodDeps & EndpointRules): void {
  serveOperations(app, quoteOperations, {
    async createQuote({ accountId, key, body }) {
      const { pod, endpoint, networkVolume, existingPod, ...rest } = body;
      rest satisfies Record<string, never>;
      const payer = { ...creatorOf(key), isCaller: true, labels: noLabels };
      if (Object.keys(body).length !== 1) throw invalidQuoteRequest();
      if (pod) return quoteRead(await quotePod(deps, { ...payer, ...newPodRequest(pod) }));
      if (networkVolume) {
        return quoteRead(await quoteVolume(deps, { ...payer, ...networkVolume }));
      }
      if (existingPod) {
        const { podId, changes = {} } = existingPod;
        const { request = {}, labels } = podChanges(changes);
        return quoteRead(await quoteExistingPod(deps, { accountId, podId, request, labels }));
      }
      const { templateId = null, ...settings } = endpoint!;
      const request = endpointRequest(settings);
      const { labels = noLabels } = request;
      return quoteRead(await quoteEndpoint(deps, { ...payer, labels, request, templateId }));
    },
  });
}

function invalidQuoteRequest(): Fault {
  const detail =
    'The body must have exactly one of "pod", "endpoint", "networkVolume" and "existingPod".';
  return new Fault("invalid_body", { detail });
}

function quoteRead(quote: DomainQuote): Quote {
  const { kind, passedOver, refused, gpuTypeId, gpuCount, cpuFlavorId, alternatives } = quote;
  const { compute, paidAhead, running, stopped, workers } = quote;
  return {
    kind,
    available: passedOver === null,
    ...(passedOver !== null && {
      why: passedOver.map(({ machine, reason }) => ({ machineId: machine, reason })),
    }),
    ...(refused !== null && { refused: { code: refused.code, error: refused.sentence } }),
    ...(gpuTypeId !== null && { gpuTypeId, gpuCount }),
    ...(cpuFlavorId !== null && { cpuFlavorId }),
    costPerHr: dollars(compute),
    ...(kind === "pod" && { adjustedCostPerHr: dollars(compute - paidAhead) }),
    ...(gpuCount > 0 && { costPerGpuPerHr: dollars(compute / gpuCount) }),
    ...(kind === "pod" && {
      disksPerHr: dollars(running + paidAhead - compute),
      stoppedPerHr: dollars(stopped),
    }),
    totalPerHr: dollars(running),
    totalPerMonth: dollars(running * HOURS_PER_MONTH),
    ...(workers !== null && {
      perSecond: dollars(compute / SECONDS_PER_HOUR),
      leastPerHr: dollars(compute * workers.min),
      mostPerHr: dollars(compute * workers.max),
    }),
    alternatives: alternatives.map(({ compute: other, ...each }) => {
      return { ...each, costPerHr: dollars(other) };
    }),
  };
}
