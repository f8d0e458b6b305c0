import { expect, test } from "vitest";
import { Agent, run, tool, type Tool } from "skein";
import {
  block,
  chatChunk,
  chatEnd,
  framed,
  messageEnd,
  messageStart,
  streamed,
} from "../providers/answers.ts";
import { serve } from "../providers/local-server.ts";
import { modelOver, protocols } from "../providers/protocols.ts";
import { outcomesOf, resultOf, runOver } from "./kit.ts";

/** Arguments whose beginning, closed leniently, is a call as well, in letters of several bytes. */
const input = { n: 12, text: '{"n":1} 🦢 →', list: [1, [2, { n: 3 }]] };

function write(seen: unknown[]): Tool {
  return tool<object>({
    name: "write",
    input: { type: "object" },
    execute: (given) => `${seen.push(given)} times`,
  });
}

/** Cuts each answer into pieces of so many bytes, which a network joins again as it likes. */
const cutting =
  (size: number): typeof fetch =>
  async (url, options) => {
    const answer = await fetch(url, options);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.slice(index * size, (index + 1) * size),
    );
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    });
    return new Response(body, answer);
  };

test.each(protocols)(
  "however an answer is cut, there is one call with its final arguments: %s",
  async (protocol) => {
    const calls = [{ id: "one", name: "write", arguments: ` ${JSON.stringify(input, null, 1)}\n ` }];
    const replies = [
      streamed(protocol, { id: "a", text: "é", calls }),
      streamed(protocol, { id: "b", text: "Done." }),
    ];
    for (const size of [1, 2, 7, 64, 100_000]) {
      const seen: unknown[] = [];
      await using server = await serve((index) => replies[index] ?? { status: 400, pieces: [] });
      const model = modelOver(protocol, { url: server.url, fetch: cutting(size) });
      const result = await run(new Agent({ name: "A", model, tools: [write(seen)] }), "Go.");
      expect(result.text).toBe("Done.");
      expect(outcomesOf(result)).toEqual(["write: success"]);
      expect(seen).toEqual([input]);
    }
  },
);

test("a call whose arguments can be read already may go on: it ends with the answer", async () => {
  const piece = (text: string) => ({ tool_calls: [{ index: 0, function: { arguments: text } }] });
  const begin = { tool_calls: [{ index: 0, id: "one", function: { name: "write", arguments: '{"n":1}' } }] };
  const chat = [begin, piece("\n"), piece("")].map((delta) => chatChunk("a", delta));
  const json = (text: string) => ({ type: "input_json_delta", partial_json: text });
  const start = { type: "tool_use", id: "one", name: "write", input: {} };
  const replies = {
    chat: framed("chat", [...chat, ...chatEnd("a", "tool_calls")]),
    messages: framed("messages", [
      messageStart("a"),
      ...block(0, start, json('{"n":1}'), json("\n"), json("")),
      ...messageEnd("tool_use"),
    ]),
  };
  for (const protocol of ["chat", "messages"] as const) {
    const seen: unknown[] = [];
    const end = streamed(protocol, { id: "b", text: "Done." });
    const { outcome } = await runOver(protocol, [{ pieces: replies[protocol] }, end], [write(seen)]);
    expect(resultOf(outcome).text).toBe("Done.");
    expect(outcomesOf(resultOf(outcome))).toEqual(["write: success"]);
    expect(seen).toEqual([{ n: 1 }]);
  }
});
