import type * as Http from "node:http";
import type * as Https from "node:https";

/** The module that speaks a protocol. */
export type HttpModule = typeof Http | typeof Https;

/**
 * Node's module for http. Not by `import`: that reads every export, among them getters that load all of Node's `fetch`, which
 * takes longer than the first request.
 */
export const http: typeof Http = process.getBuiltinModule("node:http");
/** Node's module for https. */
export const https: typeof Https = process.getBuiltinModule("node:https");
