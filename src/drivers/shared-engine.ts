// An engine that several installations of Freehold use.

/** What one installation has on an engine. */
export interface InstallationUse {
  installation: string;
  /** All its containers, and those of them that run. */
  containers: number;
  running: number;
  networks: number;
  volumes: number;
  /** The data folder of its service on this machine; null if its labels name none. */
  dataFolder: string | null;
}

/** An engine that may hold workloads of other installations. */
export interface SharedEngine {
  /** What others have on it, ordered by installation. */
  others(): Promise<InstallationUse[]>;
  /** Removes the containers and networks of another installation, and its volumes if asked to. */
  remove(installation: string, withVolumes: boolean): Promise<void>;
}
