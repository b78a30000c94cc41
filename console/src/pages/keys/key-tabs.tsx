// The pages of keys: those of the API, of S3 and of SSH.

import { useCanView } from "../../api/session.ts";
import { Tabs } from "../../components/layout/tabs.tsx";
import { paths } from "../../paths.ts";

export function KeyTabs() {
  const tabs = [
    { to: paths.keys, params: {}, name: "API" },
    { to: paths.s3Keys, params: {}, name: "S3" },
    { to: paths.sshKeys, params: {}, name: "SSH" },
  ];
  if (!useCanView("resources")) return null;
  return <Tabs label="Kinds of keys" tabs={tabs} />;
}
