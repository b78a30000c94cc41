// Quantities of Kubernetes, such as `3920m` and `16Gi`. Pure.

const FACTORS = new Map([
  ...["n", "u", "m"].map((suffix, n): [string, number] => [suffix, 1_000 ** (n - 3)]),
  ...["", "k", "M", "G", "T", "P", "E"].map((suffix, n): [string, number] => [suffix, 1_000 ** n]),
  ...["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"].map((suffix, n): [string, number] => [
    suffix,
    1_024 ** (n + 1),
  ]),
]);

const QUANTITY = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)([A-Za-z]*)$/;

/** 0 if it is absent or no quantity. */
export function quantityOf(text: string | number | undefined): number {
  const [, digits, suffix] = QUANTITY.exec(String(text ?? "")) ?? [];
  const factor = FACTORS.get(suffix ?? "");
  return digits === undefined || factor === undefined ? 0 : Number(digits) * factor;
}
