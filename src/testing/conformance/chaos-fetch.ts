import { notify, printFailure } from "../../base/util/callbacks.ts";
import type { Fetch } from "../../model/wire-seam.ts";
import { type Random, randomOf } from "./random.ts";
import { assertKnownOptions } from "../../base/options/known-options.ts";

/** What can go wrong with a request, or with its answer. */
export type Chaos =
  /** 429 with `Retry-After: 0`. */
  | "rate-limit"
  /** 500 with an error in JSON. */
  | "server-error"
  /** 502 with an HTML page. */
  | "html"
  /** 200 with nothing in it. */
  | "empty"
  /** 200 with JSON that is cut. */
  | "malformed"
  /** No connection. */
  | "network"
  /** The answer breaks off somewhere. */
  | "cut"
  /** The answer ends in order, but too soon. */
  | "truncated"
  /** The answer comes in small pieces. */
  | "drip";

/** How much of what goes wrong. */
export interface ChaosOptions {
  /** The same seed, the same requests, the same chaos; 1 by default. */
  readonly seed?: number;
  /** How many of the requests are disturbed, from 0 to 1; 0.3 by default. */
  readonly rate?: number;
  /** What may go wrong; all of it by default. */
  readonly kinds?: readonly Chaos[];
  /** What sends the requests; `globalThis.fetch` by default. */
  readonly fetch?: Fetch;
  /** Told what was done to a request, by its number from 1 on. */
  readonly onChaos?: (kind: Chaos, request: number) => void;
}

const optionNames = {
  seed: true,
  rate: true,
  kinds: true,
  fetch: true,
  onChaos: true,
} satisfies Record<keyof ChaosOptions, true>;

const json = { "content-type": "application/json" };

const answers = {
  "rate-limit": () =>
    reply(429, '{"error":{"message":"chaos: too many requests"}}', { ...json, "retry-after": "0" }),
  "server-error": () => reply(500, '{"error":{"message":"chaos: something broke"}}', json),
  html: () => reply(502, "<!DOCTYPE html><html><title>chaos</title></html>", { "content-type": "text/html" }),
  empty: () => reply(200, "", json),
  malformed: () => reply(200, '{"id":"chaos","cho', json),
} as const satisfies Partial<Record<Chaos, () => Response>>;

const kinds: readonly Chaos[] = [
  "rate-limit",
  "server-error",
  "html",
  "empty",
  "malformed",
  "network",
  "cut",
  "truncated",
  "drip",
];

/** A `fetch` for the option of that name of a model, which disturbs some of the requests: the same ones for the same seed. */
export function chaosFetch(options: ChaosOptions = {}): Fetch {
  assertKnownOptions(options, optionNames, "chaosFetch()");
  const { seed = 1, rate = 0.3, fetch = globalThis.fetch, onChaos } = options;
  const random = randomOf(seed);
  let requests = 0;
  return async (input, init) => {
    const request = ++requests;
    // Both are drawn for every request, so that the next one does not depend on this one's luck.
    const [luck, kind] = [random.next(), random.pick(options.kinds ?? kinds)];
    if (luck >= rate || kind === undefined) return fetch(input, init);
    init?.signal?.throwIfAborted();
    notify(
      () => onChaos?.(kind, request),
      (failure) => printFailure("onChaos", failure),
    );
    if (kind === "network") throw new TypeError("fetch failed", { cause: new Error("chaos: no connection") });
    if (kind === "cut" || kind === "truncated" || kind === "drip")
      return disturbed(await fetch(input, init), kind, randomOf(seed + request));
    return answers[kind]();
  };
}

function reply(status: number, body: string, headers: Readonly<Record<string, string>>): Response {
  return new Response(body, { status, headers });
}

/** The answer itself, up to somewhere or in small pieces. */
function disturbed(response: Response, kind: "cut" | "truncated" | "drip", random: Random): Response {
  if (!response.body) return response;
  const left = { bytes: kind === "drip" ? Infinity : random.integer(0, 2000) };
  const body = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        if (kind === "drip") return drip(chunk, controller, random);
        controller.enqueue(chunk.slice(0, left.bytes));
        left.bytes -= chunk.length;
        if (left.bytes > 0) return;
        if (kind === "truncated") controller.terminate();
        else controller.error(new TypeError("terminated", { cause: new Error("chaos: other side closed") }));
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

function drip(
  chunk: Uint8Array<ArrayBuffer>,
  controller: TransformStreamDefaultController<Uint8Array<ArrayBuffer>>,
  random: Random,
): void {
  for (let from = 0; from < chunk.length;) {
    const to = from + random.integer(1, 40);
    controller.enqueue(chunk.slice(from, to));
    from = to;
  }
}
