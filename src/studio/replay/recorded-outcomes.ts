import { canonicalJson } from "../../base/util/canonical-json.ts";
import type { SettledCall } from "../../executor/types.ts";
import type { ToolCall } from "../../message/messages.ts";
import type { RunRecord } from "../run-record.ts";

/** What came of the calls of a run, for a run that makes the same calls again. */
export class RecordedOutcomes {
  readonly #queues = new Map<string, SettledCall[]>();
  /** The calls of which nothing has come. */
  readonly #open = new Set<string>();

  /** @param from - The step that the replay begins with: what came of calls behind it is used first. */
  constructor({ steps, outcomes }: RunRecord, from: number) {
    const calls = steps.flatMap((step) => (step.kind === "tool" ? [step] : []));
    for (const step of [...calls.filter(({ id }) => id > from), ...calls.filter(({ id }) => id < from)]) {
      const outcome = outcomes.get(step.id);
      const key = keyOf(step.agent, step);
      if (!outcome) {
        this.#open.add(key);
        continue;
      }
      const queue = this.#queues.get(key);
      if (queue) queue.push(outcome);
      else this.#queues.set(key, [outcome]);
    }
  }

  /** What came of an equal call of that agent: each outcome once, the last one again and again. */
  next(agent: string, call: ToolCall): SettledCall | undefined {
    const queue = this.#queues.get(keyOf(agent, call)) ?? [];
    return queue.length > 1 ? queue.shift() : queue[0];
  }

  /** Whether an equal call was made of which nothing has come: it waited for a decision, say. */
  isOpen(agent: string, call: ToolCall): boolean {
    return this.#open.has(keyOf(agent, call));
  }
}

/** The same for calls that mean the same. */
function keyOf(agent: string, { toolName, arguments: text }: Omit<ToolCall, "toolCallId">): string {
  return JSON.stringify([agent, toolName, meaningOf(text)]);
}

function meaningOf(text: string): string {
  try {
    return canonicalJson(JSON.parse(text === "" ? "{}" : text));
  } catch {
    return text;
  }
}
