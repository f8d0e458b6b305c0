/** What `skein check` finds in the tools of the studio's agents, and where these are written. */
export interface CheckView {
  /** Why nothing could be found out. */
  readonly problem?: string;
  readonly agents: readonly CheckedAgentView[];
  /** What is wrong with the file itself, or with tools that no agent has. */
  readonly others: readonly FindingView[];
}

/** An agent, its findings and those of its tools. */
export interface CheckedAgentView {
  readonly name: string;
  /** Its place in the source, such as `agents.ts:12`. */
  readonly at: string;
  readonly findings: readonly FindingView[];
  readonly tools: readonly CheckedToolView[];
}

/** A tool and its findings. */
export interface CheckedToolView {
  readonly name: string;
  /** Missing for one that no function of the program stands behind. */
  readonly at?: string;
  readonly findings: readonly FindingView[];
}

/** What a rule found. */
export interface FindingView {
  readonly rule: string;
  readonly level: "warn" | "error";
  readonly message: string;
  /** The fix, in a sentence. */
  readonly help?: string;
  /** Such as `agents.ts:12:5`. */
  readonly at: string;
}

/** What is shown while no check can be made. */
export function uncheckable(problem: string): CheckView {
  return { problem, agents: [], others: [] };
}
