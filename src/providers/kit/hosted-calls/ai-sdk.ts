import { asText } from "../json-values.ts";
import { beginCall, endCall, type HostedCallReader } from "./shape.ts";

/** Reads the parts of provider tools of an AI SDK model, in which each package writes results in its own form. */
export const readAiSdkCall: HostedCallReader = (part, open) => {
  const { type, toolCallId, toolName, input, result } = part;
  const id = asText(toolCallId);
  if (type === "tool-call")
    return beginCall(
      {
        tool: "other",
        name: asText(toolName),
        id,
        status: "running",
        ...(input !== undefined && { input }),
        raw: [part],
      },
      open,
    );
  if (type !== "tool-result") return [];
  return endCall(id, open, (call) => {
    const raw = [...call.raw, part];
    if (part["isError"] === true) return { ...call, status: "failed", error: asText(result) || "error", raw };
    return call.tool === "other"
      ? { ...call, status: "completed", ...(result !== undefined && { output: result }), raw }
      : { ...call, status: "completed", raw };
  });
};
