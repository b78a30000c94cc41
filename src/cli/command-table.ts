// Every command of the command line, in the order and the groups of its help. Each is loaded on demand, so
// that `up` and `--version` start fast.

import type { CommandEntry } from "./command.ts";

const resourceEntry = (name: string, about: string): CommandEntry => ({
  about,
  load: async () => (await import("./nouns/resource-command.ts")).resourceCommand(name),
});

export const commandGroups: Record<string, Record<string, CommandEntry>> = {
  "Use a Freehold": {
    run: { about: "run a job and print its output", load: () => import("./commands/use/run.ts") },
    wait: {
      about: "wait for a job, a Pod or an endpoint",
      load: () => import("./commands/use/wait.ts"),
    },
    retry: {
      about: "retry failed jobs: some, or all that match filters",
      load: () => import("./commands/use/retry.ts"),
    },
    deploy: {
      about: "build a folder or a handler and release it on an endpoint",
      load: () => import("./commands/use/deploy.ts"),
    },
    apply: {
      about: "create what a file describes, and change what differs from it",
      load: () => import("./commands/use/apply.ts"),
    },
    logs: {
      about: "print or follow the logs of a Pod, a worker, a job or an endpoint",
      load: () => import("./commands/use/logs.ts"),
    },
    rollback: {
      about: "run an earlier release of an endpoint again",
      load: () => import("./commands/use/rollback.ts"),
    },
    ps: { about: "list what runs", load: () => import("./commands/use/ps.ts") },
    why: {
      about: "explain the state of a job, worker, Pod, endpoint or schedule",
      load: () => import("./commands/why.ts"),
    },
    ssh: { about: "open SSH to a Pod", load: () => import("./commands/use/ssh.ts") },
    exec: { about: "run a command in a Pod", load: () => import("./commands/exec.ts") },
    ls: {
      about: "list network volumes and their files",
      load: () => import("./commands/storage/ls.ts"),
    },
    cp: {
      about: "copy files to, from and between network volumes",
      load: () => import("./commands/storage/cp.ts"),
    },
    quote: {
      about: "print what a Pod, an endpoint or a network volume would cost, and whether it fits",
      load: () => import("./commands/use/quote.ts"),
    },
    balance: {
      about: "print the account's credits",
      load: () => import("./commands/use/balance.ts"),
    },
    reserve: {
      about: "keep GPUs free from a time on",
      load: () => import("./commands/use/reserve.ts"),
    },
    bill: {
      about: "print what a month cost, by resource, member, project or label",
      load: () => import("./commands/use/bill.ts"),
    },
  },
  Resources: {
    pods: resourceEntry("pods", "list, create, change, start, stop and delete Pods"),
    endpoints: resourceEntry("endpoints", "list, create, change and delete endpoints"),
    jobs: resourceEntry("jobs", "list, read, cancel, retry and export jobs"),
    batch: resourceEntry("batch", "submit, list, read, cancel and wait for batches of jobs"),
    schedule: resourceEntry("schedule", "list, create, change, pause, run and delete schedules"),
    workers: resourceEntry("workers", "list and read the workers of endpoints"),
    templates: resourceEntry("templates", "list, create, change and delete templates"),
    volumes: resourceEntry("volumes", "list, create, change and delete network volumes"),
    secrets: resourceEntry("secrets", "list, create, change and delete secrets"),
    keys: resourceEntry("keys", "list, create, change, disable and revoke API keys"),
    registries: resourceEntry(
      "registries",
      "list, create, label and delete credentials of registries",
    ),
    "ssh-keys": resourceEntry("ssh-keys", "list, create, label and delete SSH keys"),
    "s3-keys": resourceEntry("s3-keys", "list, create, label and delete S3 keys"),
    projects: resourceEntry("projects", "list, create, change and delete projects"),
    exemptions: resourceEntry(
      "exemptions",
      "exempt Pods from stops for being idle and maximum lifetimes",
    ),
    reservations: resourceEntry("reservations", "list, create and cancel reservations of GPUs"),
    budget: resourceEntry("budget", "list, create, change and delete budgets"),
    notifications: resourceEntry(
      "notifications",
      "list, create, change, test and delete notification rules",
    ),
    clusters: resourceEntry("clusters", "list, create, change and delete clusters of Pods"),
    sandboxes: resourceEntry("sandboxes", "list, create, use, change and end sandboxes"),
    members: resourceEntry("members", "list, change and remove the members of the account"),
    invitations: resourceEntry("invitations", "invite people, list and withdraw invitations"),
    audit: resourceEntry("audit", "list what was changed, when and by which key or member"),
    gpus: resourceEntry("gpus", "list GPU types and their prices; cordon and test single GPUs"),
  },
  "Connect and develop": {
    login: { about: "add a remote Freehold", load: () => import("./commands/connect/login.ts") },
    context: {
      about: "list and choose the Freeholds of login",
      load: () => import("./commands/connect/context.ts"),
    },
    open: {
      about: "open the console in a browser",
      load: () => import("./commands/connect/open.ts"),
    },
    completion: {
      about: "print the completions of a shell",
      load: async () =>
        (await import("./commands/connect/completion.ts")).completionCommand(commands),
    },
    dev: {
      about: "run a handler, with a fresh worker on every save",
      load: () => import("./commands/dev.ts"),
    },
    env: {
      about: "print variables that point clients here",
      load: () => import("./commands/env.ts"),
    },
    intercept: {
      about: "run a command whose fixed addresses lead here",
      load: () => import("./commands/intercept.ts"),
    },
  },
  "Test with a Freehold": {
    clock: {
      about: "show the clock, and move a virtual one forward",
      load: () => import("./commands/testing/clock.ts"),
    },
    fault: {
      about: "switch faults on, to see how programs cope",
      load: () => import("./commands/testing/fault.ts"),
    },
    record: {
      about: "pass calls on to another service and write them to a cassette",
      load: () => import("./commands/testing/record.ts"),
    },
    replay: {
      about: "answer calls from a cassette",
      load: () => import("./commands/testing/replay.ts"),
    },
    diff: {
      about: "run the calls of a cassette and report what differs",
      load: () => import("./commands/testing/diff.ts"),
    },
  },
  "Operate a Freehold": {
    up: {
      about: "start the service (npm start does it)",
      load: () => import("./commands/up.ts"),
    },
    init: {
      about: "write a worker's project, or the settings of a team's service",
      load: () => import("./commands/init.ts"),
    },
    metrics: {
      about: "print the metrics of the installation",
      load: () => import("./commands/use/metrics.ts"),
    },
    quota: {
      about: "show who holds what, and set limits for members, projects and accounts",
      load: () => import("./commands/team/quota.ts"),
    },
    idle: {
      about: "print the GPU-hours that Pods held and did not use, by member, project, Pod or day",
      load: () => import("./commands/team/idle.ts"),
    },
    invite: {
      about: "print a link with which a person joins the account",
      load: () => import("./commands/team/invite.ts"),
    },
    service: {
      about: "run the service with systemd",
      load: () => import("./commands/service.ts"),
    },
    doctor: {
      about: "check everything Freehold depends on",
      load: () => import("./commands/doctor.ts"),
    },
    machine: resourceEntry("machine", "list, add and drain machines, plan maintenance"),
    prices: {
      about: "list and set the prices of GPUs, also of those that the catalog does not have",
      load: () => import("./commands/machine/prices.ts"),
    },
    top: {
      about: "show how busy machines, GPUs and Pods are",
      load: () => import("./commands/machine/top.ts"),
    },
    tls: {
      about: "print the root certificate of --tls local, or replace it",
      load: () => import("./commands/team/tls.ts"),
    },
    account: resourceEntry("account", "list, create, credit, limit and disable accounts"),
    backup: {
      about: "write the whole store to one file",
      load: () => import("./commands/backup.ts"),
    },
    restore: {
      about: "replace the store by a backup",
      load: () => import("./commands/restore.ts"),
    },
    adopt: {
      about: "give the data folder to another database",
      load: () => import("./commands/adopt.ts"),
    },
    move: {
      about: "move the store from SQLite to PostgreSQL",
      load: () => import("./commands/move.ts"),
    },
  },
};

export const commands: Record<string, CommandEntry> = Object.assign(
  {},
  ...Object.values(commandGroups),
);
