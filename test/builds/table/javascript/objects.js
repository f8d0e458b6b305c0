/** The tools of `src/objects.ts`, their types in comments. */
import { Agent, tool } from "skein";
import { got, gotContext } from "./witness.js";

/** @typedef {{ user: string, role: string, token: string }} Session */
/** @typedef {import("skein").ToolContext<Session>} Caller */

const billing = new Agent({ name: "Billing", description: "Everything about money." });

/**
 * Hand over to billing.
 * @param {string} reason
 */
export function toBilling(reason) {
  got(reason);
  return billing;
}

/** Tools about one unit. */
export function makeTools(unit) {
  return {
    /**
     * Round an amount.
     * @param {number} amount
     * @param {number} [digits] - Digits after the point @minimum 0
     */
    round: (amount, digits = 2) => got(unit, amount, digits),
    /**
     * Reset the unit.
     * @param {number} to
     * @param {Caller} caller
     */
    reset(to, caller) {
      gotContext(caller.context);
      return got(unit, to, caller.context.user);
    },
  };
}

/** Numbers with an offset. */
export class MathKit {
  #offset;

  constructor(offset) {
    this.#offset = offset;
  }

  /**
   * Add two numbers.
   * @param {number} a
   * @param {number} [b]
   * @public
   */
  add(a, b = 0) {
    return this.#note(a + b);
  }

  /**
   * Forget everything.
   * @param {Caller} caller
   * @param {string} why
   * @public
   */
  forget = (caller, why) => {
    gotContext(caller.context);
    return got(caller.context.user, why);
  };

  #note(value) {
    return got(value + this.#offset);
  }
}

/**
 * Transfer money.
 * @param {number} amount
 * @param {string} to
 * @param {Caller} e
 */
function transfer(amount, to, e) {
  gotContext(e.context);
  return got(amount, to, e.context.user);
}

/** Transfers beyond 50 wait for somebody's approval. */
export const approvedTransfer = tool(transfer, {
  name: "transfer_money",
  approval: ({ amount }) => typeof amount !== "number" || amount > 50,
});

/**
 * @param {string} text
 * @param {number} priority
 * @param {Caller} caller
 */
function note(text, priority, caller) {
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
  execute: (input, context) => {
    gotContext(context.context);
    return got(input, context.context.user);
  },
});

/** Tools that another module lists. */
export const listed = [transfer, makeTools("kg").round];
