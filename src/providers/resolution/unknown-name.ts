import { ModelNotFoundError } from "../../errors.ts";
import { closest } from "../../base/util/closest.ts";
import { modelForms, prefixes, providers } from "./registry.ts";

/** The error for a name that no provider has. `subject` is the subject of its message. */
export function unknownName(name: string, subject: string): ModelNotFoundError {
  const suggestion = suggestName(name);
  const hint = suggestion === undefined ? "" : ` Did you mean ${suggestion}?`;
  return new ModelNotFoundError(
    `${subject} is not a known model name.${hint} A name has a provider and a model id: ${modelForms}. ` +
      "For any other provider, pass a Model object, such as openai(modelId, { baseURL }) from skein/openai.",
    { name },
  );
}

function suggestName(name: string): string | undefined {
  const [, prefix = "", separator, id = ""] = /^([^:/]*)([:/])(.*)$/s.exec(name) ?? [];
  if (separator === undefined) {
    const provider = providerOf(name);
    if (provider !== undefined) return `${provider}:${name}`;
    const [whole] = closest(name, ["offline", ...prefixes]);
    return whole === undefined || whole === "offline" ? whole : `${whole}:<model id>`;
  }
  // Gateways put a model's owner before a slash, so only a provider's own name counts as a prefix there.
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
