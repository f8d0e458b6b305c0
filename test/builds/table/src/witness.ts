/** What the tools of the table received, and from where their contexts came. */

/** What the program gives to every run. */
export interface Session {
  user: string;
  role: string;
  /** What no model can know: the proof that a context came from the program. */
  token: string;
}

/** What happened since the last time that somebody looked. */
export interface Witnessed {
  /** The values of each call, in order. */
  readonly received: readonly (readonly unknown[])[];
  /** How many contexts came from the program. */
  readonly injected: number;
  /** How many did not. */
  readonly forged: number;
}

const token = `${Math.random()}`;
let received: (readonly unknown[])[] = [];
let injected = 0;
let forged = 0;

/** The context of every run. */
export const session: Session = { user: "Ada", role: "guest", token };

/** How a tool says what it was called with. */
export function got(...values: readonly unknown[]): string {
  received.push(values);
  return "done";
}

/** How a tool says that it was given a context: anything at all in a context's place. */
export function gotContext(context: unknown): void {
  if (hasToken(context)) injected += 1;
  else forged += 1;
}

function hasToken(context: unknown): boolean {
  if (typeof context !== "object" || context === null || !("token" in context)) return false;
  return context.token === token;
}

/** What the tools said since the last time. */
export function takeWitnessed(): Witnessed {
  const witnessed = { received, injected, forged };
  received = [];
  injected = 0;
  forged = 0;
  return witnessed;
}
