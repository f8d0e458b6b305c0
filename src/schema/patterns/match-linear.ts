import type { Pattern, PatternBudget } from "./types.ts";
import { type Look, parsePattern, type PatternNode } from "./parse-pattern.ts";

/** A state of an automaton. */
type State =
  | { readonly type: "character"; readonly fits: (character: string) => boolean; readonly next: number }
  | {
      readonly type: "edge";
      readonly holds: (before: string, after: string) => boolean;
      readonly next: number;
    }
  | { readonly type: "look"; readonly look: Look; readonly next: number }
  /** One character many times: `stay` is the state between them. */
  | { readonly type: "run"; readonly run: Run; readonly stay: number; readonly next: number }
  | { readonly type: "stay"; readonly run: Run; readonly next: number }
  | { readonly type: "fork"; readonly next: number[] }
  | { readonly type: "end" };

/** How often a character may come. Whatever the counts are, it takes two states. */
interface Run {
  readonly fits: (character: string) => boolean;
  readonly least: number;
  readonly most: number;
}

interface Automaton {
  readonly states: readonly State[];
  readonly start: number;
}

/** The most states of an expression, its looks included. */
const mostStates = 10_000;

/** The most states that are kept from one test to the next. */
const mostKeptStates = 500;

/** What the visit of a state costs, and its building. */
const stepsOfVisit = 100;
const stepsOfBuilding = 200;

class TooManyStepsError extends Error {}

/**
 * Tests an expression by following all its ways at once: each character is read once, whatever the expression (Thompson,
 * "Regular Expression Search Algorithm", 1968). Looks are tables of the places where they hold, made in one walk each.
 * `undefined` for expressions with references to groups, and for those whose counts make too many states.
 */
export function matchLinear(expression: RegExp): Pattern["test"] | undefined {
  const node = parsePattern(expression);
  const count = node ? countStates(node) : Infinity;
  if (!node || count > mostStates) return undefined;
  let cached: Automata | undefined;
  return (text, budget) => {
    if (!cached) budget.patternSteps -= count * stepsOfBuilding;
    // Not even to be split: each character costs a visit at least.
    if (text.length * stepsOfVisit > budget.patternSteps) budget.patternSteps = -1;
    if (budget.patternSteps < 0) return undefined;
    const automata = cached ?? automataOf(node);
    if (count <= mostKeptStates) cached = automata;
    const characters = expression.unicode ? Array.from(text) : text.split("");
    try {
      return new Walk(characters, automata, budget).find(node);
    } catch (error) {
      if (error instanceof TooManyStepsError) return undefined;
      throw error;
    }
  };
}

/** At least as many states as a node is built with. */
function countStates(node: PatternNode): number {
  switch (node.type) {
    case "character":
    case "edge":
      return 1;
    case "look":
      return 3 + countStates(node.node);
    case "sequence":
    case "choice":
      return node.nodes.reduce((sum, each) => sum + countStates(each), 2);
    case "repeat": {
      if (runOf(node)) return 2;
      const copies = node.most === Infinity ? node.least + 1 : node.most;
      return 1 + copies * (1 + countStates(node.node));
    }
  }
}

/** The run that a repeated node is, if it repeats one character. `*`, `+` and `?` are cheaper as they are. */
function runOf({ node, least, most }: Extract<PatternNode, { type: "repeat" }>): Run | undefined {
  if (most === Infinity ? least < 2 : most < 2) return undefined;
  let content = node;
  while (
    (content.type === "choice" || content.type === "sequence") &&
    content.nodes.length === 1 &&
    content.nodes[0]
  )
    content = content.nodes[0];
  return content.type === "character" ? { fits: content.fits, least, most } : undefined;
}

/** The automata of a whole expression and of its looks. A look ahead reads backwards, from all places where it may end. */
type Automata = ReadonlyMap<PatternNode, Automaton>;

function automataOf(root: PatternNode): Automata {
  const automata = new Map<PatternNode, Automaton>();
  const walks = new Map<PatternNode, { readonly isBackwards: boolean }>([[root, { isBackwards: false }]]);
  // A map that grows while it is walked.
  for (const [node, { isBackwards }] of walks) {
    const builder = new Builder(isBackwards, (look) => walks.set(look.node, { isBackwards: !look.isBehind }));
    automata.set(node, builder.build(node));
  }
  return automata;
}

class Builder {
  readonly #states: State[] = [];
  readonly #isBackwards: boolean;
  readonly #onLook: (look: Look) => void;

  constructor(isBackwards: boolean, onLook: (look: Look) => void) {
    this.#isBackwards = isBackwards;
    this.#onLook = onLook;
  }

