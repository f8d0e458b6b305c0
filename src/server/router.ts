import type { MaybePromise } from "../base/util/maybe-promise.ts";
import type { Answer } from "./answer.ts";
import type { Call } from "./call.ts";
import type { Refusal } from "./refusal.ts";
import type { ServedProtocol } from "./types.ts";

/** What answers requests of one path. */
export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** Such as `/runs/:id/events`. */
  readonly path: string;
  readonly protocol: ServedProtocol;
  /** Loaded with the first request, as each protocol is. */
  readonly load: () => MaybePromise<RouteHandler>;
}

/** Answers a request. */
export interface RouteHandler {
  readonly answer: (call: Call) => MaybePromise<Answer>;
  /** Words a refusal as the protocol does. */
  readonly refuse: (refusal: Refusal) => Response;
}

/** A route that fits a request. */
export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the route of a request. There are a few dozen, so that a list of segments does. */
export class Router {
  readonly #routes: readonly (readonly [Route, readonly string[]])[];

  constructor(routes: readonly Route[]) {
    this.#routes = routes.map((route) => [route, route.path.split("/")]);
  }

  /** The routes of a path, of any method. */
  find(path: string): readonly Match[] {
    const segments = path.length > 1 && path.endsWith("/") ? path.slice(0, -1).split("/") : path.split("/");
    const matches: Match[] = [];
    for (const [route, pattern] of this.#routes) {
      const params = isLike(pattern, segments) && paramsOf(pattern, segments);
      if (params) matches.push({ route, params });
    }
    return matches;
  }
}

function isLike(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((expected, place) => expected.startsWith(":") || expected === segments[place])
  );
}

/** The parameters of a pattern in a path that is like it; `undefined` if one is empty, or not to be decoded. */
function paramsOf(
  pattern: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const params: [string, string][] = [];
  for (const [place, name] of pattern.entries()) {
    if (!name.startsWith(":")) continue;
    const value = decoded(segments[place] ?? "");
    if (value === undefined || value === "") return undefined;
    params.push([name.slice(1), value]);
  }
  return Object.fromEntries(params);
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
