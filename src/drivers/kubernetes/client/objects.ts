// Kubernetes objects, with the fields that every kind has. What else a caller uses, it declares itself.

export interface KubernetesObject {
  metadata: ObjectMetadata;
}

export interface ObjectMetadata {
  name: string;
  namespace?: string;
  uid: string;
  resourceVersion: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  deletionTimestamp?: string;
}

export interface ObjectList<T> {
  metadata: { resourceVersion: string; continue?: string };
  items: T[];
}

/** `NAMESPACE/NAME`, or the name alone for an object without a namespace. */
export function objectKey({ metadata: { namespace, name } }: KubernetesObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
