/** A run that waits for time alone goes on by itself, also where a call of the same answer needs what comes of that. */
import { Agent, tool } from "skein";
import { memoryStore } from "skein/durable";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
import { newFile, testRuns } from "./test-runs.ts";

const any = { type: "object" } as const;

function shop(sent: unknown[]): Agent {
  const pack = tool({
    name: "pack",
    input: any,
    execute: async (_: unknown, { sleep }) => {
      await sleep("until it is packed", 1_100);
      return { parcel: 7 };
    },
  });
  const send = tool({ name: "send", input: any, execute: (input: unknown) => `sent ${sent.push(input)}` });
  const toolCalls = [
    { toolCallId: "p", toolName: "pack", arguments: {} },
    { toolCallId: "s", toolName: "send", arguments: { parcel: { $result: "p/parcel" } } },
  ];
  return new Agent({
    name: "Shop",
    model: new ScriptedModel([{ toolCalls }, "All is sent."]),
    tools: [pack, send],
  });
}

test.each(["memory", "sqlite"])(
  "a call that refers to the result of one that sleeps does not pause its run: %s",
  async (kind) => {
    const sent: unknown[] = [];
    const agent = shop(sent);
    const app = testRuns(kind === "sqlite" ? newFile() : memoryStore(), { agents: [agent] });
    void app.work();
    const started = await app.start(agent, "A lamp.");
    const types: string[] = [];
    for await (const event of started.events())
      types.push(event.type === "run-end" ? `run-end ${event.status}` : event.type);
    expect(types.filter((type) => type.startsWith("run-end"))).toEqual(["run-end completed"]);
    expect(await started.result()).toMatchObject({ status: "completed", text: "All is sent.", pending: [] });
    expect(sent).toEqual([{ parcel: 7 }]);
  },
);