  build(node: PatternNode): Automaton {
    const start = this.#add(node, this.#push({ type: "end" }));
    return { states: this.#states, start };
  }

  /** Adds the states of a node that lead to `next`; returns the first of them. */
  #add(node: PatternNode, next: number): number {
    switch (node.type) {
      case "character":
        return this.#push({ type: "character", fits: node.fits, next });
      case "edge":
        return this.#push({ type: "edge", holds: node.holds, next });
      case "look":
        this.#onLook(node);
        return this.#push({ type: "look", look: node, next });
      case "choice":
        return this.#push({ type: "fork", next: node.nodes.map((choice) => this.#add(choice, next)) });
      case "sequence": {
        const nodes = this.#isBackwards ? node.nodes : node.nodes.toReversed();
        return nodes.reduce((last, each) => this.#add(each, last), next);
      }
      case "repeat":
        return this.#addRepeat(node, next);
    }
  }

  #addRepeat(repeat: Extract<PatternNode, { type: "repeat" }>, next: number): number {
    const { node, least, most } = repeat;
    const run = runOf(repeat);
    if (run) return this.#push({ type: "run", run, stay: this.#push({ type: "stay", run, next }), next });
    let start = next;
    if (most === Infinity) {
      const ways = [next];
      start = this.#push({ type: "fork", next: ways });
      ways.push(this.#add(node, start));
    } else {
      for (let count = least; count < most; count++)
        start = this.#push({ type: "fork", next: [next, this.#add(node, start)] });
    }
    for (let count = 0; count < least; count++) start = this.#add(node, start);
    return start;
  }

  #push(state: State): number {
    return this.#states.push(state) - 1;
  }
}

/** The steps at which a run was entered, all of whose characters since then fit. */
class Stretch {
  readonly #run: Run;
  readonly #starts: number[] = [];
  /** The oldest start from which the run is not too long. */
  #oldest = 0;

  constructor(run: Run) {
    this.#run = run;
  }

  begin(step: number): void {
    // Without an upper limit, the oldest start is the best one for ever.
    if (this.#run.most !== Infinity || this.#starts.length === 0) this.#starts.push(step);
  }

  isLongEnough(step: number): boolean {
    while (step - (this.#starts[this.#oldest] ?? step) > this.#run.most) this.#oldest++;
    const start = this.#starts[this.#oldest];
    return start !== undefined && step - start >= this.#run.least;
  }

  end(): void {
    this.#starts.length = this.#oldest = 0;
  }
}

function stretchOf(run: Run, stretches: Map<Run, Stretch>): Stretch {
  const stretch = stretches.get(run) ?? new Stretch(run);
  stretches.set(run, stretch);
  return stretch;
}

/** One text, walked through by the automata of one expression. */
class Walk {
  readonly #characters: readonly string[];
  readonly #automata: Automata;
  readonly #budget: PatternBudget;
  /** Where looks hold. */
  readonly #tables = new Map<Look, Uint8Array>();

  constructor(characters: readonly string[], automata: Automata, budget: PatternBudget) {
    this.#characters = characters;
    this.#automata = automata;
    this.#budget = budget;
  }

  /** Whether the expression matches somewhere. */
  find(node: PatternNode): boolean {
    return this.#walk(node, false, () => true);
  }

  #tableOf(look: Look): Uint8Array {
    let table = this.#tables.get(look);
    if (table) return table;
    table = new Uint8Array(this.#characters.length + 1);
    const places = table;
    this.#walk(look.node, !look.isBehind, (place) => {
      places[place] = 1;
      return false;
    });
    this.#tables.set(look, table);
    return table;
  }

  /** Begins at every place, and calls `onEnd` for those where a match ends, until that returns true. */
  #walk(node: PatternNode, isBackwards: boolean, onEnd: (place: number) => boolean): boolean {
    const automaton = this.#automata.get(node);
    if (!automaton) return false;
    const { states, start } = automaton;
    const { length } = this.#characters;
    /** The place at which each state was last entered. */
    const entered = new Int32Array(states.length).fill(-1);
    const stretches = new Map<Run, Stretch>();
    let current: number[] = [];
    for (let step = 0; step <= length; step++) {
      const place = isBackwards ? length - step : step;
      const character = this.#characters[isBackwards ? place - 1 : place];
      const next: number[] = [];
      const open = [...current, start];
      let isEnd = false;
      for (let index = open.pop(); index !== undefined; index = open.pop()) {
        if (entered[index] === step) continue;
        entered[index] = step;
        if ((this.#budget.patternSteps -= stepsOfVisit) < 0) throw new TooManyStepsError();
        const state = states[index];
        if (state?.type === "end") isEnd = true;
        else if (state?.type === "fork") open.push(...state.next);
        else if (state?.type === "character") {
          if (character !== undefined && state.fits(character)) next.push(state.next);
        } else if (state?.type === "run") {
          if (state.run.least === 0) open.push(state.next);
          if (character === undefined || !state.run.fits(character)) continue;
          stretchOf(state.run, stretches).begin(step);
          next.push(state.stay);
        } else if (state?.type === "stay") {
          const stretch = stretchOf(state.run, stretches);
          if (stretch.isLongEnough(step)) open.push(state.next);
          if (character !== undefined && state.run.fits(character)) next.push(index);
          else stretch.end();
        } else if (state && this.#passes(state, place)) open.push(state.next);
      }
      if (isEnd && onEnd(place)) return true;
      current = next;
    }
    return false;
  }

  #passes(state: Extract<State, { type: "edge" | "look" }>, place: number): boolean {
    if (state.type === "edge")
      return state.holds(this.#characters[place - 1] ?? "", this.#characters[place] ?? "");
    return (this.#tableOf(state.look)[place] === 1) !== state.look.isNegated;
  }
}
