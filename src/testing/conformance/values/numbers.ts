import type { JsonSchema } from "../../../schema/types.ts";

/** Numbers at the edges of a schema, and those that programs stumble over. */
export function numbers(schema: JsonSchema, type: "number" | "integer"): readonly number[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const step = typeof multipleOf === "number" && multipleOf > 0 ? multipleOf : type === "integer" ? 1 : 0.5;
  const least = highest(minimum, typeof exclusiveMinimum === "number" ? exclusiveMinimum + step : undefined);
  const most = lowest(maximum, typeof exclusiveMaximum === "number" ? exclusiveMaximum - step : undefined);
  const lower = least === undefined ? undefined : Math.ceil(least / step) * step;
  const upper = most === undefined ? undefined : Math.floor(most / step) * step;
  const start = lower ?? upper ?? 0;
  const usual = [start + (upper === start ? -step : step), start, lower, upper, 0, step, -step];
  const odd = type === "integer" ? [Number.MAX_SAFE_INTEGER, -1000] : [0.1, 1e-7, -2.5, 1e21];
  return [...usual, ...odd].filter(
    (number): number is number =>
      number !== undefined &&
      (lower === undefined || number >= lower) &&
      (upper === undefined || number <= upper),
  );
}

function highest(left: unknown, right: number | undefined): number | undefined {
  const bounds = [left, right].filter((bound) => typeof bound === "number");
  return bounds.length > 0 ? Math.max(...bounds) : undefined;
}

function lowest(left: unknown, right: number | undefined): number | undefined {
  const bounds = [left, right].filter((bound) => typeof bound === "number");
  return bounds.length > 0 ? Math.min(...bounds) : undefined;
}
