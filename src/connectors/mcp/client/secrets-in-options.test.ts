import { expect, test } from "vitest";
import { secretsOfAddress, secretsOfProgram } from "./secrets-in-options.ts";

const key = "Sec-Ret-4567-ab";

const places: readonly (readonly [
  place: string,
  options: { args?: string[]; env?: Record<string, string> },
])[] = [
  ["a flag before it", { args: ["--api-key", key] }],
  ["a flag with it", { args: [`--api-key=${key}`] }],
  ["a header", { args: ["--header", `Authorization: Bearer ${key}`] }],
  ["a flag with a header", { args: [`--header=Authorization: Bearer ${key}`] }],
  ["a header of a scheme of its own", { args: ["-H", `Authorization: SSWS ${key}`] }],
  ["a variable", { args: ["run", "-e", `ACCESS_TOKEN=${key}`] }],
  ["a flag with a variable", { args: [`--env=ACCESS_TOKEN=${key}`] }],
  ["a variable alone", { args: [`API_KEY=${key}`] }],
  ["a parameter of an address", { args: [`--url=https://h.example/x?token=${key}`] }],
  ["a password of an address", { args: [`postgres://ada:${key}@db.example/x`] }],
  ["a variable that is named like one of several words", { env: { AZURE_DEVOPS_EXT_PAT: key } }],
  ["headers within a variable", { env: { MCP_HEADERS: `{"Authorization":"Bearer ${key}"}` } }],
  ["lists within a flag", { args: [`--config=[{"env":["API_KEY=${key}"]}]`] }],
];

test.each(places)("a secret of a program is found by %s", (_place, options) => {
  expect(secretsOfProgram({ command: "node", ...options })).toContain(key);
});

test("words that are not named like secrets are none", () => {
  const args = [
    "-y",
    "--mode=fast",
    "--path",
    "C:\\keys",
    "server.js",
    "--note: a b",
    "{broken",
    "[1, null]",
  ];
  const env = {
    PATTERN: "a=b",
    SPATIAL: "yes",
    REGION: "europe",
    CREDENTIALS_PATH: "/etc/c.json",
    URL: "https://h.example/?page=2",
  };
  expect(secretsOfProgram({ command: "node", args, env })).toEqual([]);
});

test("what is nested without end is looked into a few levels", () => {
  const deep = `${"--a=".repeat(50)}--token=${key}`;
  expect(secretsOfProgram({ command: "node", args: [deep] })).toEqual([]);
});

test("an address has secrets in its query and beside it", () => {
  const url = `https://h.example/mcp?code=${key}&page=two`;
  expect(secretsOfAddress({ url, headers: { "x-key": "k1", accept: "json" } })).toEqual(
    expect.arrayContaining([key, "k1"]),
  );
  expect(secretsOfAddress({ url })).not.toContain("two");
});
