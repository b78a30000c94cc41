// `freehold service`: runs Freehold as a service of systemd.

import { defineCommand } from "../program/define-command.ts";
import { installUnit, ownUnit, removeUnit } from "../systemd/install.ts";

interface Values {
  user?: boolean;
  print?: boolean;
}

export const { usage, run } = defineCommand("service", (program) => {
  const install = program
    .command("install")
    .description("start Freehold now and with the machine; again to update its unit");
  const uninstall = program
    .command("uninstall")
    .description("stop Freehold and remove its unit; data and settings stay");
  for (const each of [install, uninstall]) {
    each.option("--user", "a service of your own instead of the machine's");
  }
  install.option("--print", "print the unit and change nothing");
  install.action(installService);
  uninstall.action(({ user = false }: Values) => {
    process.stdout.write(`${removeUnit(user)} is removed. Freehold's data and settings stay.\n`);
  });
});

function installService({ user = false, print = false }: Values): void {
  process.stdout.write(print ? ownUnit(user) : installed(installUnit(user), user));
}

function installed(file: string, isUserUnit: boolean): string {
  const [sudo, flag] = isUserUnit ? ["", "--user "] : ["sudo ", ""];
  const settings = isUserUnit ? "~/.config/freehold/freehold.env" : "/etc/freehold.env";
  const lines = [
    `Freehold runs (${file}).`,
    `  log       ${sudo}journalctl ${flag}--unit freehold --follow`,
    `  state     systemctl ${flag}status freehold`,
    `  settings  ${settings}, then ${sudo}systemctl ${flag}restart freehold`,
    ...(isUserUnit ? ["  without you being logged in: sudo loginctl enable-linger $USER"] : []),
  ];
  return `${lines.join("\n")}\n`;
}
