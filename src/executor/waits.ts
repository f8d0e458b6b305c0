import { describeValue } from "../base/options/known-options.ts";
import { fingerprint } from "../base/util/fingerprint.ts";
import { sleep } from "../base/util/sleep.ts";
import { waitNames } from "../message/waits.ts";
import { ToolTable } from "../tool/table.ts";
import type { Tool } from "../tool/types.ts";
import { callTool, readOutcome } from "./call-tool.ts";
import type { ReadyCall, Sleep, Waits } from "./types.ts";

/** The longest sleep that is a number: more is meant as a time. */
const longestSleep = 10 * 365 * 86_400_000;

/** The longest sleep for which a durable run keeps its process, in milliseconds: to leave it costs more. */
const shortSleep = 1_000;

/** The longest time that a timer can wait. */
const longestTimer = 2_147_483_647;

/** What waits is a call of a tool without `execute`: pauses, states and results from elsewhere are those of such calls. */
const waitTable = new ToolTable([
  waitTool(waitNames.sleep, { until: { type: "number" } }),
  waitTool(waitNames.waitFor, { token: { type: "string" } }),
  waitTool(waitNames.run, { run: { type: "string" } }),
]);

function waitTool(name: string, properties: object): Tool {
  const jsonSchema = { type: "object", properties, required: Object.keys(properties) };
  const validate: Tool["inputSchema"]["validate"] = (value) => ({ ok: true, value });
  return { name, inputSchema: { jsonSchema, validate }, annotations: {}, policy: {} };
}

function readSleep(what: string, until: number | Date, { scope }: ReadyCall): Sleep {
  const isDate = until instanceof Date;
  if (!isDate && typeof until !== "number")
    throw new TypeError(`${what} must be a number of milliseconds, or a Date, not ${describeValue(until)}.`);
  if (!isDate && until > longestSleep) {
    const isTime = !Number.isNaN(new Date(until).getTime());
    const advice = isTime ? `For a time, pass a Date: new Date(${until}).` : "The most are 10 years.";
    throw new TypeError(`${what} would take ${until} milliseconds. ${advice}`);
  }
  const now = Date.now();
  const end = isDate ? until.getTime() : now + Math.ceil(until);
  if (!Number.isFinite(end))
    throw new TypeError(`${what} must be a number of milliseconds, or a Date, not ${String(until)}.`);
  return { until: end, isLeft: scope.durable !== undefined && end - now > shortSleep };
}

async function sleepHere(until: number, signal: AbortSignal): Promise<void> {
  for (let rest = until - Date.now(); rest > 0; rest = until - Date.now())
    await sleep(Math.min(rest, longestTimer), signal);
}

/** How tools of a run wait. */
export const waits: Waits = {
  readSleep,
  sleepHere,
  async waitWithin(ready, kind, id, input, signal, make) {
    const { call, scope } = ready;
    const inner = {
      // With a fingerprint, as calls within calls have it: no call of a model gets such an id.
      toolCallId: `${call.toolCallId}/${waitNames[kind]}/${fingerprint(id)}`,
      toolName: waitNames[kind],
      arguments: JSON.stringify(input),
    };
    // What stands around calls is there for the program's tools.
    const within = { ...ready, scope: { ...scope, toolTable: waitTable, around: undefined } };
    const outcome = await make(inner, () => callTool(within, inner, signal, [], false));
    return readOutcome(inner, outcome);
  },
};
