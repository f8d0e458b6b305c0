import { Agent, tool, toolkit, type ToolContext } from "skein";
import { z } from "zod";
import { Ledger } from "./ledger.ts";

/** Who talks: nobody's guest may do what an accountant may. */
export interface Desk {
  readonly role?: "clerk" | "accountant";
}

const rates = { CHF: 1.05, GBP: 1.15, USD: 0.9 };

/** Keeps the expenses of a month in a ledger. */
export function expensesDesk(ledger: Ledger): Agent<Desk> {
  // A plain function: its signature and its comment are the tool.
  /**
   * Look up what a currency is worth in euros.
   * @param currency - Which one
   */
  function getRate(currency: keyof typeof rates) {
    return rates[currency];
  }

  // A zod schema beside it; the tool calls another one, whose result is remembered.
  const convert = tool({
    name: "convert",
    description: "Convert an amount of money to euros.",
    input: z.object({
      amount: z.number().positive().describe("How much"),
      currency: z.enum(["CHF", "GBP", "USD"]).describe("Of which currency"),
    }),
    execute: async ({ amount, currency }, context) => {
      const rate = Number(await context.call("getRate", { currency }));
      return Math.round(amount * rate * 100) / 100;
    },
  });

  // A generator: each yield is progress. What it adds, it adds at the end, all at once.
  /**
   * Import the statement of a bank.
   * @param statement - Lines such as "Taxi 12.50", with semicolons between them
   */
  async function* importStatement(statement: string, { signal }: ToolContext<Desk>) {
    const lines = statement.split(";").flatMap((line) => line.trim() || []);
    const entries = [];
    for (const [index, line] of lines.entries()) {
      const [, what, euros] = /^(\S.*?)\s+(\d+(?:\.\d+)?)$/.exec(line) ?? [];
      if (what === undefined) throw new Error(`${JSON.stringify(line)} is not a line of a statement`);
      entries.push({ what, euros: Number(euros) });
      yield `${index + 1} of ${lines.length}`;
    }
    signal.throwIfAborted();
    ledger.addAll(entries);
    return `${entries.length} expenses are imported.`;
  }

  return new Agent<Desk>({
    name: "Expenses",
    instructions:
      "Keep the ledger, in euros. To use the result of a call in another one of the same answer, " +
      'write {"$result": "<tool>"} as the argument.',
    tools: [
      // A class: every public method is a tool.
      toolkit(ledger, {
        namespace: "ledger",
        methods: {
          closeMonth: {
            // Nobody closes what was not looked at, and only an accountant is told that it can be done.
            requires: ["ledger_total"],
            allow: ({ context }: { context: Desk }) => context.role === "accountant",
          },
        },
      }),
      tool(getRate, { cache: true }),
      convert,
      importStatement,
    ],
  });
}

export const agent: Agent<Desk> = expensesDesk(new Ledger());
