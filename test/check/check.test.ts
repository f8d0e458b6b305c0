import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { ruleNames } from "../../src/check/rules.ts";
import { newProject, skein, type Finished } from "../skein-command.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const fixtures = fileURLToPath(new URL("fixtures", import.meta.url));

interface Report {
  readonly tools: number;
  readonly findings: readonly {
    readonly rule: string;
    readonly level: string;
    readonly tool?: string;
    readonly message: string;
    readonly file: string;
    readonly line: number;
  }[];
}

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function report(
  args: readonly string[],
  cwd: string,
): Promise<Report & { readonly code: number | null }> {
  const { stdout, stderr, code } = await skein(["check", "--json", ...args], cwd);
  expect(stderr).toBe("");
  return { code, ...JSON.parse(stdout) };
}

/** A project with one file, in a folder of its own. */
async function project(name: string, source: string, manifest: object = {}): Promise<string> {
  const cwd = await newProject(manifest);
  folders.push(cwd);
  await writeFile(join(cwd, name), source);
  return cwd;
}

const documented = (type: string): string =>
  `/**\n * Tell the weather of tomorrow.\n * @param city - Where\n */\nexport const weather = (city: ${type}) => \`Sunny in \${city}\`;\n`;

test("each rule finds what is in the file of its name, and nothing in the others", async () => {
  const files = (await readdir(fixtures)).filter((name) => name.endsWith(".ts"));
  const { findings, code } = await report(files, fixtures);
  expect(code).toBe(1);
  const found = new Map(files.map((name) => [name.replace(".ts", ""), new Set<string>()]));
  // A tool that was removed is found in the lock, for want of a better place.
  for (const { rule, file } of findings) {
    found.get(file === "skein.lock.json" ? "schema-drift" : file.replace(".ts", ""))?.add(rule);
  }
  expect(Object.fromEntries([...found].map(([name, rules]) => [name, [...rules]]))).toEqual(
    Object.fromEntries(ruleNames.map((name) => [name, [name]])),
  );
});

test("our own examples give no finding", async () => {
  const { findings, tools, code } = await report(["examples/triage/agent.ts"], root);
  expect(findings).toEqual([]);
  expect(tools).toBe(4);
  expect(code).toBe(0);
});

test("a message shows the place, the line with a mark below it, and the fix", async () => {
  const { stdout, code } = await skein(["check", "undescribed-parameter.ts"], fixtures);
  expect(stdout).toContain(
    [
      "undescribed-parameter.ts:11:43 - warning undescribed-parameter: The parameter carrier of findRoute has no description.",
      "",
      "  11 | export function findRoute(weight: number, carrier: string): string {",
      "     |                                           ^^^^^^^",
      "  help: Add a line to its doc comment: @param carrier - ...",
    ].join("\n"),
  );
  expect(stdout).toContain("2 tools checked: 0 errors and 2 warnings.");
  expect(code).toBe(0);
});

test("rules are weighed by options, and by package.json, options first", async () => {
  const source = "export const weather = (city: string) => city;\n";
  const manifest = { skein: { check: { "missing-description": "off", "undescribed-parameter": "error" } } };
  const cwd = await project("tools.ts", source, manifest);
  const configured = await report(["tools.ts"], cwd);
  expect(configured.findings).toMatchObject([{ rule: "undescribed-parameter", level: "error" }]);
  expect(configured.code).toBe(1);
  const given = await report(
    ["tools.ts", "--rule", "undescribed-parameter=warn", "--rule", "missing-description=warn"],
    cwd,
  );
  expect(given.findings.map(({ rule, level }) => [rule, level])).toEqual([
    ["missing-description", "warn"],
    ["undescribed-parameter", "warn"],
  ]);
  expect(given.code).toBe(0);
});

test.each([
  [["--rule", "wide-types=off"], 'There is no rule "wide-types" (--rule). Did you mean wide-type?'],
  [
    ["--rule", "wide-type=loud"],
    'The rule wide-type is set to "loud" (--rule). Expected off, warn or error.',
  ],
])("an unknown rule or level is answered with the known ones: %j", async (args, message) => {
  const { stderr, code } = await skein(["check", "wide-type.ts", ...args], fixtures);
  expect(stderr).toContain(message);
  expect(code).toBe(1);
});

test("writes the same lock for the same tools, and a later run reports what changed and what breaks", async () => {
  const cwd = await project("tools.ts", documented("string"));
  const lock = (): Promise<string> => readFile(join(cwd, "skein.lock.json"), "utf8");
  const first = await skein(["check", "tools.ts", "--lock"], cwd);
  expect(first).toMatchObject({
    code: 0,
    stdout: "skein.lock.json written.\n1 tool checked: nothing to mend.\n",
  });
  const written = await lock();
  expect(JSON.parse(written)).toMatchObject({
    lockfileVersion: 1,
    origins: { "tools.ts": { weather: { fingerprint: expect.stringMatching(/^sha256-[0-9a-f]{64}$/) } } },
  });
  await skein(["check", "tools.ts", "--lock"], cwd);
  expect(await lock()).toBe(written);

  await writeFile(join(cwd, "tools.ts"), documented("string | number"));
  const widened = await report(["tools.ts"], cwd);
  expect(widened).toMatchObject({
    code: 0,
    findings: [{ rule: "schema-drift", level: "warn", tool: "weather" }],
  });
  expect(widened.findings[0]?.message).toContain("(not breaking): city also takes number");

  await writeFile(join(cwd, "tools.ts"), documented('"Paris"'));
  const narrowed = await report(["tools.ts"], cwd);
  expect(narrowed).toMatchObject({ code: 1, findings: [{ rule: "schema-drift", level: "error" }] });
  expect(narrowed.findings[0]?.message).toContain('(breaking): city takes "Paris" only');

  await skein(["check", "tools.ts", "--lock"], cwd);
  expect((await report(["tools.ts"], cwd)).findings).toEqual([]);
});

test("locking one file keeps the others' entries, and drops those of files that are gone", async () => {
  const cwd = await project("tools.ts", documented("string"));
  await cp(join(cwd, "tools.ts"), join(cwd, "more.ts"));
  await cp(join(cwd, "tools.ts"), join(cwd, "gone.ts"));
  await skein(["check", "tools.ts", "more.ts", "gone.ts", "--lock"], cwd);
  await rm(join(cwd, "gone.ts"));
  await skein(["check", "more.ts", "--lock"], cwd);
  const lock: unknown = JSON.parse(await readFile(join(cwd, "skein.lock.json"), "utf8"));
  expect(lock).toMatchObject({ origins: { "more.ts": {}, "tools.ts": {} } });
  expect(lock).not.toHaveProperty(["origins", "gone.ts"]);
});

test("a lock that cannot be read is named, with the way out", async () => {
  const cwd = await project("tools.ts", documented("string"));
  const run = async (text: string): Promise<Finished> => {
    await writeFile(join(cwd, "skein.lock.json"), text);
    return skein(["check", "tools.ts"], cwd);
  };
  expect((await run("{")).stderr).toContain("skein.lock.json is not JSON");
  const newer = await run('{ "lockfileVersion": 2, "origins": {} }');
  expect(newer.stderr).toContain("has a version that this release of skein does not support");
  expect(newer.code).toBe(1);
});
