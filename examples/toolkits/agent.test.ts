import { type JsonObject, run, type RunEvent, schemaOf, toolkit } from "skein";
import { ScriptedModel } from "skein/testing";
import { beforeEach, expect, test } from "vitest";
import { stopAtEveryTool } from "../test-stops.ts";
import { type Desk, expensesDesk } from "./agent.ts";
import { Ledger } from "./ledger.ts";

let ledger: Ledger;
beforeEach(() => void (ledger = new Ledger()));

const call = (toolName: string, args: JsonObject = {}) => ({ toolName, arguments: args });

/** Makes these calls, a batch for each argument, and gives what the model was offered and told, and the events. */
async function perform(context: Desk, ...batches: readonly (readonly ReturnType<typeof call>[])[]) {
  const model = new ScriptedModel([...batches.map((toolCalls) => ({ toolCalls })), "Done."]);
  const events: RunEvent[] = [];
  await run(expensesDesk(ledger), "Go on", {
    model,
    context,
    onEvent: (event) => void events.push(event),
  });
  model.assertComplete();
  const [first] = model.requests;
  return {
    offered: (first?.tools ?? []).map(({ name }) => name),
    told: events.flatMap((event) =>
      event.type === "tool-end" ? [JSON.stringify(event.result.content)] : [],
    ),
    events,
  };
}

test("every public method is a tool, beside a function, a schema and a generator", async () => {
  const { offered } = await perform({});
  expect(offered).toEqual([
    "ledger_add",
    "ledger_list",
    "ledger_total",
    "getRate",
    "convert",
    "importStatement",
  ]);
  const { inputSchema } = await schemaOf(ledger.add);
  expect(inputSchema).toMatchObject({
    properties: { euros: { exclusiveMinimum: 0 } },
    required: ["what", "euros"],
  });
  expect(
    (await toolkit(ledger).tools({ context: {}, agent: undefined, messages: [] })).map(({ name }) => name),
  ).toEqual(["add", "list", "total", "closeMonth"]);
});

test("a tool calls another one, whose result is remembered for the run", async () => {
  const convert = call("convert", { amount: 100, currency: "USD" });
  const { told, events } = await perform({}, [convert], [convert, call("getRate", { currency: "USD" })]);
  expect(told.filter((text) => text.includes('"90"'))).toHaveLength(2);
  const rates = events.flatMap((event) =>
    event.type === "tool-end" && event.result.toolName === "getRate" ? [event.cached ?? false] : [],
  );
  expect(rates).toEqual([false, true, true]);
});

test("what zod does not take is told, with its place", async () => {
  const { told } = await perform({}, [call("convert", { amount: -1, currency: "XYZ" })]);
  expect(told[0]).toMatch(/\$\.amount.*\$\.currency/);
});

test("calls of one answer use each other's results", async () => {
  await perform({}, [
    call("convert", { amount: 100, currency: "GBP" }),
    call("ledger_add", { what: "Train", euros: { $result: "convert" } }),
  ]);
  expect(ledger.list()).toEqual([{ what: "Train", euros: 115 }]);
});

test("an import tells how far it is, and imports all or nothing", async () => {
  const { events } = await perform({}, [
    call("importStatement", { statement: "Taxi 12.50; Night train 90" }),
  ]);
  expect(events.flatMap((event) => (event.type === "tool-progress" ? [event.value] : []))).toEqual([
    "1 of 2",
    "2 of 2",
  ]);
  const { told } = await perform({}, [call("importStatement", { statement: "Bus 3; Hotel" })]);
  expect(told[0]).toContain("is not a line of a statement");
  expect(ledger.list()).toEqual([
    { what: "Taxi", euros: 12.5 },
    { what: "Night train", euros: 90 },
  ]);
});

test("who may not close the month is not told that it can be done", async () => {
  const { offered, told } = await perform(
    { role: "clerk" },
    [call("ledger_total")],
    [call("ledger_closeMonth")],
  );
  expect(offered).not.toContain("ledger_closeMonth");
  expect(told[1]).toMatch(/no tool/i);
  expect(ledger.isClosed).toBe(false);
});

test("nobody closes what was not added up, and nothing is added to what is closed", async () => {
  const { offered, told } = await perform(
    { role: "accountant" },
    [call("ledger_closeMonth")],
    [call("ledger_total")],
    [call("ledger_closeMonth")],
    [call("ledger_add", { what: "Taxi", euros: 12 })],
  );
  expect(offered).toContain("ledger_closeMonth");
  expect(told[0]).toContain('first call \\"ledger_total\\"');
  expect(told[2]).toContain("The month is closed with 0 euros.");
  expect(told[3]).toContain("the month is closed");
  expect(ledger.list()).toEqual([]);
});

test("stopped at any tool, the ledger has what was told as done, and nothing else", async () => {
  const stops = await stopAtEveryTool({
    open: () => {
      ledger = new Ledger();
      const model = new ScriptedModel([
        { toolCalls: [call("ledger_add", { what: "Taxi", euros: 12 })] },
        { toolCalls: [call("importStatement", { statement: "Bus 3; Hotel 90" })] },
        { toolCalls: [call("ledger_total")] },
        { toolCalls: [call("ledger_closeMonth")] },
        "Done.",
      ]);
      return { agent: expensesDesk(ledger), model, context: { role: "accountant" } };
    },
    check: (done) => {
      expect(ledger.list().map(({ what }) => what)).toEqual([
        ...(done.includes("ledger_add") ? ["Taxi"] : []),
        ...(done.includes("importStatement") ? ["Bus", "Hotel"] : []),
      ]);
      expect(ledger.isClosed).toBe(done.includes("ledger_closeMonth"));
    },
  });
  expect(stops).toBe(8);
});
