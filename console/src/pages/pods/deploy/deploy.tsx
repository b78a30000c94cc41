// The page that deploys a Pod.

import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { UseFormReturn } from "react-hook-form";
import { api, type Schema } from "../../../api/client.ts";
import { useWrite } from "../../../api/use-write.ts";
import { Choice } from "../../../components/control/segmented-control.tsx";
import { ErrorNote } from "../../../components/feedback/error-note.tsx";
import {
  NumberSelectField,
  SwitchField,
  TextField,
} from "../../../components/form/form-fields.tsx";
import { labelErrors } from "../../../components/form/label-rows.ts";
import { MoreFields } from "../../../components/form/more-fields.tsx";
import { useSchemaForm } from "../../../components/form/use-schema-form.ts";
import { Card } from "../../../components/layout/card.tsx";
import { Page } from "../../../components/layout/page.tsx";
import { SkeletonRows } from "../../../components/layout/skeleton.tsx";
import { paths } from "../../../paths.ts";
import { AdvancedFields } from "./advanced-fields.tsx";
import { ContainerFields } from "./container-fields.tsx";
import { CpuBoard } from "./cpu-board.tsx";
import { GpuBoard } from "./gpu-board.tsx";
import {
  bodyFields,
  createBodyOf,
  emptyDraft,
  type PodCreate,
  type PodDraft,
} from "./pod-draft.ts";
import { type Catalog, gpuPrice } from "./price.ts";
import { hasRealGpus, stockOf } from "./stock.ts";
import { StorageFields } from "./storage-fields.tsx";
import { suitableGpus } from "./suitable-gpus.ts";
import { Summary } from "./summary.tsx";

const route = getRouteApi("/inside/pods/deploy");

export function DeployPod() {
  const { template: templateId } = route.useSearch();
  const { catalog, machines, error } = useCatalog();
  const templates = useTemplates();
  const isReady = catalog && machines && (templateId === undefined || templates.data);
  const template = templates.data?.find(({ id }) => id === templateId);
  return (
    <Page title="Deploy Pod" back={<Link to="/pods">Pods</Link>}>
      {isReady ? (
        <DeployForm
          key={templateId ?? ""}
          catalog={catalog}
          first={template ? draftOfTemplate(template, catalog, machines) : firstDraft(catalog)}
        />
      ) : (
        <CatalogPlaceholder error={error ?? templates.error} />
      )}
    </Page>
  );
}

const useTemplates = () =>
  api.useQuery("get", "/v1/templates", { params: { query: { includeRunpodTemplates: true } } });

const firstDraft = (catalog: Catalog): PodDraft => ({
  ...emptyDraft,
  compute: hasRealGpus(catalog.stock) ? "GPU" : "CPU",
});

/** The draft with the cheapest GPU that has the memory, if the template says how much it needs. */
function draftOfTemplate(
  template: Schema["Template"],
  catalog: Catalog,
  machines: Schema["Machine"][],
): PodDraft {
  const draft = { ...firstDraft(catalog), templateId: template.id };
  if (template.category === "CPU") return { ...draft, compute: "CPU" };
  if (template.minGpuMemoryInGb === undefined) return draft;
  const [cheapest] = suitableGpus(catalog.gpuTypes, machines, template)
    .filter((type) => gpuPrice(type, draft) > 0)
    .sort((a, b) => gpuPrice(a, draft) - gpuPrice(b, draft));
  return { ...draft, compute: "GPU", gpuTypeIds: cheapest ? [cheapest.id] : [] };
}

function CatalogPlaceholder({ error }: { error: unknown }) {
  return error ? <ErrorNote error={error} /> : <SkeletonRows rows={8} />;
}

interface LoadedCatalog {
  catalog: Catalog | null;
  machines?: Schema["Machine"][] | undefined;
  error: unknown;
}

function useCatalog(): LoadedCatalog {
  const gpus = api.useQuery("get", "/v1/catalog/gpu-types");
  const cpus = api.useQuery("get", "/v1/catalog/cpu-flavors");
  const machines = api.useQuery("get", "/v1/machines");
  const error = gpus.error ?? cpus.error ?? machines.error;
  if (!gpus.data || !cpus.data || !machines.data) return { catalog: null, error };
  const stock = stockOf(machines.data);
  const catalog = { gpuTypes: gpus.data, cpuFlavors: cpus.data, stock };
  return { catalog, machines: machines.data, error: null };
}

