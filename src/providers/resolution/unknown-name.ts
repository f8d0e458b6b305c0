import { ModelNotFoundError } from "../../errors.ts";
import { closest } from "../../base/util/closest.ts";
import { modelForms, prefixes, providers } from "./registry.ts";

/** The error for a name that is understood by no provider. `subject` is how the sentence names it. */
export function unknownName(name: string, subject: string): ModelNotFoundError {
  const meant = likely(name);
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
  return new ModelNotFoundError(
    `${subject} is no model name that Skein knows.${hint} Names are provider and model id: ${modelForms}. ` +
      "For any other provider, give a Model object: openai(modelId, { baseURL }) from skein/openai, say.",
    { name },
  );
}

function likely(name: string): string | undefined {
  const colon = name.indexOf(":");
  if (colon < 0) {
    const entry = providers.find(({ info }) => info.modelPattern.test(name));
    if (entry) return `${entry.info.name}:${name}`;
    const [whole] = closest(name, ["offline", ...prefixes]);
    return whole === undefined || whole === "offline" ? whole : `${whole}:<model id>`;
  }
  const [prefix] = closest(name.slice(0, colon), prefixes);
  return prefix === undefined ? undefined : `${prefix}:${name.slice(colon + 1) || "<model id>"}`;
}
