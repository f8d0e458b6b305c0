/** Agents for the tests of the studio, whose models say what tests tell them. */
import { Agent, type Tool, tool } from "skein";
import { ScriptedModel } from "skein/testing";

const object = { type: "object" } as const;

/** A payment that needs a decision above 100. */
function payTool(paid: object[] = []): Tool {
  return tool({
    name: "pay",
    description: "Pays money back.",
    input: {
      type: "object",
      properties: {
        order: { type: "integer", description: "The order's number" },
        amount: { type: "number", description: "Euros", maximum: 500 },
        reason: { type: "string", enum: ["broken", "late"], default: "broken" },
      },
      required: ["order", "amount"],
      additionalProperties: false,
    },
    approval: true,
    execute: (input: { readonly amount: number }) => {
      paid.push(input);
      return `Paid ${input.amount} euros.`;
    },
  });
}

/** A tool that waits until the test lets it go on. */
export interface Gate {
  readonly wait: Tool;
  readonly open: () => void;
  /** Fulfilled once the tool is called. */
  readonly entered: Promise<void>;
}

/** A tool that waits until the test lets it go on. */
export function gate(): Gate {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  let enter = (): void => {};
  const entered = new Promise<void>((resolve) => (enter = resolve));
  const wait = tool({
    name: "wait",
    input: object,
    execute: async (_input: object, { signal }) => {
      enter();
      await Promise.race([
        opened,
        new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve())),
      ]);
      return "Waited.";
    },
  });
  return { wait, open: () => open(), entered };
}

/** Triage, which hands over to Refunds, whose model asks for a payment of 120 and then says what became of it. */
export function shop(paid: object[] = []): readonly [triage: Agent, refunds: Agent] {
  const refunds = new Agent({
    name: "Refunds",
    description: "Pays money back.",
    model: new ScriptedModel([
      {
        reasoning: "It is broken.",
        text: "I pay it back.",
        toolCalls: [{ toolName: "pay", arguments: { order: 7, amount: 120 } }],
      },
      "It is settled.",
      "Anything else?",
      "You are welcome.",
    ]),
    tools: [payTool(paid)],
  });
  const triage = new Agent({
    name: "Triage",
    model: new ScriptedModel([{ toolCalls: [{ toolName: "transfer_to_refunds" }] }]),
    handoffs: [refunds],
  });
  return [triage, refunds];
}
