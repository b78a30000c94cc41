// The values that resolvers return for object types, where they differ from the generated types.
// `bin/codegen.mjs` names them as mappers.

import type { FlashApp } from "../../../domain/flash/app.ts";
import type { networkVolumeRead } from "../../management/storage/network-volume-view.ts";
import type { graphqlCpuFlavor, graphqlDataCenter, graphqlGpuType } from "../view/catalog-view.ts";
import type { GraphqlEndpoint } from "../view/endpoint-view.ts";
import type { FlashEnvironmentParent } from "../view/flash-environment-view.ts";
import type { graphqlMachine } from "../view/machine-view.ts";
import type { GraphqlPod } from "../view/pod-view.ts";
import type { graphqlSavingsPlan } from "../view/savings-plan-view.ts";
import type { GraphqlTemplate } from "../view/template-view.ts";
import type { readUser } from "../view/user-view.ts";
import type { GraphqlWorker } from "../view/worker-view.ts";

export type UserParent = Awaited<ReturnType<typeof readUser>>;
export type PodParent = GraphqlPod | GraphqlWorker;
export type NetworkVolumeParent = ReturnType<typeof networkVolumeRead>;
export type EndpointParent = GraphqlEndpoint;
export type TemplateParent = GraphqlTemplate;
export type SavingsPlanParent = ReturnType<typeof graphqlSavingsPlan>;
export type GpuTypeParent = ReturnType<typeof graphqlGpuType>;
export type CpuFlavorParent = ReturnType<typeof graphqlCpuFlavor>;
export type DataCenterParent = ReturnType<typeof graphqlDataCenter>;
export type MachineParent = ReturnType<typeof graphqlMachine>;
export type FlashAppParent = FlashApp;
export type { FlashEnvironmentParent };
