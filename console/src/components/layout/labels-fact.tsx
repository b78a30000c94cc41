// The labels of a resource among its details; nothing without any.

import { type Labeled, labelTexts } from "../format/labels.ts";
import { Fact } from "./card.tsx";

export function LabelsFact({ of }: { of: Labeled }) {
  const texts = labelTexts(of);
  if (texts.length === 0) return null;
  return (
    <Fact name="Labels">
      {texts.map((text) => (
        <code key={text} className="mr-3">
          {text}
        </code>
      ))}
    </Fact>
  );
}
