import { Agent } from "../../agent/agent.ts";
import type { HostedCall } from "../../model/hosted-call.ts";
import type { Model } from "../../model/types.ts";
import { stream } from "../../run/run.ts";
import type { RunStream } from "../../run/events/run-stream.ts";
import { ScriptedModel } from "../../testing/scripted-model.ts";

/** A search that found one page, and one of files. */
export const searches: readonly HostedCall[] = [
  {
    tool: "webSearch",
    name: "web_search",
    id: "s1",
    status: "completed",
    input: { queries: ["herons"] },
    results: [{ url: "https://birds.example/heron", title: "Herons" }],
  },
  {
    tool: "webFetch",
    name: "web_fetch",
    id: "s2",
    status: "failed",
    error: "no such host",
    input: { urls: ["https://birds.example/"] },
    results: [],
  },
  {
    tool: "fileSearch",
    name: "file_search",
    id: "s3",
    status: "completed",
    input: { queries: ["herons"] },
    results: [{ fileId: "f1", text: "A secret." }],
  },
  { tool: "codeExecution", name: "code", id: "s4", status: "completed", input: { code: "1 + 1" } },
];

/** An agent whose model says something, has its provider make these calls, and goes on. */
export function birder(): Agent {
  const inner = new ScriptedModel([{ text: "Let me look. They are grey.", chunkSize: 13 }]);
  const model: Model = {
    provider: inner.provider,
    modelId: inner.modelId,
    async *stream(request) {
      let isFirst = true;
      for await (const event of inner.stream(request)) {
        yield event;
        if (event.type !== "text-delta" || !isFirst) continue;
        isFirst = false;
        for (const call of searches) {
          yield { type: "hosted-call", call: { ...call, status: "running" } };
          yield { type: "hosted-call", call };
        }
      }
    },
  };
  return new Agent({ name: "Birder", model });
}

/** A run of that agent. */
export function runWithSearches(): RunStream {
  return stream(birder(), "What are herons like?");
}
