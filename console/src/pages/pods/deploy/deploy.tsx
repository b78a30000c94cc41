// A new Pod: what it computes on, what runs in it, where it keeps things, and what it costs.

import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api, service } from "../../../api/client.ts";
import { Card } from "../../../parts/card.tsx";
import { Choice } from "../../../parts/choice.tsx";
import { FaultNote } from "../../../parts/fault.tsx";
import { Field, Select, Switch, TextInput } from "../../../parts/field.tsx";
import { Page } from "../../../parts/page.tsx";
import { SkeletonRows } from "../../../parts/skeleton.tsx";
import { say } from "../../../parts/toast.tsx";
import { ContainerFields } from "./container-fields.tsx";
import { CpuBoard } from "./cpu-board.tsx";
import { GpuBoard } from "./gpu-board.tsx";
import { MoreFields } from "./more-fields.tsx";
import type { Catalog } from "./price.ts";
import { StorageFields } from "./storage-fields.tsx";
import { Summary } from "./summary.tsx";
import { bodyOf, firstWish, type Wish } from "./wish.ts";

export function DeployPod() {
  const { catalog, error } = useCatalog();
  return (
    <Page title="Deploy a Pod" back={<Link to="/pods">Pods</Link>}>
      {catalog ? <Form catalog={catalog} /> : <Waiting error={error} />}
    </Page>
  );
}

function Waiting({ error }: { error: unknown }) {
  return error ? <FaultNote error={error} /> : <SkeletonRows rows={8} />;
}

function useCatalog(): { catalog: Catalog | null; error: unknown } {
  const gpus = api.useQuery("get", "/v1/catalog/gpu-types");
  const cpus = api.useQuery("get", "/v1/catalog/cpu-flavors");
  const error = gpus.error ?? cpus.error;
  if (!gpus.data || !cpus.data) return { catalog: null, error };
  return { catalog: { gpuTypes: gpus.data, cpuFlavors: cpus.data }, error: null };
}

function Form({ catalog }: { catalog: Catalog }) {
  const [wish, setWish] = useState(firstWish);
  const change = (changes: Partial<Wish>) => setWish((before) => ({ ...before, ...changes }));
  const { deploy, busy, error } = useDeploy();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void deploy(wish);
  };
  return (
    <form
      onSubmit={submit}
      className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]"
    >
      <Sections wish={wish} change={change} catalog={catalog} />
      <Summary wish={wish} catalog={catalog} busy={busy} error={error} />
    </form>
  );
}

interface SectionsProps {
  wish: Wish;
  change: (changes: Partial<Wish>) => void;
  catalog: Catalog;
}

function Sections({ wish, change, catalog }: SectionsProps) {
  const { data: machines = [] } = api.useQuery("get", "/v1/machines");
  const { data: templates = [] } = api.useQuery("get", "/v1/templates");
  const { data: auths = [] } = api.useQuery("get", "/v1/containerregistryauth");
  const { data: volumes = [] } = api.useQuery("get", "/v1/networkvolumes");
  const { data: dataCenters = [] } = api.useQuery("get", "/v1/catalog/data-centers");
  return (
    <div className="min-w-0 space-y-5">
      <Card title="Container">
        <ContainerFields wish={wish} change={change} templates={templates} auths={auths} />
      </Card>
      <Card
        title="Computes on"
        aside={
          <Choice
            label="Computes on"
            value={wish.compute}
            onChange={(compute) => change({ compute })}
            options={{ GPU: "GPU", CPU: "CPU" }}
          />
        }
      >
        {wish.compute === "GPU" ? (
          <>
            <GpuChoices wish={wish} change={change} />
            <GpuBoard
              types={catalog.gpuTypes}
              machines={machines}
              wish={wish}
              onChoose={(gpuTypeIds) => change({ gpuTypeIds })}
            />
          </>
        ) : (
          <CpuBoard flavors={catalog.cpuFlavors} wish={wish} change={change} />
        )}
      </Card>
      <Card title="Storage">
        <StorageFields wish={wish} change={change} volumes={volumes} />
      </Card>
      <details className="rounded-card border border-line bg-surface">
        <summary className="cursor-pointer px-4 py-3 font-medium">More options</summary>
        <div className="border-t border-line p-4">
          <MoreFields wish={wish} change={change} dataCenters={dataCenters} />
        </div>
      </details>
    </div>
  );
}

function GpuChoices({ wish, change }: Omit<SectionsProps, "catalog">) {
  return (
    <div className="mb-4 flex flex-wrap items-end gap-4">
      <Field label="GPUs" className="w-24">
        {(tied) => (
          <Select
            {...tied}
            value={wish.gpuCount}
            onChange={({ target }) => change({ gpuCount: Number(target.value) })}
          >
            {[1, 2, 3, 4, 5, 6, 7, 8].map((n) => (
              <option key={n}>{n}</option>
            ))}
          </Select>
        )}
      </Field>
      <Choice
        label="Cloud"
        value={wish.cloudType}
        onChange={(cloudType) => change({ cloudType })}
        options={{ SECURE: "Secure cloud", COMMUNITY: "Community" }}
      />
      <div className="flex h-9 items-center">
        <Switch label="Spot" checked={wish.spot} onChange={(spot) => change({ spot })} />
      </div>
      {wish.spot && (
        <Field label="At most, $ per GPU and hour" className="w-48">
          {(tied) => (
            <TextInput
              {...tied}
              type="number"
              min={0}
              step="0.01"
              placeholder="the spot price"
              value={wish.bid}
              onChange={({ target }) => change({ bid: target.value })}
            />
          )}
        </Field>
      )}
    </div>
  );
}

function useDeploy() {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const deploy = async (wish: Wish) => {
    setBusy(true);
    setError(null);
    try {
      const { data, error: refused } = await service.POST("/v1/pods", { body: bodyOf(wish) });
      if (refused) throw refused;
      say(`${data.name} is deployed`);
      await navigate({ to: "/pods/$podId/{-$tab}", params: { podId: data.id } });
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  return { deploy, busy, error };
}
