import { describeValue, invalidOption } from "../base/options/known-options.ts";

/** What programs may reach. */
export interface Network {
  readonly net: boolean;
  readonly domains: readonly string[];
}

/** A host name, with a wildcard for its first part or without, and with a port or without. */
const domain = /^(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?(?::\d{1,5})?$/i;

/**
 * Reads `net`.
 * @throws ConfigurationError (`invalid-option`) for what is neither a boolean nor a list of host names.
 */
export function readNetwork(net: unknown, place: string): Network {
  if (typeof net === "boolean") return { net, domains: [] };
  if (!Array.isArray(net))
    throw invalidOption(
      `net of ${place} must be true, false or a list of host names, not ${describeValue(net)}.`,
      { option: "net" },
    );
  const domains = net.map((name: unknown) => {
    if (typeof name === "string" && domain.test(name)) return name.toLowerCase();
    throw invalidOption(
      `net of ${place} must list host names such as "api.example.com" or "*.example.com", not ${describeValue(name)}.`,
      { option: "net" },
    );
  });
  return { net: false, domains: [...new Set(domains)].toSorted() };
}

/** Whether what a program reads, it could send: a person decides on that. */
export function hasNetwork({ net, domains }: Network): boolean {
  return net || domains.length > 0;
}
