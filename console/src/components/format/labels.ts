// The labels of a resource as texts.

export interface Labeled {
  labels?: Record<string, string> | undefined;
}

/** "team=search" for each. */
export const labelTexts = ({ labels = {} }: Labeled): string[] =>
  Object.entries(labels).map(([name, value]) => `${name}=${value}`);
