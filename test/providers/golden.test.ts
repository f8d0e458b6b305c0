import { describe, expect, test } from "vitest";
import {
  type AssistantMessage,
  type Generation,
  type Model,
  type ModelRequest,
  UnsupportedPartError,
} from "skein";
import { streamed } from "./answers.ts";
import { goldenRequests } from "./golden-requests.ts";
import { serve } from "./local-server.ts";
import { modelOver, protocols, type Protocol } from "./protocols.ts";
import { problemsOf } from "./rules.ts";

async function ask(model: Model, request: ModelRequest): Promise<Generation> {
  const last = (await Array.fromAsync(model.stream(request))).at(-1);
  if (last?.type !== "finish") throw new Error("the last event is not a finish event");
  return last.generation;
}

const spokenAnswer = {
  id: "spoken",
  reasoning: "They ask of birds. 🦢",
  text: "I look.",
  calls: [{ id: "call_1", name: "look_up", arguments: '{"bird":"heron"}' }],
};

/** An answer with reasoning, as the adapter reads it. */
async function spokenBy(protocol: Protocol): Promise<AssistantMessage> {
  await using server = await serve(() => streamed(protocol, spokenAnswer));
  return (await ask(modelOver(protocol, server), { messages: [{ role: "user", content: "Hello" }] })).message;
}

/** The error of a request that is not sent; any other is thrown. */
function refusalOf(error: unknown): UnsupportedPartError {
  if (error instanceof UnsupportedPartError) return error;
  throw error;
}

describe.each(protocols)("%s", (protocol) => {
  test("sends for each feature the bytes in golden/, and warns of what it cannot say or refuses it", async () => {
    await using server = await serve(() => streamed(protocol, { id: "next", text: "Fine." }));
    const model = modelOver(protocol, server);
    const lines: string[] = [];
    for (const [feature, request] of Object.entries(goldenRequests(await spokenBy(protocol)))) {
      const answer = await ask(model, request).catch(refusalOf);
      lines.push(`# ${feature}`);
      if (answer instanceof UnsupportedPartError) {
        lines.push(`x ${answer.message}`, "");
        continue;
      }
      const sent = server.received.at(-1);
      expect.soft(problemsOf(protocol, sent?.body ?? {}), feature).toEqual([]);
      lines.push(sent?.text ?? "", ...answer.warnings.map((warning) => `! ${warning}`), "");
    }
    await expect(lines.join("\n")).toMatchFileSnapshot(`golden/${protocol}.txt`);
  });
});
