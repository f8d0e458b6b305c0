import type { AgentLike } from "../../tool/agent-like.ts";
import type { Tool } from "../../tool/types.ts";
import { askPolicy } from "./ask-policy.ts";
import { policyScope } from "./guard-arguments.ts";

/** Who asks for tools. */
export interface Caller {
  /** The application's data, frozen. */
  readonly context: unknown;
  readonly agent: AgentLike | undefined;
  readonly signal: AbortSignal | undefined;
  readonly warn: (message: string) => void;
}

/** Whether a tool is there for the caller. Anything but a clear "yes" is a refusal. */
export async function isAllowed(tool: Tool, caller: Caller): Promise<boolean> {
  const {
    name,
    policy: { allow },
  } = tool;
  if (!allow) return true;
  const { context, agent, signal, warn } = caller;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the program gave the context its type
  const ask = allow as (scope: unknown) => unknown;
  const failure = `The tool ${name} is refused, because its allow failed`;
  return (
    (await askPolicy(
      tool,
      () => ask(policyScope(name, "allow", { context, agent })),
      failure,
      warn,
      signal,
    )) === true
  );
}
