import type { HostedCall } from "../../model/hosted-call.ts";
import type { ShowOptions } from "./show.ts";

/** A call that the provider executes, as far as a client may see it: its results and the words of its error only if they are shown. */
export function publicHostedCall(
  { error, ...call }: HostedCall,
  { toolResults, toolErrors }: Required<ShowOptions>,
): HostedCall {
  const visible = toolResults ? call : withoutResult(call);
  return toolErrors && error !== undefined ? { ...visible, error } : visible;
}

function withoutResult(call: HostedCall): HostedCall {
  switch (call.tool) {
    case "webSearch":
    case "webFetch":
    case "fileSearch":
      return { ...call, results: [] };
    case "codeExecution":
    case "other": {
      const { output: _, ...rest } = call;
      return rest;
    }
    case "imageGeneration":
      return call;
  }
}
