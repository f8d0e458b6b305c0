/** What a call is made with: these properties and no others. A regular expression stands for a text that matches it. */
export interface Arguments {
  readonly [name: string]: string | number | RegExp | Arguments;
}

/** How the offline model may react to a sentence. */
export type Reaction =
  | { readonly kind: "none" }
  /** Asks for what a call of the tool needs. */
  | { readonly kind: "asks"; readonly tool: string }
  /** Makes these calls, in any order, besides handoffs. */
  | {
      readonly kind: "calls";
      readonly calls: readonly { readonly tool: string; readonly args: Arguments }[];
    };

/** A sentence of a user who begins a conversation with an example. */
export interface Row {
  readonly text: string;
  /** The agents that may be active at the end. */
  readonly agents: readonly string[];
  /** Any of these. */
  readonly reactions: readonly Reaction[];
  /** What the answer must say. */
  readonly says?: RegExp;
}

/** Neither calls a tool nor asks for arguments. */
export const none: Reaction = { kind: "none" };

export const asks = (tool: string): Reaction => ({ kind: "asks", tool });

export const calls = (tool: string, ...sets: readonly Arguments[]): Reaction => ({
  kind: "calls",
  calls: (sets.length > 0 ? sets : [{}]).map((args) => ({ tool, args })),
});

/** `agents` are separated by `|`. */
export const row = (text: string, agents: string, ...reactions: readonly Reaction[]): Row => ({
  text,
  agents: agents.split("|"),
  reactions,
});

/** The same, and the answer says this. */
export const saying = (says: RegExp, { text, agents, reactions }: Row): Row => ({
  text,
  agents,
  reactions,
  says,
});
