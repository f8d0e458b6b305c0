import type { WireAnswer, WireRequest } from "../transport/wire/types.ts";
import type { Model } from "./types.ts";

/** How a request is sent. */
export type Fetch = typeof globalThis.fetch;

/** Puts something around the `fetch` that a model sends its requests with. */
export type FetchWrapper = (fetch: Fetch) => Fetch;

/** By the model itself: what wraps one or copies it is another model, whose requests are not all that it does. */
const makers = new WeakMap<Model, (wrap: FetchWrapper) => Model>();

/** Those that answer from memory. */
const offline = new WeakSet<Fetch>();

/** Notes how a model is made that is the same but for its `fetch`, so that what goes over the wire can be looked at. */
export function withWireSeam(model: Model, make: (wrap: FetchWrapper) => Model): Model {
  makers.set(model, make);
  return model;
}

/** The same model, its `fetch` wrapped; `undefined` for one whose requests cannot be reached. */
export function wrapFetchOf(model: Model, wrap: FetchWrapper): Model | undefined {
  return makers.get(model)?.(wrap);
}

/** Notes that a `fetch` answers from memory: it needs no key, and real models may be blocked. */
export function markOffline(fetch: Fetch): Fetch {
  offline.add(fetch);
  return fetch;
}

/** Whether a `fetch` answers from memory. */
export function isOfflineFetch(fetch: Fetch | undefined): boolean {
  return fetch !== undefined && offline.has(fetch);
}

/** Sends a request as it stands; no answer where a `fetch` of the program returned none. */
export type WirePost = () => Promise<WireAnswer | undefined>;

/** Stands around the requests of all models: it sees each as it is sent, and its answer. */
export type WireObserver = (request: WireRequest, post: WirePost) => Promise<WireAnswer | undefined>;

const observers: WireObserver[] = [];

/** Has an observer see every request of every model of this process, until the returned function is called. */
export function observeWire(observer: WireObserver): () => void {
  observers.push(observer);
  return () => {
    const index = observers.indexOf(observer);
    if (index >= 0) observers.splice(index, 1);
  };
}

/** Sends a request within the observers that there are. */
export function postObserved(request: WireRequest, post: WirePost): Promise<WireAnswer | undefined> {
  return observers.reduce<WirePost>((next, observer) => () => observer(request, next), post)();
}
