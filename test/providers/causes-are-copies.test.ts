import { inspect } from "node:util";
import { expect, test } from "vitest";
import { Agent, run, type RunEvent } from "skein";
import { modelOver, protocols, type Protocol } from "./protocols.ts";

const key = "a-key-for-tests";
const config = { headers: { authorization: `Bearer ${key}`, "x-goog-api-key": key }, url: `/v1?key=${key}` };
const clientError = (): Error => Object.assign(new Error("Request failed", { cause: "slow" }), { config });

const thrown: readonly (readonly [string, () => unknown])[] = [
  ["an error with its request", clientError],
  ["a cause with its request", () => new TypeError("fetch failed", { cause: clientError() })],
  ["errors with their requests", () => new AggregateError([clientError()], "Request failed")],
  ["an object", () => ({ message: "Request failed", config })],
];

test.concurrent.each(
  protocols.flatMap((protocol) => thrown.map(([what, make]) => [protocol, what, make] as const)),
)(
  "no error or event contains the key that a fetch throws with: %s, %s",
  async (protocol: Protocol, _, make) => {
    const fetch = async (): Promise<Response> => {
      throw make();
    };
    const model = modelOver(protocol, { url: "https://api.acme.test", fetch });
    const events: RunEvent[] = [];
    const error: unknown = await run(new Agent({ name: "A", model, settings: { maxRetries: 1 } }), "Go.", {
      onEvent: (event) => void events.push(event),
    }).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: "network" });
    expect(events.map((event) => event.type)).toContain("retry");
    expect(inspect({ error, events }, { depth: 20, showHidden: true })).not.toContain(key);
  },
);
