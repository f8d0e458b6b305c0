import { builtinModule } from "../base/util/builtin-module.ts";
import { mergeOwn } from "../base/util/snapshot.ts";
import { toStorable } from "../base/util/storable.ts";
import { changeOf, clearedIn } from "../message/cleared.ts";
import type { CallChanges } from "../message/run-state.ts";
import { isObject } from "../base/util/json.ts";
import type { CallOutcome } from "./types.ts";

/** What a call has changed of the run's context. */
export type Change = Readonly<Record<string, unknown>> | undefined;

/** A step of a tool that is being performed. */
interface OpenStep {
  /** The calls that were made meanwhile, by their ids. */
  readonly calls: Set<string>;
  /** Called when a call within it has returned what is not for a state. */
  readonly onMasked: () => void;
  readonly outer: OpenStep | undefined;
}

/** What came of performing a step. */
export interface PerformedStep<T> {
  readonly value: T;
  readonly changes: ReadonlyMap<string, Change>;
}

/** What is used of Node's AsyncLocalStorage. */
interface AsyncStorage {
  getStore(): OpenStep | undefined;
  run<T>(step: OpenStep, work: () => T): T;
}

/** The steps that the current code is within; `null` on runtimes without it. */
let around: AsyncStorage | null | undefined;

function storage(): AsyncStorage | null {
  if (around !== undefined) return around;
  const hooks = builtinModule("node:async_hooks");
  return (around = hooks ? new hooks.AsyncLocalStorage<OpenStep>() : null);
}

/**
 * The calls that one call's tool makes: what they change of the context, and which steps of the tool they are part of. A step that is not
 * performed again has changed what its calls have.
 */
export class InnerCalls {
  /** What those of earlier attempts at the call have changed. */
  #earlier: Change;
  /** What those of this attempt have changed, in the order in which they were made. */
  readonly #changes = new Map<string, Change>();
  readonly #open = new Set<OpenStep>();

  /** What all of them have changed: of two side by side, the one that was made later wins. */
  get changes(): Change {
    const all = [this.#earlier, ...this.#changes.values()].filter((change) => change !== undefined);
    return all.length === 0 ? undefined : mergeOwn(all);
  }

  /** Another attempt begins, which makes its calls in an order of its own. */
  restart(): void {
    this.#earlier = this.changes;
    this.#changes.clear();
  }

  /**
   * Notes that a call is made.
   * @returns what notes its outcome.
   */
  begin(toolCallId: string): (outcome: CallOutcome) => void {
    if (!this.#changes.has(toolCallId)) this.#changes.set(toolCallId, undefined);
    // What is noted with one step too many does no harm: each call counts once.
    for (const step of this.#open) step.calls.add(toolCallId);
    const steps = this.#stepsAround();
    return (outcome) => {
      if (!("result" in outcome)) return;
      this.#changes.set(toolCallId, outcome.context);
      if (outcome.value !== undefined) for (const step of steps) step.onMasked();
    };
  }

  /**
   * Performs a step of the tool.
   * @param onMasked - Called when a call within it has returned what is not for a state.
   */
  async perform<T>(work: () => T | Promise<T>, onMasked: () => void): Promise<PerformedStep<T>> {
    const async = storage();
    const step: OpenStep = { calls: new Set(), onMasked, outer: async?.getStore() };
    this.#open.add(step);
    try {
      const value = await (async ? async.run(step, work) : work());
      return { value, changes: this.#changesOf(step) };
    } finally {
      this.#open.delete(step);
    }
  }

  /** Adds what the calls of a step have changed that is not performed again. */
  add(changes: ReadonlyMap<string, Change>): void {
    for (const [toolCallId, change] of changes) {
      // A call beside the step may have been made again.
      this.#changes.set(toolCallId, this.#changes.get(toolCallId) ?? change);
      for (const step of this.#open) step.calls.add(toolCallId);
    }
  }

  #changesOf({ calls }: OpenStep): ReadonlyMap<string, Change> {
    // In the order in which they were made, also those that have changed nothing yet.
    return new Map([...this.#changes].filter(([toolCallId]) => calls.has(toolCallId)));
  }

  /** The steps that the code which makes a call is part of; where that is not known, all that are being performed. */
  #stepsAround(): readonly OpenStep[] {
    const async = this.#open.size > 0 && storage();
    if (!async) return [...this.#open];
    const steps: OpenStep[] = [];
    for (let step = async.getStore(); step; step = step.outer) if (this.#open.has(step)) steps.push(step);
    return steps;
  }
}

/** The changes of a step's calls as they are stored; empty where none has changed anything. */
export function toStoredChanges(changes: ReadonlyMap<string, Change>): readonly CallChanges[] {
  if (![...changes.values()].some((change) => change !== undefined)) return [];
  return [...changes].map(([toolCallId, change]) => {
    const { value } = toStorable(change, "context");
    return { toolCallId, ...(isObject(value) && { context: { ...value } }), ...clearedIn(change) };
  });
}

/** The changes that were stored. */
export function fromStoredChanges(stored: readonly CallChanges[] = []): ReadonlyMap<string, Change> {
  return new Map(stored.map((each) => [each.toolCallId, changeOf(each)]));
}
