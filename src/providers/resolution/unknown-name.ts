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
  const [, prefix = "", separator, id = ""] = /^([^:/]*)([:/])(.*)$/s.exec(name) ?? [];
  if (separator === undefined) {
    const provider = providerOf(name);
    if (provider !== undefined) return `${provider}:${name}`;
    const [whole] = closest(name, ["offline", ...prefixes]);
    return whole === undefined || whole === "offline" ? whole : `${whole}:<model id>`;
  }
  // Gateways have owners of models in front of a slash: only a provider's own name is taken for a prefix.
  const [match] =
    separator === ":"
      ? closest(prefix, prefixes)
      : prefixes.filter((candidate) => candidate === prefix.toLowerCase());
  const provider = match ?? providerOf(id);
  return provider === undefined ? undefined : `${provider}:${id || "<model id>"}`;
}

/** The provider whose models have ids like this one. */
function providerOf(modelId: string): string | undefined {
  return providers.find(({ info }) => info.modelPattern.test(modelId))?.info.name;
}
