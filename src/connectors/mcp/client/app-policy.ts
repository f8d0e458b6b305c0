import { isPlainObject } from "../../../base/util/json.ts";

/** The origins that the page of an app says it needs, by the names of MCP Apps. */
const originLists = ["connectDomains", "resourceDomains", "frameDomains", "baseUriDomains"] as const;

type Origins = Readonly<Record<(typeof originLists)[number], readonly string[]>>;

/** An origin as policies write it. Nothing else gets into one: a space or a semicolon would begin another rule. */
const originPattern =
  /^(?:https?|wss?):\/\/(?:\*\.)?[a-z\d](?:[a-z\d.-]{0,252}[a-z\d])?(?::(?:\d{1,5}|\*))?\/?$/i;

/** The most origins of one list. */
const mostOrigins = 100;

/**
 * The policy (Content Security Policy) under which the page of an app runs: its own scripts and styles, and of the network nothing but what it
 * has said that it needs.
 * @param csp - `_meta.ui.csp` of the page.
 * @throws Error for what is not a list of origins.
 */
export function appPolicy(csp: unknown): string {
  const { connectDomains, resourceDomains, frameDomains, baseUriDomains } = readOrigins(csp);
  const rule = (name: string, ...sources: readonly string[]): string =>
    [name, ...(sources.length === 0 ? ["'none'"] : sources)].join(" ");
  // Not 'self': that would be the server that sends the page.
  return [
    rule("default-src"),
    rule("script-src", "'unsafe-inline'", "'wasm-unsafe-eval'", "blob:", ...resourceDomains),
    rule("style-src", "'unsafe-inline'", ...resourceDomains),
    rule("img-src", "data:", "blob:", ...resourceDomains),
    rule("font-src", "data:", ...resourceDomains),
    rule("media-src", "data:", "blob:", ...resourceDomains),
    rule("worker-src", "blob:"),
    rule("connect-src", ...connectDomains),
    rule("frame-src", ...frameDomains),
    rule("object-src"),
    rule("form-action"),
    rule("base-uri", ...baseUriDomains),
  ].join("; ");
}

function readOrigins(csp: unknown): Origins {
  if (csp !== undefined && !isPlainObject(csp)) throw new Error("its _meta.ui.csp must be an object");
  const list = (name: keyof Origins): readonly string[] => {
    const origins = csp?.[name] ?? [];
    if (Array.isArray(origins) && origins.length <= mostOrigins && origins.every(isOrigin)) return origins;
    throw new Error(
      `its _meta.ui.csp.${name} must be a list of at most ${mostOrigins} origins, such as "https://cdn.example.com"`,
    );
  };
  return {
    connectDomains: list("connectDomains"),
    resourceDomains: list("resourceDomains"),
    frameDomains: list("frameDomains"),
    baseUriDomains: list("baseUriDomains"),
  };
}

function isOrigin(value: unknown): value is string {
  return typeof value === "string" && originPattern.test(value);
}
