/** Scenarios by their seeds, and smaller ones of those that fail. */
import { randomOf, type Random } from "../../../src/testing/conformance/random.ts";
import { play } from "./driver.ts";
import {
  agentTools,
  callingTools,
  describeTurns,
  goalOf,
  type CallPlan,
  type Goal,
  leafTools,
  otherTools,
  smallerTurns,
} from "./plan.ts";
import type { Ending, Scenario } from "./scenario.ts";
import { faultPlaces, type Fault } from "./stores.ts";

const size = {
  depth: 3,
  turns: 2,
  calls: 3,
  // Tools that call others are as frequent as all that do not.
  tools: [
    ...leafTools,
    ...otherTools,
    ...callingTools,
    ...callingTools,
    ...agentTools,
    ...agentTools,
    ...agentTools,
  ],
} as const;

/** Kinds of disturbance: a world has one or two. */
const disturbances = ["none", "parts", "faults", "deaths", "cancels", "twice", "message", "idles"] as const;
type Disturbance = (typeof disturbances)[number];

function faultsOf(random: Random, keep: Scenario["keep"], deadly: boolean): readonly Fault[] {
  const kinds = { state: "step", session: "append", journal: "journal", both: "" } as const;
  const kind = keep === "both" ? (random.pick(["append", "journal"]) ?? "") : kinds[keep];
  const places = faultPlaces.filter((place) =>
    deadly ? place.startsWith(kind) : place.startsWith(kind) || place.startsWith("step"),
  );
  return Array.from({ length: random.integer(1, 3) }, () => ({
    place: random.pick(places) ?? "step-before",
    at: random.integer(1, random.pick([8, 15, 40]) ?? 8),
    ...(deadly && { deadly }),
  }));
}

export function scenarioOf(seed: number): Scenario {
  const random = randomOf(seed);
  const one = random.pick(disturbances) ?? "none";
  const kinds: readonly Disturbance[] =
    random.integer(0, 2) === 0 ? [one, random.pick(disturbances) ?? "none"] : [one];
  const keeps = kinds.includes("deaths")
    ? (["session", "journal", "both"] as const)
    : (["state", "session", "journal", "both"] as const);
  const keep = random.pick<Scenario["keep"]>(keeps) ?? "session";
  const hasSession = keep === "session" || keep === "both";
  const isBit = (): boolean => random.integer(0, 1) === 0;
  const hasJournal = keep === "journal" || keep === "both";
  const hasShortIds = isBit();
  return {
    goal: forJournal(goalOf(random, { ...size, depth: random.integer(1, 3) }, "g0"), hasJournal),
    later: forJournal(goalOf(random, { ...size, depth: 1, turns: 1 }, "g1"), hasJournal),
    keep,
    isSigned: isBit(),
    follows: isBit(),
    rewrites: random.integer(0, 4) === 0,
    decidesInParts: kinds.includes("parts") || isBit(),
    faults: [
      ...(kinds.includes("faults") ? faultsOf(random, keep, false) : []),
      ...(kinds.includes("deaths") ? faultsOf(random, keep, true) : []),
    ],
    // A run that is cancelled while it repeats a journal has not come to all of it.
    cancels:
      kinds.includes("cancels") && !(hasJournal && (kinds.includes("deaths") || kinds.includes("faults")))
        ? Array.from({ length: random.integer(1, 3) }, () => random.integer(1, 120))
        : [],
    twice: kinds.includes("twice") ? [1, 2, 3].filter(isBit) : [],
    ...(kinds.includes("message") && { messageAt: random.integer(1, 3) }),
    idles:
      kinds.every((kind) => kind === "idles" || kind === "parts") && kinds.includes("idles") ? [1, 2, 3] : [],
    movesOn: random.integer(0, 9) === 0,
    hasShortIds,
    concurrency: random.pick([1, 2, 8]) ?? 8,
    seed,
    store: hasSession ? (random.pick(["memory", "file", "sqlite"]) ?? "memory") : "memory",
    // A result is passed for an id. Where the next answer has the same, one that has waited cannot be told from a new one.
    waits: random.integer(0, 3) === 0 && hasSession && !hasShortIds,
    reads: random.integer(0, 2) === 0,
    compacts: random.integer(0, 3) === 0 ? 1_150 + 10 * random.integer(0, 25) : 0,
    changes: random.integer(0, 4) === 0,
    kit: random.pick(["plain", "plain", "prefixed", "fresh"]) ?? "plain",
  };
}

/**
 * A tool that is tried again gets from a journal what came of its calls, also where one was refused in the first attempt and would not be
 * in the second (docs/reliability.md): without a journal such a world ends otherwise.
 */
const forJournal = (goal: Goal, hasJournal: boolean): Goal =>
  hasJournal
    ? { ...goal, turns: goal.turns.map((turn) => turn.map((call) => withoutRequirements(call))) }
    : goal;

