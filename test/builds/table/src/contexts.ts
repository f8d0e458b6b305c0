/** Functions that are given a context. */
import type * as skein from "skein";
import type { ToolContext } from "skein";
import type { ToolContext as Injected } from "skein";
import { got, gotContext, type Session } from "./witness.ts";

type Caller = ToolContext<Session>;

/** Delete a user. */
export function deleteUser(name: string, caller: ToolContext<Session>): string {
  gotContext(caller.context);
  return got(name, caller.context.user);
}

/** Rename a user. */
export function renameUser(ctx: ToolContext<Session>, from: string, to = "nobody"): string {
  gotContext(ctx.context);
  return got(ctx.context.user, from, to);
}

/** Move a user. */
export function moveUser(name: string, context: Injected<Session>, team: string): string {
  gotContext(context.context);
  return got(name, context.context.user, team);
}

/** Log a line. */
export const log = (text: string, context?: ToolContext<Session>): string => {
  gotContext(context?.context);
  return got(text, context?.context.user);
};

/** Promote a user. */
export async function promote(name: string, caller: Caller): Promise<string> {
  gotContext(caller.context);
  return got(name, caller.context.role);
}

/** Tell who asks. */
export function whoAmI(_context: skein.ToolContext<Session>): string {
  gotContext(_context.context);
  return got(_context.context.user);
}

/** Grant a right. */
export function grant(right: "read" | "write", { context, toolCallId }: ToolContext<Session>): string {
  gotContext(context);
  return got(right, context.user, typeof toolCallId);
}

/** Tag a user. */
export function tag(context: ToolContext<Session>, ...words: string[]): string {
  gotContext(context.context);
  return got(context.context.user, words);
}

/** Invite somebody. */
export function invite({ email, days = 7 }: { email: string; days?: number }, ctx: Caller): string {
  gotContext(ctx.context);
  return got(email, days, ctx.context.user);
}
