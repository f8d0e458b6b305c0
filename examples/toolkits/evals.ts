import { defineEval, type EvalCase, type Evaluation } from "skein/evals";
import { agent, expensesDesk } from "./agent.ts";
import { Ledger } from "./ledger.ts";

const accountant = { role: "accountant" };
const close = ["ledger_total", "ledger_closeMonth"];

const add = (what: string | RegExp, euros: number) => ({
  tool: "ledger_add",
  arguments: { what, euros },
  example: { what: typeof what === "string" ? what : what.source, euros },
});
const convert = (amount: number, currency: string) => ({ tool: "convert", arguments: { amount, currency } });

/** Calls these tools, and leaves the ledger as it is. */
const asks = (input: string, ...calls: readonly string[]): EvalCase => ({ input, calls, state: [] });

const talk = (...inputs: readonly string[]): EvalCase[] => inputs.map((input) => ({ input, calls: [] }));

export const evaluation: Evaluation = defineEval({
  name: "toolkits",
  agent,
  setup: () => {
    const ledger = new Ledger();
    return { agent: expensesDesk(ledger), state: () => entriesOf(ledger) };
  },
  cases: [
    { input: 'Add "Taxi" for 12 euros', calls: [add("Taxi", 12)], state: ["Taxi 12"] },
    { input: 'Add an expense: "Hotel", 90.5 euros', calls: [add("Hotel", 90.5)], state: ["Hotel 90.5"] },
    {
      input: 'I bought "Paper" for 4 euros. Put it into the ledger',
      calls: [add("Paper", 4)],
      state: ["Paper 4"],
    },
    { input: "Lunch cost 18 euros, please add it", calls: [add(/lunch/i, 18)] },
    {
      input: 'Add "Taxi" for 12 euros',
      user: ['And add "Hotel" for 90 euros'],
      calls: [add("Taxi", 12), add("Hotel", 90)],
      state: ["Taxi 12", "Hotel 90"],
    },
    {
      input: 'Add "Taxi" for 12 and "Tram" for 3 euros',
      calls: { anyOrder: [add("Taxi", 12), add("Tram", 3)] },
    },
    { input: 'Add "Nothing" for -5 euros', text: /5/, never: ["importStatement"], state: [] },
    asks("List all expenses", "ledger_list"),
    asks("What have we bought so far?", "ledger_list"),
    asks("Add all expenses up", "ledger_total"),
    asks("What is the total?", "ledger_total"),
    {
      input: 'Add "Taxi" for 12 euros',
      user: ["What is the total?"],
      calls: [add("Taxi", 12), "ledger_total"],
      text: "12",
    },
    asks("What is the rate of GBP?", "getRate"),
    {
      input: "Look up the rate of USD",
      calls: [{ tool: "getRate", arguments: { currency: "USD" } }],
      text: "0.9",
    },
    { input: "Convert 100 USD to euros", calls: [convert(100, "USD")], text: "90" },
    { input: "How much are 20 GBP in euros?", calls: [convert(20, "GBP")], text: "23" },
    { input: "Convert 10 CHF", calls: [convert(10, "CHF")], text: "10.5" },
    { input: "Convert 10 XYZ to euros", never: ["ledger_add"], text: /CHF|GBP|USD|XYZ|currency/ },
    {
      input: 'Convert 100 USD to euros and add the result as "Flight"',
      calls: {
        include: [
          convert(100, "USD"),
          { tool: "ledger_add", arguments: { what: "Flight" }, example: { what: "Flight", euros: 90 } },
        ],
      },
      state: ["Flight 90"],
    },
    {
      input: 'Import the statement "Taxi 12.50; Hotel 90"',
      calls: [{ tool: "importStatement", arguments: { statement: "Taxi 12.50; Hotel 90" } }],
      state: ["Taxi 12.5", "Hotel 90"],
    },
    { input: 'Import the statement "Taxi; Hotel 90"', calls: ["importStatement"], text: "Taxi", state: [] },
    { input: "Close the month", context: accountant, calls: { include: close }, state: ["closed"] },
    {
      input: "Add everything up, then close the month",
      context: accountant,
      calls: close,
      state: ["closed"],
    },
    {
      name: "a clerk cannot close the month",
      input: "Close the month",
      never: close.slice(1),
      calls: [],
      state: [],
    },
    {
      name: "what is closed stays closed",
      input: "Close the month",
      user: ['Add "Taxi" for 12 euros'],
      context: accountant,
      calls: { include: [...close, add("Taxi", 12)] },
      state: ["closed"],
    },
    ...talk("Hello", "Thanks, that is all", "Who invented money?", "Are euros better than dollars?"),
  ],
});

function entriesOf(ledger: Ledger): string[] {
  return [
    ...ledger.list().map(({ what, euros }) => `${what} ${euros}`),
    ...(ledger.isClosed ? ["closed"] : []),
  ];
}