function withoutRequirements(call: CallPlan, isRetried = false): CallPlan {
  const within = isRetried || call.tool === "flakyWrap";
  return {
    ...call,
    tool: isRetried && call.tool === "after" ? "plain" : call.tool,
    calls: call.calls.map((inner) => withoutRequirements(inner, within)),
    turns: call.turns.map((turn) => turn.map((inner) => withoutRequirements(inner, within))),
  };
}

/** What a smaller world may do without. */
const switches = [
  "isSigned",
  "follows",
  "rewrites",
  "decidesInParts",
  "hasShortIds",
  "movesOn",
  "waits",
  "reads",
  "changes",
] as const;

/** The same world with nothing that disturbs it. */
const undisturbed = (scenario: Scenario): Scenario => {
  const { messageAt: _, ...rest } = scenario;
  return {
    ...rest,
    keep: "state",
    store: "memory",
    waits: false,
    reads: false,
    compacts: scenario.compacts > 0 ? 1_000_000 : 0,
    isSigned: false,
    follows: false,
    rewrites: false,
    decidesInParts: false,
    faults: [],
    cancels: [],
    twice: [],
    idles: [],
    movesOn: false,
  };
};

/** What is wrong with a world; nothing, if all holds. */
export async function findProblems(
  scenario: Scenario,
): Promise<{ readonly problems: readonly string[]; readonly ending: Ending }> {
  const calm = await play(undisturbed(scenario));
  const ending = await play(scenario);
  const problems = [...calm.problems.map((problem) => `undisturbed: ${problem}`), ...ending.problems];
  const hasChanged = scenario.cancels.length > 0 || scenario.messageAt !== undefined || scenario.movesOn;
  if (problems.length > 0 || hasChanged) return { problems, ending };
  // The text quotes arguments as they are written.
  const names = [
    "effects",
    "context",
    "contexts",
    ...(scenario.rewrites ? [] : (["text"] as const)),
  ] as const;
  for (const name of names) {
    const [expected, actual] = [JSON.stringify(calm[name]), JSON.stringify(ending[name])];
    if (expected !== actual)
      problems.push(`${name} differ from the undisturbed world:\n  ${expected}\n  ${actual}`);
  }
  return { problems, ending };
}

function* smallerScenarios(scenario: Scenario): Generator<Scenario> {
  for (const turns of smallerTurns(scenario.goal.turns))
    if (turns.length > 0) yield { ...scenario, goal: { ...scenario.goal, turns } };
  for (const name of switches) if (scenario[name]) yield { ...scenario, [name]: false };
  if (scenario.store !== "memory") yield { ...scenario, store: "memory" };
  if (scenario.kit !== "plain") yield { ...scenario, kit: "plain" };
  if (scenario.keep === "both") {
    yield { ...scenario, keep: "session" };
    yield { ...scenario, keep: "journal" };
  }
  if (scenario.compacts > 0) yield { ...scenario, compacts: 0 };
  for (const at of scenario.faults.keys()) {
    yield { ...scenario, faults: scenario.faults.toSpliced(at, 1) };
    const fault = scenario.faults[at];
    for (const place of [1, 2, 4, 8])
      if (fault && place < fault.at)
        yield { ...scenario, faults: scenario.faults.with(at, { ...fault, at: fault.at - place }) };
  }
  for (const at of scenario.cancels.keys()) {
    yield { ...scenario, cancels: scenario.cancels.toSpliced(at, 1) };
    for (const less of [1, 2, 4, 8, 16])
      yield {
        ...scenario,
        cancels: scenario.cancels.map((each, place) => (place === at ? each - less : each)),
      };
  }
  for (const at of scenario.twice.keys()) yield { ...scenario, twice: scenario.twice.toSpliced(at, 1) };
  if (scenario.keep !== "state" && scenario.faults.length === 0) yield { ...scenario, keep: "state" };
}

/** The smallest scenario that still fails, as far as a few hundred attempts find it. */
export async function shrink(scenario: Scenario, kind = ""): Promise<Scenario> {
  let smallest = scenario;
  let attempts = 0;
  for (let isSmaller = true; isSmaller && attempts < 600;) {
    isSmaller = false;
    for (const smaller of smallerScenarios(smallest)) {
      attempts++;
      const { problems } = await findProblems(smaller);
      if (!problems.some((problem) => problem.includes(kind))) continue;
      smallest = smaller;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

export function describeScenario(scenario: Scenario): string {
  const { goal, later, ...rest } = scenario;
  const options = Object.entries(rest).filter(
    ([, value]) => value !== false && JSON.stringify(value) !== "[]",
  );
  const second = scenario.messageAt === undefined ? "" : `later:\n${describeTurns(later.turns, "  ")}`;
  return `${JSON.stringify(Object.fromEntries(options))}\n${describeTurns(goal.turns, "  ")}${second}`;
}
