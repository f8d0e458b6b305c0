/** Puts a function around `fetch`, as programs do: from then on, requests go by it instead of node:http. */
const native = globalThis.fetch;
globalThis.fetch = (input, init) => native(input, init);
