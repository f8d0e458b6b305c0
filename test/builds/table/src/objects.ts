/** Tools that come out of objects, factories and calls. */
import { Agent, tool, type ToolContext } from "skein";
import { got, gotContext, type Session } from "./witness.ts";

const billing = new Agent<Session>({ name: "Billing", description: "Everything about money." });

/** Hand over to billing. */
export function toBilling(reason: string): Agent<Session> {
  got(reason);
  return billing;
}

/** Tools about one unit. */
export function makeTools(unit: string): {
  round: (amount: number, digits?: number) => string;
  reset(to: number, caller: ToolContext<Session>): string;
} {
  return {
    /**
     * Round an amount.
     * @param digits - Digits after the point @minimum 0
     */
    round: (amount: number, digits = 2): string => got(unit, amount, digits),
    /** Reset the unit. */
    reset(to: number, caller: ToolContext<Session>): string {
      gotContext(caller.context);
      return got(unit, to, caller.context.user);
    },
  };
}

/** Numbers with an offset. */
export class MathKit {
  readonly #offset: number;

  constructor(offset: number) {
    this.#offset = offset;
  }

  /** Add two numbers. */
  add(a: number, b = 0): string {
    return this.note(a + b);
  }

  /** Forget everything. */
  forget = (caller: ToolContext<Session>, why: string): string => {
    gotContext(caller.context);
    return got(caller.context.user, why);
  };

  private note(value: number): string {
    return got(value + this.#offset);
  }
}

/** Transfer money. */
function transfer(amount: number, to: string, e: ToolContext<Session>): string {
  gotContext(e.context);
  return got(amount, to, e.context.user);
}

/** Transfers beyond 50 wait for somebody's approval. */
export const approvedTransfer = tool(transfer, {
  name: "transfer_money",
  approval: ({ amount }) => typeof amount !== "number" || amount > 50,
});

function note(text: string, priority: number, caller: ToolContext<Session>): string {
  gotContext(caller.context);
  return got(text, priority, caller.context.user);
}

/** A function whose schema is written: only how its arguments are placed is read. */
export const noted = tool(note, {
  description: "Note a text.",
  input: {
    type: "object",
    properties: { priority: { type: "integer" }, text: { type: "string" } },
    required: ["text", "priority"],
  },
});

/** A tool whose schema is written, not read. */
export const written = tool({
  name: "written",
  description: "Echo a text.",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  execute: (input, context: ToolContext<Session>): string => {
    gotContext(context.context);
    return got(input, context.context.user);
  },
});

/** Tools that another module lists. */
export const listed = [transfer, makeTools("kg").round];
