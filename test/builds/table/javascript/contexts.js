/** The functions of `src/contexts.ts`, their types in comments. */
import { got, gotContext } from "./witness.js";

/** @typedef {{ user: string, role: string, token: string }} Session */
/** @typedef {import("skein").ToolContext<Session>} Caller */

/**
 * Delete a user.
 * @param {string} name
 * @param {import("skein").ToolContext<Session>} caller
 */
export function deleteUser(name, caller) {
  gotContext(caller.context);
  return got(name, caller.context.user);
}

/**
 * Rename a user.
 * @param {Caller} ctx
 * @param {string} from
 * @param {string} [to]
 */
export function renameUser(ctx, from, to = "nobody") {
  gotContext(ctx.context);
  return got(ctx.context.user, from, to);
}

/**
 * Move a user.
 * @param {string} name
 * @param {Caller} context
 * @param {string} team
 */
export function moveUser(name, context, team) {
  gotContext(context.context);
  return got(name, context.context.user, team);
}

/**
 * Log a line.
 * @param {string} text
 * @param {Caller} [context]
 */
export const log = (text, context) => {
  gotContext(context?.context);
  return got(text, context?.context.user);
};

/**
 * Promote a user.
 * @param {string} name
 * @param {Caller} caller
 */
export async function promote(name, caller) {
  gotContext(caller.context);
  return got(name, caller.context.role);
}

/**
 * Tell who asks.
 * @param {Caller} _context
 */
export function whoAmI(_context) {
  gotContext(_context.context);
  return got(_context.context.user);
}

/**
 * Grant a right.
 * @param {"read" | "write"} right
 * @param {Caller} caller
 */
export function grant(right, { context, toolCallId }) {
  gotContext(context);
  return got(right, context.user, typeof toolCallId);
}

/**
 * Tag a user.
 * @param {Caller} context
 * @param {...string} words
 */
export function tag(context, ...words) {
  gotContext(context.context);
  return got(context.context.user, words);
}

/**
 * Invite somebody.
 * @param {{ email: string, days?: number }} invitation
 * @param {Caller} ctx
 */
export function invite({ email, days = 7 }, ctx) {
  gotContext(ctx.context);
  return got(email, days, ctx.context.user);
}
