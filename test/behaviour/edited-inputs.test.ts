/** A person edits the input that was shown: the tool gets what they wrote, or the decision is refused. */
import { Agent, run, tool } from "skein";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { z } from "zod";

const plans: Readonly<Record<string, string>> = { gold: "tier-1", silver: "tier-2" };

test.each<[string, z.ZodType, object, object, boolean]>([
  [
    "looks up",
    z.object({ plan: z.string().transform((plan) => plans[plan] ?? "tier-9") }),
    { plan: "gold" },
    { plan: "tier-1" },
    false,
  ],
  [
    "has a fallback",
    z.object({
      amount: z.number(),
      currency: z
        .enum(["EUR", "USD"])
        .catch("EUR")
        .transform((text) => text.toLowerCase()),
    }),
    { amount: 5, currency: "USD" },
    { amount: 4, currency: "usd" },
    false,
  ],
  [
    "counts",
    z.object({ seats: z.array(z.string()).transform((seats) => seats.length) }),
    { seats: ["1A", "1B"] },
    { seats: 2 },
    false,
  ],
  ["trims", z.object({ city: z.string().trim() }), { city: " Paris " }, { city: "Lyon" }, true],
  [
    "adds a default",
    z.object({ city: z.string(), days: z.number().default(3) }),
    { city: "Paris" },
    { city: "Lyon" },
    true,
  ],
  ["reads a number", z.object({ amount: z.coerce.number() }), { amount: "5" }, { amount: "7" }, true],
])(
  "an edit of the shown input is executed as written or refused, where the schema %s",
  async (_, input, args, edit, isExecuted) => {
    const inputs: unknown[] = [];
    const book = tool({
      name: "book",
      description: "Book",
      input,
      approval: true,
      execute: (value) => void inputs.push(value),
    });
    const model = new FunctionModel(({ messages }) =>
      messages.length > 1 ? "Done." : { toolCalls: [{ toolName: "book", arguments: { ...args } }] },
    );
    const agent = new Agent({ name: "Clerk", model, tools: [book] });
    const { pending, state } = await run(agent, "Book it");
    const decision = {
      approvalId: pending[0]?.approvalId ?? "",
      decision: "approve",
      arguments: edit,
    } as const;
    const decided = run(agent, state, { approvals: [decision] });
    const outcome = await decided.then(
      ({ status }) => status,
      ({ code }: { readonly code: string }) => code,
    );
    expect(outcome).toBe(isExecuted ? "completed" : "invalid-input");
    expect(inputs).toHaveLength(isExecuted ? 1 : 0);
  },
);
