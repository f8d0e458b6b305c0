import { Agent, type Model, tool } from "skein";
import { anthropic } from "skein/anthropic";
import type { DurableStore } from "skein/durable";
import { batched, type BatchOptions } from "skein/models";
import { openai } from "skein/openai";
import type { BatchServer } from "./batch-server.ts";

/** Batches of one request, at which it is looked often. */
export const quick: BatchOptions = { gather: 0, interval: 20 };

/** Models that answer from batches of a server. */
export const models: Readonly<
  Record<string, (server: Pick<BatchServer, "url">, options?: BatchOptions) => Model>
> = {
  anthropic: ({ url }, options = quick) =>
    batched(anthropic("claude-sonnet-4-6", { apiKey: "key", baseURL: url }), options),
  openai: ({ url }, options = quick) =>
    batched(openai("gpt-5.2", { apiKey: "key", baseURL: `${url}/v1`, provider: "openai" }), options),
  "openai responses": ({ url }, options = quick) =>
    batched(
      openai.responses("gpt-5.2", { apiKey: "key", baseURL: `${url}/v1`, provider: "openai" }),
      options,
    ),
};

/** One of them. */
export function modelOfApi(name: string, server: Pick<BatchServer, "url">, options?: BatchOptions): Model {
  const model = models[name];
  if (!model) throw new TypeError(`There is no API "${name}".`);
  return model(server, options);
}

/** An agent that calls a tool, and then answers. */
export function clerk(model: Model, effects: string[] = []): Agent {
  const look = tool({
    name: "look",
    description: "Look.",
    input: { type: "object", properties: {} },
    execute: () => {
      effects.push("look");
      return "all quiet";
    },
  });
  return new Agent({ name: "Clerk", model, tools: [look] });
}

/** The methods of a store, bound to it. */
export function methodsOf(store: DurableStore): DurableStore {
  return {
    key: store.key,
    create: (added) => store.create(added),
    read: (id) => store.read(id),
    list: (filter) => store.list(filter),
    claim: (request) => store.claim(request),
    renew: (owner, lease, ids) => store.renew(owner, lease, ids),
    update: (id, revision, change) => store.update(id, revision, change),
    load: (log) => store.load(log),
    commit: (lease, write) => store.commit(lease, write),
    events: (id, after, limit) => store.events(id, after, limit),
    prune: (age) => store.prune(age),
    watch: (listener, scope) => store.watch(listener, scope),
    close: () => store.close(),
  };
}
