import { run } from "skein";
import { expect, test } from "vitest";
import { expensesDesk } from "../../examples/toolkits/agent.ts";
import { Ledger } from "../../examples/toolkits/ledger.ts";
import { startProvider, toolNames, told } from "./chat-provider.ts";
import { expectTranscript } from "./transcript.ts";

test("the README's transcript is a real one", () =>
  expectTranscript("toolkits", expensesDesk(new Ledger()), { role: "accountant" }));

test("over the wire: schemas of methods and of zod, a result that another call uses, the order's result", async () => {
  const ledger = new Ledger();
  const provider = await startProvider([
    [
      { tool: "convert", arguments: { amount: 100, currency: "USD" } },
      { tool: "ledger_add", arguments: { what: "Flight", euros: { $result: "convert" } } },
    ],
    [{ tool: "ledger_closeMonth" }],
    "The flight is in the ledger.",
  ]);
  const options = { model: provider.model, context: { role: "accountant" as const } };
  const { text } = await run(expensesDesk(ledger), "Add a flight for 100 dollars, and close", options);
  await provider.close();

  expect(text).toBe("The flight is in the ledger.");
  expect([ledger.list(), ledger.isClosed]).toEqual([[{ what: "Flight", euros: 90 }], false]);
  const [first, , last] = provider.requests;
  expect(first && toolNames(first)).toContain("ledger_closeMonth");
  const functions = (first?.tools ?? []).flatMap((tool) => (tool.type === "function" ? [tool.function] : []));
  expect(functions.find(({ name }) => name === "convert")?.parameters).toMatchObject({
    properties: {
      amount: { type: "number", exclusiveMinimum: 0 },
      currency: { enum: ["CHF", "GBP", "USD"] },
    },
    required: ["amount", "currency"],
  });
  expect(functions.find(({ name }) => name === "ledger_closeMonth")?.description).toContain("ledger_total");
  expect(last && told(last).slice(2)).toEqual([
    [
      "assistant",
      'convert({"amount":100,"currency":"USD"})',
      'ledger_add({"what":"Flight","euros":{"$result":"convert"}})',
    ],
    ["tool", "90"],
    ["tool", "Flight for 90 euros is in the ledger."],
    ["assistant", "ledger_closeMonth({})"],
    ["tool", expect.stringContaining('first call "ledger_total"')],
  ]);
});