function DeployForm({ catalog, first }: { catalog: Catalog; first: PodDraft }) {
  const write = useWrite("post", "/v1/pods", {
    success: ({ name, queued }) => `Pod ${name} ${queued ? "waits in line" : "created"}`,
  });
  const navigate = useNavigate();
  const { form, submit, error, isSubmitting } = useSchemaForm({
    schema: "PodCreateInput",
    defaultValues: first,
    toBody: createBodyOf,
    fields: bodyFields,
    check: ({ image, templateId, labels }): { image?: string; labels?: string } => ({
      ...(!(image.trim() || templateId) && { image: "Required" }),
      ...labelErrors(labels),
    }),
  });
  const draft = form.watch();
  const deploy = async (body: PodCreate) => {
    const { id } = await write.run({ body });
    await navigate({ to: paths.pod, params: { podId: id } });
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit(deploy);
      }}
      className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]"
    >
      <Sections form={form} catalog={catalog} />
      <Summary form={form} draft={draft} catalog={catalog} busy={isSubmitting} error={error} />
    </form>
  );
}

interface SectionsProps {
  form: UseFormReturn<PodDraft>;
  catalog: Catalog;
}

function Sections({ form, catalog }: SectionsProps) {
  const { data: templates = [] } = useTemplates();
  const { data: auths = [] } = api.useQuery("get", "/v1/containerregistryauth");
  const { data: volumes = [] } = api.useQuery("get", "/v1/networkvolumes");
  const { data: dataCenters = [] } = api.useQuery("get", "/v1/catalog/data-centers");
  return (
    <div className="min-w-0 space-y-5">
      <HardwareCard form={form} catalog={catalog} />
      <Card title="Container">
        <ContainerFields form={form} templates={templates} auths={auths} />
      </Card>
      <Card title="Storage">
        <StorageFields form={form} volumes={volumes} />
      </Card>
      <MoreFields form={form} title="More options" asCard>
        <AdvancedFields form={form} dataCenters={dataCenters} />
      </MoreFields>
    </div>
  );
}

function HardwareCard({ form, catalog }: SectionsProps) {
  const draft = form.watch();
  return (
    <Card
      title="Hardware"
      aside={
        <Choice
          label="Hardware"
          value={draft.compute}
          onChange={(compute) => form.setValue("compute", compute)}
          options={{ GPU: "GPU", CPU: "CPU" }}
        />
      }
    >
      {draft.compute === "GPU" ? (
        <>
          <GpuFields form={form} />
          <GpuBoard
            types={catalog.gpuTypes}
            stock={catalog.stock}
            draft={draft}
            onSelect={(gpuTypeIds) => form.setValue("gpuTypeIds", gpuTypeIds)}
          />
        </>
      ) : (
        <CpuBoard flavors={catalog.cpuFlavors} form={form} />
      )}
    </Card>
  );
}

function GpuFields({ form }: Pick<SectionsProps, "form">) {
  return (
    <div className="mb-4 flex flex-wrap items-end gap-4">
      <NumberSelectField
        form={form}
        name="gpuCount"
        label="GPUs"
        className="w-24"
        options={[1, 2, 3, 4, 5, 6, 7, 8].map((n) => [n, `${n}`] as const)}
      />
      <Choice
        label="Cloud"
        value={form.watch("cloudType")}
        onChange={(cloudType) => form.setValue("cloudType", cloudType)}
        options={{ SECURE: "Secure cloud", COMMUNITY: "Community cloud" }}
      />
      <div className="flex h-9 items-center">
        <SwitchField form={form} name="spot" label="Spot" />
      </div>
      {form.watch("spot") && (
        <TextField
          form={form}
          name="bid"
          label="Maximum bid, $ per GPU-hour"
          className="w-48"
          type="number"
          step="0.01"
          placeholder="spot price"
        />
      )}
    </div>
  );
}
