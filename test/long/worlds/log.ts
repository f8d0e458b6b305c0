/** What happens in a world, in order, and what must never be in it. */
import { createHash } from "node:crypto";
import type { Message } from "skein";
import type { CallPlan } from "./plan.ts";

/** An entry of the log: written by models, tools and the driver, none of it by the product. */
export type WorldEvent =
  | { readonly what: "call"; readonly id: string; readonly agent: string; readonly tool: string }
  | {
      readonly what: "execution";
      readonly id: string;
      readonly n: number;
      readonly x: string | undefined;
      readonly owner: string;
    }
  | {
      readonly what: "effect";
      readonly id: string;
      readonly n: number;
      readonly x: string | undefined;
      readonly owner: string;
      readonly tool: string;
      readonly key: string;
    }
  /** A person decides on a call, having seen these arguments, or written them. */
  | {
      readonly what: "decision";
      readonly id: string;
      readonly decision: string;
      readonly n: number;
      readonly x: string | undefined;
    }
  /** The run goes on from what a store has; `stored` is all of it. */
  | { readonly what: "restart"; readonly stored: string }
  /** The user went on to another goal: nothing of this one may happen any more. */
  | { readonly what: "abandoned"; readonly goal: string }
  | { readonly what: "disturbance"; readonly text: string };

type Effect = WorldEvent & { readonly what: "effect" };

const textOfResult = (message: Message): string =>
  message.role === "tool"
    ? message.result.content.map((part) => (part.type === "text" ? part.text : part.type)).join("|")
    : "";

