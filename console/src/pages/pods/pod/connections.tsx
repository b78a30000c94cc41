// The ways into a Pod as buttons: its pages, by the names that its template gives them and SSH.

import { Check, Code2, ExternalLink, Terminal } from "lucide-react";
import type { Schema } from "../../../api/client.ts";
import { useSession } from "../../../api/session.ts";
import { Button } from "../../../components/control/button.tsx";
import { Copyable, useCopy } from "../../../components/control/copy.tsx";
import { Card } from "../../../components/layout/card.tsx";
import { phaseOf } from "../pod-status.tsx";

type Pod = Schema["Pod"];
export type SshAddress = Schema["PodSshEndpoint"];

interface PodPage {
  port: string;
  name: string;
  address: string;
  /** Signs in where a page takes a token that the Pod knows. Null where the page cannot keep who signed in. */
  opens: string | null;
  /** What opens it through a tunnel from this port of the reader's computer. */
  opensLocally: string;
}

/** "JupyterLab" or "Port 8888" */
export const portName = ({ template }: Pod, port: string) =>
  template?.portLabels[port] ? `${template.portLabels[port]} (${port})` : `Port ${port}`;

export function Connections({ pod, ssh }: { pod: Pod; ssh: SshAddress | null }) {
  const pages = usePages(pod);
  const isRunning = phaseOf(pod) === "running";
  return (
    <Card title="Connect">
      <div className="flex flex-wrap gap-2">
        {pages.map(
          ({ port, name, opens }) =>
            opens !== null && (
              <PageButton key={port} name={name} opens={opens} isRunning={isRunning} />
            ),
        )}
        {ssh && <SshButtons ssh={ssh} />}
      </div>
      {!isRunning && (
        <p className="mt-3 text-sm text-muted first:mt-0">Available while the Pod runs.</p>
      )}
      <Addresses pages={pages} ports={httpPortsOf(pod)} ssh={ssh} />
    </Card>
  );
}

interface PageButtonProps {
  name: string;
  opens: string;
  isRunning: boolean;
}

function PageButton({ name, opens, isRunning }: PageButtonProps) {
  if (!isRunning) return <Button disabled>{name}</Button>;
  return (
    <Button asChild>
      <a href={opens} target="_blank" rel="noreferrer">
        {name} <ExternalLink aria-hidden className="size-3.5" />
      </a>
    </Button>
  );
}

function SshButtons({ ssh }: { ssh: SshAddress }) {
  const { isCopied, copy } = useCopy(ssh.command);
  const Icon = isCopied ? Check : Terminal;
  return (
    <>
      <Button onClick={copy}>
        <Icon aria-hidden className="size-4" /> {isCopied ? "Copied" : "Copy SSH command"}
      </Button>
      <Button asChild>
        <a href={`vscode://vscode-remote/ssh-remote+${ssh.username}@${ssh.host}:${ssh.port}/`}>
          <Code2 aria-hidden className="size-4" /> VS Code over SSH
        </a>
      </Button>
    </>
  );
}

interface AddressesProps {
  pages: PodPage[];
  ports: string[];
  ssh: SshAddress | null;
}

function Addresses({ pages, ports, ssh }: AddressesProps) {
  const { proxyUrl } = useSession();
  if (ports.length > 0 && pages.length === 0) {
    return (
      <p className="mt-3 text-sm text-muted">
        The HTTP ports can be opened on the service's own machine only. To open them from here, the
        operator sets <code>FREEHOLD_PROXY_LISTEN</code> or <code>FREEHOLD_PROXY_DOMAIN</code>.
      </p>
    );
  }
  if (pages.length === 0) {
    return (
      <p className="mt-3 text-sm text-muted">
        No HTTP ports. Expose a port such as <code>8888/http</code> in the settings to get a URL.
      </p>
    );
  }
  return (
    <>
      <dl className="mt-4 space-y-2 text-sm">
        {pages.map(({ port, name, address }) => (
          <div key={port} className="min-w-0">
            <dt className="text-muted">{name.includes(port) ? name : `${name}, port ${port}`}</dt>
            <dd className="min-w-0">
              <Copyable text={address} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-sm text-muted">Anyone with the URL can open these ports.</p>
      {proxyUrl && (
        <PathNote page={pages.find(({ opens }) => opens === null) ?? pages[0]!} ssh={ssh} />
      )}
    </>
  );
}

/** On a shared address pages have no cookies or storage, which JupyterLab and many others need. */
function PathNote({ page, ssh }: { page: PodPage; ssh: SshAddress | null }) {
  const { port, opensLocally } = page;
  return (
    <div className="mt-3 space-y-2 text-sm text-muted">
      <p>
        Pages at these addresses have no cookies. JupyterLab and other pages that sign in need a
        domain for Pods{ssh ? ", or a tunnel. Run this on your computer:" : "."}
      </p>
      {ssh && (
        <>
          <Copyable
            text={`ssh -N -L ${port}:localhost:${port} -p ${ssh.port} ${ssh.username}@${ssh.host}`}
          />
          <p>and open this address while it runs:</p>
          <Copyable text={opensLocally} />
        </>
      )}
    </div>
  );
}

const httpPortsOf = ({ ports }: Pod) =>
  ports.filter((each) => each.endsWith("/http")).map((each) => each.split("/")[0]!);

/** A name has the scheme and the port by which this page was reached. */
function addressBelow(domain: string, name: string): string {
  const { protocol, port } = window.location;
  return `${protocol}//${name}.${domain}${port ? `:${port}` : ""}`;
}

function usePages(pod: Pod): PodPage[] {
  const { proxyDomain, proxyUrl } = useSession();
  if (proxyDomain === null && proxyUrl === null) return [];
  return httpPortsOf(pod).map((port) => {
    const name = pod.template?.portLabels[port] ?? `Port ${port}`;
    const address = proxyUrl
      ? `${proxyUrl}/${pod.id}/${port}`
      : addressBelow(proxyDomain!, `${pod.id}-${port}`);
    const token = /jupyter/i.test(name) ? pod.env.JUPYTER_PASSWORD : undefined;
    const search = token ? `?token=${encodeURIComponent(token)}` : "";
    const opens = token ? `${address}/${search}` : address;
    const opensLocally = `http://localhost:${port}/${search}`;
    return { port, name, address, opens: token && proxyUrl ? null : opens, opensLocally };
  });
}
