import { isPlainObject } from "../../base/util/json.ts";
import type { BfclFunction, BfclType } from "./format.ts";
import { valueProblem } from "./compare-values.ts";

/** A call by the name that the file has for its function. */
export interface BfclCall {
  readonly name: string;
  /** As the model wrote them; not an object if that was not a JSON object. */
  readonly arguments: unknown;
}

/** A call that is right: for each parameter the values it may have, `""` among them if it may be left out. */
export type RightCall = Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;

/**
 * What is wrong with the calls, in a sentence; nothing if they are right. The rules are those of the leaderboard's comparison of
 * syntax trees: as many calls as answers, in any order, each answer taking the first call that fits.
 */
export function callsProblem(
  functions: readonly BfclFunction[],
  actual: readonly BfclCall[],
  answers: readonly RightCall[],
): string | undefined {
  if (actual.length !== answers.length)
    return `${answers.length} calls expected, ${actual.length} made${actual.length > 0 ? `: ${actual.map(({ name }) => name).join(", ")}` : ""}`;
  const left = [...actual];
  for (const answer of answers) {
    const problems = left.map((call) => callProblem(functions, call, answer));
    const fitting = problems.indexOf(undefined);
    if (fitting < 0) return problems.join("; or ");
    left.splice(fitting, 1);
  }
  return undefined;
}

function callProblem(
  functions: readonly BfclFunction[],
  call: BfclCall,
  answer: RightCall,
): string | undefined {
  const [[name, allowed] = ["", {}]] = Object.entries(answer);
  if (call.name !== name) return `${call.name} is called instead of ${name}`;
  const { arguments: args } = call;
  if (!isPlainObject(args)) return `the arguments of ${name} are not a JSON object`;
  const { properties = {}, required = [] } = functions.find((each) => each.name === name)?.parameters ?? {};
  const missing = required.find((key) => !Object.hasOwn(args, key));
  if (missing !== undefined) return `${name} needs ${missing}`;
  for (const [key, value] of Object.entries(args)) {
    const type = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const values = Object.hasOwn(allowed, key) ? allowed[key] : undefined;
    if (!type || !values) return `${name} is given ${key}, which is not expected`;
    const problem = valueProblem(key, value, values, type);
    if (problem !== undefined) return `${name}: ${problem}`;
  }
  const forgotten = Object.entries(allowed).find(
    ([key, values]) => !Object.hasOwn(args, key) && !values.includes(""),
  );
  return forgotten && `${name} is not given ${forgotten[0]}`;
}

/** The arguments of a right call: the first value of each parameter that must not be left out. */
export function argumentsOf(
  allowed: Readonly<Record<string, readonly unknown[]>>,
  { properties = {}, required = [] }: BfclType,
): object {
  return Object.fromEntries(
    Object.entries(allowed)
      .filter(([key, values]) => required.includes(key) || !values.includes(""))
      .map(([key, values]) => [key, exampleOf(values, ownType(properties, key))]),
  );
}

/** The first value that is not the mark of an optional parameter. */
function exampleOf(values: readonly unknown[], type: BfclType): unknown {
  const value = values.find((each) => each !== "") ?? values[0];
  if (isDict(value)) return argumentsOf(value, type);
  const { items = {} } = type;
  return Array.isArray(value)
    ? value.map((item: unknown) => (isDict(item) ? argumentsOf(item, items) : item))
    : value;
}

function ownType(properties: Readonly<Record<string, BfclType>>, key: string): BfclType {
  return (Object.hasOwn(properties, key) ? properties[key] : undefined) ?? {};
}

/** Whether a value is a dict that lists the possible values of each of its keys. */
function isDict(value: unknown): value is Readonly<Record<string, readonly unknown[]>> {
  return isPlainObject(value) && Object.values(value).every(Array.isArray);
}