/** The results of a history under the ids of their plans, which are in the arguments of their calls. */
function namedResults(messages: readonly Message[]) {
  const ids = new Map<string, string>();
  return messages.flatMap((message) => {
    if (message.role === "assistant")
      for (const { toolCallId, arguments: text } of message.toolCalls)
        ids.set(toolCallId, /(?:do |"id":\s*")(g\d[-\w]*)/.exec(text)?.[1] ?? "a handoff");
    if (message.role !== "tool") return [];
    return [{ id: ids.get(message.result.toolCallId) ?? "", message }];
  });
}

/** Whether one of them is the other, or made within it. */
const isWithin = (id: string, outer: string): boolean => id === outer || id.startsWith(`${outer}-`);

export class WorldLog {
  readonly events: WorldEvent[] = [];
  readonly problems: string[] = [];
  readonly #added: number;

  /** @param added - What a middleware adds to the number of each call. */
  constructor(added: number) {
    this.#added = added;
  }

  /** What tools and their policies see of the context, each thing once: they are asked again after a pause. */
  readonly contexts: Set<string> = new Set<string>();

  see(what: string, context: unknown): void {
    const entries = Object.entries(context ?? {}).toSorted(([a], [b]) => a.localeCompare(b));
    this.contexts.add(`${what} sees ${JSON.stringify(entries)}`);
  }

  add(event: WorldEvent): void {
    this.events.push(event);
  }

  /** No model may read that a call was not executed of which there is an effect. */
  readResults(messages: readonly Message[]): void {
    for (const { id: toolCallId, message } of namedResults(messages)) {
      const words = /^\w+ was not (?:executed|called|started)/.exec(textOfResult(message));
      if (!words) continue;
      const effect = this.#effects().find(({ id, tool }) => isWithin(id, toolCallId) && tool !== "lookup");
      if (effect)
        this.problems.push(`A model reads that ${toolCallId} ${words[0]}, but ${effect.id} had an effect.`);
    }
  }

  /** What the results of a goal come to, in a few characters: the order of a batch does not matter. */
  resultsOf(messages: readonly Message[]): string {
    // A call that was not made says so with a doubt, once its run has failed.
    const results = namedResults(messages).map(
      ({ id, message }) => `${id} ${message.result.outcome === "success" ? textOfResult(message) : "failed"}`,
    );
    return createHash("sha1").update(results.toSorted().join("\n")).digest("hex").slice(0, 10);
  }

  /** Each effect once, for comparison with another log. */
  effectNames(): readonly string[] {
    const names = this.#effects()
      .filter(({ tool }) => tool !== "lookup")
      .map(({ id, n, x, owner }) => `${owner}: ${id} ${n} ${x ?? ""}`);
    return [...new Set(names)].toSorted();
  }

  #effects(): readonly Effect[] {
    return this.events.filter((event) => event.what === "effect");
  }

  /** Holds the effects against calls, decisions and stores. */
  check(planOf: (id: string) => CallPlan | undefined): readonly string[] {
    const problems = [...this.problems];
    for (const [at, event] of this.events.entries()) {
      if (event.what === "execution") problems.push(...this.#checkApproval(event, at, planOf(event.id)));
      if (event.what !== "effect" || event.tool === "lookup") continue;
      const plan = planOf(event.id);
      problems.push(...this.#checkCaller(event, at), ...this.#checkApproval(event, at, plan));
      problems.push(...this.#checkOnce(event, at, planOf), ...this.#checkAbandoned(event, at));
    }
    return [...new Set([...problems, ...this.#checkKeys(planOf)])];
  }

  #checkCaller({ id, owner, tool }: Effect, at: number): readonly string[] {
    const callers = this.events.slice(0, at).filter((each) => each.what === "call" && each.id === id);
    if (callers.some((each) => each.what === "call" && each.agent === owner && each.tool === tool)) return [];
    return [`${tool} of ${owner} was executed for ${id}, which was called by: ${JSON.stringify(callers)}`];
  }

  #checkApproval(
    event: { readonly id: string; readonly n: number; readonly x?: string | undefined },
    at: number,
    plan: CallPlan | undefined,
  ): readonly string[] {
    if (!plan) return [];
    const decisions = this.events
      .slice(0, at)
      .filter((each) => each.what === "decision" && each.id === plan.id);
    const needsApproval =
      plan.tool === "pay" || plan.tool === "payWrap" || (plan.tool === "limited" && plan.n % 2 === 1);
    if (!needsApproval)
      return event.n === plan.n + this.#added
        ? []
        : [`${plan.id} was executed with ${event.n} instead of ${plan.n + this.#added}.`];
    const isApproved = decisions.some(
      (each) =>
        each.what === "decision" && each.decision !== "deny" && each.n === event.n && each.x === event.x,
    );
    return isApproved
      ? []
      : [
          `${plan.id} was executed with ${event.n} ${event.x ?? ""} without approval: ${JSON.stringify(decisions)}`,
        ];
  }

  #checkOnce(effect: Effect, at: number, planOf: (id: string) => CallPlan | undefined): readonly string[] {
    const { id, tool, n } = effect;
    const before = this.events.findLastIndex(
      (each, index) => index < at && each.what === "effect" && each.id === id,
    );
    if (before === -1) return [];
    // A result that is masked is not stored, and each attempt of a tool repeats what it calls.
    if (tool === "secret" || this.#isWithinAttempts(id, planOf)) return [];
    const restarts = this.events
      .slice(before, at)
      .flatMap((each) => (each.what === "restart" ? each.stored : []));
    if (restarts.length === 0) return [`${tool} ${id} was executed twice in a process that lives.`];
    if (tool === "late") return [];
    const isStored = restarts.every((stored) => stored.includes(`done:${id}:${n}`));
    return isStored ? [`${tool} ${id} was executed again, though its result was stored.`] : [];
  }

  #isWithinAttempts(id: string, planOf: (id: string) => CallPlan | undefined): boolean {
    const parts = id.split("-");
    return parts.some((_, index) => {
      const outer = planOf(parts.slice(0, index + 1).join("-"));
      return outer?.tool === "flakyWrap" && outer.id !== id;
    });
  }

  #checkAbandoned({ id }: Effect, at: number): readonly string[] {
    const isAbandoned = this.events
      .slice(0, at)
      .some((each) => each.what === "abandoned" && isWithin(id, each.goal));
    return isAbandoned ? [`${id} was executed after the user had gone on to another goal.`] : [];
  }

  /** A key names one call, and a call has one key. */
  #checkKeys(planOf: (id: string) => CallPlan | undefined): readonly string[] {
    const effects = this.#effects().filter(({ tool }) => tool !== "lookup");
    const problems: string[] = [];
    const idsByKey = new Map<string, string>();
    const keysById = new Map<string, string>();
    for (const { id, key } of effects) {
      const otherId = idsByKey.get(key);
      if (otherId !== undefined && otherId !== id)
        problems.push(`${id} and ${otherId} have the same key ${key}.`);
      const otherKey = keysById.get(id);
      // An agent that went on after a failure counts one turn more than in the next attempt of the tool around it.
      if (otherKey !== undefined && otherKey !== key && !this.#isWithinAttempts(id, planOf))
        problems.push(`${id} was executed with the keys ${otherKey} and ${key}.`);
      idsByKey.set(key, id);
      keysById.set(id, key);
    }
    return problems;
  }
}

/** Each call has one result, right after its answer. */
export function checkHistory(messages: readonly Message[]): readonly string[] {
  const problems: string[] = [];
  const open = new Set<string>();
  for (const message of messages) {
    if (message.role === "tool") {
      const { toolCallId } = message.result;
      if (!open.delete(toolCallId)) problems.push(`a result of ${toolCallId} without its call`);
      continue;
    }
    if (open.size > 0) problems.push(`${message.role} follows open calls: ${[...open].join()}`);
    open.clear();
    if (message.role === "assistant") for (const { toolCallId } of message.toolCalls) open.add(toolCallId);
  }
  return problems;
}
