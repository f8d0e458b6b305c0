import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Levels } from "../check/check.ts";
import { isLevel, isRuleName, ruleNames, type RuleName } from "../check/rules.ts";
import type { Level } from "../check/types.ts";
import { ConfigurationError } from "../errors.ts";
import { errorMessage } from "../base/util/error-message.ts";
import { isPlainObject } from "../base/util/json.ts";
import { closest } from "../base/util/closest.ts";

/**
 * What each rule weighs: `skein.check` in the nearest package.json from `folder` upwards, then `name=level` texts.
 * @throws ConfigurationError (`rule`) for an unknown rule or level.
 */
export async function readLevels(folder: string, texts: readonly string[]): Promise<Levels> {
  const configured = await packageRules(folder);
  const levels = texts.map((text) => {
    const [name = "", level] = text.split("=");
    return levelOf(name, level, "--rule");
  });
  return Object.fromEntries([...configured, ...levels]);
}

async function packageRules(folder: string): Promise<readonly (readonly [RuleName, Level])[]> {
  const file = join(folder, "package.json");
  const text = await readText(file);
  if (text === undefined) return dirname(folder) === folder ? [] : packageRules(dirname(folder));
  const manifest = parse(file, text);
  const skein = isPlainObject(manifest) ? manifest["skein"] : undefined;
  const rules = isPlainObject(skein) ? skein["check"] : undefined;
  if (rules === undefined) return [];
  if (!isPlainObject(rules))
    throw ruleError(`"skein.check" in ${file} must be an object of rules and levels.`);
  return Object.entries(rules).map(([name, level]) => levelOf(name, level, file));
}

function levelOf(name: string, level: unknown, place: string): readonly [RuleName, Level] {
  if (!isRuleName(name)) {
    const [suggestion] = closest(name, ruleNames);
    const hint = suggestion === undefined ? "" : ` Did you mean ${suggestion}?`;
    throw ruleError(`There is no rule "${name}" (${place}).${hint} The rules are: ${ruleNames.join(", ")}.`);
  }
  if (isLevel(level)) return [name, level];
  throw ruleError(
    `The rule ${name} is set to ${JSON.stringify(level)} (${place}). Expected off, warn or error.`,
  );
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw ruleError(`${file} is not JSON: ${errorMessage(error)}`, error);
  }
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function ruleError(message: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(message, { code: "rule", cause });
}
