import type { ElicitationHandler, SamplingApproval } from "./questions.ts";
import { assertKnownOptions } from "../../../base/options/known-options.ts";

/** Answers for the user where the options of `mcp()` set no handler. */
export interface McpHost {
  /** Asks the user what a server wants to know. */
  readonly elicit?: ElicitationHandler;
  /** Asks the user whether a server may have a model say something. */
  readonly approveSampling?: SamplingApproval;
}

const optionNames = { elicit: true, approveSampling: true } satisfies Record<keyof McpHost, true>;

// A registered symbol, so that two copies of the package have one user.
const key: unique symbol = Symbol.for("skein.mcp.host");

const place: typeof globalThis & { [key]?: McpHost | undefined } = globalThis;

/**
 * Lets a program that has a user at hand, such as a chat of your own, answer servers that are connected to from now on. Without one,
 * and without `elicitation` of `mcp()`, the client declares that no one can answer questions.
 */
export function setMcpHost(host: McpHost | undefined): void {
  if (host !== undefined) assertKnownOptions(host, optionNames, "setMcpHost()");
  place[key] = host;
}

/** Who speaks for the user of this process. */
export function mcpHost(): McpHost {
  return place[key] ?? {};
}
