/** The options of the tools that providers execute: the table of unknown options has the functions that entries export, these stand on them. */
import { expect, test } from "vitest";
import { anthropic } from "skein/anthropic";
import { google } from "skein/google";
import { openai } from "skein/openai";

const unknown: object = { nonsense: true };
const required: Readonly<Record<string, object>> = {
  "openai.fileSearch": { vectorStoreIds: ["vs_1"] },
  "google.fileSearch": { fileSearchStoreNames: ["fileSearchStores/a"] },
};
const withoutOptions: ReadonlySet<string> = new Set([
  "google.urlContext",
  "google.codeExecution",
  "google.googleMaps",
]);

const tools = [
  ["anthropic", anthropic.tools],
  ["openai", openai.tools],
  ["google", google.tools],
] as const;

const rows = tools.flatMap(([provider, each]) =>
  Object.entries(each).map(([name, create]): [string, unknown] => [`${provider}.${name}`, create]),
);

test.each(rows.filter(([name]) => !withoutOptions.has(name)))(
  "an unknown option of %s is an error",
  (name, create) => {
    expect(() => Reflect.apply(Object(create), undefined, [{ ...required[name], ...unknown }])).toThrow(
      `${name.replace(".", ".tools.")}({ ... }) has no option "nonsense".`,
    );
  },
);
