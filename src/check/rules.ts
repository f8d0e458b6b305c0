import { deprecatedTool, schemaMismatch } from "./rules/agreement.ts";
import {
  missingDescription,
  undescribedParameter,
  unknownParameter,
  vagueDescription,
} from "./rules/descriptions.ts";
import { schemaLimits, tooManyTools } from "./rules/limits.ts";
import { nameClash, providerName } from "./rules/names.ts";
import { naturalDefault, wideType } from "./rules/parameters.ts";
import type { Level, Rule } from "./types.ts";

/** `unusable` (what cannot be loaded, or has no schema) and `schema-drift` are found before the rules are applied. */
export type FoundBefore = "unusable" | "schema-drift";

/** The names of all rules. */
export type RuleName =
  | FoundBefore
  | "missing-description"
  | "vague-description"
  | "undescribed-parameter"
  | "unknown-parameter"
  | "wide-type"
  | "natural-default"
  | "provider-name"
  | "name-clash"
  | "too-many-tools"
  | "schema-limits"
  | "schema-mismatch"
  | "deprecated-tool";

/** Every rule, those found before with the level that they have unless set. */
export const allRules: Readonly<Record<RuleName, Rule>> = {
  unusable: { level: "error", find: () => [] },
  "missing-description": missingDescription,
  "vague-description": vagueDescription,
  "undescribed-parameter": undescribedParameter,
  "unknown-parameter": unknownParameter,
  "wide-type": wideType,
  "natural-default": naturalDefault,
  "provider-name": providerName,
  "name-clash": nameClash,
  "too-many-tools": tooManyTools,
  "schema-limits": schemaLimits,
  "schema-mismatch": schemaMismatch,
  "deprecated-tool": deprecatedTool,
  "schema-drift": { level: "warn", find: () => [] },
};

/** Whether a rule is called that. */
export function isRuleName(name: string): name is RuleName {
  return Object.hasOwn(allRules, name);
}

/** The names of all rules, in order. */
export const ruleNames: readonly RuleName[] = Object.keys(allRules).filter(isRuleName);

/** Whether a rule can be set to that. */
export function isLevel(text: unknown): text is Level {
  return text === "off" || text === "warn" || text === "error";
}
