import { canonicalJson } from "../../base/util/canonical-json.ts";

/** Whether two texts are the same arguments; `undefined` if one of them is not whole JSON. */
export function compareArguments(left: string, right: string): "same" | "other" | undefined {
  if (left === right) return "same";
  const [one, other] = [canonicalArguments(left), canonicalArguments(right)];
  if (one === undefined || other === undefined) return undefined;
  return one === other ? "same" : "other";
}

/** A text that is the same for the same arguments; `undefined` for what is not whole JSON. */
export function canonicalArguments(text: string): string | undefined {
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    return undefined;
  }
}
