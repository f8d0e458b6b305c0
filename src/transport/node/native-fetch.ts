import { hasSubscribers } from "node:diagnostics_channel";

type Fetch = typeof globalThis.fetch;

/** The function that was found to be Node's own. */
let native: Fetch | undefined;

/**
 * Whether requests of `fetch` go the way that Node itself has made for them: nobody has replaced the function or its dispatcher,
 * and nobody watches it. What is not known counts as replaced.
 */
export function isFetchUntouched(): boolean {
  return isNative(globalThis.fetch) && hasOwnDispatcher() && !isWatched();
}

function isNative(fetch: Fetch): boolean {
  if (fetch === native) return true;
  // Node's function loads undici by a name that no program can load.
  if (!Function.prototype.toString.call(fetch).includes("internal/deps/undici")) return false;
  native = fetch;
  return true;
}

/** Where undici, Node's as well as an installed one, keeps what sends the requests. */
const dispatcherKey = Symbol.for("undici.globalDispatcher.1");

let own: object | undefined;

/** Whether requests are sent as Node does by default: by an `Agent` without options. */
function hasOwnDispatcher(): boolean {
  const dispatcher: unknown = Reflect.get(globalThis, dispatcherKey);
  if (dispatcher === undefined || dispatcher === own) return true;
  if (typeof dispatcher !== "object" || dispatcher === null || dispatcher.constructor.name !== "Agent")
    return false;
  const key = Object.getOwnPropertySymbols(dispatcher).find(({ description }) => description === "options");
  const options: unknown = key && Reflect.get(dispatcher, key);
  const isPlain = Object.values(Object(options)).every((value) => value === undefined || value === Infinity);
  if (key && isPlain) own = dispatcher;
  return key !== undefined && isPlain;
}

/** Whether an instrumentation, such as OpenTelemetry's, listens to what `fetch` does. */
function isWatched(): boolean {
  return hasSubscribers("undici:request:create");
}
