import type { Attributes } from "@opentelemetry/api";
import { printFailure } from "../base/util/callbacks.ts";
import { isObject } from "../base/util/json.ts";
import type { RunInfo } from "../run/steps/middleware.ts";
import type { TraceValue } from "../run/tracing-options.ts";
import type { Settings } from "./settings.ts";

/**
 * The attributes that the program adds.
 * @param info - The run; outside of one, those of a function are left out.
 */
export function attributesOf({ attributes }: Settings, info?: RunInfo): Attributes {
  try {
    if (typeof attributes === "function" && !info) return {};
    const added: unknown = typeof attributes === "function" && info ? attributes(info) : attributes;
    if (added instanceof Promise) added.catch(() => undefined);
    if (!isObject(added) || added instanceof Promise) throw new TypeError("it must return an object.");
    return Object.fromEntries(Object.entries(added).flatMap(([name, value]) => toAttribute(name, value)));
  } catch (error) {
    printFailure("attributes of skein/tracing", error);
    return {};
  }
}

/** An attribute, if its value can be one. */
function toAttribute(name: string, value: unknown): readonly (readonly [string, TraceValue])[] {
  if (name === "__proto__") return [];
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return [[name, value]];
  const isList = Array.isArray(value) && value.every((item) => typeof item === "string");
  return isList ? [[name, value]] : [];
}
