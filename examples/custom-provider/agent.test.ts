import { run } from "skein";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
import { stopAtEveryTool } from "../test-stops.ts";
import { listKeeper } from "./agent.ts";

const add = { toolName: "addItem", arguments: { what: "milk" } };
const strike = (position: number) => ({ toolName: "strikeOff", arguments: { position } });

test("the list is kept: put on, read out, struck off", async () => {
  const list: string[] = [];
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "readList" }] },
    { toolCalls: [add] },
    { toolCalls: [{ toolName: "addItem", arguments: { what: "bread" } }] },
    { toolCalls: [{ toolName: "readList" }] },
    { toolCalls: [strike(1)] },
    { toolCalls: [strike(2)] },
    "Done.",
  ]);
  await run(listKeeper(list, model), "Milk and bread");
  const told = model.requests.slice(1).map(({ messages }) => JSON.stringify(messages.at(-1)));
  expect(told[0]).toContain("The list is empty.");
  expect(told[3]).toContain("1. milk\\n2. bread");
  expect(told[5]).toContain("there is no number 2 on the list");
  expect(list).toEqual(["bread"]);
});

test("stopped at any tool, the list is what was told", async () => {
  let list: string[] = [];
  const stops = await stopAtEveryTool({
    open: () => {
      list = [];
      const model = new ScriptedModel([{ toolCalls: [add] }, { toolCalls: [strike(1)] }, "Done."]);
      return { agent: listKeeper(list), model };
    },
    check: (done) => expect(list).toEqual(done.at(-1) === "addItem" ? ["milk"] : []),
  });
  expect(stops).toBe(4);
});
