/** Calls as tests of vitest: each is compiled and executed. */
import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { run, type Agent } from "skein";
import { ScriptedModel } from "skein/testing";
import { expect, onTestFinished, test } from "vitest";
import { describeAgents } from "../../src/studio/describe-agents.ts";
import type { AgentView } from "../../src/studio/records.ts";
import { RunRecord } from "../../src/studio/run-record.ts";
import { vitestCase } from "../../src/studio/vitest-case.ts";
import { openData } from "./data.ts";

const agentsFile = `import { Agent, tool } from "skein";

const pay = tool({
  name: "pay",
  input: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
  approval: true,
  execute: ({ amount }: { readonly amount: number }) => \`Paid \${amount} "euros".\\nThanks.\`,
});
const greet = tool({
  name: "greet",
  input: { type: "object" },
  execute: (_input: object, { context }) => \`Hello \${JSON.stringify(context)}.\`,
});
export const till = new Agent({ name: "The till", tools: [pay, greet] });
export default till;
export { till as test, till as "the till" };
`;

test("calls as tests compile, and pass: plain, with a context, wrong, approved, approved with other arguments, denied", async () => {
  const folder = new URL(`.work/case-${process.pid}/`, import.meta.url);
  await mkdir(folder, { recursive: true });
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(new URL("agents.ts", folder), agentsFile);
  const { till: agent }: { readonly till: Agent } = await import(
    /* @vite-ignore */ new URL("agents.ts", folder).href
  );
  const model = new ScriptedModel([
    {
      toolCalls: [
        { toolName: "greet", arguments: {} },
        { toolName: "pay", arguments: { amount: "many" } },
        { toolName: "pay", arguments: { amount: 120 } },
        { toolName: "pay", arguments: { amount: 7 } },
        { toolName: "pay", arguments: { amount: 8 } },
      ],
    },
    "Done.",
  ]);
  const page = await openData([agent]);
  const paused = await run(agent.with({ model }), 'Pay "now".', { runId: "r", context: { user: "ada" } });
  const [asIs = "", denied = "", edited = ""] = paused.pending.map(({ approvalId = "" }) => approvalId);
  const approvals = [
    { approvalId: asIs, decision: "approve" },
    { approvalId: denied, decision: "deny", reason: 'Not "now".\u202e' },
    { approvalId: edited, decision: "approve", arguments: { amount: 9 } },
  ] as const;
  const done = await run(agent.with({ model }), paused.state, { approvals });
  expect(done.text).toBe("Done.");
  const { steps } = await page.run("r");
  const views: readonly AgentView[] = await describeAgents([agent]);
  const record = Object.assign(new RunRecord("r", undefined, agent.name, 0), {
    question: 'Pay "now".',
    context: { user: "ada" },
  });
  // As many parts as the result of the run has: what a person has changed is noted in a part of its own.
  for (const message of done.state.messages) {
    if (!("result" in message)) continue;
    const step = steps.findLast(
      (each) => each.kind === "tool" && each.outcome && each.toolCallId === message.result.toolCallId,
    );
    if (step) record.outcomes.set(step.id, { result: message.result });
  }
  const calls = steps.flatMap((step) => (step.kind === "tool" && step.outcome !== undefined ? [step] : []));
  expect(calls.map(({ outcome }) => outcome)).toEqual([
    "success",
    "invalid-arguments",
    "denied",
    "success",
    "success",
  ]);
  for (const [index, name] of ["till", "default", undefined, "test", "the till"].entries()) {
    const exportNames = new Map(name === undefined ? [] : [[agent.name, name]]);
    const call = calls[index];
    if (!call) throw new TypeError("a call is missing");
    const code = vitestCase(record, call, views, {
      ...(name !== undefined && { file: "src/agents.ts" }),
      exportNames,
    });
    // Nothing turns a line around, or ends it where an editor sees no end.
    expect(code).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]/u);
    // Where the name is not known, it is that of the agent.
    const text = name === undefined ? code.replace("{ theTill }", "{ till as theTill }") : code;
    await writeFile(new URL(`case-${index}.test.ts`, folder), text);
  }
  await writeFile(
    new URL("tsconfig.json", folder),
    JSON.stringify({
      extends: "../../../../tsconfig.json",
      compilerOptions: { noEmit: true, declaration: false, isolatedDeclarations: false },
      include: ["*.ts"],
    }),
  );
  const root = fileURLToPath(folder);
  await writeFile(
    new URL("vitest.config.ts", folder),
    "export default { test: { include: ['*.test.ts'] } };\n",
  );
  const bin = (name: string) => fileURLToPath(new URL(`../../node_modules/.bin/${name}`, import.meta.url));
  const command = promisify(execFile);
  const compiled = await command(bin("tsc"), ["-p", root]).catch((error: unknown) => Object(error));
  expect(compiled).toMatchObject({ stdout: "" });
  const report = fileURLToPath(new URL("report.json", folder));
  await command(bin("vitest"), ["run", "--root", root, "--reporter=json", `--outputFile=${report}`], {
    env: { ...process.env, VITEST: undefined },
  });
  expect(JSON.parse(await readFile(report, "utf8"))).toMatchObject({ numPassedTests: 5, numFailedTests: 0 });
}, 120_000);

test("a call has no test where nothing came of it, where that came from elsewhere, and where its agent cannot be imported", () => {
  const record = new RunRecord("r", undefined, "Till", 0);
  const step = {
    kind: "tool",
    id: 1,
    agent: "Till",
    turn: 1,
    start: 0,
    toolCallId: "c",
    toolName: "pay",
    arguments: "{}",
  } as const;
  const pay = { name: "pay", schema: {}, policies: ["approval"] };
  const views: readonly AgentView[] = [
    { name: "Till", hasDynamicInstructions: false, handoffs: [], tools: [pay] },
  ];
  const exports = { file: "agents.ts", exportNames: new Map([["Till", "till"]]) };
  for (const outcome of [
    {},
    { waits: true },
    { wasAsked: true },
    { outcome: "cancelled" },
    { outcome: "not-executed" },
    { outcome: "success", answered: true },
  ] as const)
    expect(() => vitestCase(record, { ...step, ...outcome }, views, exports)).toThrow("nothing to test");
  const success = { ...step, outcome: "success", result: "Paid." } as const;
  expect(() => vitestCase(record, success, views, { file: "src/agents.ts" })).toThrow(
    'agents.ts does not export the agent "Till"',
  );
  expect(() => vitestCase(record, { ...success, toolName: "gone" }, views, exports)).toThrow("has no agent");
  expect(vitestCase(record, { ...success, outcome: "denied" }, views, exports)).toContain('decision: "deny"');
});
